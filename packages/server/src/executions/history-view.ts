// The history of an execution as steps that people read.
import {
  formatPath,
  getPath,
  type HistoryEntry,
  type HistoryRecord,
  type JsonObject,
  type Settled,
  type Write,
} from '@hilo/engine/contract';
import { idempotencyKey } from '@hilo/engine/debug';
import { formatInstant } from '../platform/http/admin.ts';

/** One step of an execution, with the record of the history that it is of. */
export interface HistoryStep {
  readonly record: number;
  readonly entry: HistoryEntry;
  /** What the user wrote that led to it. */
  readonly heard?: JsonObject;
  /** The other execution that led to it. */
  readonly from?: string;
  /** The operator who did it. */
  readonly by?: string;
  /** Where it was taken to another version. */
  readonly migrated?: { readonly from: number | 'draft'; readonly to: number | 'draft'; readonly job?: string; readonly isProved: boolean };
  /** The execution that it is a copy of, up to before one of its events. */
  readonly forked?: { readonly from: string; readonly event: number };
  /** The execution that goes on for it. */
  readonly continued?: { readonly as: string };
}

/** What was done to an execution from outside. */
type Intervention = Pick<HistoryEntry, 'at' | 'type' | 'cause'> & Pick<HistoryStep, 'by' | 'migrated' | 'forked' | 'continued'>;

/** The steps of an execution in order; an operator's intervention is listed at the node where the execution was. */
export function listSteps(records: readonly HistoryRecord[]): readonly HistoryStep[] {
  const steps: HistoryStep[] = [];
  const requests = new Map<string, HistoryEntry>();
  for (const [index, record] of records.entries()) {
    const fromOutside = findIntervention(record);
    const { nodeId = '', visitNumber = 0 } = steps.at(-1)?.entry ?? {};
    if (fromOutside !== undefined) {
      const { at, type, cause, ...more } = fromOutside;
      steps.push({ record: index, entry: { nodeId, visitNumber, at, type, ...(cause !== undefined && { cause }) }, ...more });
    }
    const heard = findUserMessage(record);
    const from = findSource(record);
    const led = { ...(heard !== undefined && { heard }), ...(from !== undefined && { from }) };
    for (const [number, entry] of withResult(record, requests).entries())
      steps.push({ record: index, entry: withKey(record.companyId, entry), ...(number === 0 && led) });
    for (const entry of record.entries) if (entry.effect !== undefined) requests.set(entry.effect.key, entry);
  }
  return steps;
}

/** An entry with the key by which drivers and their destinations know its effect. */
const withKey = (companyId: string, entry: HistoryEntry): HistoryEntry =>
  entry.effect === undefined ? entry : { ...entry, effect: { ...entry.effect, key: idempotencyKey(companyId, entry.effect.key) } };

/** A history as management shows it. Its steps are numbered from 1. */
export const describeHistory = (executionId: string, records: readonly HistoryRecord[]) => ({
  executionId,
  entries: listSteps(records).map((step, index) => describeStep(step, index + 1)),
});

/** The message that started the execution or that its node waited for; masked when the node masks its input. */
function findUserMessage({ event }: HistoryRecord): JsonObject | undefined {
  if (event.type === 'reply.received') return event.message;
  return event.type === 'execution.started' && event.trigger.kind === 'message' ? event.trigger.message : undefined;
}

/** The child that ended, the sender of an event, or the one whose form asked. */
function findSource({ event }: HistoryRecord): string | undefined {
  if (event.type === 'child.ended' || event.type === 'signal.received') return event.from;
  return event.type === 'execution.started' && event.trigger.kind === 'call' ? event.trigger.from : undefined;
}

function findIntervention({ event }: HistoryRecord): Intervention | undefined {
  switch (event.type) {
    case 'execution.cancelled':
      return { at: event.atMs, type: event.type, cause: event.reason, ...(event.by !== undefined && { by: event.by }) };
    case 'execution.quarantined':
      return { at: event.atMs, type: event.type, cause: event.reason };
    case 'execution.released':
      return { at: event.atMs, type: event.type, ...(event.by !== undefined && { by: event.by }) };
    case 'execution.migrated':
      return {
        at: event.atMs,
        type: event.type,
        cause: `From version ${event.from.version} to version ${event.version}`,
        migrated: {
          from: event.from.version,
          to: event.version,
          ...(event.job !== undefined && { job: event.job }),
          isProved: event.isProved === true,
        },
        ...(event.by !== undefined && { by: event.by }),
      };
    case 'execution.forked':
      return {
        at: event.atMs,
        type: event.type,
        cause: `From execution ${event.from.executionId}, before event ${event.from.index}`,
        forked: { from: event.from.executionId, event: event.from.index },
        ...(event.by !== undefined && { by: event.by }),
      };
    case 'execution.continued':
      return {
        at: event.atMs,
        type: event.type,
        cause: `As execution ${event.as}`,
        continued: { as: event.as },
        ...(event.by !== undefined && { by: event.by }),
      };
    default:
      return undefined;
  }
}

/**
 * The entries of a record. When the record begins with the result of an effect, the first entry shows it: the node continues or
 * retries. When the node requested another effect at once, the result has an entry of its own.
 */
function withResult({ event, entries }: HistoryRecord, requests: ReadonlyMap<string, HistoryEntry>): readonly HistoryEntry[] {
  const request = event.type === 'effect.settled' ? requests.get(event.key) : undefined;
  if (event.type !== 'effect.settled' || request?.effect === undefined) return entries;
  const effect = { type: request.effect.type, key: event.key, ...describeResult(event.settled) };
  const { nodeId, visitNumber, type } = request;
  const [first, ...others] = entries;
  if (first?.nodeId === nodeId && first.visitNumber === visitNumber && first.effect === undefined) return [{ ...first, effect }, ...others];
  return [{ at: event.atMs, nodeId, visitNumber, type, effect }, ...entries];
}

/** A result, or how the effect failed: `unknown` when it may have happened (P5). Some results carry that themselves. */
function describeResult(settled: Settled): Pick<NonNullable<HistoryEntry['effect']>, 'result' | 'outcome'> {
  if (settled.kind === 'failure') return { outcome: settled.outcome };
  const outcome = getPath(settled.value, ['outcome']);
  return { result: settled.value, ...(typeof outcome === 'string' && { outcome }) };
}

/** @param step - its number */
export function describeStep({ record: event, entry, heard, from, by, migrated, forked, continued }: HistoryStep, step: number) {
  const { at, nodeId, visitNumber, type, port, effect, cause, limitMs, configuredMs, appliedMs, writes } = entry;
  return {
    step,
    event,
    at: formatInstant(at),
    nodeId,
    visitNumber,
    type,
    ...(port !== undefined && { port }),
    ...(heard !== undefined && { heard }),
    ...(from !== undefined && { from }),
    ...(by !== undefined && { by }),
    ...(migrated !== undefined && { migrated }),
    ...(forked !== undefined && { forked }),
    ...(continued !== undefined && { continued }),
    ...(effect !== undefined && { effect }),
    ...(cause !== undefined && { cause }),
    ...(limitMs !== undefined && { limitMs }),
    ...(configuredMs !== undefined && { configuredMs }),
    ...(appliedMs !== undefined && { appliedMs }),
    ...(writes !== undefined && { writes: writes.map(describeWrite) }),
  };
}

/** A value that is left out was removed. */
const describeWrite = ({ path, value, ttlMs }: Write) => ({
  path: formatPath(path),
  ...(value !== undefined && { value }),
  ...(ttlMs !== undefined && { ttlMs }),
});
