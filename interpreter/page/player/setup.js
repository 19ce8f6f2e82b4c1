// Positions that a file describes, made into those of a game.
//
// In: plain data, as the program writes positions. Out: a position. What then holds: it is the one
// that the program would read; data that is damaged is an Error that says so.

import { Position } from "./basics.js";

/**
 * Return the position that some data describes: {state: values by name, outcome}.
 * Throws Error where the data is damaged, or of other rules.
 */
export function positionFrom(game, told) {
  const { data } = game;
  if (!told || typeof told.state !== "object") throw new Error("The start is not a position.");
  if (told.digest && told.digest !== data.digest) {
    throw new Error("The start is a position of other rules.");
  }
  const { frame } = data;
  const bytes = new Uint8Array(frame.bytes);
  const view = new DataView(bytes.buffer);
  const pasts = frame.memories.map(() => new Uint8Array(0));
  for (const slot of frame.slots) {
    if (!Object.hasOwn(told.state, slot.key)) throw new Error(`The start lacks “${slot.key}”.`);
    const value = told.state[slot.key];
    if (slot.memory === null) writeEntries(game, view, slot.offset, slot, value);
    else {
      pasts[slot.memory] = keysOf(game, frame.memories[slot.memory], value);
      const count = pasts[slot.memory].length / frame.memories[slot.memory].bytes;
      view.setBigInt64(slot.offset, BigInt(count), true);
    }
  }
  if (told.outcome) writeOutcome(game, view, told.outcome);
  return new Position(bytes, pasts);
}

function keysOf(game, { bytes, parts }, history) {
  if (!Array.isArray(history)) throw damaged("earlier positions");
  const keys = history.flatMap(([values, times]) => {
    const key = new Uint8Array(bytes);
    const view = new DataView(key.buffer);
    parts.forEach((part, n) => writeEntries(game, view, part.offset, part, values[n]));
    return Array(times).fill(key);
  });
  const found = new Uint8Array(bytes * keys.length);
  keys.forEach((key, n) => found.set(key, bytes * n));
  return found;
}

function writeEntries(game, view, at, place, value) {
  const values = place.perSite ? value : [value];
  if (!Array.isArray(values) || (place.perSite && values.length !== game.sites.length)) {
    throw damaged(value);
  }
  const size = place.bits / 8;
  values.forEach((one, n) => {
    write(view, at + size * n, size, numberOf(game, place, one));
  });
}

function write(view, at, size, number) {
  let rest = BigInt.asUintN(8 * size, number);
  for (let byte = 0; byte < size; byte++) {
    view.setUint8(at + byte, Number(rest & 255n));
    rest >>= 8n;
  }
}

/** Return the number that a value is in memory. */
function numberOf(game, { type, unit }, value) {
  if (type === "sites") {
    const names = String(value).split(" ").filter(Boolean);
    return names.reduce((found, name) => {
      const site = game.siteNumbers.get(name);
      if (site === undefined) throw damaged(name);
      return found | (1n << BigInt(site));
    }, 0n);
  }
  if (type === "flag") return value ? 1n : 0n;
  if (Array.isArray(type)) {
    const place = value === null ? -1 : type.indexOf(value);
    if (value !== null && place < 0) throw damaged(value);
    return BigInt(place);
  }
  const parts = /^(-?[0-9]+)(?:\/([0-9]+))?$/.exec(String(value));
  const below = BigInt(parts?.[2] ?? 1);
  if (!parts || below === 0n) throw damaged(value);
  return (BigInt(parts[1]) * BigInt(unit)) / below;
}

function writeOutcome(game, view, { winners = [], payoffs = [] }) {
  const { frame, clauses, sides } = game.data;
  view.setInt32(frame.ended, clauses.length + 1, true);
  const mask = winners.reduce((found, name) => found | (1n << BigInt(sides.indexOf(name))), 0n);
  write(view, frame.winners[0], frame.winners[1] / 8, mask);
  const place = { type: "number", unit: frame.payoffUnit };
  payoffs.forEach((worth, n) => write(view, frame.payoffs[n], 8, numberOf(game, place, worth)));
}

function damaged(value) {
  return new Error(`The start is damaged: ${String(value).slice(0, 40)}`);
}
