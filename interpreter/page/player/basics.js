// What several modules need: positions, texts to bytes, numbers that are exact, random numbers.
//
// In: texts and numbers. Out: others. What then holds: random numbers of a seed are those that the
// program draws (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number
// generators", 2014; D. Lemire, "Fast random integer generation in an interval", 2019).

const MASK = (1n << 64n) - 1n;
const GOLDEN = 0x9e3779b97f4a7c15n;

/**
 * A position: its `bytes`, and in `pasts` the keys of earlier positions that the rules ask for; the
 * position `before`, and the `move` that led from there, if there was one.
 */
export class Position {
  constructor(bytes, pasts, ply = 0, before = null, move = null) {
    this.bytes = bytes;
    this.pasts = pasts;
    this.ply = ply;
    this.before = before;
    this.move = move;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.known = new Map(); // what has been worked out of it
  }
}

/** Random numbers of the game with a number, of a seed: the same as the program draws. */
export class Chance {
  /** @param {number|bigint} seed @param {number|bigint} number the number of the game */
  constructor(seed, number = 0) {
    this.state = mixed((BigInt(seed) + GOLDEN * (BigInt(number) + 1n)) & MASK);
  }

  /** Return the next random number below another one. @param {number} number @returns {number} */
  below(number) {
    this.state = (this.state + GOLDEN) & MASK;
    return Number((mixed(this.state) * BigInt(number)) >> 64n);
  }
}

function mixed(state) {
  let one = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  one = ((one ^ (one >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return one ^ (one >> 31n);
}

/** Return the bytes that a text in base 64 stands for. @param {string} text */
export function fromBase64(text) {
  const found = atob(text);
  return Uint8Array.from(found, (letter) => letter.charCodeAt(0));
}

/** Return the bytes that a text of hexadecimal digits stands for. @param {string} text */
export function fromHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

/** Return the data that `interpreter/page/document.py` has packed into a text. */
export async function unpack(text) {
  return JSON.parse(await inflated(text).text());
}

/** Return the bytes that it has packed into a text. */
export async function unpackBytes(text) {
  return new Uint8Array(await inflated(text).arrayBuffer());
}

function inflated(text) {
  const packed = new Blob([fromBase64(text.trim())]);
  return new Response(packed.stream().pipeThrough(new DecompressionStream("deflate")));
}

/** Return the value of an object's own key; undefined if it has none. */
export function own(object, key) {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Return the numbers of the bits that are set in so many bytes. */
export function bitsAt(view, at, bytes) {
  const found = [];
  for (let byte = 0; byte < bytes; byte++) {
    const one = view.getUint8(at + byte);
    for (let bit = 0; one >> bit; bit++) if ((one >> bit) & 1) found.push(8 * byte + bit);
  }
  return found;
}

/** Return a number over another one: a number if it is whole, else {over, under}, both bigints. */
export function fraction(over, under) {
  if (Number(under) === 1) return typeof over === "bigint" ? small(over) : over;
  let [a, b] = [BigInt(over), BigInt(under)];
  const [whole, below] = [a, b];
  while (b) [a, b] = [b, a % b];
  if (a < 0n) a = -a;
  return below === a ? small(whole / a) : { over: whole / a, under: below / a };
}

function small(number) {
  return BigInt.asIntN(53, number) === number ? Number(number) : number;
}

/** Return a number, or a fraction, as text. */
export function fractionText(value) {
  return typeof value === "object" ? `${value.over}/${value.under}` : String(value);
}

/** Return about how large a number or a fraction is. */
export function fractionValue(value) {
  return typeof value === "object" ? Number(value.over) / Number(value.under) : Number(value);
}

/** Return an element of SVG that is told as [name, {attributes}, text or [elements]]. */
export function svgElement([name, attributes, inner]) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (typeof inner === "string") element.textContent = inner;
  else element.append(...inner.map(svgElement));
  return element;
}
