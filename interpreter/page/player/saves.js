// Saved games: the files that `gdl play` and `gdl replay` read and write.
//
// In: a record, or the text of a file. Out: the text, or the record. What then holds: what is
// written is read alike here and there. Files are YAML; read is what the program writes, and what a
// person may have changed in it by hand: settings of one line, lists, comments.

const BETWEEN_MOVES = "; ";
const MARK = "~";
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BLOCK = 15;
const CHECKED = 2;
const MAPS = ["options", "seats", "left", "reserved", "match"];
const LISTS = ["variants", "moves", "variations", "signed", "winners", "payoffs"];
const MOST_BYTES = 1 << 20;
const LANE = (1n << 64n) - 1n;
const RATE = 136; // bytes that SHAKE256 takes and gives at a time

/**
 * Return the text of a record: {game, digest, options, variants, seed, seats, clock, left, start,
 * result, moves, variations}; all but `game` and `moves` may be left out. `sealed` is for a game
 * that hides something and goes on: its moves are not to be read by chance.
 */
export function saveText(record) {
  const lines = [`game: ${quoted(record.game)}`];
  const setting = (key, value) => value && lines.push(`${key}: ${quoted(String(value))}`);
  const list = (key, values) => {
    if (values?.length) lines.push(`${key}:`, ...values.map((one) => `- ${quoted(one)}`));
  };
  const map = (key, values) => {
    const entries = Object.entries(values ?? {});
    if (entries.length) lines.push(`${key}:`);
    lines.push(...entries.map(([name, value]) => `  ${quoted(name)}: ${quoted(String(value))}`));
  };
  setting("digest", record.digest);
  map("options", record.options);
  list("variants", record.variants);
  if (record.seed !== null && record.seed !== undefined) lines.push(`seed: ${record.seed}`);
  map("seats", record.seats);
  setting("clock", record.clock);
  map("left", record.left);
  setting("start", record.start && JSON.stringify(record.start));
  setting("result", record.result);
  const moves = record.moves.map((move, number) =>
    record.sealed ? sealed(move, sealKey(record, number)) : move,
  );
  if (moves.length) list("moves", moves);
  else lines.push("moves: []");
  const variations = record.sealed ? [] : (record.variations ?? []);
  list("variations", variations.map((line) => line.join(BETWEEN_MOVES)));
  return `${lines.join("\n")}\n`;
}

function quoted(text) {
  const written = JSON.stringify(text).replace(/[^\x20-\x7e]/gu, (letter) => {
    const code = letter.codePointAt(0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
  return written;
}

/** Return the record in a file's text, sealed moves opened. Throws Error with what is wrong. */
export function readSave(text) {
  if (text.length > MOST_BYTES) throw new Error("This file is too large for a saved game.");
  const found = readYaml(text);
  if (typeof found.game !== "string" || !("moves" in found)) {
    throw new Error("This is not a saved game: it has no `game:` and `moves:`.");
  }
  if (found.id || found.signed || found.protocol) {
    throw new Error("This game is signed by its players: `gdl move` goes on with it.");
  }
  const digest = found.digest ?? "";
  const seed = found.seed === undefined ? null : found.seed;
  const isSealed = found.moves.some((move) => move.startsWith(MARK));
  const moves = found.moves.map((move, number) => {
    if (!move.startsWith(MARK)) return move;
    const opened = unsealed(move, sealKey({ digest, seed }, number));
    if (opened === null) throw new Error(`Move ${number + 1} is sealed, and its seal is broken.`);
    return opened;
  });
  const start = found.start === undefined ? null : JSON.parse(found.start);
  const variations = (found.variations ?? []).map((line) => line.split(BETWEEN_MOVES));
  const { options = {}, variants = [], seats = {}, clock = "", left = {}, result = "" } = found;
  const told = { game: found.game, digest, options, variants, seed, seats, clock, left };
  return { ...told, start, result, moves, variations, sealed: isSealed };
}

// ------------------------------------------------------------------------------------- YAML

function readYaml(text) {
  const found = Object.create(null);
  let key = null;
  text.split(/\r\n|\r|\n/).forEach((line, number) => {
    const fail = () => {
      throw new Error(`Line ${number + 1} can't be read: ${line.trim().slice(0, 60)}`);
    };
    const bare = line.trim();
    if (!bare || bare.startsWith("#") || bare === "---") return;
    const item = /^\s*-\s+(.*)$/.exec(line);
    if (item && key !== null && LISTS.includes(key)) {
      found[key].push(scalar(item[1], fail));
      return;
    }
    const [name, rest] = keyed(line.trim(), fail);
    if (/^\s/.test(line)) {
      if (key === null || !MAPS.includes(key)) fail();
      found[key][name] = scalar(rest, fail);
      return;
    }
    key = name;
    if (MAPS.includes(key) && ["", "{}"].includes(rest)) found[key] = Object.create(null);
    else if (LISTS.includes(key)) found[key] = rest ? flowList(rest, fail) : [];
    else if (rest) found[key] = scalar(rest, fail);
    else fail();
  });
  return found;
}

function keyed(line, fail) {
  const plainKey = /^([^\s"'#:][^:#]*?):(?:\s+(.*))?$/.exec(line);
  if (plainKey) return [plainKey[1], (plainKey[2] ?? "").trim()];
  const quotedKey = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'):(?:\s+(.*))?$/.exec(line);
  if (!quotedKey) return fail();
  return [scalar(quotedKey[1], fail), (quotedKey[2] ?? "").trim()];
}

function flowList(text, fail) {
  const inside = /^\[(.*)\]$/.exec(text);
  if (!inside) return fail();
  const parts = inside[1].match(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,\s][^,]*/g) ?? [];
  return parts.map((part) => scalar(part.trim(), fail));
}

function scalar(text, fail) {
  if (text.startsWith('"')) {
    const inside = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(text);
    return inside ? unescaped(inside[1], fail) : fail();
  }
  if (text.startsWith("'")) {
    const inside = /^'((?:[^']|'')*)'\s*(?:#.*)?$/.exec(text);
    return inside ? inside[1].replaceAll("''", "'") : fail();
  }
  if (/^[|>&*!%@\x60]/.test(text)) return fail();
  return text.replace(/\s+#.*$/, "");
}

function unescaped(text, fail) {
  const named = { n: "\n", t: "\t", r: "\r", 0: "\0", a: "\x07", b: "\b", e: "\x1b", f: "\f" };
  const others = { v: "\v", N: "\x85", _: "\xa0", L: "\u2028", P: "\u2029" };
  const known = { ...named, ...others, '"': '"', "\\": "\\", "/": "/", " ": " " };
  const escape = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/g;
  return text.replace(escape, (_, x, u, U, letter) => {
    const code = x ?? u ?? U;
    if (code !== undefined && parseInt(code, 16) > 0x10ffff) return fail();
    if (code !== undefined) return String.fromCodePoint(parseInt(code, 16));
    return Object.hasOwn(known, letter) ? known[letter] : fail();
  });
}

// ----------------------------------------------------------- moves that nobody reads by chance

function sealKey({ digest, seed }, number) {
  return `${digest ?? ""}:${seed === null || seed === undefined ? "None" : seed}:${number}`;
}

/** Return a text sealed under a key. */
export function sealed(text, key) {
  const plain = new TextEncoder().encode(text);
  const missing = (BLOCK - ((plain.length + CHECKED) % BLOCK)) % BLOCK;
  const filled = joinedBytes(plain, new Uint8Array(missing));
  return MARK + base32(mixedBytes(joinedBytes(checksum(filled, key), filled), key));
}

/** Return the text that was sealed under this key; null if it is damaged or of another key. */
export function unsealed(text, key) {
  const packed = fromBase32(text.slice(MARK.length));
  if (packed === null || packed.length < CHECKED) return null;
  const data = mixedBytes(packed, key);
  const filled = data.slice(CHECKED);
  if (checksum(filled, key).some((byte, place) => byte !== data[place])) return null;
  let end = filled.length;
  while (end > 0 && filled[end - 1] === 0) end -= 1;
  return new TextDecoder().decode(filled.subarray(0, end));
}

function checksum(filled, key) {
  return shake256(joinedBytes(new TextEncoder().encode(key), filled), CHECKED);
}

function mixedBytes(data, key) {
  const stream = shake256(new TextEncoder().encode(key), data.length);
  return data.map((byte, place) => byte ^ stream[place]);
}

function joinedBytes(first, second) {
  const found = new Uint8Array(first.length + second.length);
  found.set(first);
  found.set(second, first.length);
  return found;
}

function base32(bytes) {
  let [text, bits, value] = ["", 0, 0];
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(value >> (bits - 5)) & 31];
  }
  return text;
}

function fromBase32(text) {
  const bytes = [];
  let [bits, value] = [0, 0];
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter);
    if (digit < 0) return null;
    value = ((value << 5) | digit) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 255);
    }
  }
  return Uint8Array.from(bytes);
}

/** Return so many bytes of SHAKE256 of some data (FIPS 202). */
function shake256(data, size) {
  const blocks = Math.floor(data.length / RATE) + 1;
  const padded = new Uint8Array(blocks * RATE);
  padded.set(data);
  padded[data.length] ^= 0x1f;
  padded[padded.length - 1] ^= 0x80;
  const state = new BigUint64Array(25);
  const view = new DataView(padded.buffer);
  for (let block = 0; block < blocks; block++) {
    for (let lane = 0; lane < RATE / 8; lane++) {
      state[lane] ^= view.getBigUint64(block * RATE + 8 * lane, true);
    }
    keccak(state);
  }
  const found = new Uint8Array(Math.ceil(size / RATE) * RATE);
  for (let done = 0; done < found.length; done += RATE) {
    found.set(new Uint8Array(state.buffer, 0, RATE), done);
    keccak(state);
  }
  return found.slice(0, size);
}

function turned(lane, by) {
  return by ? ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & LANE : lane;
}

/** Permute a state by Keccak-f[1600] (FIPS 202, 3.2). */
function keccak(state) {
  let register = 1;
  const constantBit = () => {
    const bit = register & 1;
    register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    return bit;
  };
  for (let round = 0; round < 24; round++) {
    const parity = [0, 1, 2, 3, 4].map((x) => {
      return state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20];
    });
    for (let lane = 0; lane < 25; lane++) {
      const x = lane % 5;
      state[lane] ^= parity[(x + 4) % 5] ^ turned(parity[(x + 1) % 5], 1);
    }
    let [x, y, lane] = [1, 0, state[1]];
    for (let step = 0; step < 24; step++) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const next = state[x + 5 * y];
      state[x + 5 * y] = turned(lane, (((step + 1) * (step + 2)) / 2) % 64);
      lane = next;
    }
    for (let row = 0; row < 25; row += 5) {
      const old = state.slice(row, row + 5);
      for (let n = 0; n < 5; n++) state[row + n] ^= ~old[(n + 1) % 5] & old[(n + 2) % 5];
    }
    for (let power = 0; power < 7; power++) {
      if (constantBit()) state[0] ^= 1n << BigInt(2 ** power - 1);
    }
  }
}
