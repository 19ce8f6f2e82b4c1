// The engine in a page: what the search in the game's module finds out of positions.
//
// In: a `Game` whose data has an engine (interpreter/search/hosted.py says what it has). Out:
// analyses, a part of the work at a time. What then holds: for a seed and a number of iterations it
// finds what the program's own engine finds on one thread; what that does with Python beside it
// (solved games, quick wins by every way) is left out.

import { Chance, fromBase64, RulesFail } from "./game.js";

const WORK_AT_ONCE = 40; // milliseconds of search between two looks at what else there is to do
const FIRST_ITERATIONS = 16;
const MOST_ITERATIONS = 1 << 16;
const MOST_LEFT_OUT = 100; // random games that fail, and are left out
const LONGEST_LINE = 12;
const USUAL_LINES = 5;
const STACK_KEPT = 1 << 15; // bytes of the stack that are left where code tests it
const ROOM_MISSING = 2;
const SMALL_PIECE = 1 << 20; // larger pieces hold nothing that was not put there before it is read
const SAME = 1e-9;

// ------------------------------------------------------------------------- memory of the search

const READERS = {
  Words: (view, at) => Number(view.getBigInt64(at, true)),
  Shorts: (view, at) => view.getInt32(at, true),
  Signs: (view, at) => view.getInt8(at),
  Bytes: (view, at) => view.getUint8(at),
  Doubles: (view, at) => view.getFloat64(at, true),
  Floats: (view, at) => view.getFloat32(at, true),
  RowShorts: (view, at) => view.getInt32(at, true),
  RowSigns: (view, at) => view.getInt8(at),
  PairFloats: (view, at) => view.getFloat32(at, true),
};

/** Records laid out in the module's memory, as an image of interpreter/search/machine/image.py. */
class Layout {
  constructor(machine, image) {
    this.machine = machine;
    this.image = image;
    this.content = fromBase64(image.bytes);
    this.begins = image.pieces.map((size) => machine.take(size));
    this.reset();
  }

  /** Let all be as it was at first, but for large pieces. */
  reset() {
    const { machine, image, begins } = this;
    const { bytes } = machine;
    image.pieces.forEach((size, piece) => {
      if (size <= SMALL_PIECE) bytes.fill(0, begins[piece], begins[piece] + size);
    });
    let from = 0;
    for (const [piece, offset, size] of image.filled) {
      bytes.set(this.content.subarray(from, from + size), begins[piece] + offset);
      from += size;
    }
    for (const [piece, offset, target, there] of image.links) {
      machine.put(begins[piece] + offset, begins[target] + there);
    }
    for (const [piece, offset, name] of image.functions) {
      machine.put(begins[piece] + offset, machine.data.module.functions[`engine_calls_${name}`]);
    }
  }

  /** Return the address of a record. @param {string} name */
  record(name) {
    const [piece, offset] = this.image.records[name];
    return this.begins[piece] + offset;
  }

  /** Return where a number of a record stands, or where an array begins. */
  place(record, field) {
    const [piece, offset] = this.image.fields[record][field];
    return this.begins[piece] + offset;
  }

  /** Return how many elements an array has. */
  length(record, field) {
    return this.image.fields[record][field][4];
  }

  /** Return functions that read elements of arrays of a record, by their names; while it grows not. */
  readers(record) {
    const view = new DataView(this.machine.calls.memory.buffer);
    const found = {};
    for (const [field, [piece, offset, kind, step]] of Object.entries(this.image.fields[record])) {
      if (kind === undefined) continue;
      const begin = this.begins[piece] + offset;
      const read = READERS[kind];
      found[field] = (place) => read(view, begin + place * step);
    }
    return found;
  }
}

/** A thread's place: a position in front of it, with what is remembered of the game. */
class Seat {
  constructor(machine, image) {
    this.machine = machine;
    this.image = image;
    this.layout = new Layout(machine, image);
    this.room = image.room;
  }

  get desk() {
    return this.layout.record("desk");
  }

  get world() {
    return this.layout.place("desk", "world");
  }

  /** Put a position there, which a search is to begin with; random numbers begin at a state. */
  take(position, random) {
    const { layout, machine, image, world } = this;
    layout.reset();
    const kept = image.pasts.map(({ key_bytes }, n) => position.pasts[n].length / key_bytes);
    const needed = Math.max(0, ...kept) + image.ahead;
    this.room = image.room;
    this.makeRoom(needed);
    const { bytes } = machine;
    bytes.set(position.bytes.subarray(0, machine.data.frame.bytes), layout.place("desk", "position"));
    position.pasts.forEach((past, n) => {
      bytes.set(past, Number(machine.get(world + image.pasts[n].at)));
      machine.put(layout.place("desk", "remembered") + 8 * n, kept[n]);
    });
    machine.put(layout.place("desk", "random"), BigInt.asIntN(64, random));
  }

  /** Have room for so many earlier positions. */
  makeRoom(room) {
    const { image, machine, world, layout } = this;
    if (room <= this.room) return;
    this.room = Math.max(room, 2 * this.room);
    const { offsets } = image;
    if (image.trail) {
      const size = image.trail.entry_bytes * (image.trail.entries + 8 * this.room);
      const trail = machine.take(size);
      machine.put(world + image.trail.at, trail);
      machine.put(world + image.trail.end, trail + size);
    }
    image.pasts.forEach(({ key_bytes, at }, n) => {
      const table = machine.take(key_bytes * this.room);
      const before = Number(machine.get(world + at));
      const kept = key_bytes * Number(machine.get(world + at + offsets.room));
      machine.bytes.copyWithin(table, before, before + kept);
      machine.put(world + at, table);
      machine.put(world + at + offsets.room, this.room);
      machine.put(world + at + offsets.digests, machine.take(4 * (this.room + offsets.compared)));
      machine.put(world + at + offsets.digested, 0);
      machine.put(layout.place("desk", "tables") + 8 * n, table);
    });
  }

  get error() {
    return Number(this.machine.get(this.world + this.image.offsets.error));
  }

  /** Forget that a call failed; where room was missing, have more. */
  mend() {
    if (this.error === ROOM_MISSING) this.makeRoom(2 * this.room);
    this.machine.put(this.world + this.image.offsets.error, 0);
  }
}
