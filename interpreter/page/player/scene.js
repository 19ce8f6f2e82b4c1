// What is to be drawn of a position, and what a side sees of it.
//
// In: a game, a position, and who looks. Out: plain data: what stands where, areas, signs, lines,
// what lies beside the board. What then holds: it is what the program itself draws, and nothing of
// it tells a side what the rules hide from it.

import { fraction, own } from "./basics.js";
import { sitesNamed } from "./moves.js";

const MOST_BESIDE = 12; // pieces drawn beside the board one by one; more are one with a number
const UNSEEN = "?";
const UNKNOWN = "#";
const MOST_PIPS = { die: 9, levels: 4 };
const DECIMAL = /^-?[0-9]{1,15}[.][0-9]{1,15}$/;

/** Stands for a side where what all of them see is asked for. */
export const ALL_SIDES = "all";

/**
 * Return what is to be drawn of a position.
 *
 * `viewer` is the number of a side, ALL_SIDES, or null for the whole position. `last` is what
 * `lastMove` gives, if it is to be shown. Sites are numbers; sides too, with null for nobody. Kinds
 * are "" where they are not seen. `told` are values as people read them, `scores` by side. Texts of
 * `beside` and `told` have the `slots` whose values they tell: what is drawn need not be said.
 */
export function sceneOf(game, position, { viewer = null, last = null } = {}) {
  const sight = sightOf(game, viewer);
  const whole = drawn(game, position, last, sight?.looks ?? null);
  const seen = viewer === null ? null : seenBy(game, position, sight);
  const isLimited = seen !== null && sight !== null;
  const scene = isLimited ? limited(game, position, whole, seen) : whole;
  if (seen !== null && (sight !== null || game.isUndecided(position))) {
    scene.last = scene.changed = scene.way = [];
  }
  for (const mark of Object.values(scene.marks)) mark.label = labelOf(game, scene, mark);
  for (const { marks } of scene.beside) {
    for (const mark of marks) mark.label = labelOf(game, scene, mark);
  }
  return {
    ...scene,
    told: toldOf(game, position, viewer, seen),
    notices: noticesOf(game, position, viewer),
    scores: scoresOf(game, position, sight),
    unseen: seen === null ? [] : [...seen.unseen],
  };
}

/** Return what a viewer sees: {pieces, kinds, values, moves}, or null if that is everything. */
function sightOf(game, viewer) {
  if (viewer === null) return null;
  return viewer === ALL_SIDES ? game.data.common : game.data.sights[viewer];
}

/** Return whether a viewer is told the moves that have led to a position. */
export function tellsMoves(game, position, viewer) {
  const sight = sightOf(game, viewer);
  return sight === null || Boolean(game.value(position, sight.moves));
}

/**
 * Return the moves of a line that a side has made or was told of: for each its text, or null.
 * @param {Position[]} positions one more than moves @param {number|string} viewer
 */
export function toldMoves(game, positions, moves, viewer) {
  const told = [];
  let waiting = [];
  moves.forEach((move, number) => {
    const before = positions[number];
    const isOwn = game.seat(before) !== null && game.mover(before) === viewer;
    told.push(isOwn ? move.text : null);
    if (!isOwn) waiting.push(number);
    const after = positions[number + 1];
    if (game.isUndecided(after)) return;
    if (tellsMoves(game, after, viewer)) for (const n of waiting) told[n] = moves[n].text;
    waiting = [];
  });
  return told;
}

// ----------------------------------------------------------------------------- the whole position

function drawn(game, position, last, shown) {
  const { data } = game;
  const counters = countersOf(game, position);
  const bases = Object.fromEntries(Object.entries(counters).filter(([, mark]) => mark.figure));
  const marks = { ...counters, ...marksOf(game, position, bases) };
  return {
    marks,
    bases,
    ...looksOf(game, position, shown),
    tiles: data.scene.style === "arcs" ? tilesOf(game, marks) : {},
    beside: [...handsBeside(game, position, null), ...figuresBeside(game, position)],
    last: last?.sites ?? [],
    changed: last?.changed ?? [],
    way: last?.way ?? [],
  };
}

/** Return how the board looks: all of it, or what is `shown`, by the names of the data. */
function looksOf(game, position, shown) {
  const of = (name) => game.data[name].filter((_, n) => shown === null || shown[name][n]);
  const areas = {};
  for (const [name, sites] of of("colours")) {
    for (const site of game.value(position, sites)) (areas[site] ??= []).push(name);
  }
  const signs = {};
  for (const [text, sites] of of("signs")) {
    for (const site of game.value(position, sites)) signs[site] = text;
  }
  return {
    areas,
    signs,
    bonds: pairsOf(game, position, of("bonds"), false),
    tracks: pairsOf(game, position, of("tracks"), true),
    borders: bordersOf(game, position, of("borders")),
    bridges: pairsOf(game, position, of("bridges"), true),
  };
}

/** Return each site on which pieces stand, with their layers, the lowest first; null: unknown. */
export function standing(game, position) {
  const { layers, piles } = game.data;
  const found = new Map();
  layers.forEach((layer, number) => {
    for (const site of game.slot(position, layer.slot)) {
      found.set(site, piles ? pileOf(game, position, site, number) : [number]);
    }
  });
  return found;
}

function pileOf(game, position, site, top) {
  const { piles } = game.data;
  const values = (place) => (place === null ? null : game.slot(position, place));
  const [heights, unders] = [values(piles.height), values(piles.under)];
  const covered = heights === null ? 0 : Math.max(0, Number(heights[site]) - 1);
  if (unders !== null) {
    const [digits, width] = [BigInt(unders[site]), BigInt(piles.width)];
    const pile = [];
    for (let place = covered - 1; place >= 0; place--) {
      const code = Number((digits >> (width * BigInt(place))) & ((1n << width) - 1n));
      pile.push(piles.coverable[code] ?? null);
    }
    return [...pile, top];
  }
  const holds = ([, place]) => place !== null && game.slot(position, place).includes(site);
  const known = piles.beneath.filter(holds).map(([layer]) => layer);
  const unknown = Array(Math.max(0, covered - known.length)).fill(null);
  return [...unknown, ...known, top];
}

function markOf(game, number) {
  if (number === null) return null;
  const { side, kind, symbol, figure, letters } = game.data.layers[number];
  return { side, kind, symbol, count: null, under: [], figure, letters };
}

function ofKind(symbol, side, kind, count, figure = "", letters = "") {
  return { side, kind, symbol, count, under: [], figure, letters };
}

function marksOf(game, position, bases) {
  const counted = game.data.numbers.find((one) => one.ofPieces);
  const counts = counted ? game.slot(position, counted.slot) : null;
  const marks = {};
  for (const [site, pile] of standing(game, position)) {
    const top = pile[pile.length - 1];
    let number = (counts && counts[site]) || null;
    if (number === null && site in bases) number = bases[site].count;
    number ??= own(game.data.pieceNumbers, game.data.layers[top].name)?.[site] ?? null;
    const under = pile.slice(0, -1).map((part) => markOf(game, part));
    marks[site] = { ...markOf(game, top), count: pile.length > 1 ? pile.length : number, under };
  }
  return marks;
}

/** Return what is drawn where there are no pieces, but numbers on the sites. */
function countersOf(game, position) {
  const counted = game.data.numbers.find((one) => !one.ofPieces);
  if (!counted) return {};
  const [figure, letters] = figureOf(game, counted.name);
  const marks = {};
  game.slot(position, counted.slot).forEach((number, site) => {
    if (number) marks[site] = ofKind(UNKNOWN, null, counted.name, number, figure, letters);
  });
  return marks;
}

function figureOf(game, name) {
  const found = game.data.figures.find(([own]) => own === name);
  return found ? found.slice(1) : ["", ""];
}

function pairsOf(game, position, links, isDirected) {
  const found = [];
  for (const [name, link] of links) {
    const pairs = Array.isArray(link) ? link : game.led(position, link.asked);
    found.push(...each(pairs, isDirected).map(([a, b]) => [a, b, name]));
  }
  return found;
}

function each(pairs, isDirected) {
  const seen = new Set();
  return pairs.filter(([a, b]) => {
    if (!isDirected && seen.has(`${b} ${a}`)) return false;
    seen.add(`${a} ${b}`);
    return true;
  });
}

function bordersOf(game, position, borders) {
  return borders.flatMap(([name, led, known]) => {
    const pairs = led === null ? known : game.led(position, led.asked);
    return each(pairs, false).map(([a, b]) => [a, b, name]);
  });
}

function tilesOf(game, marks) {
  const found = {};
  for (const site of Object.keys(marks)) {
    const around = cornersOf(game, site);
    if (!around) continue;
    const sides = around.map((corner) => (corner === null ? null : marks[corner]?.side ?? null));
    if (sides.some((side) => side !== null)) found[site] = sides;
  }
  return found;
}

const GRID = 4; // pixels: corners lie much farther apart, and are where they are to within one
const cornersByPlace = new WeakMap();

/**
 * Return the sites at the corners of a cell, as its outline goes, null where none is; nothing for
 * what is no cell. On an endless board they are found by where they are drawn, perhaps a period
 * away.
 */
export function cornersOf(game, site) {
  const { corners, sites, shapes, inUse } = game.data.scene;
  if (corners) return own(corners, site);
  const [x, y, kind, shape] = sites[site];
  if (kind !== "c") return undefined;
  const { across, up } = inUse;
  const shifts = [[0, 0], across, up, [across[0] + up[0], across[1] + up[1]]];
  const places = cornerPlaces(game);
  return shapes[shape].map(([dx, dy]) => {
    for (const [right, above] of shifts) {
      const found = cornerAt(places, x + dx - right, y + dy - above);
      if (found !== undefined) return found;
    }
    return null;
  });
}

function cornerPlaces(game) {
  if (!cornersByPlace.has(game)) {
    const places = new Map();
    game.data.scene.sites.forEach(([x, y, kind], site) => {
      if (kind === "v") places.set(`${Math.floor(x / GRID)} ${Math.floor(y / GRID)}`, site);
    });
    cornersByPlace.set(game, places);
  }
  return cornersByPlace.get(game);
}

function cornerAt(places, x, y) {
  for (const dx of [0, -1, 1]) {
    for (const dy of [0, -1, 1]) {
      const place = `${Math.floor((x + dx) / GRID)} ${Math.floor((y + dy) / GRID)}`;
      if (places.has(place)) return places.get(place);
    }
  }
  return undefined;
}

// ------------------------------------------------------------------------- beside the board

/** Return the pieces in hands; `seen` are the places of those that may be told, or null for all. */
function handsBeside(game, position, seen) {
  const { data } = game;
  const found = [];
  for (const [name, slots] of data.hands) {
    const number = data.sides.indexOf(name);
    const side = number < 0 ? null : number;
    const held = slots.map(([kind, place]) => [kind, heldOf(game, position, place, seen)]);
    const total = held.reduce((sum, [, count]) => sum + count, 0);
    if (!total) continue;
    const isFew = total <= MOST_BESIDE;
    const marks = held.flatMap(([kind, count]) => {
      const mark = pieceOf(game, kind, side);
      if (isFew) return Array.from({ length: count }, () => ({ ...mark }));
      return count ? [{ ...mark, count }] : [];
    });
    const captions = slots.map(([, , variable]) => own(data.captions, variable) ?? "");
    const caption = (captions.length === 1 && captions[0]) || "";
    const owner = name.charAt(0).toUpperCase() + name.slice(1).toLowerCase();
    const isLast = data.lastHands.includes(name);
    const usual = isLast ? `${owner}, off the board` : `${owner} has in hand`;
    const isTold = (variable) => caption || own(data.captions, variable) === undefined;
    found.push({
      text: caption ? filled(caption, String(total)) : usual,
      slots: slots.filter(([, , variable]) => isTold(variable)).map(([, place]) => place),
      marks,
      place: slots.map(([, , variable]) => own(data.places, variable)).find(Boolean) ?? "",
    });
  }
  return found;
}

function heldOf(game, position, place, seen) {
  if (place === null || (seen !== null && !seen.has(place))) return 0;
  return Number(game.slot(position, place));
}

function pieceOf(game, kind, side) {
  const { layers } = game.data;
  const of = (test) => layers.findLastIndex((layer) => layer.kind === kind && test(layer));
  const exact = of((layer) => layer.side === side);
  const any = exact >= 0 ? exact : layers.findIndex((layer) => layer.kind === kind);
  return any >= 0 ? markOf(game, any) : ofKind(UNKNOWN, side, kind, null);
}

function filled(caption, text) {
  return caption.replaceAll("{}", () => text);
}

/** Return the variables that have a figure. */
function figuresBeside(game, position) {
  const { data } = game;
  const found = [];
  for (const [name, figure, letters] of data.figures) {
    const place = own(data.variables, name);
    if (place === undefined) continue;
    const { type, perSite } = data.frame.slots[place];
    if (perSite) continue;
    const value = game.slot(position, place);
    if (type !== "number") {
      found.push(...lying(game, place, value, figure, letters));
      continue;
    }
    const number = Math.trunc(Number(value));
    const owner = data.sides.findIndex((side) => name.includes(`(${side}`));
    const mark = ofKind(UNKNOWN, owner < 0 ? null : owner, name, null, figure, letters);
    const isApart = !["die", "seeds"].includes(figure) && number >= 0 && number <= MOST_BESIDE;
    const marks = isApart
      ? Array.from({ length: number }, () => ({ ...mark }))
      : [{ ...mark, count: number }];
    const caption = own(data.captions, name);
    const isTold = caption !== undefined && number === Number(value);
    const slots = isTold ? [place] : [];
    const lies = own(data.places, name) ?? "";
    found.push({ text: filled(caption ?? name, String(number)), slots, marks, place: lies });
  }
  return found;
}

function lying(game, place, value, figure, letters) {
  const { data } = game;
  const { name, type } = data.frame.slots[place];
  const text = plain(game, type, value);
  const caption = own(data.captions, name) ?? `${name} {}`;
  if (text === "none" || !caption) return [];
  const owner = data.sides.indexOf(text);
  let mark = ofKind(UNKNOWN, owner < 0 ? null : owner, name, null, figure, letters);
  const cards = own(data.scene.cards, name) ?? {};
  const sides = own(cards, text) ?? Object.values(cards)[0];
  if (sides) mark.picture = sides[owner === 1 ? 1 : 0];
  if (data.frame.slots[place].isKind) {
    const known = data.layers.findIndex((layer) => layer.kind === text);
    if (known >= 0) mark = markOf(game, known);
  }
  const told = filled(caption, text.replaceAll("_", " "));
  return [{ text: told, slots: [place], marks: [mark], place: own(data.places, name) ?? "" }];
}

// ------------------------------------------------------------------------------- letters

/** Return what is written on a piece: its kind where there are several, and its number. */
function labelOf(game, scene, mark) {
  const kind = isOneOfSeveral(game, scene, mark) ? mark.symbol.toUpperCase() : "";
  const letter = mark.letters || kind;
  const isShown = mark.count !== null && mark.count <= (own(MOST_PIPS, mark.figure) ?? 0);
  return mark.count === null || isShown || /[0-9]$/.test(letter) ? letter : letter + mark.count;
}

function isOneOfSeveral(game, scene, mark) {
  if (mark.figure) return false;
  const marks = Object.values(scene.marks);
  const kindsOf = (test) => marks.filter(test).map((one) => one.kind);
  if (mark.side === null) return new Set(kindsOf((one) => one.side === null)).size > 1;
  const owned = new Set([...game.data.kinds, ...kindsOf((one) => one.side !== null)]);
  for (const site of Object.keys(scene.tiles)) owned.delete(scene.marks[site].kind);
  return owned.size > 1;
}

// --------------------------------------------------------------------------- what is hidden

/** Return what a side sees: sites, and the places of the parts of a position that it may know. */
function seenBy(game, position, sight) {
  const all = game.sites.map((_, site) => site);
  if (sight === null) return { sites: new Set(all), kinds: new Set(all), unseen: [], slots: null };
  const sites = new Set(game.value(position, sight.pieces));
  const slots = new Set(sight.values.map(([, of]) => of.slot).filter((n) => n !== undefined));
  return {
    sites,
    kinds: new Set(game.value(position, sight.kinds)),
    unseen: all.filter((site) => !sites.has(site)),
    slots,
  };
}

function limited(game, position, whole, seen) {
  const hasCounts = game.data.numbers.every(({ slot }) => seen.slots.has(slot));
  const occupied = new Set([...standing(game, position).keys()]);
  const marks = {};
  for (const [key, mark] of Object.entries(whole.marks)) {
    const site = Number(key);
    if (occupied.has(site)) {
      if (!seen.sites.has(site)) continue;
      const shown = seen.kinds.has(site) ? mark : ofUnknownKind(mark);
      marks[site] = hasCounts || shown.under.length ? shown : { ...shown, count: null };
    } else if (hasCounts && mark.count !== null && seen.sites.has(site)) {
      marks[site] = mark;
    }
  }
  const signs = { ...whole.signs };
  for (const site of seen.unseen) signs[site] = UNSEEN;
  const beside = handsBeside(game, position, seen.slots);
  return { ...whole, marks, bases: {}, beside, signs, tiles: {} };
}

function ofUnknownKind(mark) {
  const under = mark.under.map((part) => part && ofUnknownKind(part));
  return { ...ofKind(UNKNOWN, mark.side, "", under.length ? mark.count : null), under };
}

// ---------------------------------------------------------------------------- values as texts

/** Return what captions of conditions tell that hold, as far as a viewer may know it. */
function noticesOf(game, position, viewer) {
  if (game.outcome(position)) return [];
  const isKnown = ({ known, knownToAll }) =>
    viewer === null || (viewer === ALL_SIDES ? knownToAll : known[viewer]);
  const known = game.data.notices.filter(isKnown);
  const held = known.filter(({ holds }) => game.value(position, holds));
  return [...new Set(held.map(({ text }) => text))];
}

/** Return what a viewer is told of values, each by its caption. */
function toldOf(game, position, viewer, seen) {
  const { data } = game;
  const sight = sightOf(game, viewer);
  const values = valuesOf(game, viewer, sight).map(([text, of]) => [
    text,
    of,
    game.value(position, of),
  ]);
  const drawnPlaces = new Set(data.numbers.map((one) => one.slot));
  const places = new Set(values.map(([, of]) => of.slot));
  if (seen === null || [...drawnPlaces].every((place) => places.has(place))) {
    const sites = seen === null ? game.sites.map((_, n) => n) : seen.sites;
    const occupied = standing(game, position);
    const isEmpty = game.sites.map((_, site) => false);
    for (const site of sites) isEmpty[site] = !occupied.has(site);
    for (const one of values) {
      if (!drawnPlaces.has(one[1].slot)) continue;
      one[2] = one[2].map((number, site) => (isEmpty[site] ? 0 : number));
    }
  }
  const apart = new Set(
    data.hands
      .flatMap(([, slots]) => slots)
      .filter(([, place, name]) => places.has(place) && own(data.captions, name) === undefined)
      .map(([, place]) => place),
  );
  const told = values
    .filter(([, of]) => of.slot === undefined || !apart.has(of.slot))
    .map(([text, of, value]) => ({ text: captioned(game, text, of, value), slots: [of.slot] }));
  return [heldTold(game, position, places), ...told].filter(({ text }) => text);
}

/** Return the values that are seen, each with the text that asks for it. */
function valuesOf(game, viewer, sight) {
  const { data } = game;
  if (sight !== null) return unique(sight.values);
  const listed = data.listed.length ? data.listed[typeof viewer === "number" ? viewer : 0] : [];
  const variables = Object.entries(data.variables).map(([name, slot]) => [
    name,
    { slot, type: data.frame.slots[slot].type },
  ]);
  return unique([...variables, ...listed]);
}

function unique(values) {
  return [...new Map(values)];
}

function heldTold(game, position, places) {
  const { data } = game;
  const told = [];
  const kinds = new Set(data.hands.flatMap(([, slots]) => slots.map(([kind]) => kind)));
  const sides = { "In hand": [], "Off the board": [] };
  for (const [side, slots] of data.hands) {
    const left = slots
      .filter(([, place, name]) => places.has(place) && own(data.captions, name) === undefined)
      .map(([kind, place]) => [kind, game.slot(position, place), place])
      .filter(([, number]) => number);
    if (!left.length) continue;
    told.push(...left.map(([, , place]) => place));
    const numbers = left.map(([kind, n]) => (kinds.size > 1 ? `${kind} ${n}` : String(n)));
    const where = data.lastHands.includes(side) ? "Off the board" : "In hand";
    sides[where].push(`${side} ${numbers.join(", ")}`);
  }
  const parts = Object.entries(sides).filter(([, of]) => of.length);
  const text = parts.map(([where, of]) => `${where}: ${of.join("; ")}`).join(". ");
  return { text, slots: told };
}

function captioned(game, text, of, value) {
  const isSlot = of.slot !== undefined;
  const shown = forPeople(game, of.type, value, isSlot && game.data.frame.slots[of.slot].perSite);
  const name = isSlot ? game.data.frame.slots[of.slot].name : text;
  const caption = own(game.data.captions, text) ?? own(game.data.captions, name);
  const isPerSite = isSlot && game.data.frame.slots[of.slot].perSite;
  if (caption === undefined) return isPerSite && shown === "none" ? "" : `${text} ${shown}`;
  return shown === "none" ? "" : filled(caption, shown);
}

function forPeople(game, type, value, isPerSite) {
  if (!isPerSite) return plain(game, type, value);
  const found = new Map();
  value.forEach((item, site) => {
    if (!found.has(item)) found.set(item, []);
    found.get(item).push(game.sites[site]);
  });
  const isEverywhere = found.size === 1;
  const told = [...found.keys()]
    .sort((a, b) => Number(a) - Number(b))
    .filter((item) => item)
    .map((item) => {
      const where = isEverywhere ? "everywhere" : `on ${found.get(item).join(", ")}`;
      return `${plain(game, type, item)} ${where}`;
    });
  return told.join("; ") || "none";
}

/** Return a value as people write it. */
export function plain(game, type, value) {
  if (type === "flag") return value ? "yes" : "no";
  if (type === "sites") return value.map((site) => game.sites[site]).join(" ") || "none";
  if (Array.isArray(type)) return type[Number(value)] ?? "none";
  if (typeof value !== "object") return String(value);
  const decimal = String(Number(value.over) / Number(value.under));
  if (DECIMAL.test(decimal) && isExactly(decimal, value)) return decimal;
  return `${value.over}/${value.under}`;
}

function isExactly(decimal, value) {
  const [whole, part] = decimal.split(".");
  const read = fraction(BigInt(whole + part), 10n ** BigInt(part.length));
  return typeof read === "object" && read.over === value.over && read.under === value.under;
}

function scoresOf(game, position, sight) {
  const seen = sight === null ? null : sight.values.map(([, of]) => JSON.stringify(of));
  const told = {};
  game.data.scores.forEach((of, side) => {
    if (seen !== null && !seen.includes(JSON.stringify(of))) return;
    told[game.sides[side]] = plain(game, of.type, game.value(position, of));
  });
  return told;
}

// ---------------------------------------------------------------------------- the last move

/** Return what a move did to the board: {sites, changed, way}, all of sites by number. */
export function lastMove(game, before, move, after) {
  const named = sitesNamed(game, move);
  const sites = new Set(named);
  const changed = changedSites(game, before, after).filter((site) => !sites.has(site));
  const inOrder = (found) => [...found].sort((a, b) => a - b);
  const way = wayOf(game, named, before, after);
  return { sites: inOrder(sites), changed: inOrder(changed), way };
}

function changedSites(game, before, after) {
  const { data } = game;
  const isDrawn = new Set(data.layers.map((layer) => layer.slot));
  const isHidden = new Set();
  for (const [name, place] of Object.entries(data.variables)) {
    if (own(data.captions, name) === "") isHidden.add(place);
  }
  if (data.piles) {
    const { height, under, beneath } = data.piles;
    for (const place of [height, under, ...beneath.map(([, slot]) => slot)]) isHidden.add(place);
  }
  const found = new Set();
  data.frame.slots.forEach(({ perSite, type }, place) => {
    if (!isDrawn.has(place) && !(perSite && type === "number" && !isHidden.has(place))) return;
    const [old, now] = [game.slot(before, place), game.slot(after, place)];
    if (isDrawn.has(place)) {
      const [left, come] = [new Set(old), new Set(now)];
      for (const site of old) if (!come.has(site)) found.add(site);
      for (const site of now) if (!left.has(site)) found.add(site);
    } else {
      now.forEach((number, site) => number !== old[site] && found.add(site));
    }
  });
  return [...found];
}

/** Return the sites that one piece passed: from where it left to the last where it came to. */
function wayOf(game, named, before, after) {
  if (named.length < 2) return [];
  const { layers } = game.data;
  for (const side of [...game.sides.keys(), null]) {
    const own = layers.filter((layer) => layer.side === side);
    const of = (position) => new Set(own.flatMap((layer) => game.slot(position, layer.slot)));
    const [old, now] = [of(before), of(after)];
    for (let first = 0; first < named.length; first++) {
      if (!old.has(named[first]) || now.has(named[first])) continue;
      let end = named.length - 1;
      while (end > first && (!now.has(named[end]) || old.has(named[end]))) end -= 1;
      if (end > first) return named.slice(first, end + 1);
    }
  }
  return [];
}

// ------------------------------------------------------------------------ the part that is in use

/**
 * Return which part of a board without a border is to be drawn: {viewBox, sites, shift}, or null
 * for all of it. `shift` has, by site, how far it is drawn from its usual place.
 * @param {object} scene what `sceneOf` gives @param {number[]} more sites that are to be seen too
 */
export function windowOf(game, scene, more = []) {
  const { inUse, sites, radius, shapes } = game.data.scene;
  if (!inUse) return null;
  const busy = [...Object.keys(scene.marks).map(Number), ...scene.last, ...scene.changed];
  const shift = inUse.endless ? shiftsOf(game.data.scene, busy) : () => [0, 0];
  const at = (site) => {
    const [x, y] = shift(site);
    return [sites[site][0] + x, sites[site][1] + y];
  };
  const shown = [...busy, ...more];
  const points = shown.length ? shown.map(at) : [middleOf(sites)];
  const room = Object.keys(scene.tiles).length ? radius : inUse.room;
  const [left, right] = ends(points.map(([x]) => x), room);
  const [top, bottom] = ends(points.map(([, y]) => y), room);
  const isIn = ([x, y]) => x >= left && x <= right && y >= top && y <= bottom;
  const near = sites.map((_, site) => site).filter((site) => isIn(at(site)));
  const cells = near.filter((site) => sites[site][2] === "c");
  const corners = (cells.length ? cells : near).flatMap((site) => {
    const [x, y] = at(site);
    const outline = shapes[sites[site][3]];
    return outline.length ? outline.map(([dx, dy]) => [x + dx, y + dy]) : [[x, y]];
  });
  const [l, r] = ends(corners.map(([x]) => x), radius);
  const [t, b] = ends(corners.map(([, y]) => y), radius);
  const isDrawn = ([x, y]) => x >= l && x <= r && y >= t && y <= b;
  const kept = withWholeCells(game, near, cells).filter((site) => isDrawn(at(site)));
  const found = {};
  for (const site of kept) found[site] = shift(site);
  return { viewBox: [l, t, r - l, b - t], sites: kept, shift: found };
}

/** Return the sites of a part: with its cells, all corners of these, and none beyond. */
function withWholeCells(game, near, cells) {
  if (!cells.length || cells.length === near.length) return near;
  const around = new Set(cells.flatMap((cell) => cornersOf(game, cell)));
  around.delete(null);
  const isVertex = (site) => game.data.scene.sites[site][2] === "v";
  return [...near.filter((site) => !isVertex(site)), ...around].sort((a, b) => a - b);
}

function ends(numbers, room) {
  const least = numbers.reduce((a, b) => Math.min(a, b), Infinity);
  const most = numbers.reduce((a, b) => Math.max(a, b), -Infinity);
  return [least - room, most + room];
}

function middleOf(sites) {
  const [left, right] = ends(sites.map(([x]) => x), 0);
  const [top, bottom] = ends(sites.map(([, y]) => y), 0);
  return [(left + right) / 2, (top + bottom) / 2];
}

function shiftsOf({ inUse, columns, rows }, busy) {
  const columnEnd = widestGap(busy.map((site) => columns[site]), inUse.period[0]);
  const rowEnd = widestGap(busy.map((site) => rows[site]), inUse.period[1]);
  return (site) => {
    const right = columns[site] <= columnEnd ? 1 : 0;
    const above = rows[site] <= rowEnd ? 1 : 0;
    return [0, 1].map((axis) => right * inUse.across[axis] + above * inUse.up[axis]);
  };
}

/** Return after which of some numbers, in a ring of so many, the widest gap is; 0: the last. */
function widestGap(numbers, period) {
  const places = [...new Set(numbers)].sort((a, b) => a - b);
  if (!places.length) return 0;
  let [widest, end] = [0, 0];
  for (let n = 1; n < places.length; n++) {
    const gap = places[n] - places[n - 1];
    if (gap >= widest) [widest, end] = [gap, places[n - 1]];
  }
  return widest > places[0] + period - places[places.length - 1] ? end : 0;
}
