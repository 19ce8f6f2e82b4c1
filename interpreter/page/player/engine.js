// The engine in a page: what the search in the game's module finds out of positions.
//
// In: a `Game` whose data has an engine (interpreter/search/hosted.py says what it has). Out:
// analyses, a part of the work at a time. What then holds: for a seed and a number of iterations it
// finds what the program's own engine finds on one thread; what that does with Python beside it
// (solved games, quick wins by every way, positions that a side guesses) is left out.

import { AlphaBeta } from "./alpha_beta.js";
import { now } from "./search_memory.js";
import { TreeSearch } from "./tree_search.js";

const USUAL_LINES = 5;
const SAME = 1e-9;

/** Finds the best moves of one game; answers one question at a time. */
export class Engine {
  /** @param {Game} game a game whose data has an engine: see `lacks` */
  constructor(game) {
    const why = Engine.lacks(game);
    if (why) throw new Error(why);
    this.game = game;
    this.search = game.data.engine.search;
    this.searcher = this.search === "tree" ? new TreeSearch(game) : new AlphaBeta(game);
    this.position = null;
  }

  /** Return in a sentence why there is no engine for a game; "" if there is one. */
  static lacks(game) {
    if (game.data.engine?.search) return "";
    return game.data.engine?.why ?? "There is no engine for this game here.";
  }

  /** Forget what was found out so far. */
  forget() {
    this.position = null;
    this.searcher.forget();
  }

  /**
   * Search a position by parts of the work, mostly of some hundredths of a second; yield after
   * each. Ends after so many `iterations` or `seconds`, and sooner where the value is proven. The
   * same is found by the same `seed` and `number` of the question. Of alpha-beta, the values of
   * some of the best moves are found out, if `lines` are to be told, and of those that are worse by
   * `slack` at most.
   */
  *analyse(position, options = {}) {
    const { iterations = Infinity, seconds = Infinity, seed = 0, number = 0 } = options;
    const { lines = USUAL_LINES, slack = 0 } = options;
    this.begun = now();
    this.position = position;
    if (this.game.outcome(position) !== null) return;
    this.searcher.begin(position, seed, number);
    yield* this.searcher.parts(iterations, this.begun + 1000 * seconds, { lines, slack });
  }

  /**
   * Return what is known of the position that was searched last: {iterations, seconds, best, value,
   * sides, moves, payoffs, depth, verdict, isProven}. `value` has a number from 0 to 1 for each
   * seat, `sides` for each side; `moves`, from best to worst, have {text, number, visits, value,
   * bounds, proven, plies, line, isBound, depth}, as interpreter/search/analysis.py says; the first
   * `lines` of them a line of texts. `best` is the text of the first move, null if there is none.
   */
  told(lines = USUAL_LINES) {
    const { game, position } = this;
    const seconds = (now() - this.begun) / 1000;
    const outcome = game.outcome(position);
    const found = outcome === null ? this.searcher.told(lines) : finished(game, outcome);
    const { moves, values } = found;
    const sides = game.sides.map((_, side) => values[game.seatOf(position, side) - 1]);
    const best = moves.length ? moves[0].text : null;
    const isProven = outcome === null && isCertain(game, position, moves);
    const verdict = found.payoffs ? "" : verdictOf(game, position, moves);
    return { ...found, seconds, best, value: values, sides, isProven, verdict };
  }

  /** Return what is found out, without a pause. */
  analysis(position, options = {}) {
    for (const _ of this.analyse(position, options));
    return this.told(options.lines);
  }
}

function finished(game, outcome) {
  const { seats, teams } = game.data.engine;
  const { seats: winners } = outcome;
  const isDraw = !winners.length || (winners.length === seats && seats > 1);
  const worth = (seat) => (isDraw ? drawnValue(teams) : Number(winners.includes(seat + 1)));
  const values = Array.from({ length: seats }, (_, seat) => worth(seat));
  return { iterations: 0, values, moves: [], payoffs: null, depth: null };
}

function drawnValue(teams) {
  return teams > 1 ? 1 / teams : 0;
}

/** Return whether all legal moves are known, and none of them is worth more. */
function isBestOfAll(game, position, moves, value) {
  const areAll = moves.length === game.moves(position).length;
  return areAll && moves.every((move) => move.bounds[1] <= value + SAME);
}

function isCertain(game, position, moves) {
  if (!moves.length) return false;
  const [low, high] = moves[0].bounds;
  if (game.seat(position) === null) {
    const areSame = moves.every(({ bounds }) => bounds[0] === low && bounds[1] === low);
    return areSame && moves.length === game.moves(position).length;
  }
  return low === high && (low === 1 || isBestOfAll(game, position, moves, low));
}

/** Return what is proven of a position, in words; "" if that is nothing. */
function verdictOf(game, position, moves) {
  if (!moves.length || !moves[0].proven) return "";
  const { wins, loses, seats, teams } = game.data.engine;
  const { bounds, plies } = moves[0];
  const side = game.mover(position);
  const within = `in ${plies} move${plies === 1 ? "" : "s"} at most`;
  if (bounds[0] === 1) return plies === null ? "" : `${wins[side]} ${within}`;
  if (!isBestOfAll(game, position, moves, bounds[0])) return "";
  if (bounds[0] === 0 && plies === null && seats === 1) return "there is no solution";
  if (bounds[0] === 0) return plies === null ? "" : `${loses[side]} ${within}`;
  return Math.abs(bounds[0] - drawnValue(teams)) < SAME ? "a draw" : "";
}

// ------------------------------------------------------------------------- players by strength

const FEWEST_VISITS = 0.25; // which part of the visits of the best move another needs

/**
 * Return what a level from 1 to 10 may search: options for `analyse`. It is that of
 * interpreter/search/levels.py; `slack` is how much worse than the best its move may be.
 */
export function levelOptions(game, level) {
  const { levels, search } = game.data.engine;
  const [iterations, positions, seconds, slack] = levels[level - 1];
  return { iterations: search === "tree" ? iterations : positions, seconds, slack, lines: 0 };
}

/** Return the number of a move that is good enough; in a tree, the more visits, the more likely. */
export function chosenMove(analysis, slack = 0, random = Math.random) {
  const { moves } = analysis;
  if (!moves.length) return null;
  const [best] = moves;
  if (best.proven || !slack) return best.number;
  const byDepth = analysis.depth !== null;
  const isKnown = (one) => (byDepth ? !one.isBound : one.visits >= FEWEST_VISITS * best.visits);
  const isGood = (one) => one === best || (isKnown(one) && one.value >= best.value - slack);
  const good = moves.filter(isGood);
  const weight = (one) => (byDepth ? 1 : one.visits);
  let left = random() * good.reduce((sum, one) => sum + weight(one), 0);
  const found = good.find((one) => (left -= weight(one)) < 0);
  return (found ?? good[good.length - 1]).number;
}
