// Visits nodes one after the other until the execution halts.
import type { CompiledNode } from '../canvas/compile.ts';
import { refusedForGood } from '../contract/common-data.ts';
import { describeThrown, HiloError } from '../contract/errors.ts';
import type { HistoryEntry, OpenVisit, Settled, Trigger } from '../contract/execution.ts';
import type { Failure } from '../contract/problem.ts';
import { limits } from '../contract/limits.ts';
import { type Again, type Finish, type Leave, type Outcome, againPort, fail, leave } from '../contract/node.ts';
import { scopeNames, type Write } from '../contract/variables.ts';
import { checkDeclared } from '../variables/declared.ts';
import { measure, notJson } from '../variables/measure.ts';
import { maskWrites } from './mask.ts';
import { suspendAtEffect, suspendForRetry, suspendAtWait } from './suspend.ts';
import {
  type Step,
  type TransitionContext,
  noPort,
  end,
  concat,
  describeCause,
  record,
  recordLeave,
  halt,
  none,
} from './transition-context.ts';

/** Opens a visit of a node, unless a limit ends the execution first (P16). `via` is the port that led here. */
export function enter(context: TransitionContext, node: CompiledNode, via: string, trigger?: Trigger): Step {
  const { state, visits } = context;
  if (state.visitsSinceWait >= limits.visitsWithoutWait) {
    const message = `More than ${limits.visitsWithoutWait} nodes were visited without a wait`;
    return end(context, 'failed', { cause: 'STEP_LIMIT_EXCEEDED', message }, node);
  }
  if (state.visitsInAll >= limits.visitsInAll) {
    const message = `More than ${limits.visitsInAll} nodes were visited in all`;
    return end(context, 'failed', { cause: 'HISTORY_LIMIT_EXCEEDED', message }, node);
  }
  if (state.historySize > limits.historySize) {
    const message = `The history has more than ${limits.historySize} characters`;
    return end(context, 'failed', { cause: 'HISTORY_LIMIT_EXCEEDED', message }, node);
  }
  const before: unknown = visits[node.id];
  const number = typeof before === 'number' ? before + 1 : 1; // the id of a node may be a name that objects inherit
  visits[node.id] = number;
  context.via = via;
  state.visit = openVisit(context, node.id, number, trigger);
  state.visitsInAll += 1;
  state.visitsSinceWait += 1;
  return node;
}

/** The newly opened visit; it replaces a visit that was opened earlier in this advance and is not yet visible. */
function openVisit(context: TransitionContext, nodeId: string, number: number, trigger: Trigger | undefined): OpenVisit {
  const { atMs, spareVisit: spare } = context;
  if (trigger !== undefined) return { nodeId, number, attempt: 1, atMs, results: none, contextUpdates: none, trigger };
  if (spare === undefined) return (context.spareVisit = { nodeId, number, attempt: 1, atMs, results: none, contextUpdates: none });
  spare.nodeId = nodeId;
  spare.number = number;
  return spare;
}

/** Runs the open visit as far as its results reach, and applies its outcome. */
export function visitNode(context: TransitionContext, node: CompiledNode): Step {
  const { visit } = context.state;
  if (visit === undefined) return halt;
  const outcome = runVisit(context, node, visit);
  switch (outcome.kind) {
    case 'perform':
      return outcome.effect.type.startsWith('wait.')
        ? suspendAtWait(context, node, visit, outcome)
        : suspendAtEffect(context, node, visit, outcome);
    case 'finish':
      return finishBy(context, node, visit, outcome);
    case 'leave':
      return leaveBy(context, node, visit, outcome);
    case 'again':
      return repeat(context, node, visit, outcome);
  }
}

/** Applies the writes of the visit, keeps its memo and enters the node once more. */
function repeat(context: TransitionContext, node: CompiledNode, visit: OpenVisit, { writes, memo }: Again): Step {
  const { state, view } = context;
  const measured = measure(memo);
  if (measured.kind === 'refused') {
    const cause = measured.reason === notJson ? 'VALUE_NOT_JSON' : 'VALUE_TOO_LARGE';
    return leaveBy(context, node, visit, failWith({ cause, message: `The memo of the node is refused: ${measured.reason}` }));
  }
  const refusal = view.write(concat(visit.contextUpdates, writes), visit.contextUpdates.length);
  if (refusal !== undefined) return leaveBy(context, node, visit, failWith(refusal));
  keepPersistent(context, writes);
  state.memos = { ...state.memos, [node.id]: memo };
  if (node.common.mask === true) record(context, node, visit, describeLeave(node, leave(againPort, writes), undefined));
  else recordLeave(context, node, visit, againPort, writes);
  state.visit = undefined;
  return enter(context, node, noPort);
}

/** Notes the writes that outlive the execution. */
function keepPersistent({ persistentWrites }: TransitionContext, writes: readonly Write[]): void {
  for (let index = 0; index < writes.length; index += 1) {
    const write = writes[index] as Write;
    if (write.path[0] === '$memory' || write.path[0] === '$user') persistentWrites.push(write);
  }
}

function finishBy(context: TransitionContext, node: CompiledNode, visit: OpenVisit, { outcome, outputs, failure }: Finish): Step {
  const declared =
    outcome === 'done' ? checkDeclared(outputs, context.canvas.canvas.settings.outputs) : ({ kind: 'fits', values: outputs } as const);
  if (declared.kind === 'refused')
    return leaveBy(context, node, visit, failWith({ cause: 'INVALID_OUTPUT', message: `Output ${declared.reason}` }));
  const { values } = declared;
  const refusal = context.view.write(concat(visit.contextUpdates, [{ path: outputPath, value: values }]));
  if (refusal !== undefined) return leaveBy(context, node, visit, failWith(refusal));
  const ownFailure = { cause: 'ENDED_AS_FAILED', message: `The execution ended at "${node.id}" with the outcome failed` };
  const because = failure ?? (outcome === 'failed' ? ownFailure : undefined);
  record(context, node, visit, because === undefined ? {} : { cause: because.cause, message: because.message });
  return end(context, outcome === 'done' ? 'completed' : 'failed', because, node, values);
}

const outputPath = ['$output'];

const failWith = (failure: Failure): Leave => ({ kind: 'leave', port: 'error', writes: [], failure });

/** Applies the writes of the visit and follows the edge; a failure without an edge goes to `error`, then `catch`. */
function leaveBy(context: TransitionContext, node: CompiledNode, visit: OpenVisit, asked: Leave): Step {
  const { state, view } = context;
  const retry = visit.attempt < (node.common.retry?.attempts ?? 0) && isWorthRetrying(node, asked.failure) ? node.common.retry : undefined;
  // Writes of a failed attempt are not applied before the last one: the next attempt must request the same under the same key (P4).
  if (retry !== undefined && isFailure(node, asked))
    return suspendForRetry(context, node, visit, asked.failure ?? describeDeadEnd(node, asked.port), retry);
  const brought = visit.contextUpdates;
  const refusal = view.write(concat(brought, asked.writes), brought.length);
  const left = refusal === undefined ? asked : failWith(refusal);
  const { port, memo } = left;
  keepPersistent(context, left.writes);
  if (retry !== undefined && isFailure(node, left))
    return suspendForRetry(context, node, visit, left.failure ?? describeDeadEnd(node, port), retry);
  if (memo !== undefined) {
    const { [node.id]: _before, ...others } = state.memos;
    state.memos = memo === null ? others : { ...others, [node.id]: memo };
  }
  const target = findTarget(node, left);
  const failure = left.failure ?? (target === undefined ? describeDeadEnd(node, port) : undefined);
  if (failure === undefined && refusal === undefined && node.common.mask !== true) recordLeave(context, node, visit, port, left.writes);
  else record(context, node, visit, describeLeave(node, left, failure));
  if (failure !== undefined)
    view.write([
      {
        path: ['$error'],
        value: { nodeId: node.id, attempt: visit.attempt, ...failure.details, cause: failure.cause, message: failure.message },
      },
    ]);
  state.visit = undefined;
  if (target !== undefined) return enter(context, target, port);
  const error = node.common.onError === 'fail' || !node.takesErrors ? undefined : node.targets.get('error');
  if (error !== undefined) return enter(context, error, 'error');
  const { catcher } = context.canvas;
  if (catcher === undefined || state.isCaught || node.common.onError === 'fail') return end(context, 'failed', failure, node);
  state.isCaught = true;
  return enter(context, catcher, noPort);
}

/** Whether a node fails, rather than leaves by a branch that happens to be called `error`. */
const isFailure = (node: CompiledNode, { port, failure }: Leave): boolean =>
  port === 'error' && (failure !== undefined || node.takesErrors);

function findTarget(node: CompiledNode, left: Leave): CompiledNode | undefined {
  if (isFailure(node, left) && (node.common.onError === 'fail' || !node.takesErrors)) return undefined;
  return node.targets.get(left.port);
}

/** Whether another attempt may succeed: not where the other side refused this very request, unless the author asks for it. */
function isWorthRetrying({ common: { retry } }: CompiledNode, failure: Failure | undefined): boolean {
  const status = failure?.details?.['status'];
  return !refusedForGood.some((final) => final === status) || retry?.on.some((asked) => asked === status) === true;
}

const describeDeadEnd = (node: CompiledNode, port: string): Failure => ({
  cause: 'DEAD_END',
  message: `Port "${port}" of node "${node.id}" leads nowhere`,
});

function describeLeave(node: CompiledNode, { port, writes }: Leave, failure: Failure | undefined): Partial<HistoryEntry> {
  const left = writes.length === 0 ? { port } : { port, writes: node.common.mask ? maskWrites(writes) : writes };
  return failure === undefined ? left : { ...left, ...describeCause(failure) };
}

/**
 * Runs one visit from its beginning, with the results recorded so far. Pure: the same visit with the same results has the same outcome
 * in any process.
 */
export function runVisit({ args }: TransitionContext, node: CompiledNode, visit: OpenVisit): Outcome {
  try {
    let outcome = node.visit.run(args.prepare(node, visit));
    for (let index = 0; index < visit.results.length && outcome.kind === 'perform'; index += 1) {
      const settled = visit.results[index] as Settled;
      if (settled.kind === 'failure') return leave(settled.port ?? 'error', [], { failure: settled.failure, memo: null });
      outcome = outcome.next(settled.value as never);
    }
    if (outcome?.kind === 'perform' && visit.results.length >= limits.effectsInVisit)
      return fail('STEP_LIMIT_EXCEEDED', `More than ${limits.effectsInVisit} effects and waits were requested in one visit`);
    if (!isOutcome(outcome)) return fail('NODE_FAILED', noOutcome);
    const wrong = outcome.kind === 'leave' || outcome.kind === 'again' ? outcome.writes.find(isElsewhere) : undefined;
    if (wrong !== undefined)
      return fail('INVALID_PATH', `A write to ${wrong.path.join('.')} was refused: a node writes in $context and $memory`);
    return outcome;
  } catch (error) {
    // A template that fails is the author's to handle; any other error is recorded as the node's failure, so that a faulty node never
    // stalls its execution.
    return fail(error instanceof HiloError ? String(error.code) : 'NODE_FAILED', describeThrown(error));
  }
}

/** Whether a write is to what nobody can write, and would be without effect: the user, the bot, the company, what is no variable. */
const isElsewhere = ({ path }: Write): boolean => Array.isArray(path) && !writable.has(path[0]) && !isKeptOfUser(path);
/** Two things of the user are kept where nodes write them: fields of the contact, and the window that a template opens. */
const isKeptOfUser = ([scope, name, field]: Write['path']): boolean =>
  scope === '$user' && (name === 'windowUntilMs' || (name === 'fields' && field !== undefined));
const filled: readonly string[] = ['$user', '$bot', '$company', '$campaign', '$now'];
const writable: ReadonlySet<unknown> = new Set(scopeNames.filter((name) => !filled.includes(name)));

/** Whether a run returned what it may: a node in JavaScript returns anything, a promise for example, and would stall its execution. */
const isOutcome = (given: { kind: unknown; writes?: unknown; effect?: { type: unknown } | null } | null | undefined): boolean =>
  given?.kind === 'leave' || given?.kind === 'again'
    ? Array.isArray(given.writes)
    : given?.kind === 'finish' || (given?.kind === 'perform' && typeof given.effect === 'object' && typeof given.effect?.type === 'string');
const noOutcome =
  'Its run() returned neither leave(), fail(), finish(), again() nor perform(); it returns one of them itself, and no promise';
