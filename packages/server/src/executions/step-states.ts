// The state of an execution at one of its steps.
import { setImmediate as turn } from 'node:timers/promises';
import { type ExecutionRecord, type HistoryRecord, type Json, type JsonObject, limits, setPath, type Write } from '@hilo/engine/contract';
import { type CompiledCanvas, listCanvasHashes, nodeTypes, type Replay, replayUntil } from '@hilo/engine/debug';
import { compileInTurns } from '@hilo/engine/runtime-kit';
import { formatInstant } from '../platform/http/admin.ts';
import type { Platform } from '../platform/platform.ts';
import { listSteps } from './history-view.ts';
import { describeWait } from './execution-pages.ts';

type Sources = Pick<Platform, 'store' | 'engine' | 'nodes' | 'clock'>;

/** After this many events of a replay, other requests get their turn (P20). */
const eventsPerTurn = 100;

/**
 * An execution as it was after a step of its history: 0 is before the first. The history is replayed (P19) on the canvases of its
 * run, and no effect is performed.
 *
 * @returns `undefined` when the history has no such step
 */
export async function readStateAt(service: Sources, record: ExecutionRecord, step: number) {
  const { companyId, executionId } = record;
  const records = await service.engine.history(companyId, executionId);
  const steps = listSteps(records);
  if (step > steps.length) return undefined;
  const at = steps[step - 1];
  const last = at?.record ?? 0;
  const canvases = await compileCanvases(service, companyId, records.slice(0, last + 1));
  const isLastOfRecord = steps[step]?.record !== last;
  const replayed = await replay(records.slice(0, at === undefined || isLastOfRecord ? last + 1 : last), canvases);
  // Input of nodes with `mask` is not in the history: after such a node only the writes of the steps are known.
  const writes = steps.slice(0, step).flatMap(({ record: index, entry }) => (index >= replayed.events ? (entry.writes ?? []) : []));
  const { wait } = replayed.state ?? {};
  return {
    step,
    at: formatInstant(at?.entry.at ?? record.createdAtMs),
    nodeId: at?.entry.nodeId ?? null,
    variables: applyWrites(replayed.state?.variables ?? {}, writes),
    wait: wait === undefined || replayed.events <= last ? null : describeWait(wait),
  };
}

/** As many of the records as can be replayed, in turns. */
async function replay(records: readonly HistoryRecord[], canvases: ReadonlyMap<string, CompiledCanvas>): Promise<Replay> {
  let done: Replay = { state: undefined, events: 0 };
  for (;;) {
    const next = replayUntil(records, records.length, (hash) => canvases.get(hash), {
      from: done,
      most: eventsPerTurn,
      work: limits.turnWork,
    });
    if (next.underWay === undefined && next.events < done.events + eventsPerTurn) return next;
    done = next;
    await turn();
  }
}

/** The canvases that a history ran on, compiled, by their hashes. */
async function compileCanvases(
  { store, nodes, clock }: Sources,
  companyId: string,
  records: readonly HistoryRecord[],
): Promise<ReadonlyMap<string, CompiledCanvas>> {
  const types = nodeTypes(nodes);
  const found = new Map<string, CompiledCanvas>();
  for (const hash of listCanvasHashes(records)) {
    const canvas = await store.canvases.byHash(companyId, hash);
    if (canvas !== undefined) found.set(hash, (await compileInTurns(canvas, hash, { types, clock })).compiled);
  }
  return found;
}

function applyWrites(variables: JsonObject, writes: readonly Write[]): JsonObject {
  if (writes.length === 0) return variables;
  const values = structuredClone<{ [name: string]: Json }>(variables);
  for (const { path, value } of writes) setPath(values, path, value);
  return values;
}
