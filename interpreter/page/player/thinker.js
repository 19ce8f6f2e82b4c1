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
 * Answer messages in a worker, one after another: {open: data, module}, {analyse: {id, position,
 * …options}}, {threats: {id, position, seconds}}, {forget: true}; {stop: id} ends what was asked
 * with this number, and before. Answers are {ready: true, lacks}, {id, found, done}, {id, error}.
 */
export function startWorker(scope = globalThis) {
  const desk = new Desk(scope);
  scope.onmessage = ({ data }) => desk.take(data);
}

/** Where questions wait in a worker. */
class Desk {
  constructor(scope) {
    this.scope = scope;
    this.waiting = [];
    this.isBusy = false;
    this.stopped = 0;
    this.game = null;
    this.engine = null;
  }

  take(message) {
    if (message.stop !== undefined) this.stopped = Math.max(this.stopped, message.stop);
    else this.waiting.push(message);
    if (!this.isBusy) this.work();
  }

  async work() {
    this.isBusy = true;
    while (this.waiting.length) {
      const message = this.waiting.shift();
      try {
        await this.answer(message);
      } catch (problem) {
        this.mend();
        const { id } = message.analyse ?? message.threats ?? {};
        this.scope.postMessage({ id, error: problem.message });
      }
    }
    this.isBusy = false;
  }

  /** Let the module be used again after a call that has ended within. */
  mend() {
    const stack = this.game?.machine.calls.__stack_pointer;
    if (stack) stack.value = this.game.data.module.heapBase;
    this.engine?.forget();
  }

  answer({ open, module, forget, analyse, threats }) {
    if (open) return this.open(open, module);
    if (forget) return this.engine?.forget();
    if (analyse) return this.analyse(analyse);
    const { id, position, seconds } = threats;
    const found = threatsOf(this.game, sentPosition(position), seconds);
    return this.scope.postMessage({ id, found, done: true });
  }

  async open(data, module) {
    this.game = await Game.open(data, module);
    const lacks = Engine.lacks(this.game);
    this.engine = lacks ? null : new Engine(this.game);
    this.scope.postMessage({ ready: true, lacks });
  }

  async analyse({ id, position, ...options }) {
    const { engine, scope } = this;
    let last = now();
    for (const _ of engine.analyse(sentPosition(position), options)) {
      await pause();
      if (id <= this.stopped) break;
      if (now() - last > NEWS_EVERY) {
        scope.postMessage({ id, found: engine.told(LINES_OF_NEWS), done: false });
        last = now();
      }
    }
    scope.postMessage({ id, found: engine.told(options.lines), done: true });
  }
}

function sentPosition({ bytes, pasts, ply }) {
  return new Position(bytes, pasts, ply);
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
    this.asked = new Map();
  }

  /**
   * Search a position; what was asked before is stopped. `onNews(found)` is called while it goes
   * on. Returns a promise of what `Engine.told` gives, null where it was stopped before anything
   * was known. Options are those of `Engine.analyse`.
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
    const message = { [what]: { ...options, id, position: { bytes, pasts, ply } } };
    return new Promise((resolve, reject) => {
      this.asked.set(id, { message, resolve, reject, onNews, last: null });
      this.worker.postMessage(message);
    });
  }

  /** Stop what is searched: what it has found by then is its answer. */
  stop() {
    const { worker, number } = this;
    if (!this.asked.size) return;
    worker.postMessage({ stop: number });
    setTimeout(() => this.giveUp(worker, number), PATIENCE);
  }

  /** End a worker that is within one long call, and hears nothing; ask another what came since. */
  giveUp(worker, number) {
    const late = [...this.asked].filter(([id]) => id <= number);
    if (worker !== this.worker || !late.length) return;
    const later = [...this.asked].filter(([id]) => id > number);
    this.close();
    if (later.length) this.begin();
    for (const [id, question] of later) {
      this.asked.set(id, question);
      this.worker.postMessage(question.message);
    }
    for (const [, { resolve, last }] of late) resolve(last);
  }

  /** Forget what was found out so far. */
  forget() {
    this.worker?.postMessage({ forget: true });
  }

  /** End the worker, and forget what was asked; the next question begins another. */
  close() {
    this.worker?.terminate();
    this.worker = null;
    this.asked.clear();
  }

  begin() {
    if (this.worker !== null) return;
    this.worker = this.makeWorker();
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.postMessage({ open: this.game.data, module: this.game.module });
  }

  hear({ id, found, done, error }) {
    const question = this.asked.get(id);
    if (question === undefined) return;
    if (!done && error === undefined) {
      question.last = found;
      question.onNews(found);
      return;
    }
    this.asked.delete(id);
    if (error === undefined) question.resolve(found);
    else question.reject(new Error(error));
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
