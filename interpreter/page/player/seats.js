// Who plays, and who looks: the players at the seats of a game, and what may be shown to whom.
//
// In: a course, and which player sits where. Out: who is to move, and whose view of the position is
// drawn. What then holds: where the rules hide something, no more is shown than the person who
// looks may know, until the game is over.

/** Stands for a side where what all of them see is asked for. */
export const NO_SIDE = -1;

const LEVELS = 10;
const USUAL_SECONDS = 1;
const MANY_SECONDS = 3;

/** The kinds of players, each as it is kept and as it is called. */
export const PLAYERS = [
  ["human", "A person"],
  ...Array.from({ length: LEVELS }, (_, n) => [`engine:${n + 1}`, `Engine, level ${n + 1}`]),
  [`engine:${MANY_SECONDS}s`, `Engine, ${MANY_SECONDS} seconds a move`],
  ["random", "Random moves"],
];

/**
 * Return what an engine at a seat may search, by the kind of player as saved games have it: a
 * level, seconds (`engine:2s`) or iterations (`engine:500i`); null of other kinds.
 * @param {string} kind
 * @returns {{level: number}|{seconds: number}|{iterations: number}|null}
 */
export function strengthOf(kind) {
  const [, , text] = /^engine(:([^+]*))?/.exec(kind) ?? [null, null, null];
  if (!kind.startsWith("engine")) return kind === "greedy" ? { level: 1 } : null;
  if (/^[0-9.]+s$/.test(text ?? "")) return { seconds: parseFloat(text) };
  if (/^[0-9]+i$/.test(text ?? "")) return { iterations: parseInt(text, 10) };
  const number = Number(text ?? NaN);
  if (!Number.isInteger(number) || number < 1) return { seconds: USUAL_SECONDS };
  return number <= LEVELS ? { level: number } : { iterations: number };
}

/** Who sits at the seats of a game. */
export class Seats {
  /**
   * @param {Object} game
   * @param {Object} kinds the kind of player by seat, from 1; people sit at the others
   */
  constructor(game, kinds = {}) {
    this.game = game;
    this.kinds = game.sides.map((_, place) => kinds[place + 1] ?? "human");
    this.looking = null;
    this.isOpen = !game.data.hidden;
  }

  /** The seats at which people sit. */
  get people() {
    return this.kinds.map((_, place) => place + 1).filter((seat) => this.isPerson(seat));
  }

  /** Return the kind of player at a seat. @param {number} seat */
  kind(seat) {
    return this.kinds[seat - 1] ?? "human";
  }

  /** Return whether a person sits at a seat. @param {number|null} seat */
  isPerson(seat) {
    return seat !== null && this.kind(seat) === "human";
  }

  /** The kinds by seat, as a saved game has them: people are left out. */
  get kept() {
    const seats = this.kinds.map((kind, place) => [place + 1, kind]);
    return Object.fromEntries(seats.filter(([, kind]) => kind !== "human"));
  }

  /** Return the players moved on to the next seat, each. */
  exchanged() {
    const kinds = this.kinds.map((_, place) => (
      this.kinds[(place + this.kinds.length - 1) % this.kinds.length]));
    return Object.fromEntries(kinds.map((kind, place) => [place + 1, kind]));
  }

  /**
   * Return whose view is shown: a side's number, NO_SIDE, or null if everything may be seen.
   * @param {Object} course
   */
  viewer(course) {
    this.isOpen = this.isOpen || course.outcome !== null;
    if (this.isOpen || !this.people.length) return null;
    if (this.looking !== null) return this.looking;
    return this.firstSide(course.position);
  }

  firstSide(position) {
    const { game, people } = this;
    if (people.includes(game.seat(position))) return game.mover(position);
    const isPersons = (_, side) => people.includes(game.seatOf(position, side));
    const side = game.sides.findIndex(isPersons);
    return side < 0 ? NO_SIDE : side;
  }

  /** Return whether something may be hidden from who looks. @param {Object} course */
  isLimited(course) {
    return this.viewer(course) !== null;
  }

  /** Return whether another person than the one who looks is on turn. @param {Object} course */
  mustChange(course) {
    if (!this.isPerson(this.game.seat(course.position))) return false;
    const viewer = this.viewer(course);
    return viewer !== null && viewer !== this.game.mover(course.position);
  }

  /** Let whoever is on turn first look; of several people, others only do when they are asked. */
  begin(course) {
    const isFirst = this.looking === null && this.people.length > 1;
    if (isFirst && this.isPerson(this.game.seat(course.position))) this.change(course);
  }

  /** Let nobody of several people look, in a game that goes on: any of them may have come. */
  goOn() {
    this.looking = this.people.length > 1 ? NO_SIDE : null;
  }

  /** Let the person on turn look. @param {Object} course */
  change(course) {
    this.looking = this.game.mover(course.position);
  }
}
