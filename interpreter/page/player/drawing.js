// Drawing: a board and what stands on it, as SVG elements.
//
// In: the board as the game's data has it (`data.scene`: outlines, points, lines, figures, colours)
// and what is seen of one position (`game.scene`). Out: SVG elements, in the shapes and colours of
// the pictures that `gdl render` makes of the same scene. What then holds: text from a game is text
// or an attribute's value, and never markup.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const FEW_BARS = 5; // as high as these together are fewer, too
const MOST_BARS = 9; // of a pile, beyond which only the upper pieces are drawn
const MOST_CUT = 0.35; // of a line of the board, at each end
const SLENDER = ["pawn", "knight", "bishop", "rook", "queen", "king"];
const NUMBERED = ["die", "seeds", "levels", "number"];
const KIND_ORDER = ["cell", "edge", "vertex"];
const UPON_BASE = 0.62; // of the usual size
const ON_TILES = 0.35;
const IN_RING = 0.55;
const IN_CELL = 1.22;
const TRIANGLE = "triangle";
const ROUND_FIELDS = { pit: 1.16, hole: 0.98 };
const BAR = 0.36;
const [LARGE, LYING] = [1.6, 0.9];
const MOST_IN_ROW = 5;
const LABEL_AWAY = 0.7; // of a piece's radius: from a part of the board to the names around it

/**
 * Return a new SVG element.
 * @param {string} tag its name
 * @param {Object} attributes values by name; those that are null or undefined are left out
 * @param {Array<Node|string>} children elements and texts in it
 */
export function svg(tag, attributes = {}, children = []) {
  const made = document.createElementNS(SVG_NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/**
 * Return a new HTML element.
 * @param {string} tag its name
 * @param {Object} attributes values by name; `text` is its text, `on` are listeners by event
 * @param {Array<Node|string>} children elements and texts in it
 */
export function html(tag, attributes = {}, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") made.textContent = value;
    else if (name === "on") {
      for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    } else if (value === true) made.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, value);
    }
  }
  made.append(...children);
  return made;
}

/**
 * Return text in which nothing is invisible or turns the reading round: control characters and
 * marks of direction are shown as `\u202e`.
 * @param {string} text
 */
export function shown(text) {
  return String(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0).toString(16);
    return character === "\n" ? " " : `\\u${code.padStart(4, "0")}`;
  });
}

/**
 * Return the points of a polygon or a line as SVG has them.
 * @param {Array<[number, number]>} points
 */
export function pointsText(points) {
  return points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
}

function between([x, y], [toX, toY], share) {
  return [x + share * (toX - x), y + share * (toY - y)];
}

function distance([x, y], [toX, toY]) {
  return Math.hypot(toX - x, toY - y);
}

function classOf(name) {
  return shown(name).toLowerCase().replace(/[^a-z0-9]/g, "-");
}

/**
 * Return an arrow as one shape: a shaft, and a head wider than that.
 * @param {[number, number]} start where it begins
 * @param {[number, number]} end its tip
 * @param {number} width of the shaft
 * @param {string} paint its colour
 * @param {string} name its class
 */
export function arrow(start, end, width, paint, name) {
  const length = distance(start, end) || 1;
  const head = Math.min(4 * width, 0.6 * length);
  const [x, y] = [(end[0] - start[0]) / length, (end[1] - start[1]) / length];
  const neck = [end[0] - head * x, end[1] - head * y];
  const beside = (point, far) => [point[0] - far * y, point[1] + far * x];
  const [half, wide] = [width / 2, 1.9 * width];
  const shape = [
    beside(start, half), beside(neck, half), beside(neck, wide), end,
    beside(neck, -wide), beside(neck, -half), beside(start, -half),
  ];
  return svg("polygon", {
    class: name, points: pointsText(shape), fill: paint, "fill-opacity": 0.75,
  });
}

const KINDS = { c: "cell", e: "edge", v: "vertex" };

/** A board in one theme: makes the elements of what lies and stands on it. */
export class Drawing {
  /**
   * @param {Object} data the game
   * @param {string} theme the name of one of the themes of its scene
   */
  constructor(data, theme) {
    this.scene = data.scene;
    this.theme = data.scene.themes[theme];
    this.themeName = theme;
    this.sides = data.sides;
    this.radius = data.scene.radius;
    this.borderPlaces = new Map();
    for (const [name, , places] of data.borders ?? []) {
      for (const [first, second, place] of places) {
        this.borderPlaces.set(`${name} ${first} ${second}`, place);
      }
    }
    this.sites = data.scene.sites.map(([x, y, kind, shape], index) => ({
      x, y, kind: KINDS[kind], name: data.sites[index],
      outline: data.scene.shapes[shape].map(([right, down]) => [x + right, y + down]),
    }));
    this.whole = { viewBox: data.scene.viewBox, sites: this.sites.map((_, i) => i), shift: {} };
    this.window = null;
  }

  // ------------------------------------------------------------------------ where sites are

  /** Return the middle of a site, as it is drawn now. */
  at(index) {
    const { x, y } = this.sites[index];
    const [right, down] = this.window?.shift[index] ?? [0, 0];
    return [x + right, y + down];
  }

  /** Return the corners of a site, as they are drawn now. */
  outline(index) {
    const { outline } = this.sites[index];
    const shift = this.window?.shift[index];
    return shift ? outline.map(([x, y]) => [x + shift[0], y + shift[1]]) : outline;
  }

  /**
   * Show a part of the board, or all of it. Tell whether that is another part than before.
   * @param {Object|null} part `viewBox`, `sites` and how far each is moved, as `game.window` gives
   */
  look(part) {
    const { whole, window: before } = this;
    this.window = part ?? whole;
    const isKnown = before && JSON.stringify(before) === JSON.stringify(this.window);
    this.visible = this.window.sites;
    this.labelPlaces = part ? [...this.labelsOfPart(part.viewBox)] : this.scene.labels;
    this.box = part ? this.boxWith(part.viewBox) : this.scene.viewBox;
    return !isKnown;
  }

  boxWith([left, top, width, height]) {
    const [xs, ys] = [[left, left + width], [top, top + height]];
    for (const { x, y } of this.labelPlaces) {
      xs.push(x - this.radius, x + this.radius);
      ys.push(y - this.radius, y + this.radius);
    }
    const [least, most] = [Math.min(...xs), Math.min(...ys)];
    return [least, most, Math.max(...xs) - least, Math.max(...ys) - most];
  }

  middleOfAll() {
    const places = this.sites.map((_, index) => this.at(index));
    return [0, 1].map((axis) => {
      const values = places.map((place) => place[axis]);
      return (Math.min(...values) + Math.max(...values)) / 2;
    });
  }

  // ------------------------------------------------------------------------ the board itself

  /** Yield the wood under lines, and the lines. */
  *ground(seen) {
    const { hull, links } = this.scene;
    yield* this.gradients(seen);
    if (!hull) return;
    const paint = this.theme.board;
    yield svg("polygon", {
      class: "board", points: pointsText(hull), fill: paint, stroke: paint,
      "stroke-width": (2.9 * this.radius).toFixed(1), "stroke-linejoin": "round",
    });
    if (this.scene.onPoints) yield* this.areasOfPoints(seen);
    const lines = links.map(([x1, y1, x2, y2]) => svg("line", { x1, y1, x2, y2 }));
    yield svg("g", {
      class: "lines", stroke: this.theme.line, "stroke-width": 1.4, "stroke-linecap": "round",
    }, lines);
  }

  /** Yield what of a site is seen without a piece. */
  *site(index, seen) {
    const site = this.sites[index];
    const names = seen.areas?.[index] ?? [];
    if (site.kind === "cell" && !this.scene.onPoints) {
      const [shape] = this.scene.fields[index] ?? [""];
      const fill = this.area(shape === TRIANGLE ? [] : names);
      yield svg("polygon", {
        class: ["cell", ...names.map(classOf)].join(" "), points: pointsText(this.outline(index)),
        fill, stroke: shape ? fill : this.theme.line, "stroke-width": 1.2,
        "stroke-linejoin": "round",
      });
      if (shape) yield this.field(index, names);
    } else if (site.kind === "edge") {
      const [[x1, y1], [x2, y2]] = this.outline(index);
      yield svg("line", {
        class: "edge", x1, y1, x2, y2, stroke: this.theme.line, "stroke-width": 2,
        "stroke-dasharray": "1 5", "stroke-linecap": "round",
      });
    } else {
      const [cx, cy] = this.at(index);
      const r = Math.max(2, 0.14 * this.radius).toFixed(1);
      yield svg("circle", { class: "point", cx, cy, r, fill: this.theme.line });
      if (this.scene.named) {
        yield this.text(site.name, this.besidePoint(index), 0.6 * this.radius, this.theme.label);
      }
    }
    yield* this.sign(index, seen);
  }

  /** Return the shape of a site that is no plain cell. */
  field(index, names) {
    const [shape, ...corners] = this.scene.fields[index];
    const { line, dark, frame } = this.theme;
    if (shape === TRIANGLE) {
      const fill = names.length ? this.area(names) : dark;
      return svg("polygon", {
        class: "field", points: pointsText(corners), fill, stroke: line, "stroke-width": 0.8,
      });
    }
    const [cx, cy] = this.at(index);
    return svg("circle", {
      class: "field", cx, cy, r: ROUND_FIELDS[shape] * this.radius,
      fill: shape === "pit" ? dark : frame, stroke: line,
      "stroke-width": (0.06 * this.radius).toFixed(1),
    });
  }

  /** Yield the lines outside of the board. */
  *loops() {
    for (const [d, name] of this.scene.loops) {
      yield svg("path", {
        class: "loop", d, fill: "none", stroke: this.theme.lines[name], "stroke-width": 2.4,
      });
    }
  }

  /** Yield the places beside the board, and what lies there. */
  *lying(seen) {
    for (const [place, [x, y, width, height]] of Object.entries(this.scene.boxes)) {
      yield svg("rect", {
        class: `place ${place}`, x, y, width, height,
        rx: place === "gap" ? 0 : 0.9 * this.radius, fill: this.theme.dark,
      });
    }
    for (const [mark, at, size] of this.piecesLying(seen)) yield* this.piece(mark, at, size);
  }

  /** Yield each piece that lies in a place beside the board, with its middle and its size. */
  *piecesLying(seen) {
    for (const [place, [x, y, width, height]] of Object.entries(this.scene.boxes)) {
      const isGap = place === "gap";
      const rows = (seen.beside ?? []).filter((row) => row.place === place);
      for (const [number, { marks }] of rows.entries()) {
        const isHeap = !isGap && marks.length === 1 && marks[0].count !== null;
        const share = height / rows.length;
        const apart = Math.min(2.1 * this.radius, share / Math.max(1, marks.length));
        for (const [rank, mark] of marks.entries()) {
          const away = (rank - (marks.length - 1) / 2) * apart;
          const at = [x + width / 2, y + height - (number + 0.5) * share - away];
          yield [mark, at, isHeap ? LARGE : LYING];
        }
      }
    }
  }

  /** Yield the bars from sites half of the way to others, with a rim. */
  *bridges(seen) {
    const bars = (seen.bridges ?? []).map(([first, second, name]) => {
      const start = this.at(first);
      return [name, start, between(start, this.at(second), 0.5)];
    });
    for (const [part, more] of [["rim", 2], ["fill", 0]]) {
      for (const [name, [x1, y1], [x2, y2]] of bars) {
        yield svg("line", {
          class: "bridge", x1, y1, x2, y2, stroke: this.theme.bars[name][part],
          "stroke-width": (BAR * this.radius + more).toFixed(1), "stroke-linecap": "round",
        });
      }
    }
  }

  besidePoint(index) {
    const { sites } = this;
    const [centre, away] = [this.at(index), 1.35 * this.radius];
    if (!sites.some((site) => site.kind === "edge")) return [centre[0], centre[1] + away];
    const middle = this.middleOfAll();
    const far = distance(middle, centre);
    return far ? between(middle, centre, 1 + away / far) : centre;
  }

  *sign(index, seen) {
    const written = seen.signs?.[index];
    if (!written) return;
    const [x, y] = this.at(index);
    const shapes = this.scene.signs[written];
    if (shapes) {
      const transform = `translate(${x.toFixed(1)},${y.toFixed(1)}) scale(${this.radius})`;
      yield svg("g", { class: "sign", transform }, this.shapes(shapes, { line: this.theme.line }));
    } else {
      const size = Math.min(1.1, 1.9 / written.length) * this.radius;
      yield this.text(written, [x, y], size, this.theme.line);
    }
  }

  area(names) {
    if (names.length > 1) return `url(#${this.gradientName(names)})`;
    return names.length ? this.theme.areas[names[0]] ?? this.theme.board : this.theme.board;
  }

  gradientName(names) {
    return `area-${this.themeName}-${names.map((name) => [...name].map(
      (letter) => letter.codePointAt(0).toString(16)).join("")).join("-")}`;
  }

  *gradients(seen) {
    const several = Object.values(seen.areas ?? {}).filter((names) => names.length > 1);
    const known = new Map(several.map((names) => [this.gradientName(names), names]));
    for (const [id, names] of known) {
      const stops = names.flatMap((name, place) => [place, place + 1].map((end) => svg("stop", {
        offset: (end / names.length).toFixed(3), "stop-color": this.theme.areas[name],
      })));
      yield svg("linearGradient", { id, x2: 1, y2: 1 }, stops);
    }
  }

  *areasOfPoints(seen) {
    const half = this.scene.area;
    for (const [index, names] of Object.entries(seen.areas ?? {})) {
      const [x, y] = this.at(index);
      const fill = this.area(names);
      yield this.scene.lattice === "square"
        ? svg("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, fill })
        : svg("circle", { cx: x, cy: y, r: half, fill });
    }
  }

  /** Yield the borders between cells, each along the side that two of them share. */
  *borders(seen) {
    for (const [first, second, name] of seen.borders ?? []) {
      const place = this.borderPlaces.get(`${name} ${first} ${second}`);
      if (!place) continue;
      const [x1, y1, x2, y2] = place;
      yield svg("line", {
        class: "border", x1, y1, x2, y2, stroke: this.theme.lines[name],
        "stroke-width": (0.2 * this.radius).toFixed(1), "stroke-linecap": "round",
      });
    }
  }

  /** Yield the lines that belong to the board, as far as pieces leave room for them. */
  *bonds(seen) {
    for (const [first, second, name] of seen.bonds ?? []) {
      const [start, end] = [this.at(first), this.at(second)];
      const room = Math.min(MOST_CUT, (0.8 * this.radius) / distance(start, end));
      const [near, far] = [first, second].map((index) => (seen.marks[index] ? room : 0));
      const [[x1, y1], [x2, y2]] = [between(start, end, near), between(start, end, 1 - far)];
      yield svg("line", {
        class: "link", x1, y1, x2, y2, stroke: this.theme.lines[name], "stroke-width": 2.4,
        "stroke-linecap": "round",
      });
    }
  }

  /** Yield the arrows that belong to the board. */
  *tracks(seen) {
    for (const [first, second, name] of seen.tracks ?? []) {
      const [start, end] = [this.at(first), this.at(second)];
      const share = Math.min(0.3, (0.5 * this.radius) / distance(start, end));
      const ends = [between(start, end, 0.5 - share), between(start, end, 0.5 + share)];
      yield arrow(...ends, 0.14 * this.radius, this.theme.lines[name], "track");
    }
  }

  /** Yield the names of rows and columns. */
  *labels() {
    for (const { text, x, y } of this.labelPlaces) {
      yield this.text(text, [x, y], 0.8 * this.radius, this.theme.label, "label");
    }
  }

  /**
   * Yield the names of the rows and columns of a part of the board: each at its end, slanted
   * columns by one step on; upright ones, and their rows, along the part's border.
   */
  *labelsOfPart([left, top, width, height]) {
    const away = LABEL_AWAY * this.radius;
    const columns = this.grouped(/^[a-z]+/i, 1);
    const steps = [...columns.values()].filter((places) => places.length > 1)
      .map(([low, next]) => [low[0] - next[0], low[1] - next[1]]);
    const [lean, down] = steps[0] ?? [0, 2 * this.radius];
    const [isSlanted, step] = [Math.abs(lean) > 1, Math.hypot(lean, down)];
    for (const [text, [[x, y]]] of columns) {
      yield isSlanted ? { text, x: x + lean, y: y + down } : { text, x, y: top + height + away };
    }
    for (const [text, places] of this.grouped(/[0-9]+$/, 0)) {
      const [[rightmost, y], [leftmost]] = [places[0], places.at(-1)];
      const end = lean < 0 ? rightmost + step : leftmost - step;
      yield { text, x: isSlanted ? end : left - away, y };
    }
  }

  /** The places of the sites that are seen, by a part of their names, from an end of the axis. */
  grouped(pattern, axis) {
    const found = new Map();
    for (const index of this.visible) {
      const name = this.sites[index].name.match(pattern)?.[0];
      const isCounted = this.sites[index].kind !== "edge" && /^[a-z]+[0-9]+$/i.test(
        this.sites[index].name);
      if (name === undefined || !isCounted) continue;
      if (!found.has(name)) found.set(name, []);
      found.get(name).push(this.at(index));
    }
    for (const places of found.values()) places.sort((a, b) => b[axis] - a[axis]);
    return found;
  }

  text(written, [x, y], size, fill, name = "", weight = null) {
    return svg("text", {
      class: name || null, x: x.toFixed(1), y: (y + 0.35 * size).toFixed(1),
      "font-size": size.toFixed(1), "text-anchor": "middle", fill, "font-weight": weight,
    }, [shown(written)]);
  }

  // ------------------------------------------------------------------- what stands on sites

  /** Return in words what stands on a site: its name, the piece, those under it. */
  described(index, seen) {
    const { name } = this.sites[index];
    const mark = seen.marks[index];
    if (seen.unseen?.includes(Number(index))) return `${name}: not seen`;
    if (!mark) return name;
    const number = mark.count === null || mark.count === undefined ? "" : ` ${mark.count}`;
    const told = `${name}: ${this.name(mark)}${number}`;
    const under = (mark.under ?? []).filter(Boolean).reverse().map((part) => this.name(part));
    return under.length ? `${told}, upon ${under.join(", ")}` : told;
  }

  /** Return a piece in words: the side that has it, and its kind. */
  name(mark) {
    const side = mark.side === null ? "" : this.sides[mark.side] ?? "";
    return [side, mark.kind.replaceAll("_", " ")].filter(Boolean).join(" ") || "a piece";
  }

  /** Yield what stands on a site. */
  *on(index, seen) {
    const site = this.sites[index];
    const mark = seen.marks[index];
    const corners = seen.tiles?.[index];
    if (corners) yield* this.tile(index, corners);
    else if (mark && site.kind === "edge") yield* this.bar(index, mark);
    else if (mark && this.scene.fields[index]?.[0] === TRIANGLE) yield* this.rowOf(index, mark);
    else if (mark) {
      const centre = this.at(index);
      const base = seen.bases?.[index];
      const isTold = Object.keys(seen.tiles ?? {}).length > 0 && site.kind === "vertex";
      const isUpon = base && base.figure !== "number" && !isSame(base, mark);
      if (isUpon) {
        yield* this.piece(base, centre);
        yield* this.piece(mark, centre, UPON_BASE);
      } else {
        const isInCell = site.kind === "cell" && !this.scene.onPoints;
        const large = isInCell && SLENDER.includes(mark.figure) ? IN_CELL : 1;
        yield* this.piece(mark, centre, isTold ? ON_TILES : large);
      }
      yield* this.under(mark, centre);
    }
  }

  /** Yield a pile laid out in a row, from the base of a triangle to its tip. */
  *rowOf(index, mark) {
    const [base, tip] = [this.at(index), this.scene.fields[index].at(-1)];
    const parts = [...(mark.under ?? []), mark];
    const room = distance(base, tip) - this.radius;
    const apart = Math.min(2 * this.radius, room / Math.max(1, parts.length - 1));
    for (const [place, part] of parts.entries()) {
      const isTold = part === mark && parts.length > MOST_IN_ROW;
      const shownPart = isTold ? mark : { ...(part ?? mark), count: null, label: "" };
      yield* this.piece(shownPart, between(base, tip, (place * apart) / distance(base, tip)));
    }
  }

  /** Yield the elements of a piece around a point. */
  *piece(mark, [x, y], size = 1, isBeside = false) {
    const radius = size * this.radius;
    const figure = mark.figure || (mark.side === null ? "tile" : "disc");
    const own = this.paint(mark);
    const isSilhouette = this.scene.silhouettes.includes(figure);
    const paint = { ...own, rim: isSilhouette ? own.edge : isBeside ? own.beside : own.rim };
    const turn = figure === "wedge" && mark.side === 1 ? " rotate(180)" : "";
    const place = `translate(${x.toFixed(1)},${y.toFixed(1)}) scale(${radius.toFixed(2)})${turn}`;
    yield svg("g", {
      class: `piece ${classOf(this.name(mark))} ${figure}`, transform: place,
    }, this.shapes(mark.picture ?? this.figure(figure, mark.count), paint));
    const written = mark.label;
    if (written) yield* this.written(written, [x, y], radius, figure, paint);
  }

  figure(name, count) {
    if (!NUMBERED.includes(name)) return this.scene.figures[name] ?? this.scene.figures.disc;
    const known = this.scene.figures[name];
    return known[Math.max(0, Math.min(count ?? 0, known.length - 1))];
  }

  shapes(shapes, paint) {
    return shapes.map(([tag, attributes]) => {
      const own = Object.entries(attributes).map(([name, value]) => [name, paint[value] ?? value]);
      return svg(tag, Object.fromEntries(own));
    });
  }

  *written(written, [x, y], radius, figure, paint) {
    if (!["seeds", "levels", ...this.scene.silhouettes].includes(figure)) {
      const narrow = figure === "ring" ? IN_RING : 1;
      const size = radius * Math.min(1.1, 2 / [...written].length) * narrow;
      const isBare = ["ring", "cross", "number"].includes(figure);
      const ink = isBare ? this.theme.label : paint.ink;
      yield this.text(written, [x, y], size, ink, "letters", "bold");
      return;
    }
    const [cx, cy] = [x + 0.66 * radius, y + 0.68 * radius];
    yield svg("circle", { class: "number", cx, cy, r: 0.36 * radius, fill: this.theme.frame });
    const small = 0.5 * radius * Math.min(1, 2.4 / (1 + written.length));
    yield this.text(written, [cx, cy], small, this.theme.label, "number", "bold");
  }

  *bar(index, mark) {
    const [start, end] = this.outline(index);
    const [[x1, y1], [x2, y2]] = [between(start, end, 0.12), between(start, end, 0.88)];
    const paint = this.paint(mark);
    for (const [stroke, width] of [[paint.ink, 0.4], [paint.fill, 0.3]]) {
      yield svg("line", {
        class: "piece", x1, y1, x2, y2, stroke, "stroke-width": (width * this.radius).toFixed(1),
        "stroke-linecap": "round",
      });
    }
    const written = mark.label;
    if (!written) return;
    const [cx, cy] = this.at(index);
    yield svg("circle", { cx, cy, r: 0.4 * this.radius, fill: paint.fill });
    yield this.text(written, [cx, cy], 0.6 * this.radius, paint.ink);
  }

  *tile(index, corners) {
    const outline = this.outline(index);
    const known = corners.filter((side) => side !== null).sort((a, b) => a - b);
    const count = (side) => known.filter((other) => other === side).length;
    const larger = (best, side) => (count(side) > count(best) ? side : best);
    const ground = known.reduce(larger, known[0]);
    const reach = distance(outline[0], outline[1]) / 2;
    const shade = (side) => this.theme.sides[side]?.soft ?? this.theme.board;
    yield svg("polygon", { points: pointsText(outline), fill: shade(ground) });
    for (const [place, side] of corners.entries()) {
      if (side === null || side === ground) continue;
      const corner = outline[place];
      const after = outline[(place + 1) % outline.length];
      const before = outline[(place + outline.length - 1) % outline.length];
      const towards = (end) => between(corner, end, reach / distance(corner, end));
      const ends = [towards(after), towards(before)];
      const turn = (ends[0][0] - corner[0]) * (ends[1][1] - corner[1])
        - (ends[0][1] - corner[1]) * (ends[1][0] - corner[0]);
      const arc = `A${reach.toFixed(1)},${reach.toFixed(1)} 0 0 ${turn > 0 ? 1 : 0}`;
      const [at, first, second] = [corner, ...ends].map((point) => pointsText([point]));
      yield svg("path", { d: `M${at} L${first} ${arc} ${second} Z`, fill: shade(side) });
    }
    yield svg("polygon", {
      points: pointsText(outline), fill: "none", stroke: this.theme.line, "stroke-width": 1.2,
      "stroke-linejoin": "round",
    });
  }

  *under(mark, [x, y]) {
    const shownParts = (mark.under ?? []).slice(-MOST_BARS);
    const number = Math.max(FEW_BARS, shownParts.length);
    const [wide, high] = [0.72 * this.radius, (1.9 * this.radius) / number];
    const [left, bottom] = [x + 0.42 * this.radius, y + 0.95 * this.radius];
    for (const [place, part] of shownParts.entries()) {
      const paint = part ? this.paint(part) : { fill: this.theme.board, rim: this.theme.line };
      yield svg("rect", {
        class: "under", x: left.toFixed(1), y: (bottom - (place + 1) * high).toFixed(1),
        width: wide.toFixed(1), height: high.toFixed(1), rx: (high / 3).toFixed(1),
        fill: paint.fill, stroke: paint.rim, "stroke-width": 1,
      });
    }
  }

  paint(mark) {
    const { sides, nobody } = this.theme;
    return (mark.side === null ? nobody[mark.kind] : sides[mark.side]) ?? nobody[""];
  }

  /** Return the sites that are seen, in the order in which they are drawn. */
  inOrder() {
    const order = (index) => KIND_ORDER.indexOf(this.sites[index].kind);
    return [...this.visible].sort((a, b) => order(a) - order(b) || a - b);
  }

  /** Yield the ring around a site of the last move; broken where it only changed something. */
  *ring(index, seen) {
    const isLast = seen.last?.includes(index);
    if (!isLast && !seen.changed?.includes(index)) return;
    const [cx, cy] = this.at(index);
    const r = (this.sites[index].kind === "edge" ? 0.5 : 1.04) * this.radius;
    const dash = ((2 * Math.PI * r) / 16).toFixed(1);
    yield svg("circle", {
      class: isLast ? "last" : "changed", cx, cy, r: r.toFixed(1), fill: "none",
      stroke: this.theme.last, "stroke-width": Math.max(1.6, 0.14 * this.radius).toFixed(1),
      "stroke-dasharray": isLast ? null : `${dash} ${dash}`,
    });
  }

  /** Return an arrow from one site to another, that ends where a piece on it would begin. */
  arrowBetween(first, second, paint, name) {
    const [start, end] = [this.at(first), this.at(second)];
    const gap = Math.min(0.4, (0.8 * this.radius) / (distance(start, end) || 1));
    return arrow(start, between(start, end, 1 - gap), 0.2 * this.radius, paint, name);
  }

  /**
   * Return a small picture of one piece, as it lies beside the board.
   * @param {Object} mark the piece
   */
  single(mark) {
    const reach = 1.05 * this.radius;
    const box = [-reach, -reach, 2 * reach, 2 * reach].map((number) => number.toFixed(1));
    return svg("svg", { viewBox: box.join(" "), class: "single", "aria-hidden": "true" }, [
      ...this.piece(mark, [0, 0], 0.94, true),
    ]);
  }
}

function isSame(one, other) {
  return one.kind === other.kind && one.side === other.side && one.symbol === other.symbol;
}
