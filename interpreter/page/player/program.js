// For programs: `window.gdl`, by which scripts, tests and a browser's console play in a page.
//
// In: the player. Out: functions, told in docs/page.md. What then holds: what they do is seen in
// the page as if a person had done it; what can't be done is an Error that says why.

import { own } from "./basics.js";
import { readMove } from "./moves.js";
import { standing } from "./scene.js";

const MOST_PLAYOUTS = 1_000_000;

/**
 * Give programs `window.gdl`.
 *
 * `player` is what shows the game: `game` (a Game), `position` (the one that is shown),
 * `play(move)`, `undo()`, `hold(isHeld)`, `load(moves)` for moves that are played from the first
 * position on, and `analyse(request)`, which returns a promise.
 */
export function programInterface(player) {
  const made = {
    /** Return the texts of the legal moves, each of which means its move alone. */
    moves: () => {
      const { game, position } = player;
      return game.moves(position).map((move) => game.spelled(position, move));
    },
    /** Make the move that a text names; return the state after it. */
    play: (text) => {
      player.play(moveOf(player.game, player.position, String(text)));
      return made.state();
    },
    /** Take the last move back; return the state before it. */
    undo: () => {
      player.undo();
      return made.state();
    },
    /** Let chance and players of the page make no moves by themselves; `hold(false)`: go on. */
    hold: (isHeld = true) => player.hold(Boolean(isHeld)),
    /** Return what stands where, whose turn it is, and how the game has ended. */
    state: () => stateOf(player.game, player.position),
    /** Return how many sequences of so many moves there are. */
    perft: (depth) => {
      const found = player.game.perft(player.position, count(depth, "depth"));
      return found <= Number.MAX_SAFE_INTEGER ? Number(found) : found;
    },
    /** Play random games from here; return how they ended. */
    playouts: (number, seed = 0) => {
      if (count(number, "number") > MOST_PLAYOUTS) throw new RangeError("Fewer games, please.");
      return player.game.playouts(player.position, number, seed);
    },
    /** Search; the promise gives what the engine finds. */
    analyse: (request = {}) => Promise.resolve(player.analyse(request)),
    /** Begin anew with these moves; return the state after them. */
    load: (moves) => {
      player.load([...moves].map(String));
      return made.state();
    },
  };
  window.gdl = Object.freeze(made);
  return made;
}

function count(number, what) {
  if (!Number.isSafeInteger(number) || number < 0) throw new RangeError(`No ${what}: ${number}`);
  return number;
}

function moveOf(game, position, text) {
  const { move, message, hint } = readMove(game, position, text);
  if (!move) throw new Error([message, hint].filter(Boolean).join(" "));
  return move;
}

/** Return a position as plain data: rows of characters, pieces by site, mover, outcome. */
export function stateOf(game, position) {
  const stands = standing(game, position);
  const { layers } = game.data;
  const symbols = (site) => {
    const symbol = (n) => (n === null ? UNKNOWN_PIECE : layers[n].symbol);
    const pile = (stands.get(site) ?? []).map(symbol);
    return pile.length > 1 ? `(${pile.join("")})` : pile[0] ?? EMPTY_SITE;
  };
  const pieces = {};
  for (const site of [...stands.keys()].sort((a, b) => a - b)) {
    const top = stands.get(site).at(-1);
    pieces[game.sites[site]] = layers[top].name;
  }
  const ended = game.outcome(position);
  return {
    ply: position.ply,
    rows: pictureRows(game).map((row) => row.map(symbols).join(" ")),
    pieces,
    mover: game.sides[game.mover(position)],
    seat: game.seat(position),
    phase: game.phase(position).name,
    scores: game.scores(position),
    outcome: ended && outcomeOf(game, ended),
  };
}

/** Return the sites by the rows of a picture made of text: from the top, each from the left. */
function pictureRows(game) {
  const rows = new Map();
  game.data.scene.sites.forEach(([x, y, kind], site) => {
    const key = `${y} ${kind}`;
    if (!rows.has(key)) rows.set(key, { y, kind, sites: [] });
    rows.get(key).sites.push([x, site]);
  });
  return [...rows.values()]
    .sort((one, other) => one.y - other.y || (one.kind < other.kind ? -1 : 1))
    .map(({ sites }) => sites.sort(([a], [b]) => a - b).map(([, site]) => site));
}

const UNKNOWN_PIECE = "?";
const EMPTY_SITE = ".";

function outcomeOf(game, ended) {
  const clause = game.clauseOf(ended);
  return {
    text: ended.text,
    winners: ended.winners.map((side) => game.sides[side]),
    seats: ended.seats,
    clause: own(clause ?? {}, "text") ?? "",
  };
}
