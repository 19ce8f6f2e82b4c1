// What can be done at once in a position, and a finished game looked through.
//
// In: positions of a game, and analyses of them (engine.js). Out: threats, and judgements of moves.
// What then holds: they are those of interpreter/positions/threats.py and interpreter/search/
// review.py; nothing is known there of how a position is searched.

import { Position, fractionValue } from "./basics.js";
import { RulesFail } from "./game.js";
import { standing } from "./scene.js";

const MOST_SHOWN = 6;
const FEW_TAKEN = 4; // pieces, of which each that could be taken is told

/**
 * Return what the side on turn and the others could do at once, as far as the time allows:
 * {onTurn, others, chances, winning, winningSites, scoring, scoringSites, taking, taken, mostTaken,
 * many, isWhole}: sides and sites by number, moves as texts. `chances` are those by which the side
 * on turn wins, `winning` those by which others would, if it were their turn; they could take what
 * is `taken` by `taking`, at most so many at once, and score by `scoring`. Where most pieces could
 * be taken, only the moves that take the most are told; if these still take most, how `many`.
 */
export function threatsOf(game, position, seconds = 3) {
  const begun = performance.now();
  const end = (part) => begun + 1000 * seconds * part;
  const onTurn = game.mover(position);
  const found = {
    ...{ onTurn, others: new Set(), chances: new Set(), winning: new Set(), isWhole: true },
    ...{ winningSites: new Set(), scoring: new Set(), scoringSites: new Set() },
    ...{ taking: new Set(), taken: new Set(), mostTaken: 0, many: 0 },
  };
  const losses = new Map();
  const own = sitesOfSide(game, position, onTurn);
  const isTurn = game.outcome(position) === null && game.seat(position) !== null;
  for (const [move, after] of isTurn ? tried(game, position, end(0.5)) : []) {
    if (after === null) found.isWhole = false;
    else if (wins(game, after, onTurn)) found.chances.add(move.text);
  }
  for (const [side, other] of isTurn ? withOthersOnTurn(game, position) : []) {
    found.others.add(side);
    lookAtOther(game, other, side, { own, onTurn, found, losses, end: end(1) });
  }
  tellLosses(found, losses, own.size);
  const plain = ([name, value]) => [name, value instanceof Set ? [...value] : value];
  return Object.fromEntries(Object.entries(found).map(plain));
}

/** Tell what could be taken: of much, what is taken with the most at once, or how much it is. */
function tellLosses(found, losses, whole) {
  const all = new Set([...losses.values()].flat());
  const isMuch = (sites) => sites.size > Math.max(FEW_TAKEN, Math.floor(whole / 2));
  found.mostTaken = Math.max(0, ...[...losses.values()].map((lost) => lost.length));
  const most = [...losses].filter(([, lost]) => !isMuch(all) || lost.length === found.mostTaken);
  const taken = new Set(most.flatMap(([, lost]) => lost));
  if (isMuch(taken)) {
    found.many = all.size;
    return;
  }
  found.taking = new Set(most.map(([text]) => text));
  found.taken = taken;
}

function lookAtOther(game, other, side, { own, onTurn, found, losses, end }) {
  const had = scoreOf(game, other, side);
  const scored = [];
  let number = 0;
  for (const [move, after] of tried(game, other, end)) {
    if (after === null) {
      found.isWhole = false;
      continue;
    }
    number += 1;
    if (wins(game, after, side)) {
      found.winning.add(move.text);
      game.sitesOf(move).forEach((site) => found.winningSites.add(site));
    }
    const left = sitesOfSide(game, after, onTurn);
    const lost = [...own].filter((site) => !left.has(site));
    if (lost.length) {
      losses.set(move.text, lost);
    } else if (had !== null && scoreOf(game, after, side) > had) {
      scored.push(move);
    }
  }
  if (scored.length > Math.max(MOST_SHOWN, Math.floor(number / 2))) return; // nearly any move does
  for (const move of scored) {
    found.scoring.add(move.text);
    game.sitesOf(move).forEach((site) => found.scoringSites.add(site));
  }
}

/** Yield each legal move and where it leads; null, and no more, once the time is up. */
function* tried(game, position, end) {
  for (const move of legal(game, position)) {
    if (performance.now() > end) {
      yield [move, null];
      return;
    }
    const after = unlessRulesFail(() => game.play(position, move));
    if (after !== null) yield [move, after];
  }
}

function legal(game, position) {
  return unlessRulesFail(() => game.moves(position)) ?? [];
}

function unlessRulesFail(work) {
  try {
    return work();
  } catch (problem) {
    if (problem instanceof RulesFail) return null;
    throw problem;
  }
}

function wins(game, after, side) {
  const outcome = unlessRulesFail(() => game.outcome(after));
  return outcome !== null && outcome.winners.includes(side);
}

function scoreOf(game, position, side) {
  const score = game.data.scores[side];
  return score === undefined ? null : fractionValue(game.value(position, score));
}

function sitesOfSide(game, position, side) {
  const found = new Set();
  for (const [site, layers] of standing(game, position)) {
    const top = layers[layers.length - 1];
    if (game.data.layers[top].side === side) found.add(site);
  }
  return found;
}

/** Yield the position with each other side on turn, where it may be. */
function* withOthersOnTurn(game, position) {
  const mover = game.mover(position);
  for (let side = 0; side < game.sides.length; side++) {
    if (side === mover) continue;
    const other = unlessRulesFail(() => withMover(game, position, side));
    if (other === null || game.outcome(other) !== null) continue;
    if (game.seat(other) === game.seatOf(other, side)) yield [side, other];
  }
}

/**
 * Return the position with another side on turn, as if the one before it had just moved: nothing is
 * remembered of the game. Throws RulesFail.
 */
function withMover(game, position, side) {
  const { frame, system, sides } = game.data;
  const { offset } = frame.slots[system.mover];
  const bytes = position.bytes.slice();
  for (const { count } of frame.memories) bytes.fill(0, count, count + 8);
  bytes[offset] = (side + sides.length - 1) % sides.length;
  const { machine } = game;
  const nothing = position.pasts.map(() => new Uint8Array(0));
  const begun = new Position(bytes, nothing, position.ply);
  machine.write(begun);
  machine.call("settle", machine.position, machine.world);
  machine.check();
  const found = machine.read(begun, 0);
  found.bytes[offset] = side;
  return found;
}

// ------------------------------------------------------------------- a game, looked through

/** How much of the value of a game a move gives away that is called so. */
export const MISTAKE = 0.15;
export const BLUNDER = 0.3;
const FEWEST_VISITS_KNOWN = 30;
const FEWEST_ITERATIONS_KNOWN = 300;
const WORTH_TELLING = 0.05;

/** Return how many seconds to search each position of a game of so many moves. */
export function secondsEach(moves) {
  return Math.max(0.05, Math.min(0.5, Math.round(200 / (moves + 1)) / 10));
}

/**
 * Return what a position is worth for each side, by number, if the best move is made: the value of
 * the position itself is a mean of good moves and bad ones.
 */
export function outlook(game, position, analysis) {
  const { moves, sides } = analysis;
  if (!moves.length || sides.length !== 2) return sides;
  const [best] = moves;
  if (best.visits < FEWEST_VISITS_KNOWN && !best.proven) return sides;
  const mover = game.mover(position);
  return sides.map((_, side) => (side === mover ? best.value : 1 - best.value));
}

/**
 * Return what is to say of each move of a game: `positions` are one more than its moves, whose
 * texts are given, and `analyses` has what was found out of each position. A judgement: {number
 * (from 1), side (by number), isChance, text, worth, worthAfter, change, sign ("", "?" or "??"),
 * proven, provenAfter, better, line, isKnown}.
 */
export function judgementsOf(game, positions, texts, analyses) {
  const isEnough = (found) => {
    const isOver = !found.moves.length;
    return isOver || found.isProven || found.iterations >= FEWEST_ITERATIONS_KNOWN;
  };
  return texts.map((text, n) => {
    const [before, after] = [analyses[n], analyses[n + 1]];
    const worth = outlook(game, positions[n], before);
    const worthAfter = outlook(game, positions[n + 1], after);
    const isChance = game.seat(positions[n]) === null;
    const gains = worth.map((one, side) => worthAfter[side] - one);
    const side = isChance ? gains.indexOf(Math.max(...gains)) : game.mover(positions[n]);
    const change = gains[side];
    const better = before.best === null || before.best === text ? null : before.best;
    const line = better === null ? [] : before.moves[0].line.slice(1);
    const isKnown = isEnough(before) && isEnough(after);
    let sign = "";
    if (isKnown && !isChance && better !== null && change <= -MISTAKE) {
      sign = change <= -BLUNDER ? "??" : "?";
    }
    const proven = { proven: before.verdict, provenAfter: after.verdict };
    const told = { number: n + 1, side, isChance, text, worth, worthAfter, change, sign };
    return { ...told, ...proven, better, line, isKnown };
  });
}

/** Return the judgements that changed the value most, at most so many, in the game's order. */
export function momentsOf(judgements, number = 8) {
  const told = judgements.filter((one) => one.isKnown && Math.abs(one.change) >= WORTH_TELLING);
  told.sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  return told.slice(0, number).sort((a, b) => a.number - b.number);
}
