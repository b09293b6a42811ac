// Histories that a release has written, in a compressed file of lines: canvases by their hash, then executions with their histories.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createEngine, createMemoryCanvases, createMemoryStore, type StoreReplay } from '@hilo/engine';
import type { ExecutionRecord, HistoryRecord } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { readCanvas } from '../../packages/simulator/src/read-canvas.ts';

export interface RecordedExecution {
  readonly record: ExecutionRecord;
  readonly history: readonly HistoryRecord[];
}

export interface RecordedHistories {
  readonly canvases: { [hash: string]: object };
  readonly executions: RecordedExecution[];
}

/** Adds an execution under an id of its own: that of each conversation begins with the same. */
export function addHistories({ executions }: RecordedHistories, execution: RecordedExecution, from: string): void {
  const text = JSON.stringify(execution);
  const id = `${execution.record.executionId}-${from.replace(/\.txt$/, '')}`;
  // The state keeps its id: keys and draws derive from it.
  const { record, history } = JSON.parse(text) as RecordedExecution;
  executions.push({ record: { ...record, executionId: id }, history: history.map((one) => ({ ...one, executionId: id })) });
}

/** Reads a file of them. */
export function readRecorded(file: string): RecordedHistories {
  const recorded: RecordedHistories = { canvases: {}, executions: [] };
  for (const line of gunzipSync(readFileSync(file)).toString().trim().split('\n')) {
    const read = JSON.parse(line) as { readonly hash?: string; readonly canvas?: object; readonly execution?: RecordedExecution };
    if (read.hash !== undefined && read.canvas !== undefined) recorded.canvases[read.hash] = read.canvas;
    if (read.execution !== undefined) recorded.executions.push(read.execution);
  }
  return recorded;
}

/** Replays them as `hilo upgrade --check` does: each to the state that its execution has. */
export async function replayRecorded({ canvases, executions }: RecordedHistories): Promise<StoreReplay> {
  const [store, canvasStore] = [createMemoryStore(), createMemoryCanvases()];
  const companies = new Set(executions.map(({ record }) => record.companyId));
  for (const companyId of companies)
    for (const [hash, canvas] of Object.entries(canvases)) await canvasStore.publish(companyId, readCanvas(canvas), hash, 0);
  for (const { record, history } of executions)
    await store.commit({ saves: [{ ...record, revision: 1 }], history, contacts: [], enqueue: [], dequeue: [] });
  const engine = createEngine({ nodes: standardNodes, store: { executions: store, canvases: canvasStore } });
  return engine.replayStore();
}
