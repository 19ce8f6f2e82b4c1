// Moves: the steps of one whole turn, its text, and moves read from what people type.
//
// In: traces, as native code lists them, and texts. Out: moves. What then holds: a move's text is
// that of the program, and a text is read as the program reads it.

import { own } from "./basics.js";

const PASS = "pass";
const WORD = /[^\s,:\-\u2010-\u2015\u2212]+/g;
const CAPTURE = /(?<=\d)x(?=[a-z])/gi;
const SHORT = /^(?:([a-z]{1,4})([0-9]{1,6})|([0-9]{1,6})([a-z]{1,4}))$/;
const MOST_ORDERS = 120;
const MOST_SHOWN = 8;
const DECISIONS = " @";

/**
 * One legal move, made of its trace when that is asked for.
 *
 * `text` is the move as people write it; `steps` has all that is written of it, in order: {kind:
 * "site"|"number"|"word", value, word, statement, separator}, where a word that was said without a
 * decision has `value` null. `decisions` are the numbers by which it is made; `also` has the steps
 * of the same move in other orders.
 */
export class Trace {
  constructor(data, entries) {
    this.data = data;
    this.entries = entries;
    this.made = null;
  }

  /** Return the one legal move of a side that is stuck, where the rules make it pass. */
  static forcedPass() {
    const pass = new Trace(null, []);
    const steps = [{ kind: "word", value: null, word: PASS, statement: -1, separator: " " }];
    pass.made = { steps, text: PASS, decisions: [-1n], spots: [], pairs: [], places: [0] };
    return pass;
  }

  get isForcedPass() {
    return this.data === null;
  }

  get steps() {
    return this.read.steps;
  }

  get text() {
    return this.read.text;
  }

  get decisions() {
    return this.read.decisions;
  }

  get also() {
    const { steps, pairs, places } = this.read;
    return otherOrders(pairs).map((instead) =>
      steps.map((step, n) => {
        const other = instead.get(places[n]);
        if (other === undefined) return step;
        const { kind, value, word } = steps[places.indexOf(other)];
        return { ...step, kind, value, word };
      }),
    );
  }

  /** The texts of the move with its words in all other orders that mean the same. */
  get otherTexts() {
    const { spots, pairs } = this.read;
    return otherOrders(pairs).map((instead) => withWords(this.text, spots, instead));
  }

  /** The words that a text of the move may begin with, in lower case; found without the others. */
  get firstWords() {
    return (this.first ??= this.findFirstWords());
  }

  findFirstWords() {
    if (this.data === null || this.made) return firstOf([this.steps, ...this.also]);
    const { data, entries } = this;
    const first = entries.findIndex((entry) => wordOf(data, entry) !== null);
    if (first < 0) return firstOf([this.steps]);
    const group = new Set([first]);
    const pairs = pairsOf(data, entries);
    for (const place of group) {
      for (const pair of pairs) if (pair.includes(place)) pair.forEach((one) => group.add(one));
    }
    return [...group].map((place) => firstOf([[{ word: wordOf(data, entries[place]) }]])[0]);
  }

  /** The words of the text. */
  get words() {
    return (this.read.words ??= wordsOf(this.text));
  }

  get read() {
    return (this.made ??= this.readTrace());
  }

  readTrace() {
    const { data, entries } = this;
    const [steps, decisions, spots, places] = [[], [], [], []];
    let text = "";
    Array.from(entries).forEach((entry, place) => {
      const number = statementOf(entry);
      const statement = data.statements[number];
      const chosen = BigInt.asIntN(32, entry);
      const isSaid = statement.what === "say";
      if (!isSaid) decisions.push(chosen);
      const word = wordOf(data, entry);
      if (word === null) return;
      const separator = statement.what === "choose" ? statement.separator : " ";
      const isSite = statement.what === "choose" && statement.sites;
      const kind = isSite ? "site" : statement.what === "choose" ? "number" : "word";
      const value = isSaid ? null : Number(chosen);
      text = text ? text + separator + word : word;
      spots[place] = [text.length - word.length, text.length];
      steps.push({ kind, value, word, statement: number, separator });
      places.push(place);
    });
    if (!steps.length) return { ...Trace.forcedPass().read, decisions };
    return { steps, decisions, text, spots, pairs: pairsOf(data, entries), places };
  }
}

function statementOf(entry) {
  return Number((entry >> 32n) & 0x7fffffffn);
}

/** Return what is written of an entry of a trace; null if that is nothing. */
function wordOf({ statements, sites }, entry) {
  const statement = statements[statementOf(entry)];
  if (statement.what === "say") return statement.token;
  const value = Number(BigInt.asIntN(32, entry));
  if (statement.what === "decide") return statement.alternatives[value];
  return statement.sites ? sites[value] : String(value);
}

/** Return which entries of a trace may change places with one another. */
function pairsOf({ statements }, entries) {
  const [pairs, ranked, chosen] = [[], [], new Map()];
  entries.forEach((entry, place) => {
    const statement = statements[statementOf(entry)];
    if (statement.what !== "choose") return;
    if (chosen.has(statement.with)) pairs.push([chosen.get(statement.with), place]);
    chosen.set(statement.slot, place);
    if (statement.rank) ranked.push([statement.rank, place]);
  });
  ranked.forEach(([rank, place], n) => {
    if (n > 0 && rank > 1) pairs.push([ranked[n - 1][1], place]);
  });
  return pairs;
}

function firstOf(forms) {
  return forms.map(([step]) => step.word.toLowerCase().split(/\s+/)[0]);
}

/** Return the words of a move's text, in lower case; an `x` between two only joins them. */
export function wordsOf(text) {
  const lower = text.toLowerCase();
  if (!lower.includes("x")) return lower.match(WORD) ?? [];
  const found = lower.replace(CAPTURE, " ").match(WORD) ?? [];
  return found.filter((word, place) => word !== "x" || place === 0);
}

/** Return which decision's word stands instead of which, in each order but the usual one. */
function otherOrders(pairs) {
  if (!pairs.length) return [];
  const groups = [];
  for (const pair of pairs) {
    const met = groups.filter((group) => pair.some((place) => group.has(place)));
    for (const group of met) groups.splice(groups.indexOf(group), 1);
    groups.push(new Set([...pair, ...met.flatMap((group) => [...group])]));
  }
  const ordered = groups.map((group) => [...group].sort((a, b) => a - b));
  const number = ordered.reduce((all, group) => all * factorial(group.length), 1);
  if (number > MOST_ORDERS) {
    return pairs.map(([a, b]) => new Map([[a, b], [b, a]]));
  }
  let orders = [new Map()];
  for (const group of ordered) {
    const ways = permutations(group);
    orders = orders.flatMap((known) =>
      ways.map((way) => new Map([...known, ...group.map((place, n) => [place, way[n]])])),
    );
  }
  return orders.slice(1);
}

function factorial(number) {
  return number < 2 ? 1 : number * factorial(number - 1);
}

function permutations(items) {
  if (items.length < 2) return [items];
  return items.flatMap((first, n) => {
    const rest = [...items.slice(0, n), ...items.slice(n + 1)];
    return permutations(rest).map((way) => [first, ...way]);
  });
}

function withWords(text, spots, instead) {
  let [made, done] = ["", 0];
  for (const place of [...instead.keys()].sort((a, b) => a - b)) {
    const [begin, end] = spots[place];
    made += text.slice(done, begin) + text.slice(...spots[instead.get(place)]);
    done = end;
  }
  return made + text.slice(done);
}

function isSame(one, other) {
  return one.length === other.length && one.every((word, place) => word === other[place]);
}

/** Return the legal moves that a text names: usually one. @param {Trace[]} moves */
export function movesNamed(moves, text) {
  const same = moves.filter((move) => move.text === text.trim());
  if (same.length) return same;
  const wanted = wordsOf(text);
  const isAlso = (move) => move.otherTexts.some((one) => isSame(wordsOf(one), wanted));
  return moves.filter((move) => isSame(move.words, wanted) || isAlso(move));
}

/** Return what a player is asked for who has chosen some steps: the author's words, or "". */
export function promptOf(game, position, moves, chosen) {
  const next = [moves[0], moves[moves.length - 1]]
    .map((move) => move?.steps[chosen])
    .find((step) => step && step.kind !== "word");
  const statement = next && game.data.statements[next.statement];
  if (!statement) return "";
  const { variable } = statement;
  const { prompts } = game.data;
  const { name } = game.phase(position);
  return own(prompts, `${name} ${variable}`) ?? own(prompts, variable) ?? "";
}

/**
 * Return the move that a text means among the legal ones, perhaps with its decisions behind it, as
 * a saved game has them, or by a letter and a number: {move}, or {message, hint} if none is meant.
 */
export function readMove(game, position, text) {
  const moves = game.moves(position);
  const at = text.lastIndexOf(DECISIONS);
  if (at >= 0) {
    const wanted = text.slice(at + DECISIONS.length).trim();
    const move = moves.find((one) => one.decisions.join(",") === wanted);
    if (move) return { move };
    return { message: `“${text.slice(0, at)}” is not a legal move here.`, hint: "" };
  }
  const found = movesNamed(moves, text);
  if (found.length === 1) return { move: found[0] };
  if (found.length) {
    const shown = [...new Set(found.map((move) => move.text))];
    const hint = shown.length > 1 ? `They are: ${listed(shown)}.` : "They read alike.";
    return { message: `“${text}” can mean ${found.length} moves.`, hint, moves: found };
  }
  const numbered = game.data.numbered ? numberedMoves(game, moves).get(shortKey(text)) : undefined;
  if (numbered) return { move: numbered };
  return { message: `“${text}” is not a legal move.`, hint: wayOut(moves, text) };
}

function wayOut(moves, text) {
  if (!moves.length) return "The game is over.";
  const wanted = wordsOf(text);
  const begins = (words, n) => words.slice(0, n).every((word, place) => word === wanted[place]);
  const longer = moves.filter((move) => isSame(move.words.slice(0, wanted.length), wanted));
  if (wanted.length && longer.length) return `It goes on: ${listed(longer.map((m) => m.text))}.`;
  if (moves.length === 1) return `The only legal move is “${moves[0].text}”.`;
  let number = 0;
  for (const { words } of moves) {
    while (number < wanted.length - 1 && words.length > number && begins(words, number + 1)) {
      number += 1;
    }
  }
  if (!number) return "";
  const others = moves.filter(({ words }) => words.length >= number && begins(words, number));
  const known = wanted.slice(0, number).join(" ");
  return `With “${known}” begin: ${listed(others.map((move) => move.text))}.`;
}

function listed(texts) {
  const more = texts.length > MOST_SHOWN ? ` and ${texts.length - MOST_SHOWN} more` : "";
  return texts.slice(0, MOST_SHOWN).join(", ") + more;
}

/** Return a text that means a move alone among the legal ones, as saved games have it. */
export function spelled(game, position, move) {
  const key = move.words.join(" ");
  const [first] = move.firstWords;
  const alike = game.moves(position).filter((other) => other.firstWords[0] === first);
  const same = alike.filter((other) => other.words.join(" ") === key);
  return same.length < 2 ? move.text : `${move.text}${DECISIONS}${move.decisions.join(",")}`;
}

/** Return the sites that a move names, in its order. */
export function sitesNamed(game, move) {
  const found = move.words.map((word) => game.siteNumbers.get(word));
  return found.filter((site) => site !== undefined);
}

// ------------------------------------------------------------------------------- short texts

function shortKey(text) {
  const parts = SHORT.exec(text.toLowerCase().trim());
  return parts ? `${parts[1] ?? parts[4]}${Number(parts[2] ?? parts[3])}` : "";
}

function numberedMoves(game, moves) {
  const ways = new Map();
  for (const move of moves) {
    const [site] = sitesNamed(game, move);
    if (site === undefined) continue;
    if (!ways.has(site)) ways.set(site, []);
    ways.get(site).push(move);
  }
  const found = new Map();
  [...ways.keys()].sort((a, b) => a - b).forEach((site, number) => {
    ways.get(site).forEach((move, way) => found.set(`${letters(way + 1)}${number + 1}`, move));
  });
  return found;
}

/** Return the numbers of the sites that legal moves name first, in a game whose moves have some. */
export function siteNumbers(game, position) {
  if (!game.data.numbered) return new Map();
  const named = game.moves(position).map((move) => sitesNamed(game, move)[0]);
  const sites = [...new Set(named.filter((site) => site !== undefined))].sort((a, b) => a - b);
  return new Map(sites.map((site, place) => [site, place + 1]));
}

function letters(number) {
  let [found, rest] = ["", number];
  while (rest > 0) {
    rest -= 1;
    found = String.fromCharCode(97 + (rest % 26)) + found;
    rest = Math.floor(rest / 26);
  }
  return found;
}
