// What stands beside the board: the players, the moves with their variations, the rules, the ruling.
//
// In: a table. Out: elements of the page. What then holds: nothing here changes the game; what is
// clicked is told to the table.

import { svgElement } from "./basics.js";
import { html, shown } from "./drawing.js";
import { sentence } from "./table.js";

const CREDITS = { author: "By", year: "Year", source: "Source", family: "Family" };
const DEEPEST = 3;

/** The kinds of players as the list of sides calls them. @param {string} kind */
export function kindText(kind) {
  if (kind === "human") return "";
  return kind.startsWith("engine") ? `engine, level ${kind.split(" ")[1] ?? ""}` : kind;
}

/**
 * Return the sides of a game: who plays them, their scores, who is on turn.
 * @param {Object} table
 * @param {Object} theme the colours of the board
 */
export function sidesOf(table, theme) {
  const { game, seats, position, outcome, scene } = table;
  const isChance = game.seat(position) === null;
  const mover = game.mover(position);
  const items = game.sides.map((name, side) => {
    const isOnTurn = !outcome && !isChance && side === mover;
    const seat = game.seatOf(position, side);
    const isWinner = outcome?.winners.includes(side);
    const swatch = html("span", { class: "swatch" });
    swatch.style.background = theme.sides[side]?.fill ?? "none";
    const told = [isWinner ? "wins" : "", isOnTurn && table.isThinking ? "thinks …" : "",
      kindText(seats.kind(seat))].filter(Boolean).join(", ");
    const score = scene.scores?.[name];
    return html("li", {
      class: isOnTurn || isWinner ? "on-turn" : null, "aria-current": isOnTurn ? "true" : null,
    }, [
      swatch, html("span", { class: "name", text: shown(name) }),
      html("span", { class: "kind", text: told }),
      ...(score === undefined ? [] : [html("span", { class: "score", text: shown(score) })]),
    ]);
  });
  if (isChance && !outcome) items.push(html("li", { class: "on-turn", text: "Chance" }));
  return items;
}

/**
 * Return what lies beside the board: hands, dice, and what is told in words.
 * @param {Object} table
 * @param {Object} drawing that draws the board
 * @param {Function} choose takes the word of a piece that is chosen there
 */
export function besideOf(table, drawing, choose) {
  const { scene, choosing, isAsked, game } = table;
  const words = isAsked ? choosing.words : new Map();
  const rows = scene.beside.map(({ text, marks }) => {
    const pieces = marks.map((mark) => {
      const word = mark.kind.toLowerCase();
      const isOwn = mark.side === null || mark.side === game.mover(table.position);
      if (!isOwn || !words.has(word)) {
        return html("span", { title: shown(drawing.name(mark)) }, [drawing.single(mark)]);
      }
      return html("button", {
        type: "button", class: "can", "aria-label": shown(words.get(word)), "data-word": word,
        on: { click: () => choose(word) },
      }, [drawing.single(mark)]);
    });
    const caption = html("span", { class: "caption", text: shown(text) });
    return html("div", { class: "beside-row" }, [caption, ...pieces]);
  });
  const told = scene.told.filter((text) => !scene.beside.some((row) => row.text === text));
  for (const text of told) {
    if (/^(In hand|Off the board): /.test(text) && scene.beside.length) continue;
    rows.push(html("div", { class: "beside-row" }, [
      html("span", { class: "caption", text: shown(text) }),
    ]));
  }
  return rows;
}

/** The list of moves of a game, with what was played instead. */
export class MoveList {
  /** @param {Element} place where it stands */
  constructor(place) {
    this.place = place;
    this.key = [];
  }

  /**
   * Show the moves of a table.
   * @param {Object} table
   * @param {Map} signs what a review says of moves, by place of the course
   */
  show(table, signs = new Map()) {
    const { course } = table;
    const { line } = course;
    const children = line.map((place) => place.children.length);
    const key = [table, ...line, ...children, table.viewer, signs];
    const isSame = key.length === this.key.length && key.every((one, n) => one === this.key[n]);
    if (!isSame) {
      this.key = key;
      this.place.replaceChildren(...this.items(table, line, signs));
    }
    this.mark(course.at);
  }

  items(table, line, signs) {
    const texts = table.moveTexts(line);
    const items = [];
    this.buttons = new Map();
    line.forEach((place, number) => {
      if (!number) return;
      const text = shown(texts[number - 1]);
      items.push(html("span", { class: "number", text: `${number}.` }));
      const button = html("button", {
        type: "button", "aria-label": `${number}. ${this.moverOf(table, place)} ${text}`,
        on: { click: () => table.goTo(place) },
      }, [text]);
      const sign = signs.get(place);
      if (sign) button.append(html("span", { class: "sign", text: sign }));
      this.buttons.set(place, button);
      items.push(button);
      for (const other of place.parent.children) {
        if (other === place || table.viewer !== null) continue;
        items.push(html("button", {
          type: "button", class: "other", on: { click: () => table.goTo(lastOf(other)) },
          "aria-label": `Instead: ${shown(other.move.text)}`,
        }, [shown(other.move.text)]));
      }
    });
    if (!items.length) items.push(html("p", { class: "soft", text: "No move was made yet." }));
    return items;
  }

  moverOf(table, place) {
    const { game } = table;
    const before = place.parent.position;
    return game.seat(before) === null ? "Chance" : game.sides[game.mover(before)];
  }

  mark(at) {
    for (const [place, button] of this.buttons ?? []) {
      const isAt = place === at;
      if (isAt) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
      button.classList.toggle("later", place.number > at.number);
      const list = this.place.closest("#pages");
      if (isAt && list && list.scrollHeight > list.clientHeight) {
        const top = button.offsetTop - list.offsetTop;
        if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 40) {
          list.scrollTop = top - list.clientHeight / 2;
        }
      }
    }
  }
}

function lastOf(place) {
  return place;
}

/**
 * Return what is told at the end of a game: who wins, by which clause, scores.
 * @param {Object} table
 * @returns {Array<Element>} nothing while it goes on
 */
export function rulingOf(table) {
  const { game, outcome, scene } = table;
  if (!outcome) return [];
  const parts = [html("p", { class: "result", text: shown(sentence(outcome.text)) })];
  const clause = game.clauseOf(outcome);
  if (clause?.text) {
    const line = clause.line ? ` (line ${clause.line} of the rules)` : "";
    parts.push(html("p", { text: `${shown(clause.text)}${line}` }));
  }
  const scores = Object.entries(scene.scores ?? {});
  if (scores.length) {
    const told = scores.map(([side, score]) => `${shown(side)} ${shown(score)}`).join(", ");
    parts.push(html("p", { text: `Scores: ${told}.` }));
  }
  return parts;
}

/**
 * Return the rules of a game in words, where it comes from, and its examples as small boards.
 * @param {Object} game
 */
export function rulesOf(game) {
  const { data } = game;
  const { rules } = data;
  const parts = [];
  const add = (tag, text, attributes = {}) => {
    parts.push(html(tag, { text: shown(text), ...attributes }));
  };
  const list = (texts) => parts.push(html("ul", { class: "list" }, texts.map(
    (text) => html("li", { text: shown(text) }))));
  if (data.about) add("p", data.about);
  if (rules.text) {
    add("h2", "Rules");
    for (const text of rules.text.split("\n")) if (text.trim()) add("p", text);
  } else {
    add("h2", "A turn");
    for (const [depth, text] of rules.turns) {
      add("p", text, { class: depth ? `deep-${Math.min(depth, DEEPEST)}` : null });
    }
  }
  if (rules.ends?.length) {
    add("h2", "How it ends");
    list(rules.ends);
  }
  if (rules.meanings?.length) {
    add("h2", "Words");
    list(rules.meanings);
  }
  const examples = data.examples ?? [];
  if (examples.length) {
    add("h2", "Examples");
    parts.push(html("div", { class: "examples" }, examples.map(
      ({ title, note, picture }) => html("figure", {}, [
        svgElement(picture),
        html("figcaption", { text: [title, note].filter(Boolean).map(shown).join(". ") }),
      ]))));
  }
  add("h2", "About");
  const facts = Object.entries(data.credits ?? {}).map(
    ([key, text]) => [CREDITS[key] ?? key.charAt(0).toUpperCase() + key.slice(1), text]);
  if (data.board) facts.push(["Board", data.board]);
  if (data.otherNames?.length) facts.push(["Also called", data.otherNames.join(", ")]);
  for (const option of data.options ?? []) {
    if (option.value !== option.default) facts.push([option.name, option.value]);
  }
  if (data.variants?.length) facts.push(["Variant", data.variants.join(", ")]);
  parts.push(html("dl", { class: "facts" }, facts.flatMap(([name, text]) => [
    html("dt", { text: shown(name) }), html("dd", { text: shown(text) }),
  ])));
  return parts;
}
