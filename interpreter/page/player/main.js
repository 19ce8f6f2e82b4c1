// Where a page begins, and the worker that it starts of the same script.
//
// In: the elements of the page that hold games. Out: the player, or the engine in a worker.

import { startPlayer } from "./app.js";
import { unpack, unpackBytes } from "./basics.js";
import { newWorker, startWorker } from "./thinker.js";

/** Open the page: its games are unpacked when they are chosen. */
async function startPage() {
  const held = (id) => document.getElementById(id)?.textContent;
  const games = (await unpack(held("held-games"))).map((told, number) => ({
    ...told,
    load: async () => {
      const data = await unpack(held(`held-${number}`));
      data.module.code = await unpackBytes(held(`code-${number}`));
      return data;
    },
  }));
  const packed = held("held-played");
  const played = packed ? await unpack(packed) : null;
  startPlayer({ games, root: document.body, startWorker: newWorker, played });
}

if (typeof document === "undefined") startWorker();
else startPage();
