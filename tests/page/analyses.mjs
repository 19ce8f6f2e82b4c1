// Searches positions as a page does, and writes what is found: node analyses.mjs PLAYER DATA ASKED
import fs from "node:fs";

const [player, dataFile, askedFile] = process.argv.slice(2);
const { Game } = await import(`${player}/game.js`);
const { Engine, chosenMove, levelOptions } = await import(`${player}/engine.js`);
const { judgementsOf, momentsOf, threatsOf } = await import(`${player}/review.js`);
const game = await Game.open(JSON.parse(fs.readFileSync(dataFile)));
const { positions, iterations, lines, levels } = JSON.parse(fs.readFileSync(askedFile));

const MOST_KEPT = 5; // positions that are searched one after another

/** Return the position after moves by their numbers, and those on the way. */
function course(numbers) {
  const found = [game.start()];
  for (const number of numbers) {
    const position = found[found.length - 1];
    found.push(game.play(position, game.moves(position)[number]));
  }
  return found;
}

function plain({ iterations: made, value, sides, moves, payoffs, depth, verdict, isProven }) {
  return { made, value, sides, moves, payoffs, depth, verdict, isProven };
}

const why = Engine.lacks(game);
const found = { why, games: null, levels: [], analyses: [], watched: [], threats: [], review: [], kept: [], moments: [] };
for (const numbers of positions) {
  found.threats.push(threatsOf(game, course(numbers).at(-1), 60));
}
if (!why) {
  const engine = new Engine(game);
  found.levels = levels.map((level) => levelOptions(game, level));
  if (engine.search === "tree") {
    engine.searcher.playFromNodes(true);
    found.games = engine.searcher.inTime;
  }
  positions.forEach((numbers, seed) => {
    engine.forget();
    const position = course(numbers).at(-1);
    found.analyses.push(plain(engine.analysis(position, { iterations, lines, seed })));
    engine.forget();
    for (const _ of engine.analyse(position, { iterations, lines, seed })) engine.told(lines);
    found.watched.push(plain(engine.told(lines)));
    const number = chosenMove(engine.told(0), 0.1, () => 0.999);
    if (number !== null) game.play(position, game.moves(position).at(number));
  });
  const longest = positions.reduce((one, other) => (other.length > one.length ? other : one));
  const passed = course(longest);
  const texts = longest.map((number, n) => game.moves(passed[n])[number].text);
  const analyses = passed.map((position) => {
    engine.forget();
    return engine.analysis(position, { iterations, lines });
  });
  found.review = judgementsOf(game, passed, texts, analyses);
  engine.forget();
  found.kept = passed.slice(0, MOST_KEPT).map((position, number) => {
    return plain(engine.analysis(position, { iterations, lines, seed: 1, number }));
  });
  found.moments = momentsOf(found.review, 3).map(({ number }) => number);
}
fs.writeFileSync(1, JSON.stringify(found));
