// The program of the thread that plays scripts with canvases, one task after the other. It loads the nodes of the host by itself, as
// the thread of checks does.
import { parentPort, workerData } from 'node:worker_threads';
import { runSimulation, type SimulationTask } from '@hilo/mcp/simulation';
import { standardNodes } from '@hilo/nodes';
import type { FromThread, ThreadData } from '../platform/canvas-work/thread-messages.ts';

const { nodesFrom } = workerData as ThreadData;
const say = (message: FromThread): void => parentPort?.postMessage(message);
const explain = (error: unknown): string => (error instanceof Error ? error.message : String(error));

try {
  const nodes = nodesFrom === undefined ? standardNodes : (await (await import('./load-config.ts')).loadConfig(nodesFrom)).nodes;
  parentPort?.on('message', (task: SimulationTask) => {
    runSimulation(nodes, task).then(
      (result) => say({ kind: 'done', result }),
      (error: unknown) => say({ kind: 'threw', message: explain(error) }),
    );
  });
  say({ kind: 'ready', types: nodes.map(({ type }) => type) });
} catch (error) {
  say({ kind: 'refused', reason: explain(error) });
}
