// What stands beside the board: the players, the moves with variations, the rules, the ruling.
//
// In: a table. Out: elements of the page. What then holds: nothing here changes the game; what is
// clicked is told to the table.

import { svgElement } from "./basics.js";
import { html, shown } from "./drawing.js";
import { PLAYERS } from "./seats.js";
import { sentence } from "./table.js";

const CREDITS = { author: "By", year: "Year", source: "Source", family: "Family" };
const DEEPEST = 3;

/** The kinds of players as the list of sides calls them. @param {string} kind */
export function kindText(kind) {
  const known = PLAYERS.find(([name]) => name === kind);
  return kind === "human" ? "" : known?.[1].toLowerCase() ?? kind;
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
  const { scene } = table;
  const rows = scene.beside.map(({ text, marks, place }) => {
    const isOnBoard = place in drawing.scene.boxes;
    const pieces = (isOnBoard ? [] : marks).map((mark) => {
      const meant = table.besides(mark);
      if (!meant) {
        return html("span", { title: shown(drawing.name(mark)) }, [drawing.single(mark)]);
      }
      return html("button", {
        type: "button", class: meant.isChosen ? "can is-chosen" : "can",
        "aria-label": shown(meant.written), "data-word": meant.word,
        on: { click: () => choose(meant.word) },
      }, [drawing.single(mark)]);
    });
    const caption = html("span", { class: "caption", text: shown(text) });
    return html("div", { class: "beside-row" }, [caption, ...pieces]);
  });
  const told = (text) => html("div", { class: "beside-row" }, [
    html("span", { class: "caption", text: shown(text) }),
  ]);
  rows.unshift(...scene.notices.map((text) => told(sentence(text))));
  const drawn = new Set(scene.beside.flatMap(({ slots }) => slots));
  for (const { text, slots } of scene.told) {
    if (slots.every((slot) => drawn.has(slot))) continue;
    rows.push(told(text));
  }
  return rows;
}

/** The list of moves of a game, with what was played instead. */
export class MoveList {
  /** @param {Element} place where it stands */
  constructor(place) {
    this.place = place;
    this.items = [];
  }

  /**
   * Show the moves of a table: what is shown already stays.
   * @param {Object} table
   * @param {Map} signs what a review says of moves, by place of the course
   */
  show(table, signs = new Map()) {
    const { line, at } = table.course;
    const isOpen = table.viewer === null;
    const told = isOpen ? null : table.moveTexts(line);
    const wanted = line.slice(1).map((place, n) => {
      const others = isOpen ? place.parent.children.length : 1;
      return { place, others, sign: signs.get(place) ?? "", text: told?.[n] ?? place.move.text };
    });
    const isKnown = ({ place, others, sign, text }, n) => {
      const known = this.items[n];
      return known?.place === place && known.others === others && known.sign === sign
        && known.text === text;
    };
    const same = wanted.findIndex((one, n) => !isKnown(one, n));
    const kept = same < 0 ? wanted.length : same;
    for (const { element } of this.items.splice(kept)) element.remove();
    for (const one of wanted.slice(kept)) this.items.push(this.made(table, one));
    this.place.append(...this.items.slice(kept).map(({ element }) => element));
    this.mark(at);
  }

  made(table, { place, others, sign, text }) {
    const label = `${place.number}. ${this.moverOf(table, place)} ${shown(text)}`;
    const button = html("button", {
      type: "button", "aria-label": label, on: { click: () => table.goTo(place) },
    }, [shown(text)]);
    if (sign) button.append(html("span", { class: "sign", text: sign }));
    const instead = others > 1 ? place.parent.children.filter((other) => other !== place) : [];
    const element = html("span", { class: "move" }, [
      html("span", { class: "number", text: `${place.number}.` }), button,
      ...instead.map((other) => html("button", {
        type: "button", class: "other", "aria-label": `Instead: ${shown(other.move.text)}`,
        on: { click: () => table.goTo(other) },
      }, [shown(other.move.text)])),
    ]);
    return { place, others, sign, text, button, element };
  }

  moverOf(table, place) {
    const { game } = table;
    const before = place.parent.position;
    return game.seat(before) === null ? "Chance" : shown(game.sides[game.mover(before)]);
  }

  mark(at) {
    let current = null;
    for (const { place, button } of this.items) {
      const isAt = place === at;
      if (isAt) current = button;
      if (isAt !== button.hasAttribute("aria-current")) {
        if (isAt) button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
      }
      button.classList.toggle("later", place.number > at.number);
    }
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.bringToView(current));
  }

  bringToView(button) {
    const list = this.place.closest("#pages");
    if (!button || !list || list.scrollHeight <= list.clientHeight) return;
    const top = button.offsetTop - list.offsetTop;
    const isSeen = top >= list.scrollTop && top <= list.scrollTop + list.clientHeight - 40;
    if (!isSeen) list.scrollTop = top - list.clientHeight / 2;
  }
}

/**
 * The kinds of pieces: how they look, how many are left, how each moves, in words and marks.
 * Of a side whose kinds are hidden no numbers are told.
 */
export class PieceList {
  /** @param {Element} place where it stands @param {Object} game */
  constructor(place, game) {
    this.game = game;
    this.items = (game.data.pieces ?? []).map(({ kind, told, picture }) => {
      const [looks, left] = [html("span"), html("span", { class: "soft" })];
      const heading = html("h2", {}, [looks, ` ${shown(kind.replaceAll("_", " "))} `, left]);
      const words = told.map((text) => html("p", { text: shown(text) }));
      const shape = picture ? [html("figure", {}, [svgElement(picture)])] : [];
      return { kind, looks, left, element: html("article", {}, [heading, ...words, ...shape]) };
    });
    place.replaceChildren(html("div", { class: "pieces" }, this.items.map((one) => one.element)));
  }

  /** Show how the pieces look now, and how many of each are seen. */
  show(scene, drawing) {
    const { layers, sides } = this.game.data;
    const seen = Object.values(scene.marks).flatMap((mark) => [mark, ...mark.under ?? []]);
    for (const { kind, looks, left } of this.items) {
      const own = layers.filter((layer) => layer.kind === kind);
      const isHidden = (side) => seen.some((mark) => mark?.kind === "" && mark.side === side);
      const counts = own.filter(({ side }) => !isHidden(side)).map(({ side }) => {
        const number = seen.filter((mark) => mark?.kind === kind && mark.side === side).length;
        return side === null ? `${number}` : `${shown(sides[side])} ${number}`;
      });
      left.textContent = counts.join(", ");
      if (looks.dataset.theme === drawing.themeName) continue;
      looks.dataset.theme = drawing.themeName;
      looks.replaceChildren(...own.map((layer) => drawing.single({
        ...layer, count: null,
        label: layer.letters || (layer.figure ? "" : layer.symbol.toUpperCase()),
      })));
    }
  }
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
  if (outcome.why) parts.push(html("p", { text: shown(outcome.why) }));
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
