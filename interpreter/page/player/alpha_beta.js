// Alpha-beta over the functions in the game's module: one move ahead, then two, and so on.
//
// In: positions, one after another. Out: what is known of each. What then holds: the same positions
// and numbers of iterations give what interpreter/search/alpha_beta/deepening.py finds on one
// thread. By the clock, a move whose search was stopped too soon is searched again.

import { Chance } from "./basics.js";
import { Search, inOrder, now } from "./search_memory.js";

const LONGEST_WAY = 12;
const [JUDGED, LIMIT, ABORTED, WHOLE] = [0, 1, 2, 3]; // as in alpha_beta/arena.py
const [DRAWN, WON, OPEN] = [1, 2, 3];
const INFINITE = 2000000; // these, and what follows, as in alpha_beta/search.py and deepening.py
const [WIN, SURE] = [1000000, 900000];
const UNITS = 1000;
const DEEPEST = 120;
const ENDLESS = 1n << 60n;
const NOT_BELOW = 1e-6;
const MOST_EXACT = 3;
const WORDS_OF_BUCKET = 16;
const ENTRIES_OF_BUCKET = 4;
const GROWTH = 4;
const FULLEST = 0.5;
const FIRST_PACE = 200; // positions a millisecond, as long as nobody knows

function chances(value) {
  if (Math.abs(value) >= SURE) return Number(value > 0);
  return value > -600 * UNITS ? 1 / (1 + Math.exp(-value / UNITS)) : 0;
}

function rootRank(root) {
  const isLost = root.value <= -SURE;
  return [Number(!isLost), isLost ? 0 : root.depth, root.value, Number(!root.isBound)];
}

function rootBounds(root) {
  const isExact = !root.isBound && (root.isWhole || root.value >= SURE);
  if (isExact || root.value <= -SURE) return [chances(root.value), chances(root.value)];
  return root.isWhole && root.value <= 0 ? [0, 0.5] : [0, 1];
}

/** Return up to which value a move need not be known; values are known, the best first. */
function floorOf(exact, want, slack) {
  if (exact.length < want) return -INFINITE;
  if (!slack || exact[0] >= SURE) return exact[want - 1];
  const least = chances(exact[0]) - slack;
  if (least <= NOT_BELOW) return -INFINITE;
  return Math.min(exact[want - 1], Math.trunc(UNITS * Math.log(least / (1 - least))) - 1);
}

/** Alpha-beta, deeper and deeper. */
export class AlphaBeta extends Search {
  constructor(game) {
    super(game);
    this.pace = FIRST_PACE;
    this.roots = [];
  }

  /** Forget all that was found out. */
  forget() {
    const { kept, game } = this;
    const begin = kept.begin("table", "entries");
    game.machine.bytes.fill(0, begin, begin + 8 * WORDS_OF_BUCKET * this.buckets);
    kept.reset();
    this.roots = [];
    this.position = null;
  }

  get buckets() {
    return this.kept.number("table", "mask") + 1;
  }

  state(field) {
    return Number(this.game.machine.get(this.kept.begin("walk", "state") + 8 * field));
  }

  putState(field, value) {
    this.game.machine.put(this.kept.begin("walk", "state") + 8 * field, value);
  }

  /** Begin with a position; what was found out of others is kept. */
  begin(position) {
    const { kept, fixed, seat, calls, game } = this;
    const isSame = this.position !== null && isEqual(this.position, position);
    const age = kept.begin("table", "age");
    game.machine.put(age, game.machine.get(age) + 1n);
    calls.engine_fade(kept.record("walk"), 2n);
    this.putState(JUDGED, 0);
    this.putState(ABORTED, 0);
    this.putState(LIMIT, ENDLESS);
    this.walk = [kept.record("walk"), fixed.record("judge")];
    this.after = [seat.desk, fixed.record("code"), fixed.record("fields")];
    this.stand(position);
    const found = this.opened(Number(calls.engine_moves_of_root(...this.walk, ...this.after)));
    if (!isSame || !found.length) this.roots = found;
    this.position = position;
  }

  /** Let a position be the one that ways begin at. */
  stand(position) {
    const [desk, , fields] = this.after;
    this.seat.take(position, new Chance(0, 0).state);
    this.calls.engine_take_root(...this.walk, desk, fields);
  }

  opened(count) {
    const { seats, values, results } = this.kept.readers("walk");
    const isFirst = seats(0) === 0;
    return Array.from({ length: Math.max(0, count) }, (_, number) => {
      const seen = isFirst ? values(number + 1) : -values(number + 1);
      const value = Math.max(1 - SURE, Math.min(SURE - 1, seen));
      const root = { number, value, isBound: false, isWhole: false, judged: 0, depth: 0 };
      const result = results(number + 1);
      if (result !== OPEN) {
        root.value = result === DRAWN ? 0 : (WIN - 1) * ((result === WON) === isFirst ? 1 : -1);
        root.isWhole = true;
      }
      return root;
    });
  }

  get made() {
    return this.state(JUDGED);
  }

  sortRoots() {
    this.roots.sort((a, b) => inOrder(rootRank(b), rootRank(a)));
  }

  /** Search by parts of the work, each of one move of the root; yield after each. */
  *parts(iterations, end, { lines, slack, deepest = DEEPEST }) {
    const { roots } = this;
    const most = Number.isFinite(iterations) ? iterations : Number(ENDLESS);
    const want = Math.max(1, Math.min(lines, MOST_EXACT));
    const reached = Math.min(...roots.map((root) => root.depth));
    const hasMore = roots.length && this.state(ABORTED) === 0 && this.made < most;
    for (let depth = Math.max(1, Math.min(reached, deepest)); depth <= deepest; depth++) {
      if (!hasMore) break;
      this.sortRoots();
      const exact = [];
      let isDone = false;
      for (const root of roots) {
        const floor = floorOf([...exact].sort((a, b) => b - a), want, slack);
        isDone = !this.searched(root, depth, floor, most, end);
        if (isDone) break;
        if (!root.isBound) exact.push(root.value);
        yield;
      }
      if (isDone || roots.every((root) => root.isWhole)) break;
      if (Math.max(...exact) >= SURE || Math.max(...exact) <= -SURE) break;
    }
    if (this.seat.error !== 0) this.seat.mend();
  }

  /** Search a move of the root; return whether that came to its end. */
  searched(root, depth, floor, most, end) {
    const { calls, kept } = this;
    const table = kept.record("table");
    const numbers = [root.number + 1, depth, floor].map(BigInt);
    let value = 0;
    for (;;) {
      const [before, begun] = [this.made, now()];
      const inTime = Math.ceil(before + Math.max(1000, this.pace * (end - begun)));
      this.putState(LIMIT, Math.min(most, Number.isFinite(end) ? inTime : most));
      value = Number(calls.engine_value_of_move(...this.walk, table, ...numbers, ...this.after));
      const judged = this.made - before;
      root.judged += judged;
      if (now() - begun > 5) this.pace = judged / (now() - begun);
      this.widen();
      if (this.state(ABORTED) === 0) break;
      if (this.seat.error !== 0 || this.made >= most || now() >= end) return false;
      this.putState(ABORTED, 0);
    }
    Object.assign(root, { value, isBound: value <= floor, depth });
    root.isWhole = this.state(WHOLE) !== 0;
    return true;
  }

  /** Take more buckets of the table into use, if there are more and those in use are full. */
  widen() {
    const { kept, game, calls, buckets } = this;
    const most = kept.length("table", "entries") / WORDS_OF_BUCKET;
    const filled = Number(game.machine.get(kept.begin("table", "filled")));
    if (buckets === most || filled < FULLEST * ENTRIES_OF_BUCKET * buckets) return;
    const mask = Math.min(most, GROWTH * buckets) - 1;
    calls.engine_spread_out(kept.record("table"), BigInt(mask));
    game.machine.put(kept.begin("table", "mask"), mask);
  }

  /** Return what is known of the position. */
  told(lines) {
    const { game, position } = this;
    const legal = game.moves(position);
    const none = { value: 0, isBound: false, isWhole: false, judged: 0, depth: 0 };
    const roots = [...this.roots].sort((a, b) => inOrder(rootRank(b), rootRank(a)));
    const all = roots.length ? roots : legal.map((_, number) => ({ ...none, number }));
    const made = this.made;
    const moves = all.map((root, rank) => {
      const bounds = rootBounds(root);
      const proven = bounds[0] === bounds[1];
      const move = legal.at(root.number);
      return {
        text: move.text,
        number: root.number,
        visits: root.judged,
        value: chances(root.value),
        bounds,
        proven,
        plies: proven && bounds[0] !== 0.5 ? WIN - Math.abs(root.value) : null,
        isBound: root.isBound,
        depth: root.depth,
        line: [move.text, ...(rank < lines ? this.line(game.play(position, move)) : [])],
      };
    });
    // The search may go on, and lines have led elsewhere.
    if (lines > 0) this.stand(position);
    const best = moves.length ? moves[0].value : 0.5;
    const seat = game.seat(position) - 1;
    const values = [0, 1].map((one) => (one === seat ? best : 1 - best));
    const depth = this.roots.length ? roots[0].depth : 0;
    return { iterations: made, values, moves, payoffs: null, depth };
  }

  /** The moves that are likely to follow a position, as far as they are remembered. */
  line(position) {
    const { game, calls, kept } = this;
    const line = [];
    let next = position;
    while (line.length < LONGEST_WAY && game.clause(next) === 0) {
      this.stand(next);
      const number = Number(calls.engine_best_at_root(...this.walk, kept.record("table")));
      const legal = game.moves(next);
      if (number < 0 || number >= legal.length) break;
      line.push(legal.at(number).text);
      next = game.play(next, legal.at(number));
    }
    return line;
  }
}

function isEqual(one, other) {
  const pairs = [[one.bytes, other.bytes], ...one.pasts.map((past, n) => [past, other.pasts[n]])];
  return pairs.every(([a, b]) => a.length === b.length && a.every((byte, n) => byte === b[n]));
}
