// The course of a game: the moves that were made, other lines beside them, and where one is in it.
//
// In: a game, and moves. Out: a tree of positions of which one is shown. What then holds: each
// position is one that the rules allow, and the line that is shown leads through the one shown.

const BETWEEN = ","; // the moves in an address
const FIELDS = "&";

/**
 * A position of a course: `move` led to it from `parent`, and `text` means that alone, once it was
 * asked for; `next` is the child of the line.
 */
class Place {
  constructor(position, move, parent) {
    this.position = position;
    this.move = move;
    this.parent = parent;
    this.children = [];
    this.next = null;
    this.text = null;
    this.number = parent ? parent.number + 1 : 0;
  }
}

/** The moves of one game, with variations. */
export class Course {
  /** @param {Object} game the game that is played */
  constructor(game) {
    this.game = game;
    this.root = new Place(game.start(), null, null);
    this.at = this.root;
    this.ended = null;
  }

  /** The position that is shown. */
  get position() {
    return this.at.position;
  }

  /** How the game has ended where it is shown: by its rules, or since somebody has resigned. */
  get outcome() {
    if (this.ended && this.ended.at === this.at) return this.ended.outcome;
    return this.game.outcome(this.position);
  }

  /** The places from the beginning to the one that is shown. */
  get path() {
    const found = [];
    for (let place = this.at; place; place = place.parent) found.unshift(place);
    return found;
  }

  /** The places of the line: through the one that is shown, to its end. */
  get line() {
    const found = this.path;
    for (let place = this.at.next; place; place = place.next) found.push(place);
    return found;
  }

  /** Whether the position shown is the last of its line. */
  get isAtEnd() {
    return this.at.next === null;
  }

  /**
   * Make a legal move from the position shown: a new line, or one that is there already.
   * @param {Object} move
   */
  play(move) {
    const same = this.at.children.find((child) => isSame(child.move, move));
    const place = same ?? new Place(this.game.play(this.position, move), move, this.at);
    if (!same) this.at.children.push(place);
    this.go(place);
    return place;
  }

  /**
   * Show a place of the course.
   * @param {Place} place
   */
  go(place) {
    for (let below = place; below.parent; below = below.parent) below.parent.next = below;
    this.at = place;
  }

  /** Whether another move was made instead of the last. */
  get hasVariation() {
    return (this.at.parent?.children.length ?? 0) > 1;
  }

  /** Go to the variation after the one that is shown; tell whether there is one. */
  vary() {
    if (!this.hasVariation) return false;
    const others = this.at.parent.children;
    this.go(others[(others.indexOf(this.at) + 1) % others.length]);
    return true;
  }

  /** Give the game up for a side: `outcome` is how it ends. */
  end(outcome) {
    this.ended = { at: this.at, outcome };
  }

  /** Return the moves up to the position shown as texts that can be read again. */
  texts(places = this.path) {
    return places.slice(1).map((place) => (
      place.text ??= this.game.spelled(place.parent.position, place.move)));
  }

  /** Return the lines beside the one that is shown, each as texts from the beginning. */
  variations() {
    const main = new Set(this.line);
    const found = [];
    const visit = (place) => {
      for (const child of place.children) visit(child);
      if (place.children.length || main.has(place)) return;
      const line = [];
      for (let above = place; above; above = above.parent) line.unshift(above);
      found.push(this.texts(line));
    };
    visit(this.root);
    return found;
  }

  /**
   * Make moves from the beginning, as far as they can be; show the position after them.
   * @param {Array<string>} texts
   * @returns {string} what is wrong with the first that can't be made; empty if all could be
   */
  load(texts) {
    this.go(this.root);
    for (const [number, text] of texts.entries()) {
      const found = this.game.why(this.position, text);
      if (!found.move) return `Move ${number + 1}: ${found.message} ${found.hint ?? ""}`.trim();
      this.play(found.move);
    }
    return "";
  }
}

function isSame(one, other) {
  return one.text === other.text && String(one.decisions) === String(other.decisions);
}

/**
 * Return what stands behind the `#` of an address: the game of the page and moves of it.
 * @param {string} key which of the page's games; empty for the first
 * @param {Array<string>} texts the moves
 */
export function addressOf(key, texts) {
  const fields = [];
  if (key) fields.push(`v=${encoded(key)}`);
  if (texts.length) fields.push(`m=${texts.map(encoded).join(BETWEEN)}`);
  return fields.join(FIELDS);
}

/**
 * Read what stands behind the `#` of an address.
 * @param {string} address
 * @returns {{key: string, texts: Array<string>}}
 */
export function readAddress(address) {
  const found = { key: "", texts: [] };
  for (const field of address.replace(/^#/, "").split(FIELDS)) {
    const [name, value = ""] = [field.slice(0, 1), field.slice(2)];
    if (name === "v") found.key = decoded(value);
    if (name === "m" && value) found.texts = value.split(BETWEEN).map(decoded);
  }
  return found;
}

function encoded(text) {
  return encodeURIComponent(text).replaceAll("%20", "+");
}

function decoded(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", "%20"));
  } catch {
    return text;
  }
}
