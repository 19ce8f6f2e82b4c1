// Asks the engine as a page does, of a worker that is played here: node thinking.mjs PLAYER DATA
import fs from "node:fs";

const [player, dataFile] = process.argv.slice(2);
const { Game } = await import(`${player}/game.js`);
const { Thinker, startWorker } = await import(`${player}/thinker.js`);
const game = await Game.open(JSON.parse(fs.readFileSync(dataFile)));
const workers = [];

/** A worker in the same thread: messages are copied, and come later. */
class Played {
  constructor({ isDeaf = false } = {}) {
    this.heard = [];
    this.isEnded = false;
    this.isDeaf = isDeaf;
    this.scope = {
      postMessage: (message) => {
        const data = structuredClone(message);
        setTimeout(() => this.isEnded || this.onmessage({ data }), 0);
      },
    };
    startWorker(this.scope);
    workers.push(this);
  }

  postMessage({ module, ...message }) {
    this.heard.push(Object.keys(message)[0]);
    const data = { ...structuredClone(message), module };
    if (this.isDeaf && !message.open) return;
    setTimeout(() => this.isEnded || this.scope.onmessage({ data }), 0);
  }

  terminate() {
    this.isEnded = true;
  }
}

const found = {};
const thinker = new Thinker(game, () => new Played());
const start = game.start();
const asked = { iterations: 200, seed: 3, lines: 1 };
found.plain = (await thinker.analyse(start, asked)).iterations;
let news = 0;
const endless = thinker.analyse(start, { seed: 3, lines: 0 }, (told) => {
  news += 1;
  if (told.iterations > 500) thinker.stop();
});
found.endless = (await endless).iterations;
found.news = news;
const [one, other] = [thinker.analyse(start, {}), thinker.analyse(start, asked)];
found.both = [await one, await other].map((told) => told.iterations > 0);
found.threats = (await thinker.threats(start)).isWhole;
found.workers = workers.length;
const failing = { bytes: new Uint8Array(0), pasts: [], ply: 0 };
found.failed = await thinker.analyse(failing, asked).catch((problem) => problem.message);
thinker.forget();
found.after = (await thinker.analyse(start, asked)).iterations;
thinker.close();
const deaf = [true, false];
const patient = new Thinker(game, () => new Played({ isDeaf: deaf.shift() }));
const [lost, kept] = [patient.analyse(start, {}), patient.analyse(start, asked)];
found.lost = await lost;
found.kept = (await kept).iterations;
patient.close();
fs.writeFileSync(1, JSON.stringify(found));
