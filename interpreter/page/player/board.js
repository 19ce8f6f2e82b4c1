// The board on the page: drawn, pointed at, dragged over and walked over by keys.
//
// In: what is seen of a position, and what may be chosen in it. Out: SVG elements, of which only
// those are made anew that have changed; and a call for each site that is chosen. What then holds:
// each site that is seen has one element that is pointed at, with its name and what stands there.

import { Drawing, pointsText, svg } from "./drawing.js";

const MOVING = 200; // milliseconds
const FAR_ENOUGH = 7; // pixels from which on a pointer drags
const FINGER = 26; // pixels within which a touch means a site that may be chosen
const FEW = 60; // sites that are marked plainly before anything is chosen
const ARROWS = {
  ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0],
};

/** What a board shows besides the pieces: nothing, until something is asked or advised. */
export const NOTHING_MARKED = {
  offers: new Set(), isBegun: false, chosen: [], besides: () => null, arrows: [], lit: new Set(),
  threatened: new Set(),
};

/** The board of one game. */
export class Board {
  /**
   * @param {Element} place where the board is put
   * @param {Object} calls `choose(site)`, `drop(site)` at the end of a drag, `point(site or null)`
   */
  constructor(place, calls) {
    this.calls = calls;
    this.root = svg("svg", { class: "board-picture", role: "group" });
    this.layers = {};
    for (const name of ["under", "ground", "pieces", "links", "marks", "over", "names", "hits"]) {
      this.layers[name] = svg("g", { class: `layer-${name}` });
    }
    this.root.append(...Object.values(this.layers));
    place.replaceChildren(this.root);
    this.listen();
    this.drawing = null;
    this.cursor = null;
  }

  /**
   * Draw a game's board from now on.
   * @param {Object} data the game
   * @param {string} theme the name of a theme of its scene
   */
  open(data, theme) {
    this.drawing = new Drawing(data, theme);
    this.root.setAttribute("aria-label", `The board of ${data.title || data.name}`);
    this.kept = new Map();
    this.seen = null;
    this.boardKey = "";
    this.cursor = null;
  }

  /**
   * Show a position.
   * @param {Object} seen what is seen of it, as `game.scene` gives it
   * @param {Object} marked what may be chosen, what is, and what is pointed out
   * @param {Object|null} part which part of the board is shown, as `game.window` gives it
   * @param {boolean} isMoved whether it came from the position shown before, by its last move
   */
  show(seen, marked = NOTHING_MARKED, part = null, isMoved = false) {
    const before = this.seen;
    const wasAt = before && isMoved ? this.placesOf(seen.way ?? []) : [];
    const isSame = before === seen;
    this.seen = seen;
    this.marked = { ...NOTHING_MARKED, ...marked };
    if (!isSame || part) this.drawBoard(seen, part);
    if (!isSame || part) this.drawPieces(seen, isMoved && !this.isStill());
    this.drawMarks();
    if (isMoved && before && !this.isStill()) this.animate(seen, wasAt);
  }

  placesOf(way) {
    return way.map((index) => this.drawing.at(index));
  }

  isStill() {
    return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  // ------------------------------------------------------------------------------ drawing

  drawBoard(seen, part) {
    const { drawing, layers } = this;
    const isOther = drawing.look(part);
    const lying = seen.beside?.filter(({ place }) => place in drawing.scene.boxes);
    const key = JSON.stringify([seen.areas, seen.signs, seen.borders, seen.bridges, lying]);
    if (!isOther && key === this.boardKey) return;
    this.boardKey = key;
    this.kept.clear();
    this.order = drawing.inOrder();
    this.root.setAttribute("viewBox", drawing.box.map((number) => number.toFixed(1)).join(" "));
    const [, , width, height] = drawing.box;
    this.root.style.setProperty("--ratio", (width / height).toFixed(4));
    const bridges = [...drawing.bridges(seen)];
    const { onPoints } = drawing.scene;
    layers.ground.replaceChildren(...drawing.ground(seen), ...drawing.loops(),
      ...drawing.lying(seen), ...(onPoints ? bridges : []),
      ...this.order.flatMap((index) => [...drawing.site(index, seen)]), ...drawing.borders(seen),
      ...(onPoints ? [] : bridges));
    layers.names.replaceChildren(...drawing.labels());
    layers.pieces.replaceChildren();
    this.drawHits();
  }

  drawPieces(seen, isAnimated) {
    const { drawing, layers } = this;
    const fading = [];
    let last = null;
    for (const index of this.order) {
      const key = this.keyOf(index, seen);
      const known = this.kept.get(index);
      if (known?.key === key) {
        last = known.group ?? last;
        continue;
      }
      if (known?.group) {
        if (isAnimated && known.hasPiece && !seen.marks[index]) fading.push(known.group);
        known.group.remove();
      }
      const parts = key ? [...drawing.on(index, seen), ...drawing.ring(index, seen)] : [];
      const group = parts.length ? svg("g", { "data-on": index }, parts) : null;
      if (group) {
        if (last) last.after(group);
        else layers.pieces.prepend(group);
        last = group;
      }
      this.kept.set(index, { key, group, hasPiece: Boolean(seen.marks[index]) });
      this.name(index);
    }
    layers.under.replaceChildren(...(isAnimated ? fading : []));
    layers.links.replaceChildren(...drawing.bonds(seen), ...drawing.tracks(seen));
  }

  keyOf(index, seen) {
    const mark = seen.marks[index];
    const isLast = seen.last?.includes(index);
    const isChanged = seen.changed?.includes(index);
    if (!mark && !isLast && !isChanged && !seen.bases?.[index]) return "";
    const isUnseen = seen.unseen?.includes(index);
    const hasTiles = Object.keys(seen.tiles ?? {}).length > 0;
    return JSON.stringify([mark, seen.bases?.[index], seen.tiles?.[index], isLast, isChanged,
      isUnseen, hasTiles]);
  }

  drawHits() {
    const { drawing, layers } = this;
    const reach = 1.25 * drawing.radius;
    this.hits = new Map();
    for (const index of this.order) {
      const site = drawing.sites[index];
      const attributes = {
        class: "hit", "data-index": index, "data-site": site.name, role: "button", tabindex: -1,
      };
      let hit;
      if (site.kind === "cell" && !drawing.scene.onPoints) {
        hit = svg("polygon", { ...attributes, points: pointsText(drawing.outline(index)) });
      } else if (site.kind === "edge") {
        const [[x1, y1], [x2, y2]] = drawing.outline(index);
        hit = svg("line", {
          ...attributes, x1, y1, x2, y2, "stroke-width": 1.1 * drawing.radius,
        });
      } else {
        const [cx, cy] = drawing.at(index);
        hit = svg("circle", { ...attributes, cx, cy, r: reach });
      }
      this.hits.set(index, hit);
    }
    const hadFocus = layers.hits.contains(document.activeElement);
    layers.hits.replaceChildren(...this.hits.values());
    for (const index of this.order) this.name(index);
    if (this.cursor === null || !this.hits.has(this.cursor)) this.cursor = this.order[0] ?? null;
    this.hits.get(this.cursor)?.setAttribute("tabindex", 0);
    if (hadFocus) this.focus();
  }

  name(index) {
    this.hits?.get(index)?.setAttribute("aria-label", this.drawing.described(index, this.seen));
  }

  drawMarks() {
    const { drawing, layers, marked } = this;
    const { theme, radius } = drawing;
    const [made, over] = [[], []];
    const isEarly = !marked.isBegun;
    const isQuiet = isEarly && marked.offers.size > FEW;
    const visible = new Set(this.order);
    for (const index of marked.offers) {
      if (!visible.has(index)) continue;
      const [cx, cy] = drawing.at(index);
      const isTaken = Boolean(this.seen.marks[index]) && !this.seen.tiles?.[index];
      const isEdge = drawing.sites[index].kind === "edge";
      const r = (isTaken && !isEdge ? 1.02 : isEdge ? 0.26 : isEarly ? 0.2 : 0.27) * radius;
      made.push(svg("circle", {
        class: `offer${isTaken && !isEdge ? " taken" : ""}${isQuiet ? " quiet" : ""}`, cx, cy,
        r: r.toFixed(1), "stroke-width": ((isTaken ? 0.12 : 0.06) * radius).toFixed(1),
        "data-offer": index,
      }));
    }
    for (const index of marked.chosen) {
      if (!visible.has(index)) continue;
      const [cx, cy] = drawing.at(index);
      made.push(svg("circle", {
        class: "chosen", cx, cy, r: (0.98 * radius).toFixed(1),
        "stroke-width": (0.2 * radius).toFixed(1),
      }));
    }
    this.drawLying(made);
    for (const [name, sites] of [["lit", marked.lit], ["threat", marked.threatened]]) {
      for (const index of sites) {
        if (!visible.has(index)) continue;
        const [cx, cy] = drawing.at(index);
        made.push(svg("circle", {
          class: name, cx, cy, r: (1.14 * radius).toFixed(1),
          "stroke-width": (0.22 * radius).toFixed(1),
        }));
      }
    }
    const { way = [] } = this.seen;
    for (let place = 1; place < way.length; place += 1) {
      if (way[place - 1] === way[place] || !visible.has(way[place])) continue;
      over.push(drawing.arrowBetween(way[place - 1], way[place], theme.last, "way"));
    }
    for (const [first, second] of marked.arrows) {
      if (first === second) {
        const [cx, cy] = drawing.at(first);
        over.push(svg("circle", {
          class: "advised", cx, cy, r: (0.5 * radius).toFixed(1), fill: theme.advice,
        }));
      } else over.push(drawing.arrowBetween(first, second, theme.advice, "advised"));
    }
    layers.marks.replaceChildren(...made);
    layers.over.replaceChildren(...over);
    for (const [index, hit] of this.hits) {
      const isOffered = marked.offers.has(index) || marked.chosen.includes(index);
      hit.classList.toggle("can", isOffered);
      hit.classList.toggle("drag", isOffered && Boolean(this.seen.marks[index]));
    }
  }

  /** Mark what may be chosen of the pieces that lie beside the board, and let it be pointed at. */
  drawLying(made) {
    const { drawing, layers, marked } = this;
    for (const hit of layers.hits.querySelectorAll("[data-word]")) hit.remove();
    for (const [mark, [cx, cy], size] of drawing.piecesLying(this.seen)) {
      const meant = marked.besides(mark);
      if (!meant) continue;
      const r = (1.1 * size * drawing.radius).toFixed(1);
      made.push(svg("circle", {
        class: meant.isChosen ? "chosen" : "offer taken", cx, cy, r,
        "stroke-width": ((meant.isChosen ? 0.2 : 0.12) * drawing.radius).toFixed(1),
      }));
      layers.hits.append(svg("circle", {
        class: "hit can", cx, cy, r, role: "button", tabindex: 0, "data-word": meant.word,
        "aria-label": `${drawing.name(mark)}: ${meant.written}`,
      }));
    }
  }

  animate(seen, wasAt) {
    const timing = { duration: MOVING, easing: "ease-out" };
    const way = seen.way ?? [];
    const end = way[way.length - 1];
    const moved = this.kept.get(end)?.group;
    if (way.length > 1 && moved) {
      const [x, y] = this.drawing.at(end);
      const frames = wasAt.map(([fromX, fromY], place) => ({
        transform: place === way.length - 1
          ? "translate(0px, 0px)" : `translate(${fromX - x}px, ${fromY - y}px)`,
      }));
      moved.animate(frames, { ...timing, duration: MOVING + 60 * (way.length - 2) });
    }
    for (const index of [...(seen.last ?? []), ...(seen.changed ?? [])]) {
      if (index === end && way.length > 1) continue;
      this.kept.get(index)?.group?.animate([{ opacity: 0 }, { opacity: 1 }], timing);
    }
    for (const gone of this.layers.under.children) {
      gone.animate([{ opacity: 1 }, { opacity: 0 }], { ...timing, fill: "forwards" });
    }
    clearTimeout(this.clearing);
    this.clearing = setTimeout(() => this.layers.under.replaceChildren(), MOVING);
  }

  // ----------------------------------------------------------------------------- pointing

  listen() {
    this.root.addEventListener("pointerdown", (event) => this.press(event));
    this.root.addEventListener("pointermove", (event) => this.drag(event));
    this.root.addEventListener("pointerup", (event) => this.release(event));
    this.root.addEventListener("pointercancel", () => this.endDrag());
    this.root.addEventListener("pointerover", (event) => {
      this.calls.point(indexOf(event.target));
    });
    this.root.addEventListener("pointerleave", () => this.calls.point(null));
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.root.addEventListener("focusin", (event) => {
      const index = indexOf(event.target);
      if (index !== null) this.setCursor(index);
      this.calls.point(index);
    });
    this.root.addEventListener("click", (event) => {
      const word = wordOf(event.target);
      if (word !== null) this.calls.chooseWord(word);
      // A click that no pointer made comes from a screen reader or a program.
      if (event.detail === 0 && indexOf(event.target) !== null) {
        this.calls.choose(indexOf(event.target));
      }
    });
  }

  press(event) {
    if (event.button !== 0 || this.pressed) return;
    const index = this.meant(event);
    if (index === null) return;
    this.pressed = { index, x: event.clientX, y: event.clientY, isDragged: false };
    if (this.hits.get(index)?.classList.contains("drag")) {
      this.root.setPointerCapture(event.pointerId);
    }
  }

  meant(event) {
    const exact = indexOf(event.target);
    const { offers, chosen } = this.marked;
    if (exact !== null && (offers.has(exact) || chosen.includes(exact))) return exact;
    if (event.pointerType !== "touch") return exact;
    const scale = this.scale();
    let [nearest, least] = [exact, FINGER];
    for (const index of offers) {
      const [x, y] = this.onScreen(index, scale);
      const far = Math.hypot(x - event.clientX, y - event.clientY);
      if (far < least) [nearest, least] = [index, far];
    }
    return nearest;
  }

  scale() {
    return this.root.getScreenCTM();
  }

  onScreen(index, matrix) {
    const [x, y] = this.drawing.at(index);
    return [matrix.a * x + matrix.e, matrix.d * y + matrix.f];
  }

  drag(event) {
    const { pressed } = this;
    if (!pressed) return;
    const far = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y);
    if (!pressed.isDragged) {
      const canDrag = this.hits.get(pressed.index)?.classList.contains("drag");
      if (far < FAR_ENOUGH || !canDrag) return;
      pressed.isDragged = true;
      if (!this.marked.chosen.includes(pressed.index)) this.calls.choose(pressed.index);
      const group = this.kept.get(pressed.index)?.group;
      pressed.ghost = group?.cloneNode(true) ?? null;
      if (pressed.ghost) {
        pressed.ghost.classList.add("ghost");
        group.classList.add("lifted");
        pressed.lifted = group;
        this.layers.over.append(pressed.ghost);
      }
    }
    if (!pressed.ghost) return;
    if (!pressed.ghost.isConnected) this.layers.over.append(pressed.ghost);
    const matrix = this.scale();
    const [right, down] = [event.clientX - pressed.x, event.clientY - pressed.y];
    const place = `translate(${right / matrix.a},${down / matrix.d})`;
    pressed.ghost.setAttribute("transform", place);
  }

  release(event) {
    const { pressed } = this;
    if (!pressed) return;
    this.endDrag();
    if (!pressed.isDragged) {
      this.setCursor(pressed.index);
      this.calls.choose(pressed.index);
      return;
    }
    const below = document.elementFromPoint(event.clientX, event.clientY);
    const index = this.meant({
      target: below ?? this.root, pointerType: event.pointerType, clientX: event.clientX,
      clientY: event.clientY,
    });
    if (index !== pressed.index) this.calls.drop(index);
  }

  endDrag() {
    this.pressed?.ghost?.remove();
    this.pressed?.lifted?.classList.remove("lifted");
    this.pressed = null;
  }

  // --------------------------------------------------------------------------------- keys

  key(event) {
    const direction = ARROWS[event.key];
    const [index, word] = [indexOf(event.target), wordOf(event.target)];
    if (word !== null && (event.key === "Enter" || event.key === " ")) {
      this.calls.chooseWord(word);
      event.preventDefault();
      return;
    }
    if (index === null || event.ctrlKey || event.altKey || event.metaKey) return;
    if (direction) {
      const next = this.nextIn(index, direction);
      if (next !== null) this.hits.get(next)?.focus();
    } else if (event.key === "Enter" || event.key === " ") this.calls.choose(index, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Put the cursor on the board where it was, so that arrow keys walk over it. */
  focus() {
    this.hits?.get(this.cursor)?.focus();
  }

  setCursor(index) {
    this.hits.get(this.cursor)?.setAttribute("tabindex", -1);
    this.cursor = index;
    this.hits.get(index)?.setAttribute("tabindex", 0);
  }

  nextIn(from, [right, down]) {
    const [x, y] = this.drawing.at(from);
    let [best, least] = [null, Infinity];
    for (const index of this.order) {
      const [toX, toY] = this.drawing.at(index);
      const along = (toX - x) * right + (toY - y) * down;
      const across = Math.abs((toX - x) * down - (toY - y) * right);
      if (along < 1 || across > 1.3 * along) continue;
      const far = along + 2 * across;
      if (far < least) [best, least] = [index, far];
    }
    return best;
  }
}

function wordOf(target) {
  return target instanceof Element ? target.getAttribute("data-word") : null;
}

function indexOf(target) {
  const found = target instanceof Element ? target.closest("[data-index]") : null;
  return found ? Number(found.getAttribute("data-index")) : null;
}
