import type { ExecutionRecord, UnfinishedLane } from '@hilo/engine/contract';
import type { RowDecoder } from './row-decoder.ts';
import type { Sharing } from './sharing.ts';
import { call, type Runner } from './statements/call.ts';
import { unsettledExecutions } from './statements/executions.ts';
import { queuedCounts } from './statements/queue.ts';
import { decodeText, encodeText } from './text-encoding.ts';

/** A page of the lanes in which something is unfinished: three questions, however much is in them or waits elsewhere. */
export async function unfinished(
  runner: Runner,
  decoder: RowDecoder,
  { me, questions }: Sharing,
  after: string,
  limit: number,
): Promise<readonly UnfinishedLane[]> {
  const lanes = (await runner.read(call(questions.unfinishedLanes, { after: encodeText(after), me: me(), limit }))).map(({ lane }) => lane);
  const { rows, counts } = await workBetween(runner, lanes[0] ?? '', lanes.at(-1) ?? '');
  const unsettled = Map.groupBy(await decoder.records(rows), ({ lane }) => lane);
  return lanes.map((column) => laneOf(decodeText(column), unsettled, counts.get(column)));
}

export async function unfinishedIn(runner: Runner, decoder: RowDecoder, lane: string): Promise<UnfinishedLane> {
  const column = encodeText(lane);
  const { rows, counts } = await workBetween(runner, column, column);
  return laneOf(lane, new Map([[lane, await decoder.records(rows)]]), counts.get(column));
}

async function workBetween(runner: Runner, first: string, last: string) {
  const rows = await runner.read(call(unsettledExecutions, { first, last }));
  const counts = await runner.read(call(queuedCounts, { first, last }));
  return { rows, counts: new Map(counts.map(({ lane, queued }) => [lane, queued])) };
}

const laneOf = (lane: string, unsettled: ReadonlyMap<string, readonly ExecutionRecord[]>, queued = 0): UnfinishedLane => ({
  lane,
  unsettled: unsettled.get(lane) ?? [],
  queued,
});
