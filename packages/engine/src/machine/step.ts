import type { CompiledCanvas, CompiledNode } from '../canvas/compile.ts';
import type { EffectRequest } from '../contract/effect.ts';
import type { Ending, ExecutionState, ExecutionStatus, HistoryEntry, OpenVisit, OpenWait, Trigger } from '../contract/execution.ts';
import type { Failure } from '../contract/failure.ts';
import { limits } from '../contract/limits.ts';
import type { Finish, Leave, Outcome, Perform } from '../contract/node.ts';
import type { Write } from '../contract/variables.ts';
import type { WaitRequest } from '../contract/wait.ts';
import { asDeclared } from '../variables/declared.ts';
import { openVariables, type VariableView } from '../variables/view.ts';
import { childId, effectKey } from './derive.ts';
import { runVisit } from './visit.ts';

/** An execution on its way through one event: the only thing here that changes, and nobody outside sees it. */
export interface Work {
  readonly canvas: CompiledCanvas;
  readonly atMs: number;
  readonly view: VariableView;
  readonly trail: HistoryEntry[];
  readonly visits: { [nodeId: string]: number };
  /** Writes that outlive the execution: `$memory`, and what is known of `$user`. */
  readonly outward: Write[];
  state: ExecutionState;
  asked: EffectRequest | undefined;
}

export const openWork = (canvas: CompiledCanvas, state: ExecutionState, atMs: number): Work => ({
  canvas,
  atMs,
  view: openVariables(state.variables, state.variablesBytes),
  trail: [],
  visits: { ...state.visits },
  outward: [],
  state,
  asked: undefined,
});

/** The state after the work, its writes applied. */
export const closeWork = ({ state, view, visits }: Work): ExecutionState => ({
  ...state,
  visits,
  variables: view.commit(),
  variablesBytes: view.bytes(),
});

/** What one step of an execution comes to: it stands, or it goes on to a node. */
export type Step = { readonly kind: 'stand' } | { readonly kind: 'visit'; readonly node: CompiledNode; readonly via: string };

const stand: Step = { kind: 'stand' };

/** The way into a node that no port leads through: the beginning, a jump, an answer, `catch`. */
export const directly = '';

/** Opens a visit of a node, unless a limit ends the execution first (P16). `via` is the port that led here. */
export function enter(work: Work, node: CompiledNode, via: string, trigger?: Trigger): Step {
  const { state } = work;
  if (state.visitsSinceWait >= limits.visitsWithoutWait) {
    return end(
      work,
      'failed',
      { cause: 'STEP_LIMIT_EXCEEDED', message: `More than ${limits.visitsWithoutWait} nodes were visited without a wait` },
      node,
    );
  }
  if (state.visitsInAll >= limits.visitsInAll) {
    return end(
      work,
      'failed',
      { cause: 'HISTORY_LIMIT_EXCEEDED', message: `More than ${limits.visitsInAll} nodes were visited in all` },
      node,
    );
  }
  const number = (work.visits[node.id] ?? 0) + 1;
  work.visits[node.id] = number;
  const visit: OpenVisit = {
    nodeId: node.id,
    number,
    attempt: 1,
    atMs: work.atMs,
    results: [],
    news: [],
    ...(trigger === undefined ? {} : { trigger }),
  };
  work.state = { ...state, visit, visitsInAll: state.visitsInAll + 1, visitsSinceWait: state.visitsSinceWait + 1 };
  return { kind: 'visit', node, via };
}

/** Runs the open visit as far as its answers reach, and does what it says. */
export function visitNode(work: Work, node: CompiledNode): Step {
  const visit = work.state.visit;
  if (visit === undefined) return stand;
  const outcome = runVisit(work.canvas, node, visit, work.state, work.view);
  return applyOutcome(work, node, visit, outcome);
}

function applyOutcome(work: Work, node: CompiledNode, visit: OpenVisit, outcome: Outcome): Step {
  switch (outcome.kind) {
    case 'perform':
      return outcome.effect.type.startsWith('wait.') ? openWait(work, node, visit, outcome) : ask(work, node, visit, outcome);
    case 'finish':
      return finishBy(work, node, visit, outcome);
    case 'leave':
      return leaveBy(work, node, visit, outcome);
  }
}

/** Records the intent of an effect (P3, P4): the execution stands until its answer is recorded. */
function ask(work: Work, node: CompiledNode, visit: OpenVisit, { effect, deadline, hold }: Perform): Step {
  const { origin, executionId } = work.state;
  const key = effectKey(origin.companyId, executionId, node.id, visit.number, visit.results.length);
  work.asked = effect;
  work.state = {
    ...work.state,
    status: 'running',
    pending: {
      key,
      nodeId: node.id,
      attempt: visit.attempt,
      type: effect.type,
      request: effect.request,
      limitMs: deadline?.appliedMs ?? limits.effectMs,
      limitCause: {
        cause: deadline?.cause ?? 'TIMEOUT',
        message: `No answer within ${deadline?.appliedMs ?? limits.effectMs} ms`,
        ...(deadline?.details === undefined ? {} : { details: deadline.details }),
      },
      ...(hold === undefined
        ? {}
        : {
            hold: {
              untilMs: work.atMs + hold.capMs,
              onMessage: hold.onMessage,
              ...(hold.reply === undefined ? {} : { reply: { type: hold.reply.type, request: hold.reply.request } }),
            },
          }),
    },
  };
  record(work, node, visit, { effect: { type: effect.type, key, ...(node.common.mask ? {} : { request: effect.request }) } });
  return stand;
}

/** Parks the execution. A session that ends before the wait's own time-out ends the execution instead. */
function openWait(work: Work, node: CompiledNode, visit: OpenVisit, { effect }: Perform): Step {
  const request = effect.request as unknown as WaitRequest;
  const id = `${node.id}#${visit.number}.${visit.attempt}.${visit.results.length}`;
  const ownDueMs = request.kind === 'timer' ? request.dueAtMs : request.dueInMs === undefined ? null : work.atMs + request.dueInMs;
  const wait: OpenWait = {
    id,
    kind: request.kind,
    nodeId: node.id,
    openedAtMs: work.atMs,
    ...due(work, ownDueMs),
    takesReply: request.kind === 'reply' || (request.kind === 'timer' && request.isInterruptible),
    ...(request.kind === 'event' ? { correlation: { name: request.name, value: request.correlation } } : {}),
    ...(request.kind === 'handoff' || request.kind === 'payment' ? { correlation: { name: request.kind, value: request.key } } : {}),
    ...(request.kind === 'child' ? { childId: childId(work.state.seed, id) } : {}),
  };
  work.asked = effect;
  work.state = { ...work.state, status: 'waiting', wait };
  record(work, node, visit, { wait: { kind: wait.kind, dueAtMs: wait.dueAtMs } });
  return stand;
}

function due({ canvas, atMs }: Work, ownDueMs: number | null): Pick<OpenWait, 'dueAtMs' | 'onDue'> {
  const session = canvas.canvas.settings.sessionExpiry;
  if (session === undefined || (ownDueMs !== null && ownDueMs <= atMs + session)) return { dueAtMs: ownDueMs, onDue: 'timeout' };
  return { dueAtMs: atMs + session, onDue: 'expire' };
}

function finishBy(work: Work, node: CompiledNode, visit: OpenVisit, { outcome, outputs: given, failure }: Finish): Step {
  const declared = outcome === 'done' ? asDeclared(given, work.canvas.canvas.settings.outputs) : ({ kind: 'fits', values: given } as const);
  if (declared.kind === 'refused') {
    return leaveBy(work, node, visit, {
      kind: 'leave',
      port: 'error',
      writes: [],
      failure: { cause: 'INVALID_OUTPUT', message: `Output ${declared.reason}` },
    });
  }
  const outputs = declared.values;
  const refusal = work.view.write([...visit.news, { path: ['$output'], value: outputs }]);
  if (refusal !== undefined) return leaveBy(work, node, visit, { kind: 'leave', port: 'error', writes: [], failure: refusal });
  record(work, node, visit, failure === undefined ? {} : { cause: failure.cause });
  const because =
    failure ??
    (outcome === 'failed'
      ? { cause: 'ENDED_AS_FAILED', message: `The execution ended at "${node.id}" with the outcome failed` }
      : undefined);
  return end(work, outcome === 'done' ? 'completed' : 'failed', because, node, outputs);
}

/** Writes what the visit brought and follows the edge; a failure without an edge looks for `error`, then `catch`. */
function leaveBy(work: Work, node: CompiledNode, visit: OpenVisit, left: Leave): Step {
  const refusal = work.view.write([...visit.news, ...left.writes]);
  const {
    port,
    failure: told,
    memo,
  }: Leave = refusal === undefined ? left : { kind: 'leave', port: 'error', writes: [], failure: refusal };
  if (refusal === undefined) work.outward.push(...left.writes.filter(({ path: [scope] }) => scope === '$memory' || scope === '$user'));
  const { retry, onError, mask } = node.common;
  if (port === 'error' && retry !== undefined && visit.attempt < retry.attempts) return openRetry(work, node, visit, retry, told);

  if (memo !== undefined) {
    const { [node.id]: _old, ...others } = work.state.memos;
    work.state = { ...work.state, memos: memo === null ? others : { ...others, [node.id]: memo } };
  }
  const target = onError === 'fail' && port === 'error' ? undefined : node.targets.get(port);
  const failure =
    told ?? (target === undefined ? { cause: 'DEAD_END', message: `Port "${port}" of node "${node.id}" leads nowhere` } : undefined);
  if (failure !== undefined) {
    const { cause, message, details } = failure;
    work.view.write([{ path: ['$error'], value: { ...details, cause, message, nodeId: node.id, attempt: visit.attempt } }]);
  }
  record(work, node, visit, {
    port,
    ...(left.writes.length === 0 || refusal !== undefined
      ? {}
      : { writes: mask ? left.writes.map((write) => ({ ...write, value: '[masked]' })) : left.writes }),
    ...(failure === undefined ? {} : { cause: failure.cause, message: failure.message, ...failure.details }),
  });
  if (target !== undefined) return close(work, target, port);
  const error = onError === 'fail' ? undefined : node.targets.get('error');
  if (error !== undefined) return close(work, error, 'error');
  const { catcher } = work.canvas;
  if (catcher === undefined || work.state.isCaught || onError === 'fail') return end(work, 'failed', failure, node);
  work.state = { ...work.state, isCaught: true };
  return close(work, catcher, directly);
}

/** Tries the node again later, with the same idempotency keys. */
function openRetry(
  work: Work,
  node: CompiledNode,
  visit: OpenVisit,
  retry: NonNullable<CompiledNode['common']['retry']>,
  failure: Failure | undefined,
): Step {
  const delayMs = Math.min(retry.delay * retry.factor ** (visit.attempt - 1), retry.maxDelay);
  const wait: OpenWait = {
    id: `${node.id}#${visit.number}.${visit.attempt}.retry`,
    kind: 'retry',
    nodeId: node.id,
    openedAtMs: work.atMs,
    dueAtMs: work.atMs + delayMs,
    onDue: 'timeout',
    takesReply: false,
  };
  const { pending: _answered, ...state } = work.state;
  work.state = { ...state, status: 'waiting', wait, visit: { ...visit, news: [] } };
  record(work, node, visit, {
    wait: { kind: 'retry', dueAtMs: wait.dueAtMs },
    ...(failure === undefined ? {} : { cause: failure.cause, message: failure.message, ...failure.details }),
  });
  return stand;
}

/** Closes the visit and goes to the next node. */
function close(work: Work, next: CompiledNode, via: string): Step {
  const { visit: _left, ...state } = work.state;
  work.state = state;
  return enter(work, next, via);
}

/** Ends the execution. */
export function end(
  work: Work,
  status: ExecutionStatus,
  failure: Failure | undefined,
  node?: CompiledNode,
  outputs: Ending['outputs'] = {},
): Step {
  const { visit: _visit, wait: _wait, pending: _pending, ...state } = work.state;
  const ending: Ending = {
    outputs,
    ...(failure === undefined ? {} : { failure: { ...failure, ...(node === undefined ? {} : { nodeId: node.id }) } }),
  };
  work.state = { ...state, status, ending };
  return stand;
}

function record(work: Work, node: CompiledNode, visit: OpenVisit, entry: Partial<HistoryEntry>): void {
  work.trail.push({ at: work.atMs, nodeId: node.id, visitNumber: visit.number, type: node.type, ...entry });
}
