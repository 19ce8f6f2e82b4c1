// The page: it joins the board, the table that is played at, the panel and the engine.
//
// In: the games that the page holds. Out: a page in which they are played. What then holds: what is
// shown is the table as it is now; the address tells the game and its moves, where it may.

import { Advice, Analyst } from "./advice.js";
import { Board } from "./board.js";
import { addressOf, readAddress } from "./course.js";
import { askLooks, askPlayers, askShare, openDialog, showKeys } from "./dialogs.js";
import { html, shown } from "./drawing.js";
import { Game } from "./game.js";
import { MoveList, PieceList, besideOf, rulesOf, rulingOf, sidesOf } from "./panel.js";
import { programInterface } from "./program.js";
import { readSave, saveText } from "./saves.js";
import { strengthOf } from "./seats.js";
import { Table } from "./table.js";

const SETTINGS = "gdl-page";
const PAGES = [["moves", "Moves"], ["engine", "Engine"], ["pieces", "Pieces"], ["rules", "Rules"]];
const WRITING = 150; // milliseconds until the address has a new move
const MOST_CHOICES = 120; // words that are offered as buttons
const LOOKS = ["auto", "light", "dark", "paper"];

/**
 * Begin to play in this document.
 * @param {Object} page `games`: of each the `key` in an address, the `title`, and `load`, which
 *   gives a promise of its data; `startWorker`: gives a worker for the engine, or null; `played`: a
 *   game that is shown, as `readSave` gives it, or null
 * @returns {Player}
 */
export function startPlayer({ games, startWorker = null, played = null }) {
  const player = new Player(games, startWorker);
  player.begin(played);
  return player;
}

/** The page as it is played in. */
export class Player {
  constructor(games, startWorker) {
    this.games = games;
    this.startWorker = startWorker;
    this.at = Object.fromEntries([...document.querySelectorAll("[id]")].map(
      (element) => [element.id, element]));
    this.settings = readSettings();
    this.isHeld = false;
    this.board = new Board(this.at.board, {
      choose: (site) => this.table?.choose(site),
      chooseWord: (word) => this.table?.chooseWord(word),
      drop: (site) => this.table?.drop(site),
      point: (site) => this.pointAt(site),
    });
    this.buildPages();
    this.list = new MoveList(html("div", { class: "moves" }));
    this.resign = html("button", {
      type: "button", on: { click: () => this.askToResign() },
    }, ["Resign"]);
    this.vary = html("button", {
      type: "button", on: { click: () => this.table?.vary() },
    }, ["Next variation"]);
    const row = html("div", { class: "buttons" }, [this.resign, this.vary]);
    this.pages.moves.append(row, this.list.place);
    this.advice = new Advice(this.pages.engine, this.at.value, () => this.draw());
    this.listen();
  }

  /** The position that is shown. */
  get position() {
    return this.table.position;
  }

  /** Make a legal move. @param {Object} move */
  play(move) {
    this.table.play(move);
  }

  /** Go one move back. */
  undo() {
    this.table.step(-1);
  }

  /** Let chance and players make no moves by themselves, or go on. @param {boolean} isHeld */
  hold(isHeld) {
    this.isHeld = isHeld;
    this.table.hold(isHeld);
  }

  /** Begin anew with moves. Throws Error where one can't be made. @param {Array<string>} texts */
  load(texts) {
    this.begins(texts);
    if (this.table.message) throw new Error(this.table.message);
  }

  /** Return a promise of what the engine finds. @param {Object} options as `Engine.analyse` has */
  analyse(options) {
    return this.analyst.analyse(this.position, options);
  }

  /** Open the game that the address names, at its position; or a game that was played. */
  async begin(played) {
    this.look();
    const { key, texts } = readAddress(window.location.hash);
    const known = this.entryOf(key);
    if (this.games.length > 1) {
      this.at["choose-game"].hidden = false;
      this.at["rule-sets"].replaceChildren(...this.games.map((one) => html("option", {
        value: this.keyOf(one), selected: one === known,
      }, [shown(one.title)])));
    }
    await this.openGame(known, texts);
    if (played && !texts.length) this.openRecord(played, 0);
    window.addEventListener("hashchange", () => this.follow());
    programInterface(this);
  }

  /** Return the game with a key; the first of the page if there is none. */
  entryOf(key) {
    return this.games.find((one, place) => place && one.key === key) ?? this.games[0];
  }

  keyOf(entry) {
    return entry === this.games[0] ? "" : entry.key;
  }

  /** Open the game of this page as it now is: players stay, and moves that are still legal. */
  async reopen() {
    const { table } = this;
    const kinds = Object.fromEntries(table.seats.kinds.map((kind, place) => [place + 1, kind]));
    const texts = table.course.texts(table.course.line).slice(0, table.course.at.number);
    await this.openGame(this.entry, texts, { kinds, seed: table.seed });
  }

  async openGame(entry, texts = [], options = {}) {
    this.at.message.textContent = "The game is being opened …";
    try {
      const data = await entry.load();
      this.entry = entry;
      this.game = await Game.open(data);
    } catch (problem) {
      this.at.message.textContent = `This game can't be opened here: ${shown(problem.message)}`;
      throw problem;
    }
    const { data } = this.game;
    this.at.title.textContent = shown(data.title || data.name);
    this.at["rule-sets"].value = this.keyOf(entry);
    this.analyst?.close();
    this.analyst = new Analyst(this.game, this.startWorker);
    this.board.open(data, this.themeName(data));
    this.pages.rules.replaceChildren(...rulesOf(this.game));
    this.pieces = new PieceList(this.pages.pieces, this.game);
    this.begins(texts, options);
  }

  /** Begin a game at a new table. @param {Array<string>} texts moves that are made first */
  begins(texts = [], { kinds = {}, seed = null } = {}) {
    this.table?.close();
    this.table = new Table(this.game, {
      kinds, seed: seed ?? Math.floor(Math.random() * 2 ** 31),
      player: (places, kind) => this.chosen(places, kind),
      changed: (isMoved) => this.show(isMoved),
      isHeld: this.isHeld,
    });
    if (texts.length) this.table.goOn(texts);
    this.advice.open(this.table, this.analyst);
    this.show(false);
  }

  async chosen(places, kind) {
    const strength = strengthOf(kind);
    if (this.analyst.lacks || !strength) return null;
    const { position } = places[places.length - 1];
    this.advice.stop();
    return this.analyst.move(position, strength, this.table.seed + places.length);
  }

  // ------------------------------------------------------------------------------- showing

  /** Show the table as it is now. @param {boolean} isMoved whether a move was just made */
  show(isMoved) {
    if (!this.table) return;
    this.advice.look();
    this.draw(isMoved);
    clearTimeout(this.writing);
    this.writing = setTimeout(() => this.writeAddress(), WRITING);
    if (isMoved && this.table.made) this.announce();
    else if (this.table.message) this.at.announce.textContent = shown(this.table.message);
    const { table, settings } = this;
    const isPlayed = table.isAsked && table.course.isAtEnd
      && table.seats.kinds.some((kind) => kind.startsWith("engine"));
    if (settings.ponders && isPlayed) this.advice.ponder();
  }

  /** Draw the table: what has changed of it. */
  draw(isMoved = false) {
    const { table, at, game } = this;
    const { scene, marked } = table;
    if (table.outcome && !marked.lit.size) marked.lit = new Set(table.shownSites);
    const part = game.window(scene, [...marked.offers, ...marked.chosen, ...marked.arrows.flat()]);
    this.board.show(scene, marked, part, isMoved);
    const theme = this.board.drawing.theme;
    this.advice.colours = theme.sides;
    at.sides.replaceChildren(...sidesOf(table, theme));
    at.beside.replaceChildren(
      ...besideOf(table, this.board.drawing, (word) => table.chooseWord(word)));
    at.prompt.textContent = shown(table.prompt);
    at.prompt.hidden = table.outcome !== null;
    at.message.textContent = shown(table.message || this.told());
    at.ruling.replaceChildren(...rulingOf(table));
    at.ruling.hidden = !table.outcome;
    at.typing.hidden = table.outcome !== null;
    this.resign.disabled = !table.isAsked;
    this.vary.disabled = !table.course.hasVariation;
    this.drawChoices();
    this.drawCurtain();
    this.list.show(table, this.advice.signs);
    this.pieces.show(scene, this.board.drawing);
    const { line, at: here } = table.course;
    const isLimited = table.seats.isLimited(table.course);
    for (const id of ["first", "back", "undo"]) at[id].disabled = !here.number || isLimited;
    for (const id of ["forward", "last", "redo"]) {
      at[id].disabled = here.number === line.length - 1 || isLimited;
    }
  }

  told() {
    const { table } = this;
    if (table.outcome) return "";
    const { only, legal } = table.choosing;
    if (table.isAsked && legal.length === 1) return `The only move is ${only.text}.`;
    const { people, kinds } = table.seats;
    const isNew = table.course.line.length === 1 && !table.choosing.chosen.length;
    if (isNew && !this.analyst.lacks && kinds.length > 1 && people.length === kinds.length) {
      return `${kinds.length} people play here; “Players” puts the engine at a seat.`;
    }
    const isBack = !table.course.isAtEnd && !table.seats.isPerson(table.seat);
    return isBack ? "You look back: › goes on, and another move begins a variation." : "";
  }

  drawChoices() {
    const { table, at } = this;
    const focused = at.choices.contains(document.activeElement)
      ? [...at.choices.children].indexOf(document.activeElement) : -1;
    at.choices.replaceChildren(...this.choices().map(([text, act, isMain, word]) => html("button", {
      type: "button", class: isMain ? "main" : null, "data-word": word, on: { click: act },
    }, [...this.pictured(word), shown(text)])));
    if (focused >= 0) {
      const { children } = at.choices;
      if (children.length) children[Math.min(focused, children.length - 1)].focus();
      else this.board.focus();
    }
    at.choices.dataset.chosen = table.isAsked ? table.choosing.chosen.join(" ") : "";
  }

  /** Return the picture of the piece that a word names, if it names one. */
  pictured(word) {
    const { game, table, board } = this;
    if (word === undefined) return [];
    const mover = game.mover(table.position);
    const of = game.data.layers.filter(({ kind }) => kind.toLowerCase() === word);
    const layer = of.find(({ side }) => side === mover) ?? of[0];
    if (!layer) return [];
    const label = layer.letters || (layer.figure ? "" : layer.symbol.toUpperCase());
    return [board.drawing.single({ ...layer, count: null, label })];
  }

  choices() {
    const { table, game } = this;
    if (table.mustChange && !table.isCovered) {
      return [[`Hand over to ${table.moverText()}`, () => table.handOver(), true]];
    }
    if (!table.isAsked) return [];
    const { choosing } = table;
    const { wholes, words, chosen, legal, only } = choosing;
    const found = [];
    if (wholes.length > 1) {
      for (const move of wholes) {
        found.push([game.spelled(table.position, move), () => table.play(move), false]);
      }
    }
    const isForced = legal.length === 1 && !chosen.length;
    if (wholes.length === 1) found.push([`Make ${wholes[0].text}`, () => table.agree(), true]);
    else if (isForced) found.push([sayOnly(only), () => table.agree(), true]);
    if (!isForced) {
      for (const [word, written] of [...words].slice(0, MOST_CHOICES)) {
        found.push([written.replaceAll("_", " "), () => table.chooseWord(word), false, word]);
      }
    }
    if (chosen.length) found.push(["Choose anew (Esc)", () => table.goBack(), false]);
    return found;
  }

  drawCurtain() {
    const { table, at } = this;
    at.curtain.hidden = !table.isCovered;
    if (!table.isCovered) {
      at.curtain.replaceChildren();
      return;
    }
    const who = shown(table.moverText());
    const show = html("button", {
      type: "button", class: "main", on: { click: () => table.handOver() },
    }, [`${who} looks`]);
    at.curtain.replaceChildren(
      html("p", { text: `The board is covered: it is for ${who} alone.` }), show);
    show.focus();
  }

  announce() {
    const { table, at } = this;
    const { by, text } = table.made;
    const isTold = table.viewer === null || this.game.tells(table.position, table.viewer);
    const moved = isTold ? `${by}: ${text}.` : `${by} has moved.`;
    at.announce.textContent = shown(`${moved} ${table.prompt}`);
  }

  pointAt(site) {
    const { table, at, board } = this;
    if (!table || table.message) return;
    at.message.textContent = site === null || !board.drawing
      ? shown(this.told()) : shown(board.drawing.described(site, table.scene));
  }

  // ------------------------------------------------------------------------------- looks

  look() {
    const { look, isBlind } = this.settings;
    const isDark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    const theme = look === "auto" ? (isDark ? "dark" : "light") : look;
    const { documentElement: root } = document;
    root.setAttribute("data-theme", theme);
    root.setAttribute("data-blind", isBlind ? "yes" : "no");
    if (!this.game) return;
    this.board.open(this.game.data, this.themeName(this.game.data));
    this.draw();
  }

  themeName(data) {
    const name = document.documentElement.getAttribute("data-theme");
    const wanted = this.settings.isBlind ? `${name}-blind` : name;
    return wanted in data.scene.themes ? wanted : "light";
  }

  buildPages() {
    this.pages = {};
    this.tabs = {};
    for (const [name, title] of PAGES) this.addPage(name, title);
    this.openPage("moves");
  }

  /** Add a page to the panel; return its element. @param {string} name @param {string} title */
  addPage(name, title) {
    const tab = html("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `page-${name}`,
      on: { click: () => this.openPage(name), keydown: (event) => this.tabKey(event, name) },
    }, [title]);
    const page = html("div", {
      id: `page-${name}`, role: "tabpanel", "aria-labelledby": `tab-${name}`, tabindex: 0,
    });
    this.at.tabs.append(tab);
    this.at.pages.append(page);
    this.tabs[name] = tab;
    this.pages[name] = page;
    return page;
  }

  openPage(name) {
    for (const [other, tab] of Object.entries(this.tabs)) {
      const isOpen = other === name;
      tab.setAttribute("aria-selected", String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
      this.pages[other].hidden = !isOpen;
    }
  }

  tabKey(event, name) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const names = Object.keys(this.tabs);
    const next = names[(names.indexOf(name) + step + names.length) % names.length];
    this.openPage(next);
    this.tabs[next].focus();
    event.preventDefault();
    event.stopPropagation();
  }

  // ----------------------------------------------------------------------------- sharing

  get mayTell() {
    return !this.table.seats.isLimited(this.table.course);
  }

  /** The address of the position that is shown. */
  get link() {
    const hash = addressOf(this.keyOf(this.entry), this.table.course.texts());
    return `${window.location.href.split("#")[0]}${hash ? `#${hash}` : ""}`;
  }

  writeAddress() {
    const isOpen = !this.game.data.hidden || (this.mayTell && this.table.outcome);
    const texts = isOpen ? this.table.course.texts() : [];
    const hash = addressOf(this.keyOf(this.entry), texts);
    if (hash === window.location.hash.replace(/^#/, "")) return;
    this.written = hash;
    const address = hash ? `#${hash}` : window.location.pathname + window.location.search;
    try {
      window.history.replaceState(null, "", address);
    } catch {
      if (hash) window.location.replace(`#${hash}`);
    }
  }

  follow() {
    const hash = window.location.hash.replace(/^#/, "");
    if (hash === this.written) return;
    const { key, texts } = readAddress(hash);
    const known = this.entryOf(key);
    if (known === this.entry) this.begins(texts);
    else this.openGame(known, texts);
  }

  share() {
    const { table, game } = this;
    const offers = { link: null, moves: [], file: null, why: "" };
    if (this.mayTell) {
      offers.link = game.isElsewhere ? null : this.link;
      offers.moves = table.course.texts();
    } else offers.why = "In a game that hides something, a link would tell it before the end.";
    try {
      offers.file = [`${game.data.name}.yaml`, saveText(this.record)];
    } catch (problem) {
      offers.why = problem.message;
    }
    askShare(offers, (text) => this.openSave(text));
  }

  /** The game as it is saved. */
  get record() {
    const { table, game } = this;
    const { data } = game;
    const { course } = table;
    const options = (data.options ?? []).filter((one) => one.value !== one.default);
    return {
      game: data.reference ?? data.name, digest: data.digest,
      options: Object.fromEntries(options.map((one) => [one.name, one.value])),
      variants: data.variants ?? [], seed: table.seed, seats: table.seats.kept,
      start: game.startTold,
      moves: course.texts(course.line), variations: course.variations(),
      result: course.outcome && course.isAtEnd ? course.outcome.text : "",
      sealed: data.hidden && !table.outcome,
    };
  }

  /** Open a saved game; give a sentence if it can't be. @param {string} text what the file has */
  openSave(text) {
    let record = null;
    try {
      record = readSave(text);
    } catch (problem) {
      return problem.message;
    }
    const { data } = this.game;
    if (record.digest && data.digest && record.digest !== data.digest) {
      const entry = this.games.find((one) => one.digest === record.digest);
      if (!entry) return "This file is of a game with other rules than this page has.";
      this.openGame(entry).then(() => this.openRecord(record));
      return "";
    }
    try {
      this.openRecord(record);
    } catch (problem) {
      return problem.message;
    }
    return "";
  }

  /** Show a game that was played: at its end, or after so many moves. */
  openRecord(record, number = Infinity) {
    if (record.start) this.game.beginWith(record.start);
    this.begins([], { kinds: record.seats ?? {}, seed: record.seed ?? null });
    const { table } = this;
    const { moves, variations = [], result = "" } = record;
    table.goOn(moves, { variations, result, number });
    this.show(false);
  }

  // ------------------------------------------------------------------------------- events

  listen() {
    const { at } = this;
    const click = (id, act) => at[id].addEventListener("click", act);
    click("first", () => this.table?.goTo(this.table.course.root));
    click("back", () => this.table?.step(-1));
    click("forward", () => this.table?.step(1));
    click("last", () => this.table?.step(Infinity));
    click("undo", () => this.table?.undo());
    click("redo", () => this.table?.redo());
    click("new-game", () => this.askNew());
    click("players", () => this.table && askPlayers(this.table, this.analyst.lacks,
      (kinds, isNew) => (isNew ? this.begins([], { kinds }) : this.sit(kinds))));
    click("share", () => this.table && this.share());
    click("looks", () => askLooks(this.settings, (settings) => this.set(settings)));
    click("help", () => showKeys());
    at["rule-sets"].addEventListener("change", () => {
      this.openGame(this.entryOf(at["rule-sets"].value));
    });
    at.typing.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.table?.type(at.typed.value)) at.typed.value = "";
      else at.typed.select();
    });
    document.addEventListener("keydown", (event) => this.key(event));
    const scheme = window.matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", () => this.look());
  }

  sit(kinds) {
    this.table.sit(kinds);
    this.advice.look();
  }

  askNew() {
    if (!this.table) return;
    const kinds = Object.fromEntries(
      this.table.seats.kinds.map((kind, place) => [place + 1, kind]));
    if (!this.table.course.at.number || this.table.outcome) {
      this.begins([], { kinds });
      return;
    }
    const buttons = [["New game", () => {
      this.game.beginWith(null);
      this.begins([], { kinds });
    }]];
    if (this.table.seats.kinds.length > 1) {
      buttons.push(["With sides exchanged",
        () => this.begins([], { kinds: this.table.seats.exchanged() })]);
    }
    openDialog("New game", [html("p", { text: "This game is left as it is." })],
      [...buttons, ["Cancel", null]]);
  }

  askToResign() {
    const { table } = this;
    if (!table || !table.isAsked) return;
    openDialog("Resign", [html("p", { text: `${shown(table.moverText())} gives the game up?` })],
      [["Resign", () => table.resign()], ["Cancel", null]]);
  }

  set(settings) {
    this.settings = settings;
    writeSettings(settings);
    this.look();
  }

  key(event) {
    const { target, key } = event;
    if (!this.table || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const isTyping = target instanceof Element && target.closest("input, textarea, select");
    if (event.ctrlKey || event.metaKey) {
      const acts = {
        z: () => this.table.undo(), y: () => this.table.redo(), h: () => this.advice.hint(),
        b: () => this.board.focus(),
      };
      const act = acts[key.toLowerCase()];
      if (!act || (isTyping && this.at.typed.value && key.toLowerCase() !== "h")) return;
      act();
      event.preventDefault();
      return;
    }
    if (event.altKey) return;
    if (key === "Escape") {
      if (isTyping && this.at.typed.value) this.at.typed.value = "";
      else this.table.goBack();
      event.preventDefault();
      return;
    }
    if (isTyping) return;
    const isControl = target instanceof Element && target.closest("button, a, [role=tab]");
    const acts = {
      "[": () => this.table.step(-1), "]": () => this.table.step(1),
      Home: () => this.table.goTo(this.table.course.root), End: () => this.table.step(Infinity),
      "?": () => showKeys(),
    };
    if (acts[key]) acts[key]();
    else if (key.startsWith("Arrow")) this.board.focus();
    else if (key === " " && !isControl) this.table.agree();
    else if (key === "Enter" && !isControl) this.table.agree();
    else if (key.length === 1 && key !== " ") {
      this.at.typed.focus();
      return;
    } else return;
    event.preventDefault();
  }
}

function sayOnly(move) {
  return move.isForcedPass ? "Pass: there is no move" : `Make the only move: ${move.text}`;
}

function readSettings() {
  const usual = { look: "auto", isBlind: false, ponders: false };
  try {
    const known = JSON.parse(window.localStorage.getItem(SETTINGS)) ?? {};
    const look = LOOKS.includes(known.look) ? known.look : usual.look;
    return { look, isBlind: Boolean(known.isBlind), ponders: Boolean(known.ponders) };
  } catch {
    return usual;
  }
}

function writeSettings(settings) {
  try {
    window.localStorage.setItem(SETTINGS, JSON.stringify(settings));
  } catch {
    // A page from a file may have nowhere to keep them.
  }
}
