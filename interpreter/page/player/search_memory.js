// Memory of a search: records as they are laid out in the module's memory.
//
// In: images, which interpreter/search/machine/image.py makes of records. Out: addresses to call
// functions with, and what stands in fields. What then holds: nothing is known here of a field but
// what the image says of it, and of a thread's place what interpreter/search/hosted.py tells.

import { fromHex } from "./basics.js";

const STACK_KEPT = 1 << 18; // bytes of the stack that are left where code tests it
const ROOM_MISSING = 2; // NO_ROOM in interpreter/native/memory/world.py
const SMALL_PIECE = 1 << 20; // larger pieces hold nothing that was not put there before it is read

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
export class Layout {
  constructor(machine, image) {
    this.machine = machine;
    this.image = image;
    this.content = fromHex(image.bytes);
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
  begin(record, field) {
    const [piece, offset] = this.image.fields[record][field];
    return this.begins[piece] + offset;
  }

  /** Return a number of a record. */
  number(record, field) {
    return Number(this.machine.get(this.begin(record, field)));
  }

  /** Return how many elements an array has. */
  length(record, field) {
    return this.image.fields[record][field][4];
  }

  /** Return functions that read elements of a record's arrays, as long as memory does not grow. */
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
export class Seat {
  constructor(machine, image) {
    this.machine = machine;
    this.image = image;
    this.layout = new Layout(machine, image);
    this.room = image.room;
    this.larger = null;
  }

  get desk() {
    return this.layout.record("desk");
  }

  get world() {
    return this.layout.begin("desk", "world");
  }

  /** Put a position there, which a search is to begin with; random numbers begin at a state. */
  take(position, random) {
    const { layout, machine, image, world } = this;
    layout.reset();
    this.room = image.room;
    const counts = image.pasts.map(({ key_bytes }, n) => position.pasts[n].length / key_bytes);
    this.makeRoom(Math.max(0, ...counts) + image.ahead);
    const most = layout.length("desk", "position");
    machine.bytes.set(position.bytes.subarray(0, most), layout.begin("desk", "position"));
    position.pasts.forEach((past, n) => {
      machine.bytes.set(past, Number(machine.get(world + image.pasts[n].at)));
      machine.put(layout.begin("desk", "remembered") + 8 * n, counts[n]);
    });
    machine.put(layout.begin("desk", "random"), BigInt.asIntN(64, random));
  }

  /** Have room for so many earlier positions. */
  makeRoom(room) {
    if (room <= this.room) return;
    const { image, machine, world, layout } = this;
    if (this.larger === null || this.larger.room < room) this.larger = this.taken(2 * room);
    const { larger } = this;
    if (image.trail) {
      machine.put(world + image.trail.at, larger.trail);
      machine.put(world + image.trail.end, larger.trail + larger.trailBytes);
    }
    image.pasts.forEach(({ key_bytes, at }, n) => {
      const { offsets } = image;
      const { keys, digests } = larger.pasts[n];
      const before = Number(machine.get(world + at));
      machine.bytes.copyWithin(keys, before, before + key_bytes * this.room);
      machine.put(world + at, keys);
      machine.put(world + at + offsets.room, larger.room);
      machine.put(world + at + offsets.digests, digests);
      machine.put(world + at + offsets.digested, 0);
      machine.put(layout.begin("desk", "tables") + 8 * n, keys);
    });
    this.room = larger.room;
  }

  taken(room) {
    const { image, machine } = this;
    const pasts = image.pasts.map(({ key_bytes }) => ({
      keys: machine.take(key_bytes * room),
      digests: machine.take(4 * (room + image.offsets.compared)),
    }));
    const { entry_bytes, entries, a_key } = image.trail ?? { entry_bytes: 0, entries: 0, a_key: 0 };
    const trailBytes = entry_bytes * (entries + a_key * room);
    return { room, pasts, trailBytes, trail: machine.take(trailBytes) };
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

/** A search of one position after another, by functions in the game's module. */
export class Search {
  constructor(game) {
    const { images } = game.data.engine;
    this.game = game;
    this.calls = game.machine.calls;
    this.fixed = new Layout(game.machine, images.fixed);
    this.kept = new Layout(game.machine, images.kept);
    this.seat = new Seat(game.machine, images.seat);
    this.position = null;
    // The game's functions may use the module's stack, all but what the search needs itself.
    const { stackBytes } = game.data.module;
    game.machine.put(this.fixed.begin("code", "stack"), stackBytes - STACK_KEPT);
  }
}

/** Compare lists of numbers as Python compares tuples. */
export function inOrder(one, other) {
  for (let n = 0; n < Math.min(one.length, other.length); n++) {
    if (one[n] !== other[n]) return one[n] - other[n];
  }
  return one.length - other.length;
}

/** Return the moment, in milliseconds. */
export function now() {
  return performance.now();
}
