// A new execution: its ids, its lane, its first state.
import type { CompiledCanvas } from '../canvas/compile.ts';
import type { Clock, Random } from '../contract/clock.ts';
import type { Origin } from '../contract/execution.ts';
import type { JsonObject } from '../contract/json.ts';
import type { ExecutionRecord, HistoryRecord } from '../contract/store.ts';
import { initialState } from './canvas-logic.ts';
import { readDefaults } from '../variables/declared.ts';
import { slotCount } from './deterministic-ids.ts';
import { bytesToHex } from '@noble/hashes/utils.js';
import { none } from './transition-context.ts';

/** The parts of a new execution. */
export interface NewExecution {
  readonly executionId: string;
  readonly rootId: string;
  /** Hex of 128 bits; everything random in the execution derives from it. */
  readonly seed: string;
  readonly origin: Origin;
  readonly depth: number;
  readonly lane: string;
  readonly version: number | 'draft';
  readonly canvas: CompiledCanvas;
  readonly variables: JsonObject;
  readonly atMs: number;
  readonly parent?: ExecutionRecord['parent'] & {};
}

/** An execution that has just been accepted. */
export interface NewExecutionRecord {
  readonly record: ExecutionRecord;
  readonly history: HistoryRecord;
}

/**
 * An execution that is accepted and has not begun, with the beginning of its history.
 *
 * @param revision - 0 where it is first kept by the commit that also begins it
 */
export function createExecution(
  { executionId, rootId, seed, origin, depth, lane, version, canvas, variables, atMs, parent }: NewExecution,
  revision: 0 | 1 = 1,
): NewExecutionRecord {
  const { companyId } = origin;
  const defaults = readDefaults(canvas.canvas.variables);
  const input = { executionId, rootId, origin, depth, seed, startedAtMs: atMs, canvasHash: canvas.hash, variables, defaults };
  const record: ExecutionRecord = {
    executionId,
    companyId,
    workflowId: canvas.canvas.id,
    version,
    revision,
    lane,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    state: initialState(input),
  };
  return {
    record: parent === undefined ? record : { ...record, parent },
    history: { companyId, executionId, revision: 1, event: { type: 'execution.accepted', atMs, input }, entries: none },
  };
}

/** The lane of a user with a bot, whose events keep their order (P9); none without either. */
export const userLaneOf = ({ companyId, botId, userId }: Origin): string | undefined =>
  botId === undefined || userId === undefined ? undefined : `${companyId}/user/${botId}/${userId}`;

/** The lane of an execution: that of its user, or its own. */
export const laneOf = (origin: Origin, executionId: string): string => userLaneOf(origin) ?? `${origin.companyId}/execution/${executionId}`;

/** The company that a lane is of. */
export const companyOfLane = (lane: string): string => lane.slice(0, Math.max(0, lane.indexOf('/')));

/**
 * A new execution's id: a UUIDv7 (RFC 9562) as 32 hex digits. It begins with the time, so that stores and their indexes grow at
 * their ends; 12 bits of those that are random there name the slot of its lane, and 62 are random.
 *
 * @param slotAt - the slot, for a number from 0 to 1; drawn from all, when left out
 */
export function createExecutionId(
  { clock, random }: { readonly clock: Pick<Clock, 'now'>; readonly random: Random },
  slotAt?: (draw: number) => number,
): string {
  const bytes = random.bytes(16);
  let time = clock.now();
  for (let index = 5; index >= 0; index -= 1, time = Math.floor(time / 256)) bytes[index] = time % 256;
  const drawn = (((bytes[6] ?? 0) & 0x0f) << 8) | (bytes[7] ?? 0);
  const slot = slotAt === undefined ? drawn : slotAt(drawn / slotCount);
  bytes[6] = 0x70 | (slot >> 8); // version 7
  bytes[7] = slot & 0xff;
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f); // the variant of RFC 9562
  return bytesToHex(bytes);
}

/** Whether a text is what {@link createExecutionId} gives, or the id of a child. */
export const isExecutionId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** Random bytes as hex. */
export const randomHex = (random: Random, bytes: number): string => bytesToHex(random.bytes(bytes));
