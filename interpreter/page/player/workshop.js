// A page beside an editor: it follows a file that somebody works on.
//
// In: what `interpreter/page/server.py` tells of the file. Out: the game as it is now, what is
// found in the file, its examples, and names that are drawn on the board. What then holds: a
// game that is older than the file is said to be so.

import { Player } from "./app.js";
import { svgElement, unpack } from "./basics.js";
import { html, shown } from "./drawing.js";
import { newWorker, startWorker } from "./thinker.js";

const AGAIN = 1000; // milliseconds until the program is asked again that did not answer
const SECTIONS = { regions: "Regions", relations: "Relations", define: "Definitions" };

/** The page of one file. */
class Workshop {
  constructor() {
    this.game = 0;
    this.data = null;
    this.entry = { key: "", title: "", load: async () => this.data };
    this.player = new Player([this.entry], newWorker);
    this.place = this.player.addPage("file", "File");
    this.place.replaceChildren(html("p", { text: "The file is looked at …" }));
    this.player.openPage("file");
    this.pending = Promise.resolve();
  }

  /** Follow the file for as long as the page is open. */
  follow() {
    const source = new EventSource("events");
    source.addEventListener("message", () => this.ask());
    source.addEventListener("error", () => {
      this.tell("The program that serves this page does not answer.", "late");
    });
  }

  /** Ask for what there is to show; questions are answered one after the other. */
  ask() {
    this.pending = this.pending.then(() => this.show()).catch(() => {
      this.tell("The program that serves this page does not answer.", "late");
      setTimeout(() => this.ask(), AGAIN);
    });
  }

  async show() {
    const state = await (await fetch("state")).json();
    if (state.game !== this.game && state.game) {
      const data = await unpack(await (await fetch("game")).text());
      this.data = data;
      const isFirst = !this.player.table;
      try {
        await (isFirst ? this.player.begin(null) : this.player.reopen());
        this.game = state.game;
        if (isFirst) this.player.openPage("file");
      } catch (problem) {
        this.tell(`The game can't be opened: ${problem.message}`, "late");
        return;
      }
    }
    this.draw(state);
  }

  tell(text, kind) {
    let told = this.place.querySelector(".standing");
    if (!told) {
      told = html("p", { class: "standing" });
      this.place.prepend(told);
    }
    told.textContent = shown(text);
    told.className = `standing ${kind}`;
  }

  draw({ isOld, isLooking, findings, examples, names, game }) {
    const parts = [];
    const add = (tag, text) => parts.push(html(tag, { text }));
    if (findings.length) parts.push(html("ul", { class: "findings" }, findings.map(finding)));
    if (examples.length) {
      add("h2", "Examples");
      parts.push(html("div", { class: "examples" }, examples.map(example)));
    }
    for (const [section, title] of Object.entries(SECTIONS)) {
      const of = names.filter((one) => one.section === section);
      if (!of.length || !game) continue;
      add("h2", title);
      parts.push(html("div", { class: "buttons" }, of.map(({ name, line }) => html("button", {
        type: "button", title: `line ${line}`, "data-name": name,
        on: { click: () => this.light(name) },
      }, [shown(name)]))));
    }
    this.place.replaceChildren(...parts);
    this.tell(...standing({ isOld, isLooking, findings, game }));
  }

  /** Draw what a name means in the position that is shown. @param {string} name */
  async light(name) {
    const { player } = this;
    const { table } = player;
    const moves = table.course.texts(table.course.line).slice(0, table.course.at.number);
    const answer = await fetch("value", { method: "POST", body: JSON.stringify({ name, moves }) });
    const { sites = [], pairs = [], text = "" } = await answer.json();
    table.advice.lit = sites;
    table.advice.arrows = pairs;
    player.draw();
    player.at.message.textContent = shown(text || said(name, sites, pairs));
  }
}

function said(name, sites, pairs) {
  if (pairs.length) return `${name}: ${counted(pairs.length, "pair")}`;
  return `${name}: ${sites.length ? counted(sites.length, "site") : "no site"}`;
}

function counted(number, what) {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function standing({ isOld, isLooking, findings, game }) {
  if (isOld) {
    return [game ? "The file is no game now: the board shows the rules as they were before."
      : "The file is no game yet.", "old"];
  }
  if (isLooking) return ["The file is looked at …", "looking"];
  return [findings.length ? `${counted(findings.length, "finding")}.` : "Fine.", "known"];
}

function finding({ code, severity, message, hint, line, file, variant }) {
  const where = [file && line ? `${file}, line ${line}` : "", variant ? `variant ${variant}` : ""];
  return html("li", { class: severity }, [
    html("p", { class: "where", text: shown([...where, code].filter(Boolean).join(" · ")) }),
    html("p", { text: shown(message) }),
    ...(hint ? [html("p", { class: "soft", text: shown(hint) })] : []),
  ]);
}

function example({ name, line, failures, picture }) {
  const isKept = !failures.length;
  return html("figure", { class: isKept ? "kept" : "failed", "data-example": name }, [
    ...(picture ? [svgElement(picture)] : []),
    html("figcaption", {}, [
      html("span", { text: shown(`${isKept ? "✓" : "✗"} ${name} (line ${line})`) }),
      ...failures.map(({ message, hint }) => html("p", {
        text: shown([message, hint].filter(Boolean).join(" ")),
      })),
    ]),
  ]);
}

if (typeof document === "undefined") startWorker();
else new Workshop().follow();
