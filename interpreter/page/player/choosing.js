// A move that is chosen step by step: by pointing at sites, by words, or both.
//
// In: the legal moves, and the steps that are chosen. Out: what may come next. What then holds:
// each step that is offered goes on to a legal move, or completes one.

const known = new WeakMap();
const TRIED = 8; // moves at most that are made to see which word takes a piece from a hand

/**
 * Return the series of words by which a move may be chosen: its own, and those in other orders.
 * @param {Object} move a legal move
 * @returns {Array<Array<string>>} words in lower case
 */
export function formsOf(move) {
  let forms = known.get(move);
  if (!forms) {
    forms = [move.steps, ...move.also].map(
      (steps) => steps.flatMap((step) => step.word.toLowerCase().split(/\s+/)));
    known.set(move, forms);
  }
  return forms;
}

/** The legal moves, and the words of one of them that are chosen already. */
export class Choosing {
  /**
   * @param {Object} game whose sites have names
   * @param {Array<Object>} legal the legal moves
   * @param {Array<string>} chosen the words that are chosen, in lower case
   * @param {Array<Object>} among the legal moves that begin with them, and perhaps others
   */
  constructor(game, legal, chosen = [], among = legal) {
    this.game = game;
    this.legal = legal;
    this.chosen = chosen;
    this.isInOrder = true;
    this.fitting = chosen.length ? this.findFitting(among) : legal;
  }

  findFitting(among) {
    const { legal, chosen } = this;
    const begun = among.filter((move) => move.firstWords.includes(chosen[0])
      && formsOf(move).some((form) => begins(form, chosen)));
    this.isInOrder = begun.length > 0;
    if (this.isInOrder) return begun;
    return legal.filter((move) => formsOf(move).some((form) => rest(form, chosen) !== null));
  }

  /** The words that may be chosen next, in the order of the moves, each with a move that has it. */
  get offers() {
    this.found ??= this.chosen.length ? this.findOffers() : this.findFirst();
    return this.found;
  }

  findFirst() {
    const found = new Map();
    for (const move of this.fitting) {
      for (const word of move.firstWords) if (!found.has(word)) found.set(word, move);
    }
    return found;
  }

  findOffers() {
    const found = new Map();
    for (const move of this.fitting) {
      for (const form of formsOf(move)) {
        const word = this.nextWord(form);
        if (word !== undefined && !found.has(word)) found.set(word, move);
      }
    }
    return found;
  }

  nextWord(form) {
    if (!this.isInOrder) return rest(form, this.chosen)?.[0];
    return begins(form, this.chosen) ? form[this.chosen.length] : undefined;
  }

  /** The sites that may be chosen next. */
  get sites() {
    return new Set(sitesOf(this.game, this.offers.keys()));
  }

  /** The words that may be chosen next and are no sites: as people write them, by the word. */
  get words() {
    const found = new Map();
    for (const [word, move] of this.offers) {
      if (this.game.siteNumbers.has(word)) continue;
      const written = move.steps.find((step) => step.word.toLowerCase() === word)?.word;
      found.set(word, written ?? word);
    }
    return found;
  }

  /**
   * Return the word that may be chosen next and means a piece beside the board: its kind, or the
   * one word by which a piece like it leaves the hand; null if there is none.
   * @param {Object} position the legal moves are those of
   * @param {Object} mark a piece of the mover, or of nobody
   */
  wordOf(position, mark) {
    const kind = mark.kind.toLowerCase();
    if (this.words.has(kind)) return kind;
    this.ofHand ??= this.findOfHand(position);
    return this.ofHand.get(kind) ?? null;
  }

  findOfHand(position) {
    const { game, words } = this;
    const mover = game.mover(position);
    const slots = game.data.hands.filter(([name]) => [mover, -1].includes(
      game.data.sides.indexOf(name))).flatMap(([, all]) => all);
    const held = (at) => slots.map(([, place]) => (
      place === null ? 0 : Number(game.slot(at, place))));
    const before = held(position);
    const found = new Map();
    if (!words.size || words.size > TRIED || !before.some(Boolean)) return found;
    const isWord = ([word]) => words.has(word);
    const offers = [...this.offers];
    const tried = [...offers.filter(isWord), ...offers.filter((one) => !isWord(one))];
    const gone = tried.slice(0, TRIED).map(([word, move]) => {
      const after = held(game.play(position, move));
      return [word, before.map((number, place) => number - after[place])];
    });
    for (const [place, [kind]] of slots.entries()) {
      const least = gone.length > 1 ? Math.min(...gone.map(([, less]) => less[place])) : 0;
      const taking = gone.filter(([, less]) => less[place] > Math.max(0, least));
      const [word] = taking[0] ?? [];
      if (taking.length === 1 && words.has(word)) found.set(kind.toLowerCase(), word);
    }
    return found;
  }

  /** The sites that are chosen. */
  get chosenSites() {
    return sitesOf(this.game, this.chosen);
  }

  /** The moves of which all words are chosen. */
  get wholes() {
    const { chosen } = this;
    if (!chosen.length) return [];
    return this.fitting.filter((move) => formsOf(move).some(
      (form) => form.length === chosen.length && rest(form, chosen) !== null));
  }

  /** The move, if all its words are chosen and no other one is meant. */
  get move() {
    const { wholes } = this;
    return wholes.length === 1 && this.offers.size === 0 ? wholes[0] : null;
  }

  /** The one move that is left, perhaps with words that were not chosen; null: more, or none. */
  get only() {
    const { wholes } = this;
    if (wholes.length === 1) return wholes[0];
    return this.fitting.length === 1 ? this.fitting[0] : null;
  }

  /**
   * Return the choice with a word more; null if no legal move has that as well.
   * @param {string} word
   */
  with(word) {
    const { game, legal, isInOrder, fitting } = this;
    const chosen = [...this.chosen, word.toLowerCase()];
    const longer = new Choosing(game, legal, chosen, isInOrder ? fitting : legal);
    return longer.fitting.length ? longer.afterWords() : null;
  }

  /** Return the choice with the words that have to follow, where nothing else can. */
  afterWords() {
    if (this.offers.size !== 1 || this.wholes.length) return this;
    const [word] = this.offers.keys();
    if (this.game.siteNumbers.has(word)) return this;
    return new Choosing(this.game, this.legal, [...this.chosen, word], this.fitting).afterWords();
  }

  /** Return the choice without what was chosen last; words that had to follow go with it. */
  without() {
    let shorter = new Choosing(this.game, this.legal, this.chosen.slice(0, -1));
    while (shorter.chosen.length && shorter.afterWords() !== shorter) {
      shorter = new Choosing(this.game, this.legal, shorter.chosen.slice(0, -1));
    }
    return shorter;
  }

  /**
   * Return the one fitting move whose last site this is, if there is one alone: who points at where
   * a series of steps ends means all of it.
   * @param {number} site
   */
  endingAt(site) {
    if (!this.chosen.length) return null;
    const name = this.game.sites[site];
    const ends = this.fitting.filter((move) => {
      const [form] = formsOf(move);
      return form[form.length - 1] === name;
    });
    return ends.length === 1 ? ends[0] : null;
  }
}

function sitesOf(game, words) {
  return [...words].map((word) => game.siteNumbers.get(word)).filter((site) => site !== undefined);
}

function begins(form, chosen) {
  if (form.length < chosen.length) return false;
  for (let place = 0; place < chosen.length; place += 1) {
    if (form[place] !== chosen[place]) return false;
  }
  return true;
}

function rest(form, chosen) {
  const left = [...form];
  for (const word of chosen) {
    const place = left.indexOf(word);
    if (place < 0) return null;
    left.splice(place, 1);
  }
  return left;
}
