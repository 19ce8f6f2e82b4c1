// A game as its rules are: positions, legal moves, what a move leads to, how a game ends.
//
// In: the data of a game, with its WebAssembly module (interpreter/page/data.py says what it has).
// Out: a `Game`. What then holds: its moves come in the order of the rules, and positions, outcomes
// and random games of a seed are those that the program itself makes. Positions are never changed.

import { bitsAt, fraction, fractionText, fractionValue } from "./basics.js";
import { Position, fromBase64, own } from "./basics.js";
import { Trace, promptOf, readMove, sitesNamed, spelled } from "./moves.js";
import { positionFrom } from "./setup.js";
import { ALL_SIDES, lastMove, sceneOf, tellsMoves, toldMoves, windowOf } from "./scene.js";

const WORK = 1n << 26n; // units of work that a turn may take: what a machine does in a second
const MOST_PLIES = 1n << 62n;
const USUAL_ROOM = 1024; // earlier positions
const USUAL_LIST = 4096; // words of a list of moves
const TRAIL_BYTES = 16;
const TRAIL_ENTRIES = 1 << 16;
const PAGE = 65536;
const PASSES = -1;
const [RULES_FAIL, NO_ROOM, , LEFT_TO_REFERENCE, , , TOO_LONG] = [1, 2, 3, 4, 5, 6, 7];

/** What is wrong with rules where they fail: a sentence for people. */
export class RulesFail extends Error {}

/** Memory of the module: what its functions share, and room for positions and lists. */
class Machine {
  constructor(instance, data) {
    this.data = data;
    this.calls = instance.exports;
    this.end = data.module.heapBase;
    const { frame, world } = data;
    this.room = 0;
    this.pasts = frame.memories.map(() => 0);
    this.world = this.take(world.bytes);
    this.position = this.take(frame.bytes);
    this.decisions = this.take(8 * 4097);
    this.tally = this.take(8 * (frame.tally.length + 3 * data.sides.length));
    this.out = this.take(data.asked.bytes);
    this.listSize = USUAL_LIST;
    this.list = this.take(8 * this.listSize);
    this.makeRoom(USUAL_ROOM);
  }

  /** Take memory that nobody else has, full of zeros. */
  take(size) {
    const begin = Math.ceil(this.end / 128) * 128;
    this.end = begin + size + 128;
    const missing = this.end - this.calls.memory.buffer.byteLength;
    if (missing > 0) this.calls.memory.grow(Math.ceil(missing / PAGE));
    return begin;
  }

  get bytes() {
    return new Uint8Array(this.calls.memory.buffer);
  }

  put(address, value) {
    new DataView(this.calls.memory.buffer).setBigInt64(address, BigInt(value), true);
  }

  get(address) {
    return new DataView(this.calls.memory.buffer).getBigInt64(address, true);
  }

  words(address, count) {
    return new BigInt64Array(this.calls.memory.buffer.slice(address, address + 8 * count));
  }

  get error() {
    return Number(this.get(this.world + this.data.world.error));
  }

  /** Give each memory of earlier positions room for so many, and the trail for their changes. */
  makeRoom(room) {
    if (room <= this.room) return;
    this.room = room;
    const { frame, world } = this.data;
    if (frame.trail) {
      const size = TRAIL_BYTES * (TRAIL_ENTRIES + 8 * room);
      const trail = this.take(size);
      this.put(this.world + world.trail, trail);
      this.put(this.world + world.trailEnd, trail + size);
    }
    this.pasts = frame.memories.map((memory, number) => {
      const table = this.take(Math.max(8, memory.bytes * room));
      const digests = this.take(4 * (room + world.digestsCompared));
      const place = this.world + world.past + world.pastBytes * number;
      this.put(place, table);
      this.put(place + world.pastRoom, room);
      this.put(place + world.pastDigests, digests);
      this.put(place + world.pastDigested, 0);
      return table;
    });
  }

  /** Bring a position there. */
  write(position, room = 0) {
    const { frame, world } = this.data;
    const keys = position.pasts.map((past, n) => past.length / frame.memories[n].bytes);
    const needed = Math.max(room, 2 * USUAL_LIST, Math.max(0, ...keys) + USUAL_ROOM);
    if (needed > this.room) this.makeRoom(Math.max(needed, 2 * this.room));
    const bytes = this.bytes;
    bytes.set(position.bytes, this.position);
    position.pasts.forEach((past, number) => {
      bytes.set(past, this.pasts[number]);
      this.put(this.world + world.past + world.pastBytes * number + world.pastDigested, 0);
    });
    this.put(this.world + world.error, 0);
    this.put(this.world + world.stop, 0);
  }

  /** Return the position that is there, after a move of another one. */
  read(before, move) {
    const { frame } = this.data;
    const bytes = this.bytes.slice(this.position, this.position + frame.bytes);
    bytes.fill(0, frame.stateBytes);
    const view = new DataView(bytes.buffer);
    const pasts = frame.memories.map((memory, number) => {
      const size = Number(view.getBigInt64(memory.count, true)) * memory.bytes;
      const known = before.pasts[number];
      if (size === known.length) return known;
      return this.bytes.slice(this.pasts[number], this.pasts[number] + size);
    });
    return new Position(bytes, pasts, before.ply + 1, before, move);
  }

  /** Call a function; return what it gives. Throws RulesFail where a browser's stack ends. */
  call(name, ...given) {
    const { heapBase, stackRoom } = this.data.module;
    this.calls.prepare(this.world, WORK, BigInt(stackRoom));
    try {
      return this.calls[name](...given);
    } catch (error) {
      this.calls.__stack_pointer.value = heapBase;
      throw new RulesFail(`This position can't be worked out here (${error.message}).`);
    }
  }

  /** Throw RulesFail if the last call has failed. */
  check() {
    const error = this.error;
    if (error === 0) return;
    const why = {
      [RULES_FAIL]: "The rules fail here: a number is too large, or a loop has no end.",
      [LEFT_TO_REFERENCE]: "This turn is too long or too deep to be worked out here.",
      [TOO_LONG]: "This turn takes more work than it may.",
    };
    throw new RulesFail(why[error] ?? `This position can't be worked out here (${error}).`);
  }
}

/** A game that can be played. */
export class Game {
  constructor(data, instance, module) {
    this.data = data;
    this.sides = data.sides;
    this.sites = data.sites;
    this.module = module;
    this.machine = new Machine(instance, data);
    this.siteNumbers = new Map(data.sites.map((name, number) => [name, number]));
    this.usual = new Position(fromBase64(data.start), data.pasts.map(fromBase64));
    this.beginWith(null);
  }

  /** What the module exports; its memory; and more of that for somebody else, full of zeros. */
  get exports() {
    return this.machine.calls;
  }

  get memory() {
    return this.machine.calls.memory;
  }

  allocate(bytes) {
    return this.machine.take(bytes);
  }

  /**
   * Return the game of some data, with the code of its module as bytes or as a text in base 64,
   * which is compiled, unless that was done before.
   * @param {object} data @param {WebAssembly.Module} compiled
   */
  static async open(data, compiled = null) {
    const { code } = data.module;
    const bytes = () => (typeof code === "string" ? fromBase64(code) : code);
    const module = compiled ?? (await WebAssembly.compile(bytes()));
    return new Game(data, await WebAssembly.instantiate(module, {}), module);
  }

  /** Return the position that the game begins with. */
  start() {
    return this.first;
  }

  /**
   * Let the game begin with a position that a file describes; null: as it usually does. `startTold`
   * is what a file says of the first position, or null. Throws Error, and leaves all as it is.
   */
  beginWith(told) {
    this.first = told === null ? this.usual : positionFrom(this, told);
    this.startTold = told ?? this.data.startTold;
    this.isElsewhere = told !== null;
  }

  // ---------------------------------------------------------------------------------- moves

  /** Return the legal moves, in the order of the rules; none if the game is over. */
  moves(position) {
    return this.keep(position, "moves", () => this.listed(position));
  }

  listed(position) {
    if (this.clause(position) !== 0) return [];
    const { machine } = this;
    const listed = () => {
      machine.write(position);
      const { world, list, listSize } = machine;
      const used = machine.call("listed", machine.position, world, list, BigInt(listSize));
      machine.check();
      return Number(used);
    };
    let used = listed();
    if (used > machine.listSize) {
      machine.listSize = 2 * used;
      machine.list = machine.take(8 * machine.listSize);
      used = listed();
    }
    if (used > 0) return this.ofTraces(machine.words(machine.list, used));
    return this.isStuck(position) ? [] : [Trace.forcedPass()];
  }

  ofTraces(words) {
    const found = [];
    for (let place = 0; place < words.length; ) {
      const end = place + 1 + Number(words[place]);
      found.push(new Trace(this.data, words.subarray(place + 1, end)));
      place = end;
    }
    return found;
  }

  /** Return whether a side without a legal move ends the game, rather than passes. */
  isStuck(position) {
    const { machine } = this;
    machine.write(position);
    const found = machine.call("stuck", machine.position, machine.world);
    machine.check();
    return found !== PASSES;
  }

  /** Return the position after a legal move. Throws RangeError for one that can't be made. */
  play(position, move) {
    const { machine } = this;
    machine.write(position);
    if (move.isForcedPass) {
      machine.call("pass_on", machine.position, machine.world);
    } else {
      const { decisions } = move;
      decisions.forEach((one, n) => machine.put(machine.decisions + 8 * n, one));
      const count = BigInt(decisions.length);
      const { world } = machine;
      const made = machine.call("make", machine.position, world, machine.decisions, count);
      if (machine.error === 0 && made === 0n) throw new RangeError("That move can't be made here.");
    }
    machine.check();
    return machine.read(position, move);
  }

  /** Return one of the legal moves, each as likely as another. @param {Chance} chance */
  randomMove(position, chance) {
    const moves = this.moves(position);
    return moves.length ? moves[chance.below(moves.length)] : null;
  }

  /** Return the move that chance makes, each as likely as another; `random` gives [0, 1). */
  chance(position, random) {
    const moves = this.moves(position);
    return moves[Math.min(moves.length - 1, Math.floor(random() * moves.length))];
  }

  /** Return the legal moves that a text names, as people or saved games write it. */
  find(position, text) {
    const { move, moves = [] } = readMove(this, position, text);
    return move ? [move] : moves;
  }

  /** Return why a text names no legal move: {message, hint}. */
  why(position, text) {
    return readMove(this, position, text);
  }

  /** Return the text of a move that means it alone here. */
  spelled(position, move) {
    return spelled(this, position, move);
  }

  /** Return what a player is asked for who has chosen so many steps of some moves, or "". */
  prompt(position, moves, chosen) {
    return promptOf(this, position, moves, chosen);
  }

  // -------------------------------------------------------------------------------- outcome

  clause(position) {
    return position.view.getInt32(this.data.frame.ended, true);
  }

  /**
   * Return how the game has ended, or null if it goes on: the numbers of the sides that win, their
   * seats (from 1), what it is worth to each side, the clause (its place in `data.clauses`), and
   * all in words.
   */
  outcome(position) {
    return this.keep(position, "outcome", () => {
      if (this.clause(position) !== 0) return this.ended(position.view, position);
      const { machine } = this;
      machine.write(position);
      if (machine.call("count", machine.position, machine.world) > 0n) {
        machine.check();
        return null;
      }
      machine.check();
      if (!this.isStuck(position)) return null;
      const last = machine.read(position, null);
      return this.clause(last) === 0 ? null : this.ended(last.view, position);
    });
  }

  ended(view, position) {
    const { frame, sides } = this.data;
    const number = view.getInt32(frame.ended, true);
    const mask = this.wide(view, frame.winners[0], frame.winners[1]);
    const winners = sides.map((_, side) => side).filter((side) => (mask >> BigInt(side)) & 1n);
    const unit = BigInt(frame.payoffUnit);
    const payoffs = frame.payoffs.map((at) => fraction(view.getBigInt64(at, true), unit));
    const seats = winners.map((side) => this.seatOf(position, side));
    const text = this.outcomeText(winners, payoffs);
    return { winners, seats, payoffs, clause: number - 1, text };
  }

  outcomeText(winners, payoffs) {
    const { data } = this;
    if (!winners.length) return data.puzzle ? "lost" : "draw";
    const mask = winners.reduce((sum, side) => sum | (1 << side), 0);
    const names = winners.map((side) => data.sides[side]).join(", ");
    const told = own(data.wins, String(mask)) ?? `${names} win`;
    if (!payoffs.length) return told;
    const shown = payoffs.map(fractionText);
    const values = payoffs.map(fractionValue);
    const isOpposite = payoffs.length === 2 && values[0] + values[1] === 0;
    if (isOpposite) return `${told} by ${shown[values[0] > values[1] ? 0 : 1]}`;
    return `${told}, ${shown.join(" : ")}`;
  }

  /** Return what the clause that ended a game says: {text, line, written}; null if unknown. */
  clauseOf(outcome) {
    const clause = this.data.clauses[outcome.clause];
    if (!clause) return null;
    const names = new Set(outcome.winners.map((side) => this.data.sides[side]));
    const of = (one) => one.winners.length === names.size && one.winners.every((n) => names.has(n));
    const these = clause.words.filter((one) => one.winners.length && of(one));
    const texts = (these.length ? these : clause.words).map((one) => one.text);
    return { text: [...new Set(texts)].join(" "), line: clause.line, written: clause.text };
  }

  // ----------------------------------------------------------------------------- who is on turn

  /** Return the number of the side on turn, from 0. */
  mover(position) {
    return Number(this.slot(position, this.data.system.mover));
  }

  /** Return the phase: {name, shown, seat, byChance}. */
  phase(position) {
    const place = this.data.system.phase;
    return this.data.phases[place === null ? 0 : Number(this.slot(position, place))];
  }

  /** Return the seat on turn, from 1; null where chance decides. */
  seat(position) {
    const phase = this.phase(position);
    if (phase.byChance) return null;
    return phase.seat === null ? this.seatOf(position, this.mover(position)) : phase.seat + 1;
  }

  /** Return the seat, from 1, that plays a side. */
  seatOf(position, side) {
    const { seats } = this.data.system;
    return seats.length ? Number(this.slot(position, seats[side])) + 1 : side + 1;
  }

  /** Return whether some sides have decided in a round, and others have not yet. */
  isUndecided(position) {
    return this.data.undecided.some((place) => Number(this.slot(position, place)) !== 0);
  }

  /** Return who decides: {seat (from 1, null: chance), side, phase (for people), undecided}. */
  turn(position) {
    const { shown } = this.phase(position);
    const undecided = this.isUndecided(position);
    return { seat: this.seat(position), side: this.mover(position), phase: shown, undecided };
  }

  // ------------------------------------------------------------------------------- looks

  /**
   * Return what is to be drawn, as `sceneOf` tells: for the side `seat` by number, from 0; -1 for
   * what all sides see, and undefined for all that there is.
   */
  scene(position, { seat = null } = {}) {
    const viewer = seat === -1 ? ALL_SIDES : seat;
    const { before, move } = position;
    const last = before && move ? lastMove(this, before, move, position) : null;
    return sceneOf(this, position, { viewer, last });
  }

  /** Return which part of a board without a border a scene needs; see `windowOf`. */
  window(scene, more = []) {
    return windowOf(this, scene, more);
  }

  /** Return whether a side (-1: all) is told of the move that has led to a position. */
  tells(position, side) {
    const viewer = side === -1 ? ALL_SIDES : side;
    const { before } = position;
    if (this.seat(before) !== null && this.mover(before) === viewer) return true;
    return !this.isUndecided(position) && tellsMoves(this, position, viewer);
  }

  /** Return the texts of a line's moves that a side (-1: all) is told, null for the others. */
  told(positions, side) {
    const moves = positions.slice(1).map((position) => position.move);
    return toldMoves(this, positions, moves, side === -1 ? ALL_SIDES : side);
  }

  /** Return the sites that a move names, by number, in its order. */
  sitesOf(move) {
    return sitesNamed(this, move);
  }

  /** Return the scores that are shown of a position, by side. */
  scores(position) {
    return sceneOf(this, position).scores;
  }

  // ------------------------------------------------------------------------------- values

  /** Return the value of a part of the position, by its place; of sets, the sites in order. */
  slot(position, place) {
    return this.keep(position, place, () => {
      const { perSite, offset, bits, unit, type } = this.data.frame.slots[place];
      const size = bits / 8;
      const read = (at) => this.valueAt(position.view, at, bits, unit, type);
      if (!perSite) return read(offset);
      return this.sites.map((_, site) => read(offset + size * site));
    });
  }

  /** Return the value of an expression of the data: {value}, {slot} or {asked}. */
  value(position, expression) {
    if (expression.value !== undefined) {
      const { value } = expression;
      const isFraction = Array.isArray(value) && expression.type !== "sites";
      return isFraction ? fraction(BigInt(value[0]), BigInt(value[1])) : value;
    }
    if (expression.slot !== undefined) return this.slot(position, expression.slot);
    const { view, answers } = this.answered(position);
    const [offset, bits, unit] = answers[expression.asked];
    return this.valueAt(view, offset, bits, unit, expression.type);
  }

  /** Return where a relation that depends on the position leads: pairs of sites. */
  led(position, number) {
    const { view, answers } = this.answered(position);
    const [offset, bits, , count] = answers[number];
    const found = [];
    for (let site = 0; site < count; site++) {
      const targets = this.valueAt(view, offset + (site * bits) / 8, bits, 1, "sites");
      for (const other of targets) found.push([site, other]);
    }
    return found;
  }

  answered(position) {
    return this.keep(position, "answered", () => {
      const { machine } = this;
      machine.write(position);
      machine.call("asked", machine.position, machine.world, machine.out);
      machine.check();
      const { bytes, answers } = this.data.asked;
      const copy = machine.bytes.slice(machine.out, machine.out + bytes);
      return { view: new DataView(copy.buffer), answers };
    });
  }

  valueAt(view, at, bits, unit, type) {
    if (type === "sites") return bitsAt(view, at, bits / 8);
    if (type === "flag") return view.getUint8(at) !== 0;
    if (bits === 8) return fraction(view.getInt8(at), unit);
    if (bits === 16) return fraction(view.getInt16(at, true), unit);
    if (bits === 32) return fraction(view.getInt32(at, true), unit);
    return fraction(this.wide(view, at, bits), BigInt(unit));
  }

  /** Return a number of many bits, with its sign. */
  wide(view, at, bits) {
    let found = 0n;
    for (let byte = bits / 8 - 1; byte >= 0; byte--) {
      found = (found << 8n) | BigInt(view.getUint8(at + byte));
    }
    return BigInt.asIntN(bits, found);
  }

  keep(position, key, make) {
    if (!position.known.has(key)) position.known.set(key, make());
    return position.known.get(key);
  }

  // ------------------------------------------------------------------------ many moves at once

  /** Return the number of sequences of `depth` moves (a bigint). */
  perft(position, depth) {
    const { machine } = this;
    machine.write(position);
    const found = machine.call("perft", machine.position, machine.world, BigInt(depth));
    machine.check();
    return found;
  }

  /**
   * Play random games; return how they ended: {playouts, moves, shortest, longest, draws,
   * unfinished, bySide, bySeat}, all numbers. Game number i of a seed is the same everywhere.
   */
  playouts(position, count, seed, { first = 0, plies = null } = {}) {
    const { machine } = this;
    const { tally } = this.data.frame;
    const size = tally.length + 3 * this.sides.length;
    for (let n = 0; n < size; n++) machine.put(machine.tally + 8 * n, 0);
    machine.put(machine.tally + 8 * tally.indexOf("shortest"), (1n << 63n) - 1n);
    const last = first + count;
    let room = 2 * USUAL_LIST;
    for (let number = first; number < last; ) {
      machine.write(position, room);
      const limits = [BigInt(seed), plies === null ? MOST_PLIES : BigInt(plies)];
      const games = [BigInt(number), BigInt(last - number), ...limits, machine.tally, 0];
      number += Number(machine.call("playouts", machine.position, machine.world, ...games));
      if (machine.error === NO_ROOM) room = 2 * machine.room;
      else machine.check();
    }
    const numbers = [...machine.words(machine.tally, size)].map(Number);
    const named = Object.fromEntries(tally.map((name, n) => [name, numbers[n]]));
    const at = tally.length;
    const sides = this.sides.length;
    return {
      ...named,
      bySide: numbers.slice(at, at + sides),
      bySeat: numbers.slice(at + sides, at + 2 * sides),
    };
  }
}
