import { waitingCanvas } from './canvases.ts';
import { callWebhook, engineFor } from './contestants/hilo.ts';
import { collectGarbage } from './garbage.ts';
import type { Progress } from './progress.ts';

/** Bytes of heap that each of `count` waiting executions keeps in the in-memory stores: its record, its wait, its history. */
export async function waitingHeap(count: number, progress: Progress): Promise<number> {
  progress.say(`memory of ${count} waiting executions`);
  const engine = await engineFor(waitingCanvas(), { count: 0, last: '' });
  await callWebhook(engine, 'waiting', 0);
  await engine.whenIdle();
  const before = heapUsed();
  for (let number = 1; number <= count; number += 1) await callWebhook(engine, 'waiting', number);
  await engine.whenIdle();
  const after = heapUsed();
  progress.clear();
  const last = await callWebhook(engine, 'waiting', count + 1);
  await engine.whenIdle();
  const status = (await engine.execution('1', last.executionId))?.state.status;
  if (status !== 'waiting') throw new Error(`An execution that was to wait is ${status}`);
  return (after - before) / count;
}

function heapUsed(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
