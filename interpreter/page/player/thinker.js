// The engine in a worker, so that the page stays alive while it thinks.
//
// In: positions, and how long to search them. Out: promises of what is found, and news meanwhile.
// What then holds: what is asked stops what was asked before, and a search that hears nothing is
// ended with its worker.

import { Engine } from "./engine.js";
import { Position } from "./basics.js";
import { Game } from "./game.js";
import { threatsOf } from "./review.js";
import { now } from "./search_memory.js";

const NEWS_EVERY = 150; // milliseconds between two messages about one search
const LINES_OF_NEWS = 3;

/**
 * Answer messages in a worker. They are {open: data, module}, {analyse: {id, position, …options}},
 * {threats: {id, position, seconds}}, {forget: true} and {stop: true}; answers {id, found, done},
 * {ready: true, lacks} and {id, error}.
 */
export function startWorker(scope = globalThis) {
  let [game, engine, isStopped] = [null, null, false];
  const asked = [];
  let isBusy = false;
  const positionOf = ({ bytes, pasts, ply }) => new Position(bytes, pasts, ply);
  const open = async ({ open: data, module }) => {
    game = await Game.open(data, module);
    const lacks = Engine.lacks(game);
    engine = lacks ? null : new Engine(game);
    scope.postMessage({ ready: true, lacks });
  };
  const analyse = async ({ id, position, ...options }) => {
    isStopped = false;
    let last = now();
    for (const _ of engine.analyse(positionOf(position), options)) {
      if (isStopped) break;
      if (now() - last > NEWS_EVERY) {
        scope.postMessage({ id, found: engine.told(LINES_OF_NEWS), done: false });
        last = now();
      }
      await pause();
    }
    scope.postMessage({ id, found: engine.told(options.lines), done: true });
  };
  const answer = async (message) => {
    if (message.open) return open(message);
    if (message.forget) return engine?.forget();
    if (message.analyse) return analyse(message.analyse);
    const { id, position, seconds } = message.threats;
    const found = threatsOf(game, positionOf(position), seconds);
    return scope.postMessage({ id, found, done: true });
  };
  const work = async () => {
    if (isBusy) return;
    isBusy = true;
    while (asked.length) {
      const message = asked.shift();
      try {
        await answer(message);
      } catch (problem) {
        const { id } = message.analyse ?? message.threats ?? {};
        scope.postMessage({ id, error: problem.message });
      }
    }
    isBusy = false;
  };
  scope.onmessage = ({ data: message }) => {
    if (message.stop) isStopped = true;
    else asked.push(message);
    work();
  };
}

/** Let messages come in. */
function pause() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

const PATIENCE = 400; // milliseconds that a worker has to stop, before another takes its place

/** Asks an engine in a worker; the page stays alive meanwhile. */
export class Thinker {
  /**
   * @param {Game} game whose positions are searched
   * @param {() => Worker} makeWorker gives a worker that runs `startWorker`; the usual one runs the
   *   script of the page
   */
  constructor(game, makeWorker = newWorker) {
    this.game = game;
    this.makeWorker = makeWorker;
    this.worker = null;
    this.number = 0;
    this.current = null;
  }

  /**
   * Search a position; what was asked before is stopped. `onNews(found)` is called while it goes
   * on. Returns a promise of what `Engine.told` gives. Options are those of `Engine.analyse`.
   */
  analyse(position, options = {}, onNews = () => {}) {
    return this.ask("analyse", position, options, onNews);
  }

  /** Return a promise of what can be done at once: see `threatsOf`. */
  threats(position, seconds = 3) {
    return this.ask("threats", position, { seconds }, () => {});
  }

  ask(what, { bytes, pasts, ply }, options, onNews) {
    this.stop();
    this.begin();
    this.number += 1;
    const id = this.number;
    return new Promise((resolve, reject) => {
      this.current = { id, resolve, reject, onNews, last: null };
      this.worker.postMessage({ [what]: { id, position: { bytes, pasts, ply }, ...options } });
    });
  }

  /** Stop what is searched: what it has found by then is its answer. */
  stop() {
    const { current, worker } = this;
    if (current === null || worker === null) return;
    worker.postMessage({ stop: true });
    setTimeout(() => {
      if (this.current !== current || this.worker !== worker) return;
      // It is within one long call, and hears nothing.
      this.close();
      current.resolve(current.last);
    }, PATIENCE);
  }

  /** Forget what was found out so far. */
  forget() {
    this.worker?.postMessage({ forget: true });
  }

  /** End the worker; the next question begins another. */
  close() {
    this.worker?.terminate();
    this.worker = null;
    this.current = null;
  }

  begin() {
    if (this.worker !== null) return;
    this.worker = this.makeWorker();
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.postMessage({ open: this.game.data, module: this.game.module });
  }

  hear({ id, found, done, error }) {
    const { current } = this;
    if (current === null || id !== current.id) return;
    if (error !== undefined) {
      this.current = null;
      current.reject(new Error(error));
    } else if (done) {
      this.current = null;
      current.resolve(found);
    } else {
      current.last = found;
      current.onNews(found);
    }
  }
}

/** Return a worker that runs the script of this page, or null where there can be none. */
export function newWorker() {
  try {
    const script = document.getElementById("player").textContent;
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const worker = new Worker(address);
    URL.revokeObjectURL(address);
    return worker;
  } catch {
    return null;
  }
}
