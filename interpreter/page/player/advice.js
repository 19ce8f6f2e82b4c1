// What the engine finds out for those who look: a hint, what a position is worth, a review.
//
// In: a table, and a worker in which the engine searches. Out: what stands in the panel, a value
// bar, arrows on the board, moves of players. What then holds: the page stays alive while the
// engine thinks; where the rules hide something, nothing is told that could give it away.

import { html, shown, svg } from "./drawing.js";
import { Engine, chosenMove, levelOptions } from "./engine.js";
import { judgementsOf, momentsOf, secondsEach } from "./review.js";
import { sentence } from "./table.js";
import { Thinker } from "./thinker.js";

const LINES = 5; // moves in the list
const HINT_SECONDS = 1.5;
const PONDERING_SECONDS = 30;
const THREATS_SECONDS = 3;
const MOST_MOMENTS = 12;
const MOST_LISTED = 6;
const LONGEST = 600; // seconds that a position is analysed
const NO_ADVICE = "In this game that would tell what you are not to see.";
const NO_WORKER = "This browser lets no engine run in a page like this.";

/** The engine of one game, in a worker. */
export class Analyst {
  /**
   * @param {Object} game
   * @param {Function|null} startWorker gives a worker, or null where there can be none
   */
  constructor(game, startWorker) {
    this.game = game;
    this.lacks = Engine.lacks(game);
    this.thinker = new Thinker(game, () => {
      const worker = startWorker?.() ?? null;
      if (worker === null) this.lacks = NO_WORKER;
      if (worker === null) throw new Error(NO_WORKER);
      return worker;
    });
  }

  /**
   * Return a promise of what is found out about a position; what was asked before is ended.
   * @param {Object} position
   * @param {Object} options as `Engine.analyse` has them
   * @param {Function} onNews is called with what is known meanwhile
   */
  async analyse(position, options = {}, onNews = () => {}) {
    if (this.lacks) throw new Error(this.lacks);
    return this.thinker.analyse(position, { lines: LINES, ...options }, onNews);
  }

  /**
   * Return a promise of the move that an engine at a seat makes; null if it was stopped.
   * @param {Object} position
   * @param {Object} strength as `strengthOf` gives it
   * @param {number} seed of the search
   */
  async move(position, { level, ...limits }, seed) {
    const options = level ? levelOptions(this.game, level) : { ...limits, slack: 0 };
    const found = await this.analyse(position, { ...options, seed });
    const number = found && found.moves.length ? chosenMove(found, options.slack) : null;
    return number === null ? null : this.game.moves(position).at(number);
  }

  /** Return a promise of what can be done at once in a position. */
  async threats(position) {
    return this.thinker.threats(position, THREATS_SECONDS);
  }

  /** End what is searched; its promise gives what was found until then. */
  stop() {
    this.thinker.stop();
  }

  /** End the worker. */
  close() {
    this.thinker.close();
  }
}

/** The engine's page of the panel, the value bar and the arrows. */
export class Advice {
  /**
   * @param {Element} place the page of the panel
   * @param {Element} bar where the value bar is
   * @param {Function} changed is called when arrows or signs are others
   */
  constructor(place, bar, changed) {
    this.place = place;
    this.bar = bar;
    this.changed = changed;
    this.signs = new Map();
    this.isOn = false;
    this.build();
  }

  build() {
    const button = (text, act) => html("button", { type: "button", on: { click: act } }, [text]);
    this.toggle = button("Analyse", () => this.switch());
    this.toggle.setAttribute("aria-pressed", "false");
    this.buttons = [this.toggle, button("Hint", () => this.hint()),
      button("Threats", () => this.threats()), button("Review the game", () => this.review())];
    this.told = html("p", { class: "soft", role: "status" });
    this.found = html("div");
    this.reviewed = html("div");
    const row = html("div", { class: "buttons" }, this.buttons);
    this.place.replaceChildren(row, this.told, this.found, this.reviewed);
  }

  /** Serve another game or table. @param {Object} table @param {Object} analyst */
  open(table, analyst) {
    this.stop();
    this.table = table;
    this.analyst = analyst;
    this.signs = new Map();
    this.reviewed.replaceChildren();
    this.look();
  }

  /** See which position is shown now: what was found out of others is dropped. */
  look() {
    const { table } = this;
    const position = table?.position;
    if (position !== this.position) {
      this.stop();
      this.position = position;
      this.found.replaceChildren();
      this.bar.hidden = true;
      this.told.textContent = "";
      if (this.isOn) this.analyse();
    }
    const why = this.analyst?.lacks || (this.mayNotTell() ? NO_ADVICE : "");
    if (why) this.told.textContent = shown(why);
    for (const button of this.buttons) button.disabled = Boolean(why);
  }

  mayNotTell() {
    return Boolean(this.table?.seats.isLimited(this.table.course));
  }

  /** End what was asked here, unless a player thinks. */
  stop() {
    if (this.asked) this.analyst?.stop();
    this.asked = null;
  }

  switch() {
    this.isOn = !this.isOn;
    this.toggle.setAttribute("aria-pressed", String(this.isOn));
    this.toggle.textContent = this.isOn ? "Stop analysing" : "Analyse";
    if (this.isOn) this.analyse();
    else this.stop();
  }

  /** Ask the engine, unless a player thinks; `heard` is called with what is found. */
  async ask(work, heard) {
    const { position, table, analyst } = this;
    this.stop();
    if (analyst.lacks || this.mayNotTell() || !position || table.isThinking) {
      this.look();
      return;
    }
    const asked = (this.asked = { position });
    const isStill = () => this.asked === asked && this.position === position;
    try {
      const found = await work(position, (news) => isStill() && heard(news, false));
      if (isStill() && found) heard(found, true);
    } catch (problem) {
      if (isStill()) this.told.textContent = shown(problem.message);
    }
    if (this.asked === asked) this.asked = null;
  }

  analyse() {
    if (this.table.outcome) return;
    this.told.textContent = "The engine thinks …";
    this.ask((position, news) => this.analyst.analyse(position, { seconds: LONGEST }, news),
      (found) => this.show(found));
  }

  /** Advise a move: an arrow on the board, and the line that may follow. */
  hint() {
    if (this.table.outcome) return;
    this.told.textContent = "The engine thinks …";
    this.ask((position, news) => this.analyst.analyse(position, { seconds: HINT_SECONDS }, news),
      (found, isDone) => {
        this.show(found);
        if (!isDone || !found.best) return;
        this.point(found.best);
        const [, ...then] = found.moves[0].line;
        const line = then.length ? `, and then ${then.slice(0, LINES).join(" ")}` : "";
        this.table.say(`Advised: ${found.best}${line}.`);
      });
  }

  /** Draw a move as arrows on the board. @param {string} text */
  point(text) {
    const { table } = this;
    this.advise(arrowsOf(table.game, table.position, text));
  }

  advise(arrows) {
    this.table.advice.arrows = arrows;
    this.changed();
  }

  /** Show an answer of the engine in the panel, and in the value bar. */
  show(found) {
    const { iterations, verdict, sides } = found;
    const told = [verdict ? sentence(verdict) : "", `${iterations.toLocaleString("en")} tried.`];
    this.told.textContent = told.filter(Boolean).map(shown).join(" ");
    this.found.replaceChildren(this.tableOf(found));
    this.drawBar(sides);
  }

  tableOf({ moves }) {
    const rows = moves.slice(0, LINES).map((move) => {
      const make = html("button", {
        type: "button", title: "Make this move",
        on: {
          click: () => {
            const { move: found } = this.table.game.why(this.position, move.text);
            if (found && this.table.isAsked) this.table.play(found);
          },
          pointerenter: () => this.point(move.text), pointerleave: () => this.advise([]),
          focus: () => this.point(move.text), blur: () => this.advise([]),
        },
      }, [shown(move.text)]);
      return html("tr", {}, [
        html("td", {}, [make]), html("td", { class: "number", text: valueText(move) }),
        html("td", { text: shown(move.line.slice(1, LINES + 1).join(" ")) }),
      ]);
    });
    const heads = ["Move", "Worth", "Then"].map((text) => html("th", { scope: "col", text }));
    return html("table", {}, [
      html("thead", {}, [html("tr", {}, heads)]), html("tbody", {}, rows),
    ]);
  }

  drawBar(list) {
    const total = list.reduce((sum, value) => sum + Math.max(0, value), 0);
    this.bar.hidden = total <= 0;
    if (total <= 0) return;
    const { sides } = this.table.game;
    if (this.bar.children.length !== list.length) {
      this.bar.replaceChildren(...list.map(() => html("span")));
    }
    list.forEach((value, side) => {
      const part = this.bar.children[side];
      part.style.flexGrow = String(Math.max(0.001, value / total));
      part.style.background = this.colours?.[side]?.fill ?? "gray";
    });
    const told = list.map((value, side) => `${sides[side] ?? ""} ${percent(value)}`).join(", ");
    this.bar.setAttribute("role", "img");
    this.bar.setAttribute("aria-label", `Worth: ${shown(told)}`);
    this.bar.title = shown(told);
  }

  /** Let the engine search while a person thinks: what it finds out it may use afterwards. */
  ponder() {
    if (this.asked || this.analyst.lacks || this.mayNotTell() || this.table.outcome) return;
    this.ask((position) => this.analyst.analyse(position, {
      seconds: PONDERING_SECONDS, lines: 0,
    }), () => {});
  }

  /** Mark what the others threaten: the sites of what they would gain if they were on turn. */
  threats() {
    const { table } = this;
    if (table.outcome) return;
    this.ask((position) => this.analyst.threats(position), (found) => {
      const { winningSites, scoringSites, taken } = found;
      table.advice.threatened = [...winningSites, ...scoringSites, ...taken];
      table.say(threatsText(table.game, found));
    });
  }

  // ------------------------------------------------------------------------------ a review

  /** Go through the game, and tell which moves changed its value most. */
  async review() {
    const { table, analyst } = this;
    if (this.mayNotTell() || analyst.lacks || table.isThinking) return;
    this.stop();
    const places = table.course.line;
    if (places.length < 2) {
      this.told.textContent = "There is no move to look at.";
      return;
    }
    const asked = (this.asked = {});
    const analyses = [];
    const seconds = secondsEach(places.length - 1);
    for (const [number, { position }] of places.entries()) {
      this.told.textContent = `Looking at move ${number} of ${places.length - 1} …`;
      try {
        analyses.push(await analyst.analyse(position, { seconds, lines: 1 }));
      } catch (problem) {
        this.told.textContent = shown(problem.message);
        return;
      }
      if (this.asked !== asked || !analyses[number]) return;
    }
    this.asked = null;
    this.told.textContent = "";
    const positions = places.map(({ position }) => position);
    const texts = places.slice(1).map(({ move }) => move.text);
    const judged = judgementsOf(table.game, positions, texts, analyses);
    this.showReview(places, judged);
  }

  showReview(places, judged) {
    const { game } = this.table;
    const signed = judged.filter(({ sign }) => sign);
    this.signs = new Map(signed.map(({ number, sign }) => [places[number], sign]));
    const items = momentsOf(judged, MOST_MOMENTS).map(
      (moment) => this.momentOf(moment, places[moment.number]));
    const told = items.length ? [html("ol", { class: "list" }, items)]
      : [html("p", { text: "No move changed the value of the game much." })];
    const values = [judged[0].worth[0], ...judged.map(({ worthAfter }) => worthAfter[0])];
    this.reviewed.replaceChildren(html("h2", { text: `The game for ${shown(game.sides[0])}` }),
      this.curve(values, places), ...told);
    this.changed();
  }

  momentOf({ number, text, side, change, sign, isChance, better, line }, place) {
    const { table } = this;
    const who = isChance ? "Chance" : table.game.sides[side];
    const points = `${change > 0 ? "+" : "−"}${percent(Math.abs(change))}`;
    const isBetter = !isChance && better !== null && change < 0;
    const then = isBetter ? ` Better was ${[better, ...line].slice(0, LINES).join(" ")}.` : "";
    const go = html("button", {
      type: "button", on: { click: () => table.goTo(place) },
    }, [`${number}. ${shown(text)}${sign}`]);
    return html("li", {}, [go, ` ${shown(who)} ${points}.${shown(then)}`]);
  }

  curve(values, places) {
    const [width, height] = [Math.max(1, values.length - 1), 1];
    const points = values.map((value, place) => `${place},${(height - value).toFixed(3)}`);
    const picture = svg("svg", {
      class: "curve", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
      "aria-label": "What the game was worth, move by move",
    }, [
      svg("line", {
        x1: 0, x2: width, y1: 0.5, y2: 0.5, stroke: "currentColor", "stroke-opacity": 0.3,
        "vector-effect": "non-scaling-stroke",
      }),
      svg("polyline", {
        points: points.join(" "), fill: "none", stroke: "currentColor", "stroke-width": 2,
        "vector-effect": "non-scaling-stroke",
      }),
    ]);
    picture.addEventListener("click", (event) => {
      const { left, width: wide } = picture.getBoundingClientRect();
      const share = wide ? (event.clientX - left) / wide : 0;
      this.table.goTo(places[Math.round(Math.max(0, Math.min(1, share)) * (places.length - 1))]);
    });
    return picture;
  }
}

/**
 * Return how a move is drawn before it is made: pairs of sites, of one site twice.
 * @param {Object} game
 * @param {Object} position
 * @param {string} text the move
 */
export function arrowsOf(game, position, text) {
  const { move } = game.why(position, text);
  if (!move) return [];
  const sites = [...new Set(game.sitesOf(move))];
  let way = [];
  if (!game.data.hidden) {
    try {
      way = game.scene(game.play(position, move)).way ?? [];
    } catch {
      way = [];
    }
  }
  const arrows = [];
  for (let place = 1; place < way.length; place += 1) {
    if (way[place - 1] !== way[place]) arrows.push([way[place - 1], way[place]]);
  }
  const passed = new Set(way);
  return [...arrows, ...sites.filter((site) => !passed.has(site)).map((site) => [site, site])];
}

function percent(value) {
  return `${Math.round(100 * value)} %`;
}

function valueText({ value, proven, plies }) {
  if (!proven || plies === null || plies === undefined) return percent(value);
  if (value === 0.5) return "draw";
  return `${value > 0.5 ? "wins" : "loses"} in ${plies}`;
}

function threatsText(game, found) {
  const { onTurn, others, chances, winning, taking, taken, many, scoring, isWhole } = found;
  const said = [];
  if (chances.length) said.push(`${game.sides[onTurn]} can win at once by ${listed(chances)}.`);
  const parts = [];
  if (winning.length) parts.push(`to win by ${listed(winning)}`);
  if (taken.length) {
    const pieces = `${taken.length} piece${taken.length > 1 ? "s" : ""}`;
    parts.push(`to take ${pieces} by ${listed(taking)}`);
  }
  if (many) parts.push(`to take any of ${many} pieces`);
  if (scoring.length) parts.push(`to score by ${listed(scoring)}`);
  const who = others.map((side) => game.sides[side]).join(" or ");
  if (parts.length) said.push(`A threat of ${who}: ${parts.join(" and ")}.`);
  else if (others.length) said.push(`Nothing is threatened at once by ${who}.`);
  else if (!said.length) said.push("Nothing is threatened at once.");
  if (!isWhole) said.push("Not all moves were looked at.");
  return said.join(" ");
}

function listed(texts) {
  return texts.slice(0, MOST_LISTED).join(", ") + (texts.length > MOST_LISTED ? " …" : "");
}
