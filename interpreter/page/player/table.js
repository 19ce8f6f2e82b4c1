// A table at which a game is played: who is on turn, what is chosen already, what comes next.
//
// In: a game, who sits at its seats, and what people choose, type and ask for. Out: the course of
// the game, and what is to be shown of it. What then holds: nothing here knows how it is drawn, and
// players, chance and people only make moves that the rules allow.

import { Choosing } from "./choosing.js";
import { Course } from "./course.js";
import { wordsOf } from "./moves.js";
import { NO_SIDE, Seats } from "./seats.js";
import { sitesThatShow } from "./witness.js";

const PAUSE = 350; // milliseconds before chance or a player moves
const SPREAD = 0x9e3779b1; // a prime number, about 2 ** 32 in the golden ratio
const MOST_LISTED = 6; // moves in a message
const WITHHELD = "?";
const NO_WAY_BACK = "In a game that hides something, nobody goes back until it is over.";
const NO_CLAUSE = -1;

/** One game that is played, from any seats. */
export class Table {
  /**
   * @param {Object} game
   * @param {Object} options `kinds` of players by seat, `seed` of chance; `player` gives a promise
   *   of a move for the places up to a position and a kind of player; `changed` is called when
   *   there is something else to show, with whether a move was just made; where it `isHeld`, chance
   *   and players make no moves
   */
  constructor(game, options = {}) {
    const { kinds = {}, seed = 1, player = null, changed = () => {}, isHeld = false } = options;
    this.game = game;
    this.seed = seed;
    this.course = new Course(game);
    this.seats = new Seats(game, kinds);
    this.player = player;
    this.changed = changed;
    this.isHeld = isHeld;
    this.message = "";
    this.isCovered = false;
    this.moment = 0;
    this.advice = { arrows: [], lit: [], threatened: [] };
    this.look();
  }

  // ------------------------------------------------------------------------ what is shown

  /** The position that is shown. */
  get position() {
    return this.course.position;
  }

  /** How the game has ended; null while it goes on. */
  get outcome() {
    return this.course.outcome;
  }

  /** The seat on turn, from 1; null for chance. */
  get seat() {
    return this.game.seat(this.position);
  }

  /** Whose view is shown: a side's number, NO_SIDE, or null. */
  get viewer() {
    return this.isCovered ? NO_SIDE : this.seats.viewer(this.course);
  }

  /** Whether a person is to move who may look now. */
  get isAsked() {
    if (this.outcome || this.isCovered || this.mustChange) return false;
    return this.course.isAtEnd ? this.seats.isPerson(this.seat) : this.seat !== null;
  }

  /** Whether the screen is to be handed to another person first. */
  get mustChange() {
    return !this.outcome && this.seats.mustChange(this.course);
  }

  /** Whether a player or chance is to move now. */
  get isWaiting() {
    return !this.outcome && this.course.isAtEnd && !this.seats.isPerson(this.seat);
  }

  /** What is to be drawn of the position. */
  get scene() {
    const { viewer } = this;
    const key = `${viewer} ${this.course.at.number}`;
    if (this.drawn?.place !== this.course.at || this.drawn.key !== key) {
      const scene = this.game.scene(this.position, { seat: viewer ?? undefined });
      this.drawn = { place: this.course.at, key, scene: this.withLastMove(scene) };
    }
    return this.drawn.scene;
  }

  /** Return a drawing with the last move of a player marked, where chance has moved since. */
  withLastMove(scene) {
    if (this.viewer !== null || scene.last.length || scene.changed.length) return scene;
    for (let place = this.course.at; place.parent; place = place.parent) {
      if (this.game.seat(place.parent.position) === null) continue;
      const { last, changed, way } = this.game.scene(place.position);
      return { ...scene, last, changed, way };
    }
    return scene;
  }

  /** The sites that show how the game has ended: as far as they are known, else the last move's. */
  get shownSites() {
    const { outcome, position, game } = this;
    return outcome === null ? [] : sitesThatShow(game, position, outcome);
  }

  /** Leave the table: nobody moves at it any more. */
  close() {
    this.moment += 1;
    clearTimeout(this.timer);
    this.changed = () => {};
  }

  /** What is marked on the board: what may be chosen, what is, and what is pointed out. */
  get marked() {
    const { choosing, advice, isAsked } = this;
    return {
      offers: isAsked ? choosing.sites : new Set(),
      isBegun: isAsked && choosing.chosen.length > 0,
      chosen: isAsked ? choosing.chosenSites : [],
      besides: (mark) => this.besides(mark),
      arrows: advice.arrows,
      lit: new Set(advice.lit),
      threatened: new Set(advice.threatened),
    };
  }

  /**
   * Return the word that chooses a piece beside the board, and whether it was chosen last;
   * null where it can't be. @param {Object} mark
   */
  besides(mark) {
    const { choosing, game, position } = this;
    if (!this.isAsked || (mark.side !== null && mark.side !== game.mover(position))) return null;
    const word = choosing.wordOf(position, mark);
    if (word !== null) return { word, written: choosing.words.get(word), isChosen: false };
    const last = choosing.chosen[choosing.chosen.length - 1];
    if (last === undefined || game.siteNumbers.has(last)) return null;
    const isChosen = choosing.without().wordOf(position, mark) === last;
    return isChosen ? { word: last, written: last, isChosen } : null;
  }

  /** Return the texts of the moves of a line as they may be told to who looks. */
  moveTexts(places) {
    const { viewer } = this;
    const moves = places.slice(1).map((place) => place.move);
    if (viewer === null) return moves.map((move) => move.text);
    const positions = places.map((place) => place.position);
    return this.game.told(positions, viewer).map((text) => text ?? WITHHELD);
  }

  /** Return who is on turn, with the seat where another one could play the side. */
  moverText(position = this.position) {
    const { game } = this;
    const seat = game.seat(position);
    if (seat === null) return "Chance";
    const side = game.sides[game.mover(position)];
    return game.data.system?.seats?.length ? `${side} (seat ${seat})` : side;
  }

  /** Return who is on turn and what is asked for, or how the game has ended. */
  get prompt() {
    const { outcome, game, choosing } = this;
    if (outcome) return sentence(outcome.text);
    const phase = game.phase(this.position).shown;
    const mover = this.moverText();
    if (!this.isAsked) return `${mover} to move${phase ? `: ${phase}` : ""}.`;
    const asked = this.askedFor();
    if (choosing.chosen.length) return `${mover}: ${choosing.chosen.join(" ")} … ${asked}`.trim();
    return asked ? `${mover}, ${asked}` : `${mover} to move${phase ? `: ${phase}` : ""}.`;
  }

  askedFor() {
    const { fitting, chosen } = this.choosing;
    return this.game.prompt(this.position, fitting, chosen.length);
  }

  // ------------------------------------------------------------------------- the course

  /** See what may be chosen in the position that is shown, and have players and chance move. */
  look() {
    const moment = (this.moment += 1);
    this.advice = { arrows: [], lit: [], threatened: [] };
    this.seats.begin(this.course);
    const legal = this.outcome ? [] : this.game.moves(this.position);
    this.choosing = new Choosing(this.game, legal);
    this.isThinking = this.isWaiting && !this.isHeld;
    clearTimeout(this.timer);
    if (this.isThinking) this.timer = setTimeout(() => this.haveMoved(moment), PAUSE);
  }

  /** Let chance and players make no moves, or go on. @param {boolean} isHeld */
  hold(isHeld) {
    this.isHeld = isHeld;
    this.look();
    this.changed(false);
  }

  async haveMoved(moment) {
    const { position, seat } = this;
    let move = null;
    try {
      move = await this.chosenBy(seat, position);
    } catch (problem) {
      this.say(problem.message);
    }
    if (moment !== this.moment || !this.isWaiting) return;
    this.isThinking = false;
    if (move) this.play(move);
  }

  async chosenBy(seat, position) {
    const places = this.course.path;
    // The same chance after the same number of moves: who takes moves back meets it again.
    const random = randomNumbers(this.seed ^ Math.imul(places.length, SPREAD));
    const kind = seat === null ? "random" : this.seats.kind(seat);
    const found = kind === "random" || !this.player ? null : await this.player(places, kind);
    return found ?? this.game.chance(position, random);
  }

  /** Make a legal move. @param {Object} move */
  play(move) {
    const wasBy = this.game.seat(this.position) === null ? "Chance" : this.moverText();
    this.course.play(move);
    this.message = "";
    this.made = { by: wasBy, text: move.text };
    this.look();
    this.changed(true);
  }

  /**
   * Go on with a game: show it after so many of its moves, or as many as can be made.
   * @param {Array<string>} texts
   * @param {Object} more `variations`: other lines, each from the beginning; the `result`, if the
   *   game was given up; the `number` of moves
   */
  goOn(texts, { variations = [], result = "", number = Infinity } = {}) {
    for (const line of variations) this.course.load(line);
    this.message = this.course.load(texts);
    this.noteResult(result);
    const { line } = this.course;
    this.course.go(line[Math.min(number, line.length - 1)]);
    this.seats.goOn();
    this.look();
  }

  /** Show something that is to be said. @param {string} text */
  say(text) {
    this.message = text;
    this.changed(false);
  }

  /** Go to a place of the course, if that may be. */
  goTo(place) {
    if (!place || place === this.course.at || !this.mayGoBack()) return;
    const isNext = place.parent === this.course.at;
    this.course.go(place);
    this.message = "";
    this.made = null;
    this.look();
    this.changed(isNext);
  }

  mayGoBack() {
    if (!this.seats.isLimited(this.course)) return true;
    this.say(NO_WAY_BACK);
    return false;
  }

  /** Go so many moves on; back, if that is below nothing. */
  step(number) {
    const { line, at } = this.course;
    this.goTo(line[Math.max(0, Math.min(line.length - 1, at.number + number))]);
  }

  /** Take the last move of a person back. */
  undo() {
    const places = this.course.path.slice(0, -1).reverse();
    const isPersons = ({ position }) => this.seats.isPerson(this.game.seat(position));
    const place = this.seats.people.length ? places.find(isPersons) : places[0];
    if (place) this.goTo(place);
    else this.say("There is no move to take back.");
  }

  /** Do again what was taken back: to where a person chooses, or to the end of the line. */
  redo() {
    const { line, at } = this.course;
    const places = line.slice(at.number + 1);
    if (!places.length) {
      this.say("There is no move to do again.");
      return;
    }
    const isPersons = ({ position }) => this.seats.isPerson(this.game.seat(position));
    this.goTo(places.find(isPersons) ?? places[places.length - 1]);
  }

  /** Go to the next move that was made instead of the last. */
  vary() {
    if (!this.mayGoBack()) return;
    if (!this.course.vary()) {
      this.say("No other move was made instead of this one.");
      return;
    }
    this.look();
    this.changed(false);
  }

  /** Give the game up for the seat on turn. */
  resign() {
    if (this.outcome || this.seat === null) return;
    this.course.end(this.givenUp(this.seat));
    this.look();
    this.changed(false);
  }

  /** Return how the game ends when a seat gives it up: all others but its team win. */
  givenUp(seat) {
    const { game, position } = this;
    const all = game.sides.map((_, side) => side);
    const own = all.filter((side) => game.seatOf(position, side) === seat);
    const losing = (game.data.teams ?? []).filter(
      (team) => team.some((side) => own.includes(side))).flat().concat(own);
    const winners = all.filter((side) => !losing.includes(side));
    const who = own.map((side) => game.sides[side]).join(" and ");
    return {
      winners, seats: winners.map((side) => game.seatOf(position, side)), payoffs: [],
      clause: NO_CLAUSE, text: game.outcomeText(winners, []), why: `${who} gave the game up.`,
    };
  }

  /** Note that a saved game was given up, where its result tells that. @param {string} result */
  noteResult(result) {
    if (!result || !this.course.isAtEnd || this.outcome) return;
    const seats = this.game.sides.map((_, place) => this.givenUp(place + 1));
    const told = seats.find(({ text }) => text === result);
    if (told) this.course.end(told);
  }

  /** Put other players at the seats. @param {Object} kinds by seat */
  sit(kinds) {
    if (this.game.data.hidden && !this.outcome && this.course.at.number) {
      this.say("In a game that hides something, seats stay as they are until it is over.");
      return;
    }
    this.seats = new Seats(this.game, kinds);
    this.look();
    this.changed(false);
  }

  /** Cover the board, so that another person may come; or let that person look. */
  handOver() {
    if (this.isCovered) {
      this.isCovered = false;
      this.seats.change(this.course);
    } else this.isCovered = true;
    this.look();
    this.changed(false);
  }

  // ------------------------------------------------------------------------- choosing

  /**
   * Choose a site: the next one of a move, the last one again to make the move that is whole, or
   * another beginning.
   * @param {number} site
   */
  choose(site) {
    if (!this.isAsked) return;
    const { choosing, game } = this;
    const name = game.sites[site];
    const { chosen } = choosing;
    if (choosing.offers.has(name)) {
      this.take(choosing.with(name));
      return;
    }
    if (chosen[chosen.length - 1] === name) {
      if (choosing.wholes.length === 1) this.play(choosing.wholes[0]);
      else this.goBack();
      return;
    }
    const all = choosing.endingAt(site);
    if (all) {
      this.play(all);
      return;
    }
    const anew = new Choosing(game, choosing.legal);
    if (chosen.length && anew.offers.has(name)) {
      this.take(anew.with(name));
      return;
    }
    const longer = choosing.with(name);
    if (longer) this.take(longer);
    else this.refuse(site);
  }

  refuse(site) {
    const { choosing, scene, game } = this;
    const begins = choosing.chosen.length ? ` after ${choosing.chosen.join(" ")}` : "";
    const mark = scene.marks[site];
    const side = mark && mark.side !== null ? `${game.sides[mark.side]} ` : "";
    const stands = mark ? ` There stands: ${`${side}${mark.kind}`.trim() || "a piece"}.` : "";
    this.say(`${game.sites[site]} can't be chosen${begins} now.${stands}`);
  }

  /** Choose where a piece was dropped; it goes back if it can't be. @param {number|null} site */
  drop(site) {
    if (!this.isAsked || site === null) {
      this.goBack();
      return;
    }
    const { choosing, game } = this;
    if (choosing.offers.has(game.sites[site])) this.take(choosing.with(game.sites[site]));
    else {
      const all = choosing.endingAt(site);
      if (all) this.play(all);
      else {
        this.choosing = choosing.without();
        this.refuse(site);
      }
    }
  }

  /** Choose a word that is no site, or what was chosen by it last anew. @param {string} word */
  chooseWord(word) {
    if (!this.isAsked) return;
    if (!this.choosing.offers.has(word) && this.choosing.chosen.at(-1) === word) {
      this.goBack();
      return;
    }
    const longer = this.choosing.with(word);
    if (longer) this.take(longer);
  }

  take(choosing) {
    this.choosing = choosing;
    this.message = "";
    if (choosing.move) this.play(choosing.move);
    else this.changed(false);
  }

  /** Make the one move that is left, if there is one alone. Tell whether there was. */
  agree() {
    const { only } = this.choosing;
    if (!this.isAsked || !only) return false;
    this.play(only);
    return true;
  }

  /** Choose the last step anew. */
  goBack() {
    if (!this.choosing.chosen.length) return;
    this.choosing = this.choosing.without();
    this.message = "";
    this.changed(false);
  }

  /**
   * Read a move that was typed, or the beginning of one.
   * @param {string} text
   * @returns {boolean} whether it was one
   */
  type(text) {
    if (!text.trim()) return this.agree();
    if (!this.isAsked) {
      this.say(this.outcome ? "The game is over." : "Another player is on turn.");
      return false;
    }
    const typed = [...this.choosing.chosen, text].join(" ");
    const { move, message, hint = "" } = this.game.why(this.position, typed);
    if (move) {
      this.play(move);
      return true;
    }
    const alone = this.game.why(this.position, text);
    if (alone.move) {
      this.play(alone.move);
      return true;
    }
    const begun = this.begunBy(text);
    if (begun) {
      this.take(begun);
      return true;
    }
    this.say(`${message} ${hint} ${this.whatFails(text)}`.replace(/\s+/g, " ").trim());
    return false;
  }

  begunBy(text) {
    let choosing = this.choosing;
    for (const word of wordsOf(text)) {
      const longer = choosing.offers.has(word) ? choosing.with(word) : null;
      if (!longer) return null;
      choosing = longer;
    }
    return choosing === this.choosing ? null : choosing;
  }

  /** Return which of the words of a text can't be chosen, and what can instead. */
  whatFails(text) {
    const words = wordsOf(text);
    let choosing = new Choosing(this.game, this.choosing.legal);
    for (const [place, word] of words.entries()) {
      const longer = choosing.offers.has(word) ? choosing.with(word) : null;
      if (longer) {
        choosing = longer;
        continue;
      }
      const before = words.slice(0, place).join(" ");
      const others = [...choosing.offers.keys()];
      const listed = others.slice(0, MOST_LISTED).join(", ");
      const more = others.length > MOST_LISTED ? ` and ${others.length - MOST_LISTED} more` : "";
      const where = before ? `After ${before}` : "First";
      if (!others.length) return `${where} nothing more can be chosen.`;
      return `${where}, ${word} can't be chosen: only ${listed}${more}.`;
    }
    return "";
  }
}

/**
 * Return a text as a sentence: with a capital letter and a full stop.
 * @param {string} text
 */
export function sentence(text) {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** Return a function that gives numbers from 0 to 1, those of a seed (T. Ettinger, mulberry32). */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
