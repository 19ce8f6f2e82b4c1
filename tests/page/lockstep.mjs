// Walks games that Python has walked, and writes what differs: node lockstep.mjs DATA WALKS
import fs from "node:fs";

const [player, dataFile, walksFile] = process.argv.slice(2);
const { Game } = await import(`${player}/game.js`);
const data = JSON.parse(fs.readFileSync(dataFile));
const walks = JSON.parse(fs.readFileSync(walksFile));
const game = await Game.open(data);
const differences = [];

function compare(what, wanted, found) {
  const [one, other] = [JSON.stringify(wanted), JSON.stringify(found)];
  if (one !== other) differences.push(`${what}: ${one.slice(0, 600)} != ${String(other).slice(0, 600)}`);
}

function bare(mark) {
  if (mark === null) return null;
  const { side, kind, symbol, count, under, figure, letters } = mark;
  return { side, kind, symbol, count, under: under.map(bare), figure, letters };
}

function bySite(found, shown) {
  const sites = Object.keys(found).map(Number).sort((a, b) => a - b);
  return Object.fromEntries(sites.map((site) => [site, shown(found[site])]));
}

function ordered(pairs) {
  return [...pairs].sort((one, other) => {
    for (let n = 0; n < 3; n++) {
      if (one[n] < other[n]) return -1;
      if (one[n] > other[n]) return 1;
    }
    return 0;
  });
}

function plainScene(scene, withTold) {
  const same = (one) => one;
  const found = {
    marks: bySite(scene.marks, bare),
    bases: bySite(scene.bases, bare),
    beside: scene.beside.map(({ text, marks, place }) => (
      { text, marks: marks.map(bare), place })),
    areas: bySite(scene.areas, same),
    signs: bySite(scene.signs, same),
    bonds: ordered(scene.bonds),
    tracks: ordered(scene.tracks),
    borders: ordered(scene.borders),
    bridges: ordered(scene.bridges),
    tiles: bySite(scene.tiles, same),
    last: scene.last,
    changed: scene.changed,
    way: scene.way,
  };
  const { told, notices, scores, unseen } = scene;
  if (!withTold) return found;
  return { ...found, told: told.map(({ text }) => text), notices, scores, unseen };
}

for (const { perft, playouts, plies } of [walks]) {
  perft.forEach((number, depth) => {
    compare(`perft ${depth + 1}`, number, String(game.perft(game.start(), depth + 1)));
  });
  if (playouts) {
    const found = game.playouts(game.start(), playouts.playouts, 1, { plies });
    const same = Object.fromEntries(Object.keys(playouts).map((key) => [key, found[key]]));
    compare("playouts", playouts, same);
  }
}
for (const walk of walks.games) {
  let position = game.start();
  for (const step of walk) {
    const where = `ply ${position.ply}`;
    const moves = game.moves(position);
    compare(`${where} number of moves`, step.number, moves.length);
    if (step.texts) compare(`${where} texts`, step.texts, moves.map((move) => move.text));
    if (step.also) compare(`${where} also`, step.also, moves.map((move) => move.otherTexts));
    compare(`${where} seat`, step.seat, game.seat(position));
    compare(`${where} mover`, step.mover, game.mover(position));
    compare(`${where} phase`, step.phase, game.phase(position).name);
    const ended = game.outcome(position);
    compare(`${where} outcome`, step.outcome, ended && ended.text);
    if (ended) {
      compare(`${where} seats`, step.seats, ended.seats);
      compare(`${where} clause`, step.clause, game.clauseOf(ended).text);
    }
    step.scenes.forEach((scene, side) => {
      const seat = side === 0 ? undefined : side - 2;
      const found = plainScene(game.scene(position, { seat }), side > 0);
      for (const key of Object.keys(scene)) {
        compare(`${where} scene ${side} ${key}`, scene[key], found[key]);
      }
    });
    if (step.pick === null) break;
    compare(`${where} spelled`, step.spelled, game.spelled(position, moves[step.pick]));
    const named = game.find(position, step.spelled.toUpperCase());
    compare(`${where} found`, step.spelled, named.length && game.spelled(position, named[0]));
    position = game.play(position, moves[step.pick]);
    if (differences.length > 20) break;
  }
}
console.log(JSON.stringify(differences.slice(0, 20)));
