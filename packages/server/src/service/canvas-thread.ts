// The thread that checks and compiles canvases.
import { parentPort, workerData } from 'node:worker_threads';
import { standardNodes } from '@hilo/nodes';
import {
  isSearch,
  runSearch,
  runTask,
  type FromThread,
  type Search,
  type Task,
  type ThreadData,
} from '../platform/canvas-work/thread-messages.ts';

/**
 * The program of the thread that works on canvases, one task after the other. It loads the nodes of the host by itself, from the file
 * that is named to it: a definition has functions, which no message can carry.
 */
const { nodesFrom } = workerData as ThreadData;

/** Bytes are handed over, not copied: those of a description are up to 12 MB, and the event loop would copy them. */
const say = (message: FromThread): void => {
  const buffer = message.kind === 'done' && message.result instanceof Uint8Array ? message.result.buffer : undefined;
  parentPort?.postMessage(message, buffer instanceof ArrayBuffer ? [buffer] : []);
};

try {
  const nodes = nodesFrom === undefined ? standardNodes : await loadNodes(nodesFrom);
  parentPort?.on('message', (work: Task | Search) => {
    if (isSearch(work)) void runSearch(nodes, work).then(say);
    else say(runTask(nodes, work));
  });
  say({ kind: 'ready', types: nodes.map(({ type }) => type) });
} catch (error) {
  say({ kind: 'refused', reason: error instanceof Error ? error.message : String(error) });
}

async function loadNodes(path: string) {
  const { loadConfig } = await import('./load-config.ts'); // with every driver: not loaded where no host has nodes
  return (await loadConfig(path)).nodes;
}
