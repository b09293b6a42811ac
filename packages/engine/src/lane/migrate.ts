// An execution that an operator takes to another version of its workflow, or back: judged and committed in its lane's turn.
import type { CompiledCanvas } from '../canvas/compile.ts';
import { HiloError } from '../contract/errors.ts';
import type { ExecutionEvent } from '../contract/event.ts';
import type { MigratingKind, Verdict } from '../contract/migration.ts';
import type { ExecutionRecord, HistoryRecord } from '../contract/store.ts';
import type { LaneEvent } from '../machine/decide.ts';
import { finalStatuses } from '../machine/lifecycle.ts';
import { nameOperator } from '../machine/name-operator.ts';
import { judgeMigration, type PreparedMigration, refuseJumped } from '../machine/migrate.ts';
import type { MigrateCall, Migrated, UndoMigrationCall } from './calls.ts';
import type { Lane } from './lane.ts';
import { type LaneReads, type LaneStep, read, readCanvas, readRecord, stepOn, unchanged } from './step.ts';

/**
 * Judges an execution as it is now, and migrates it where the verdict is one that the caller accepts. Its answer: the verdict, and the
 * revision where it changed. So the same call a second time changes nothing.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`, `INVALID_MIGRATION`; `INVALID_CANVAS` for a version that the nodes of this release cannot run
 */
export function migrateCalled(lane: Lane, call: MigrateCall, reads: LaneReads): LaneStep {
  const found = readRecord(lane, reads, call.executionId);
  if (found === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId: call.executionId });
  const { verdict, prepared } = judge(found, call, reads);
  if (prepared === undefined || !isAccepted(verdict, call.accept)) return unchanged(verdict);
  return answerWith(stepOn(found, createEvent(found, verdict, prepared, call), reads), verdict);
}

interface Judged {
  readonly verdict: Verdict;
  readonly prepared?: PreparedMigration;
}

function judge(found: ExecutionRecord, { migration, fromHash, canvasHash }: MigrateCall, reads: LaneReads): Judged {
  if (finalStatuses.has(found.state.status)) return { verdict: { kind: 'none' } };
  const before = readCanvas(reads, found.state.canvasHash, false);
  const away = judgeAway(found, before, migration, fromHash);
  if (away !== undefined) return { verdict: away };
  const prepared = reads.prepare(migration, before, readCanvas(reads, canvasHash, false));
  return { verdict: judgeMigration(found, prepared, reads.nowMs), prepared };
}

/** The verdict on an execution that stands in another workflow, or in another version than the one to leave. */
export function judgeAway(
  { workflowId, version }: Pick<ExecutionRecord, 'workflowId' | 'version'>,
  standsIn: CompiledCanvas,
  { workflowId: migrated, from }: MigrateCall['migration'],
  fromHash: string | null,
): Verdict | undefined {
  const isOwn = workflowId === migrated;
  if (standsIn.canvas.id !== migrated)
    return isOwn && (from === 'any' || version === from) ? refuseJumped(standsIn.canvas.id) : { kind: 'none' };
  return fromHash === null || standsIn.hash === fromHash || version === 'draft' ? undefined : { kind: 'none' };
}

const isAccepted = ({ kind }: Verdict, accept: readonly MigratingKind[]): boolean => accept.some((one) => one === kind);

/** The revision that an execution has after its migration. */
const answerWith = (step: LaneStep, verdict: Verdict): LaneStep => {
  const revision = step.moved[0]?.after.revision;
  const answer: Migrated = revision === undefined ? verdict : { ...verdict, revision };
  return { ...step, answer };
};

type MigratedEvent = Extract<ExecutionEvent, { readonly type: 'execution.migrated' }>;

function createEvent(
  found: ExecutionRecord,
  verdict: Verdict,
  { migration, before, after }: PreparedMigration,
  call: MigrateCall,
): LaneEvent {
  const because = nameOperator(call);
  if (verdict.kind === 'cancels') return { type: 'execution.cancelled', reason: verdict.reason, ...because };
  const nodes = Object.fromEntries(Object.entries(migration.nodes ?? {}).filter(([id, name]) => id !== name && before.nodes.has(id)));
  const fills = 'fills' in verdict ? verdict.fills : [];
  return {
    type: 'execution.migrated',
    canvasHash: after.hash,
    version: migration.to,
    from: { canvasHash: found.state.canvasHash, version: found.version },
    ...(Object.keys(nodes).length > 0 && { nodes }),
    ...(fills.length > 0 && { writes: fills }),
    ...(verdict.kind === 'enters' && { enter: verdict.nodeId }),
    ...(verdict.kind === 'same' && { isProved: true }),
    ...because,
  };
}

/**
 * Takes an execution back to where a job took it from, with the names that its nodes had and without what the migration wrote: only where
 * nothing has happened to it since. Refused for one that has gone on, as by entering a node, which cannot be undone, and for one that was
 * taken back before; `none` for one that the job did not migrate.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`
 */
export function undoMigrationCalled(lane: Lane, { executionId, undoes, by, job }: UndoMigrationCall, reads: LaneReads): LaneStep {
  const found = readRecord(lane, reads, executionId);
  if (found === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  const history = read(reads, { kind: 'history', executionId });
  const at = history.findLastIndex(({ event }) => event.type === 'execution.migrated' && event.job === undoes);
  const done = history[at]?.event;
  if (done?.type !== 'execution.migrated') return unchanged({ kind: 'none' });
  const since = history[at + 1]?.event;
  if (since !== undefined && isInverse(since, done)) return unchanged(takenBack);
  if (since !== undefined || done.enter !== undefined) return unchanged(goneOn);
  const event = invert(done, nameOperator({ by, job }));
  return answerWith(stepOn(found, event, reads), { kind: 'same' });
}

const goneOn: Verdict = {
  kind: 'refused',
  reason: 'GONE_ON',
  message: 'It has gone on since it was migrated, and stays where it is',
  way: [],
};

const takenBack: Verdict = {
  kind: 'refused',
  reason: 'TAKEN_BACK',
  message: 'It was taken back already, and stays where it is',
  way: [],
};

/** Whether an event led back to where a migration came from. */
const isInverse = (event: HistoryRecord['event'], { canvasHash, version, from }: MigratedEvent): boolean =>
  event.type === 'execution.migrated' &&
  event.canvasHash === from.canvasHash &&
  event.version === from.version &&
  event.from.canvasHash === canvasHash &&
  event.from.version === version;

/** What is kept in `$memory` stays: another execution of the user may have read it. */
function invert(
  { canvasHash, version, from, nodes = {}, writes = [] }: MigratedEvent,
  because: Pick<MigratedEvent, 'by' | 'job'>,
): LaneEvent {
  const inverse = Object.fromEntries(Object.entries(nodes).map(([id, name]) => [name, id]));
  const removals = writes.filter(({ path }) => path[0] !== '$memory').map(({ path }) => ({ path, value: undefined }));
  return {
    type: 'execution.migrated',
    canvasHash: from.canvasHash,
    version: from.version,
    from: { canvasHash, version },
    ...(Object.keys(inverse).length > 0 && { nodes: inverse }),
    ...(removals.length > 0 && { writes: removals.toReversed() }),
    ...because,
  };
}
