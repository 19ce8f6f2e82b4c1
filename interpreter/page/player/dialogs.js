// What is laid over the board: who plays, sharing a game, how the page looks, its keys.
//
// In: what is chosen now. Out: a dialog on the page, and a call with what was chosen there.

import { html, shown } from "./drawing.js";
import { PLAYERS } from "./seats.js";

const KEYS = [
  ["Arrow keys", "go over the board; Enter or Space chooses the site"],
  ["Letters and digits", "type a move; Enter makes it, or its beginning"],
  ["Space", "makes the only move that is left"],
  ["Esc", "chooses the last step anew"],
  ["[ and ]", "one move back and forward"],
  ["Home and End", "the first and the last position"],
  ["Ctrl+Z and Ctrl+Y", "take back, do again"],
  ["Ctrl+H", "a hint"],
  ["Ctrl+B", "to the board"],
];

/**
 * Open a dialog; it leaves the page when it is closed.
 * @param {string} title
 * @param {Array<Node>} content
 * @param {Array<[string, Function|null]>} buttons each with what is done before it closes; one that
 *   gives true keeps it open
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, content, buttons = [["Close", null]]) {
  const dialog = html("dialog", { "aria-label": title });
  const close = () => dialog.close();
  const row = html("div", { class: "buttons" }, buttons.map(([text, act], place) => html("button", {
    type: "button", class: place === 0 && buttons.length > 1 ? "main" : null,
    on: {
      click: async () => {
        if (!act || (await act()) !== true) close();
      },
    },
  }, [text])));
  dialog.append(html("h2", { text: title }), ...content, row);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function field(label, control) {
  return html("label", { class: "field" }, [html("span", { text: label }), control]);
}

function selection(choices, chosen) {
  return html("select", {}, choices.map(([value, text]) => html("option", {
    value, selected: value === chosen,
  }, [text])));
}

/**
 * Ask who plays.
 * @param {Object} table
 * @param {string} lacks why there is no engine; empty if there is one
 * @param {Function} seated takes the kinds by seat, and whether a new game begins
 */
export function askPlayers(table, lacks, seated) {
  const { game, seats } = table;
  const kinds = PLAYERS.filter(([kind]) => !lacks || !kind.startsWith("engine"));
  const choices = (kind) => (
    kinds.some(([name]) => name === kind) ? kinds : [...kinds, [kind, kind]]);
  const controls = seats.kinds.map((kind) => selection(choices(kind), kind));
  const isFixed = game.data.system?.seats?.length;
  const content = game.sides.map((name, place) => field(
    isFixed ? `Seat ${place + 1} (${shown(name)} first)` : shown(name), controls[place]));
  if (lacks) content.push(html("p", { class: "soft", text: shown(lacks) }));
  const chosen = () => Object.fromEntries(
    controls.map((control, place) => [place + 1, control.value]));
  openDialog("Who plays", content, [
    ["Play on", () => seated(chosen(), false)],
    ["New game", () => seated(chosen(), true)],
    ["Cancel", null],
  ]);
}

/**
 * Share a game: its link, its moves, its file.
 * @param {Object} offers `link`, `moves` (texts), `file` (a name and a text) or null, `why` not
 * @param {Function} opened takes the text of a file that was opened, and gives a sentence if it
 *   can't be read
 */
export function askShare({ link, moves, file, why }, opened) {
  const told = html("p", { class: "soft", role: "status", text: why });
  const copy = async (text, what) => {
    const isDone = await copied(text);
    told.textContent = isDone ? `${what} copied.` : "This browser does not let a page copy.";
    return true;
  };
  const listed = moves.join(", ");
  const content = [];
  if (link) {
    const shownLink = html("input", { type: "text", readonly: true, value: link });
    shownLink.addEventListener("focus", () => shownLink.select());
    content.push(field("A link to this position", shownLink));
    content.push(html("textarea", { readonly: true, "aria-label": "Moves", rows: 4 }, [listed]));
  }
  const reader = html("input", { type: "file", accept: ".yaml,.yml,.txt,.gdl" });
  reader.addEventListener("change", async () => {
    const [found] = reader.files;
    if (!found) return;
    const problem = opened(await found.text());
    if (problem) told.textContent = shown(problem);
    else reader.closest("dialog").close();
  });
  content.push(field("Open a saved game", reader), told);
  const buttons = [];
  if (link) {
    buttons.push(["Copy link", () => copy(link, "The link is")]);
    buttons.push(["Copy moves", () => copy(listed, "The moves are")]);
  }
  if (file) buttons.push(["Save file", () => saveFile(...file)]);
  openDialog("Share", content, [...buttons, ["Close", null]]);
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = html("textarea", { class: "unseen" }, [text]);
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    return isDone;
  }
}

function saveFile(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/yaml" }));
  const link = html("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/**
 * Ask how the page looks.
 * @param {Object} settings `look`, `isBlind`, `ponders`
 * @param {Function} chosen takes the settings as they are then
 */
export function askLooks(settings, chosen) {
  const look = selection([["auto", "As the system has it"], ["light", "Light"], ["dark", "Dark"],
    ["paper", "Paper, without colours"]], settings.look);
  const blind = html("input", { type: "checkbox", checked: settings.isBlind });
  const ponders = html("input", { type: "checkbox", checked: settings.ponders });
  const tell = () => chosen({
    look: look.value, isBlind: blind.checked, ponders: ponders.checked,
  });
  for (const control of [look, blind, ponders]) control.addEventListener("change", tell);
  openDialog("Settings", [
    field("Colours", look), field("Colours for the colour-blind", blind),
    field("The engine thinks on your time, too", ponders),
  ]);
}

/** Show the keys. */
export function showKeys() {
  const list = html("dl", { class: "facts" }, KEYS.flatMap(([keys, text]) => [
    html("dt", {}, [html("kbd", { text: keys })]), html("dd", { text }),
  ]));
  openDialog("Keys", [list]);
}
