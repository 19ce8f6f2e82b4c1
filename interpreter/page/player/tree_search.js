// Monte-Carlo tree search of positions, by the functions in the game's module.
//
// In: positions, one after another. Out: what is known of each. What then holds: for a seed, the
// number of the question and a number of iterations it finds what interpreter/search/engine.py
// finds on one thread with a new tree.

import { Chance } from "./basics.js";
import { RulesFail } from "./game.js";
import { Layout, Seat, allowStack, inOrder, now } from "./search_memory.js";

const WORK_AT_ONCE = 40; // milliseconds of search between two looks at what else there is to do
const FIRST_ITERATIONS = 16;
const MOST_ITERATIONS = 1 << 16;
const MOST_LEFT_OUT = 100; // random games that fail, and are left out
const LONGEST_LINE = 12;
const [NO_CHILD, BY_CHANCE] = [-1, -1];
const [KNOWN, OVER] = [1, 4]; // what is known of a node: see interpreter/search/memory/tree.py
const [ROOT, PEAK] = [16, 17];
const SHARE_OF_BEST = 0.25;
const MOST_SEATS_PROVEN = 2;

/** A tree, as it is now: what interpreter/search/tree_search/findings.py tells of one. */
class TreeFindings {
  constructor(layout, seats) {
    Object.assign(this, layout.readers("tree"));
    this.seats = seats;
    this.apart = layout.number("tree", "apart");
    this.root = this.state(ROOT);
  }

  isPart(node) {
    return this.runs(node) !== NO_CHILD;
  }

  isProven(node) {
    return this.low(node) === this.high(node);
  }

  branches(node) {
    if (this.tried(node) === 0) return 0;
    return this.choosers(node) === BY_CHANCE ? this.moves(node) : this.tried(node);
  }

  moveNumber(node, place) {
    const first = this.first_move(node);
    if (first < 0) return first;
    if (this.are_split(node) !== 0 || this.is_ordered(node) !== 0) {
      return this.numbers(this.begin(node) + place);
    }
    const number = (first + place * this.stride(node)) % this.moves(node);
    return Math.max(0, this.runs(node)) + number;
  }

  /** The children of a node: the number of the move to each, its own, and how often they were
   * visited: of parts of turns as well, from the largest on. */
  children(node, above = []) {
    const found = [];
    for (let place = 0; place < this.branches(node); place++) {
      const child = this.places(this.begin(node) + place);
      if (child === NO_CHILD || this.known(child) < KNOWN) continue;
      const visits = [...above, this.visits(child)];
      if (this.isPart(child)) found.push(...this.children(child, visits));
      else found.push({ number: this.moveNumber(node, place), child, visits });
    }
    return found;
  }

  /** The children of a node from best to worst, as it sees them who decides there. */
  ordered(node) {
    const chooser = this.choosers(node);
    const certain = this.bounds(node, chooser)[0];
    const rank = (entry) => {
      const { child, visits } = entry;
      const [low, high] = this.bounds(child, chooser);
      const [value, plies] = [this.value(child, Math.max(chooser, 0)), this.plies(child)];
      if (low === 1 && high === 1) return [1, -plies];
      if (low === 0 && high === 0) return [-1, plies];
      const isGoodEnough = low >= certain || (high > certain && value >= certain);
      return [0, Number(isGoodEnough), ...visits, -1, value];
    };
    const ranked = this.children(node).map((entry) => ({ ...entry, rank: rank(entry) }));
    return ranked.sort((a, b) => inOrder(b.rank, a.rank));
  }

  bounds(node, seat) {
    const [low, high] = [this.low(node) / 2, this.high(node) / 2];
    if (this.known(node) === OVER && low !== high) {
      const value = this.value(node, seat);
      return [value, value];
    }
    return seat === 1 ? [1 - high, 1 - low] : [low, high];
  }

  value(node, seat) {
    const mean = this.totals(node * this.apart + seat) / Math.max(1, this.visits(node));
    if (this.low(node) === 0 && this.high(node) === 2) return mean;
    const [low, high] = this.bounds(node, seat);
    return Math.min(Math.max(mean, low), high);
  }

  /** The numbers of the moves that are likely to follow a node. */
  line(node) {
    const found = [];
    let here = node;
    while (found.length < LONGEST_LINE && this.choosers(here) !== BY_CHANCE) {
      const best = this.ordered(here)[0];
      if (best === undefined) break;
      found.push(best.number);
      here = best.child;
    }
    return found;
  }

  /** What the position at the root is worth to each seat, from 0 to 1. */
  values() {
    let node = this.root;
    const { seats } = this;
    if (seats > MOST_SEATS_PROVEN && this.choosers(node) >= 0) {
      const chooser = this.choosers(node);
      const isWon = ({ child }) => this.known(child) === OVER && this.value(child, chooser) === 1;
      node = this.ordered(node).find(isWon)?.child ?? node;
    }
    const best = this.choosers(node) >= 0 ? this.ordered(node)[0] : undefined;
    const isEnough = (child) => this.visits(child) >= SHARE_OF_BEST * this.visits(node);
    if (best !== undefined && isEnough(best.child)) node = best.child;
    return Array.from({ length: seats }, (_, seat) => this.value(node, seat));
  }
}

/** Monte-Carlo tree search of one position after another. */
export class TreeSearch {
  constructor(game) {
    const { images } = game.data.engine;
    this.game = game;
    this.calls = game.machine.calls;
    this.fixed = new Layout(game.machine, images.fixed);
    this.kept = new Layout(game.machine, images.kept);
    this.seat = new Seat(game.machine, images.seat);
    allowStack(game, this.fixed);
  }

  /** Begin with a position, and with an empty tree. */
  begin(position, seed, number) {
    this.position = position;
    this.kept.reset();
    this.seat.take(position, new Chance(seed, number).state);
    this.made = 0;
    this.leftOut = 0;
    this.isDone = false;
  }

  /** Make at most so many iterations, and fewer where the position is proven. */
  search(iterations) {
    const { fixed, kept, seat, calls } = this;
    const records = [
      ...[kept.record("tree"), fixed.record("code"), fixed.record("fields"), seat.desk],
      ...[fixed.record("policy"), fixed.record("estimate"), kept.record("tally")],
    ];
    const made = Number(calls.engine_search(...records, BigInt(iterations)));
    this.made += made;
    if (made >= iterations) return;
    this.end();
    if (seat.error === 0) {
      this.isDone = true;
      return;
    }
    seat.mend();
    this.leftOut += 1;
    if (this.leftOut > MOST_LEFT_OUT) throw new RulesFail("The rules fail in games tried here.");
  }

  /** Let all nodes know what was found out: before the tree tells of it. */
  end() {
    const { fixed, kept, seat, calls } = this;
    const records = [kept.record("tree"), seat.desk, fixed.record("policy"), kept.record("tally")];
    calls.engine_end_search(...records);
  }

  /** Search by parts of the work, each of which ends soon; yield after each. */
  *parts(iterations, end) {
    let next = FIRST_ITERATIONS;
    try {
      while (!this.isDone && this.made < iterations && (this.made === 0 || now() < end)) {
        const begun = now();
        this.search(Math.min(next, iterations - this.made));
        const spent = Math.max(0.01, now() - begun);
        next = Math.ceil(next * Math.min(4, WORK_AT_ONCE / spent));
        next = Math.max(1, Math.min(next, MOST_ITERATIONS));
        yield;
      }
    } finally {
      this.end();
    }
  }

  /** Forget what was found out: each position begins with an empty tree anyway. */
  forget() {}

  /** Return what is known of the position. */
  told(lines) {
    const { game, position } = this;
    const { seats, payoff_unit } = game.data.engine;
    const found = new TreeFindings(this.kept, seats);
    const chooser = found.choosers(found.root);
    const entries = found.ordered(found.root).map(({ number, child }, rank) => {
      const bounds = found.bounds(child, chooser);
      const proven = bounds[0] === bounds[1];
      const visits = found.visits(child);
      const value = found.value(child, Math.max(chooser, 0));
      const plies = proven ? found.plies(child) + 1 : null;
      const line = rank < lines ? found.line(child) : [];
      return { number, visits, value, bounds, proven, plies, line, isBound: false, depth: null };
    });
    const values = found.values();
    const peak = payoff_unit ? found.state(PEAK) / payoff_unit : 0;
    const payoffs = payoff_unit ? values.map((one) => peak * (2 * one - 1)) : null;
    // From here on memory may grow, and what has read the tree may not be asked any more.
    const moves = entries.map((entry) => withMoves(game, position, entry));
    return { iterations: this.made, values, moves, payoffs, depth: null };
  }
}

/** Put the moves into what is known of one, in place of their numbers. */
function withMoves(game, position, { number, line, ...known }) {
  const move = game.moves(position).at(number);
  const texts = [move.text];
  let next = line.length ? game.play(position, move) : position;
  for (const [n, one] of line.entries()) {
    const answer = game.moves(next).at(one);
    texts.push(answer.text);
    if (n + 1 < line.length) next = game.play(next, answer);
  }
  return { text: move.text, number, ...known, line: texts };
}

