// Monte-Carlo tree search of positions, by the functions in the game's module.
//
// In: positions, one after another. Out: what is known of each. What then holds: for a seed, the
// number of the question and a number of iterations it finds what interpreter/search/engine.py
// finds on one thread; the tree is kept from one position to the next.

import { Chance } from "./basics.js";
import { RulesFail } from "./game.js";
import { Search, inOrder, now } from "./search_memory.js";

const WORK_AT_ONCE = 40; // milliseconds of search between two looks at what else there is to do
const FIRST_ITERATIONS = 16;
const MOST_ITERATIONS = 1 << 16;
const MOST_LEFT_OUT = 100; // random games that fail, and are left out
const LONGEST_LINE = 12;
const [DEEPEST_KNOWN, MOST_LOOKED_THROUGH] = [6, 30000]; // as in interpreter/search/tree_reuse.py
const [NO_CHILD, BY_CHANCE] = [-1, -1];
const [KNOWN, OVER] = [1, 4]; // what is known of a node: see interpreter/search/memory/tree.py
const [ROOT, PEAK] = [16, 17];
const SHARE_OF_BEST = 0.25;
const MOST_SEATS_PROVEN = 2;

/** A tree, as it is now: what interpreter/search/tree_search/findings.py tells of one. */
class TreeFindings {
  constructor(layout, record, seats) {
    Object.assign(this, layout.readers(record));
    this.seats = seats;
    this.apart = layout.number(record, "apart");
    this.root = this.state(ROOT);
  }

  isPart(node) {
    return this.runs(node) !== NO_CHILD;
  }

  isProven(node) {
    return this.low(node) === this.high(node);
  }

  branches(node) {
    if (this.tried(node) === 0) return 0;
    return this.choosers(node) === BY_CHANCE ? this.moves(node) : this.tried(node);
  }

  moveNumber(node, place) {
    const first = this.first_move(node);
    if (first < 0) return first;
    if (this.are_split(node) !== 0 || this.is_ordered(node) !== 0) {
      return this.numbers(this.begin(node) + place);
    }
    const number = (first + place * this.stride(node)) % this.moves(node);
    return Math.max(0, this.runs(node)) + number;
  }

  /** The children of a node: the number of the move to each, its own, and how often they were
   * visited: of parts of turns as well, from the largest on. */
  children(node, above = []) {
    const found = [];
    for (let place = 0; place < this.branches(node); place++) {
      const child = this.places(this.begin(node) + place);
      if (child === NO_CHILD || this.known(child) < KNOWN) continue;
      const visits = [...above, this.visits(child)];
      if (this.isPart(child)) found.push(...this.children(child, visits));
      else found.push({ number: this.moveNumber(node, place), child, visits });
    }
    return found;
  }

  /** The children of a node from best to worst, as it sees them who decides there. */
  ordered(node) {
    const chooser = this.choosers(node);
    const certain = this.bounds(node, chooser)[0];
    const rank = (entry) => {
      const { child, visits } = entry;
      const [low, high] = this.bounds(child, chooser);
      const [value, plies] = [this.value(child, Math.max(chooser, 0)), this.plies(child)];
      if (low === 1 && high === 1) return [1, -plies];
      if (low === 0 && high === 0) return [-1, plies];
      const isGoodEnough = low >= certain || (high > certain && value >= certain);
      return [0, Number(isGoodEnough), ...visits, -1, value];
    };
    const ranked = this.children(node).map((entry) => ({ ...entry, rank: rank(entry) }));
    return ranked.sort((a, b) => inOrder(b.rank, a.rank));
  }

  bounds(node, seat) {
    const [low, high] = [this.low(node) / 2, this.high(node) / 2];
    if (this.known(node) === OVER && low !== high) {
      const value = this.value(node, seat);
      return [value, value];
    }
    return seat === 1 ? [1 - high, 1 - low] : [low, high];
  }

  value(node, seat) {
    const mean = this.totals(node * this.apart + seat) / Math.max(1, this.visits(node));
    if (this.low(node) === 0 && this.high(node) === 2) return mean;
    const [low, high] = this.bounds(node, seat);
    return Math.min(Math.max(mean, low), high);
  }

  /** The numbers of the moves that are likely to follow a node. */
  line(node) {
    const found = [];
    let here = node;
    while (found.length < LONGEST_LINE && this.choosers(here) !== BY_CHANCE) {
      const best = this.ordered(here)[0];
      if (best === undefined) break;
      found.push(best.number);
      here = best.child;
    }
    return found;
  }

  /** What the position at the root is worth to each seat, from 0 to 1. */
  values() {
    let node = this.root;
    const { seats } = this;
    if (seats > MOST_SEATS_PROVEN && this.choosers(node) >= 0) {
      const chooser = this.choosers(node);
      const isWon = ({ child }) => this.known(child) === OVER && this.value(child, chooser) === 1;
      node = this.ordered(node).find(isWon)?.child ?? node;
    }
    const best = this.choosers(node) >= 0 ? this.ordered(node)[0] : undefined;
    const isEnough = (child) => this.visits(child) >= SHARE_OF_BEST * this.visits(node);
    if (best !== undefined && isEnough(best.child)) node = best.child;
    return Array.from({ length: seats }, (_, seat) => this.value(node, seat));
  }
}

/** Monte-Carlo tree search of one position after another. */
export class TreeSearch extends Search {
  /** Begin with a position: with the part of the tree below it, if the tree has it. */
  begin(position, seed, number) {
    const node = this.position === null ? null : this.known(position);
    if (node === null) {
      this.kept.reset();
      [this.tree, this.other] = ["tree", "other"];
    } else {
      this.prune(node);
    }
    this.position = position;
    this.seat.take(position, new Chance(seed, number).state);
    this.made = 0;
    this.leftOut = 0;
    this.isDone = false;
  }

  /** Return the node of a position some moves below the root, or null. */
  known(position) {
    const found = new TreeFindings(this.kept, this.tree, this.game.data.engine.seats);
    let level = [{ node: found.root, passed: [] }];
    let lookedThrough = 0;
    for (let depth = 0; depth < DEEPEST_KNOWN; depth++) {
      for (const { node, passed } of level) {
        const known = found.known(node);
        if (known >= KNOWN && known !== OVER && this.isAt(position, node, passed)) return node;
      }
      lookedThrough += level.length;
      level = level.flatMap(({ node, passed }) =>
        found.children(node).map(({ child }) => ({ node: child, passed: [...passed, child] })),
      );
      if (!level.length || lookedThrough + level.length > MOST_LOOKED_THROUGH) return null;
    }
    return null;
  }

  /** Return whether a position is that of a node, to which others lead from the root. */
  isAt(position, node, passed) {
    const { game, kept, tree, seat } = this;
    const { bytes } = game.machine;
    const { stateBytes } = game.data.frame;
    const { pasts, key_bytes: step } = seat.image;
    const isAs = (wanted, begin, size, from = 0) => {
      for (let n = 0; n < size; n++) if (wanted[from + n] !== bytes[begin + n]) return false;
      return true;
    };
    const begin = kept.begin(tree, "positions") + node * stateBytes;
    if (!isAs(position.bytes, begin, stateBytes)) return false;
    let at = kept.begin(tree, "keys");
    return pasts.every(({ key_bytes: size }, n) => {
      const [past, before] = [position.pasts[n], this.position.pasts[n]];
      const first = at;
      at += size;
      if (past.length !== before.length + passed.length * size) return false;
      if (!before.every((byte, place) => byte === past[place])) return false;
      const isKey = (one, place) =>
        isAs(past, first + one * step, size, before.length + place * size);
      return passed.every(isKey);
    });
  }

  /** Leave behind all but what is below a node. */
  prune(node) {
    const { kept, fixed, calls } = this;
    const found = new TreeFindings(kept, this.tree, this.game.data.engine.seats);
    if (node === found.root) return;
    this.game.machine.put(kept.begin("pruning", "root"), node);
    const names = [this.tree, this.other, "pruning", "tally"];
    const [tree, other, pruning, tally] = names.map((name) => kept.record(name));
    calls.engine_number_anew(tree, pruning);
    calls.engine_move_nodes(tree, other, pruning, fixed.record("fields"), tally);
    calls.engine_move_tables(tree, tally, pruning);
    [this.tree, this.other] = [this.other, this.tree];
  }

  /** Make at most so many iterations, and fewer where the position is proven. */
  search(iterations) {
    const { fixed, kept, seat, calls } = this;
    const records = [
      ...[kept.record(this.tree), fixed.record("code"), fixed.record("fields"), seat.desk],
      ...[fixed.record("policy"), fixed.record("estimate"), kept.record("tally")],
    ];
    const made = Number(calls.engine_search(...records, BigInt(iterations)));
    this.made += made;
    if (made >= iterations) return;
    this.end();
    if (seat.error === 0) {
      this.isDone = true;
      return;
    }
    seat.mend();
    this.leftOut += 1;
    if (this.leftOut > MOST_LEFT_OUT) throw new RulesFail("The rules fail in games tried here.");
  }

  /** Let all nodes know what was found out: before the tree tells of it. */
  end() {
    const { fixed, kept, seat, calls } = this;
    const [policy, tally] = [fixed.record("policy"), kept.record("tally")];
    calls.engine_end_search(kept.record(this.tree), seat.desk, policy, tally);
  }

  /** Play several random games from a node where they take little, and time counts alone. */
  playFromNodes(isByTime) {
    this.inTime ??= gamesInTime(this.game);
    const games = isByTime ? this.inTime : 1;
    this.game.machine.put(this.fixed.begin("policy", "games"), games);
  }

  /** Search by parts of the work, each of which ends soon; yield after each. */
  *parts(iterations, end) {
    this.playFromNodes(!Number.isFinite(iterations));
    let next = FIRST_ITERATIONS;
    try {
      while (!this.isDone && this.made < iterations && (this.made === 0 || now() < end)) {
        const begun = now();
        this.search(Math.min(next, iterations - this.made));
        const spent = Math.max(0.01, now() - begun);
        next = Math.ceil(next * Math.min(4, WORK_AT_ONCE / spent));
        next = Math.max(1, Math.min(next, MOST_ITERATIONS));
        yield;
      }
    } finally {
      this.end();
    }
  }

  /** Forget what was found out: the next position begins with an empty tree. */
  forget() {
    this.position = null;
  }

  /** Return what is known of the position. */
  told(lines) {
    const { game, position } = this;
    const { seats, payoff_unit } = game.data.engine;
    const found = new TreeFindings(this.kept, this.tree, seats);
    const chooser = found.choosers(found.root);
    const entries = found.ordered(found.root).map(({ number, child }, rank) => {
      const bounds = found.bounds(child, chooser);
      const proven = bounds[0] === bounds[1];
      const visits = found.visits(child);
      const value = found.value(child, Math.max(chooser, 0));
      const plies = proven ? found.plies(child) + 1 : null;
      const line = rank < lines ? found.line(child) : [];
      return { number, visits, value, bounds, proven, plies, line, isBound: false, depth: null };
    });
    const values = found.values();
    const peak = payoff_unit ? found.state(PEAK) / payoff_unit : 0;
    const payoffs = payoff_unit ? values.map((one) => peak * (2 * one - 1)) : null;
    // From here on memory may grow, and what has read the tree may not be asked any more.
    const moves = entries.map((entry) => withMoves(game, position, entry));
    return { iterations: this.made, values, moves, payoffs, depth: null };
  }
}

/** Return how many random games are played from a new node, as `games_from_node` in engine.py. */
function gamesInTime(game) {
  const { short_games: short } = game.data.engine;
  if (!short) return 1;
  try {
    const found = game.playouts(game.start(), short.sample, 1, { plies: 2 * short.most });
    const plies = found.moves / short.sample;
    return short.least <= plies && plies <= short.most ? short.games : 1;
  } catch (problem) {
    if (problem instanceof RulesFail) return 1;
    throw problem;
  }
}

/** Put the moves into what is known of one, in place of their numbers. */
function withMoves(game, position, { number, line, ...known }) {
  const move = game.moves(position).at(number);
  const texts = [move.text];
  let next = line.length ? game.play(position, move) : position;
  for (const [n, one] of line.entries()) {
    const answer = game.moves(next).at(one);
    texts.push(answer.text);
    if (n + 1 < line.length) next = game.play(next, answer);
  }
  return { text: move.text, number, ...known, line: texts };
}

