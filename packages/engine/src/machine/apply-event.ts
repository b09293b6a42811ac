// What an event does to the state of an execution, before any node is visited.
import type { CompiledNode } from '../canvas/compile.ts';
import type { ExecutionEvent } from '../contract/event.ts';
import type { Settled } from '../contract/execution.ts';
import type { Json } from '../contract/json.ts';
import type { Write } from '../contract/variables.ts';
import { checkDeclared, readDefaults, isEmpty } from '../variables/declared.ts';
import { rememberAnswer, rememberSent, renameVisit } from './questions.ts';
import { enter } from './run-node.ts';
import { noPort, end, type Step, halt, countEvent, countHistory, concat, type TransitionContext, none } from './transition-context.ts';

/** Applies a legal event to the state. @returns the node to visit next, or none when the execution halts */
export function applyEvent(context: TransitionContext, event: ExecutionEvent): Step {
  const { state } = context;
  countEvent(context, event);
  switch (event.type) {
    case 'execution.started':
      return start(context, event);
    case 'canvas.entered':
      return enterCanvas(context, event);
    case 'effect.settled':
      return answer(context, event, event.settled);
    case 'reply.received': {
      const { message, atMs, acceptedAtMs } = event;
      rememberAnswer(state, message['replyTo'], state.visit);
      const kept = acceptedAtMs === undefined ? {} : { acceptedAtMs };
      const replied = state.wait?.kind === 'reply' ? { kind: 'message', message, atMs, ...kept } : { kind: 'interrupted', message };
      return answer(context, event, result(replied), [{ path: ['$message'], value: message }]);
    }
    case 'webhook.received':
      if (event.isKept === true) {
        const { via, once, writes, visit } = event;
        const kept = visit === undefined ? { via, once, writes } : { via, once, writes, visit };
        state.keptRequests = [...(state.keptRequests ?? none), kept];
        return halt;
      }
      if (event.once) state.resumedOnce = [...state.resumedOnce, event.via];
      return answer(context, event, result({ kind: 'request', writes: event.writes as unknown as Json }));
    case 'signal.received':
      // A wait for a reply can be signalled only by a provider that refuses the question late (WIN-02).
      if (state.wait?.kind === 'reply') return answer(context, event, questionRefused);
      return answer(context, event, result({ kind: 'received', payload: event.payload }));
    case 'child.ended':
      return answer(context, event, result(event.result));
    case 'timer.fired':
      if (state.wait?.onDue === 'expire') {
        const failure = { cause: 'SESSION_EXPIRED', message: 'The session expired while the execution waited' };
        return end(context, 'expired', failure, context.canvas.nodes.get(state.wait.nodeId));
      }
      if (state.wait?.kind === 'retry') return tryAgain(context, event.contextUpdates ?? []);
      return answer(context, event, result({ kind: state.wait?.kind === 'timer' ? 'elapsed' : 'timeout', lateByMs: event.lateByMs }));
    case 'execution.cancelled':
      return end(context, 'cancelled', { cause: event.cause ?? 'CANCELLED', message: event.reason });
    case 'execution.quarantined':
      state.status = 'quarantined';
      return halt;
    case 'execution.released':
      if (event.asks === true) return askAgain(context, event.contextUpdates);
      state.status = state.wait === undefined ? 'running' : 'waiting';
      return halt;
    case 'execution.migrated':
      return migrate(context, event);
  }
}

/** Begins at the entry, with the input of the caller, the user or the request. */
function start(
  context: TransitionContext,
  { entry, trigger, contextUpdates = none }: Extract<ExecutionEvent, { readonly type: 'execution.started' }>,
): Step {
  const node = context.canvas.nodes.get(entry);
  if (node === undefined) return end(context, 'failed', { cause: 'NO_ENTRY', message: `There is no node "${entry}" to start at` });
  context.view.write(contextUpdates);
  if (trigger.kind === 'message') {
    const { message, campaign } = trigger;
    context.view.write([{ path: ['$message'], value: message }]);
    if (campaign !== undefined) context.view.write([{ path: ['$campaign'], value: campaign }]);
  }
  const { inputs: declared } = context.canvas.canvas.settings;
  const inputs =
    trigger.kind === 'call' ? checkDeclared(trigger.inputs, declared) : ({ kind: 'fits', values: readDefaults(declared) } as const);
  if (inputs.kind === 'refused') return end(context, 'failed', { cause: 'INVALID_INPUT', message: `Input ${inputs.reason}` }, node);
  const refusal = context.view.write(isEmpty(inputs.values) ? none : [{ path: ['$input'], value: inputs.values }]);
  if (refusal !== undefined) return end(context, 'failed', refusal, node);
  return enter(context, node, noPort, trigger);
}

/** Continues in another canvas after a jump, with the current variables and its defaults for missing ones. Memos of nodes are dropped. */
function enterCanvas(
  context: TransitionContext,
  { canvasHash, entry, contextUpdates = [] }: Extract<ExecutionEvent, { readonly type: 'canvas.entered' }>,
): Step {
  const { state, canvas, history, view, atMs } = context;
  const { pending, visit } = state;
  if (pending !== undefined && visit !== undefined) {
    view.write([...visit.contextUpdates, ...contextUpdates]);
    history.push(
      countHistory(context, {
        at: atMs,
        nodeId: pending.nodeId,
        visitNumber: visit.number,
        type: 'jump',
        effect: { type: pending.type, key: pending.key, result: canvasHash },
      }),
    );
  }
  state.pending = undefined;
  state.visit = undefined;
  state.canvasHash = canvasHash;
  state.memos = {};
  const node = canvas.nodes.get(entry);
  if (node === undefined) return end(context, 'failed', { cause: 'NO_ENTRY', message: `There is no node "${entry}" to continue at` });
  const { variables, settings } = canvas.canvas;
  const refusal = view.write([...pickDefaults(context, '$context', variables), ...pickDefaults(context, '$input', settings.inputs)]);
  if (refusal !== undefined) return end(context, 'failed', refusal, node);
  return enter(context, node, noPort);
}

/**
 * Stands at the same place of another version. The id of the wait stays: its timer, its child, and answers that are queued name it. Visits
 * are counted on, so that no key is made twice (P4).
 */
function migrate(
  context: TransitionContext,
  {
    canvasHash,
    nodes = {},
    writes = none,
    enter: entered,
    contextUpdates = none,
  }: Extract<ExecutionEvent, { readonly type: 'execution.migrated' }>,
): Step {
  const { state, visits, view } = context;
  const nameOf = (id: string): string => (Object.hasOwn(nodes, id) ? (nodes[id] ?? id) : id);
  const renamed = Object.keys(nodes).map((id) => ({ name: nameOf(id), count: visits[id] ?? 0 }));
  for (const { name, count } of renamed) if (count > 0) visits[name] = Math.max(visits[name] ?? 0, count);
  state.canvasHash = canvasHash;
  if (renamed.length > 0) rename(state, nameOf);
  if (entered !== undefined) view.write([...(state.visit?.contextUpdates ?? none), ...contextUpdates]);
  const refusal = view.write(writes);
  const node = entered === undefined ? undefined : context.canvas.nodes.get(entered);
  if (refusal !== undefined) return end(context, 'failed', refusal, node);
  for (const write of writes) if (write.path[0] === '$memory') context.persistentWrites.push(write);
  if (entered === undefined) return halt;
  if (node === undefined) return end(context, 'failed', { cause: 'NO_ENTRY', message: `There is no node "${entered}" to continue at` });
  state.visit = undefined;
  state.wait = undefined;
  state.pending = undefined;
  state.status = 'running';
  state.visitsSinceWait = 0;
  return enter(context, node, noPort);
}

/** Gives all that a state keeps by the id of a node its new name. */
function rename(state: TransitionContext['state'], nameOf: (id: string) => string): void {
  const { visit, wait, pending, memos, answered, keptRequests } = state;
  state.memos = Object.fromEntries(Object.entries(memos).map(([id, memo]) => [nameOf(id), memo]));
  state.resumedOnce = state.resumedOnce.map(nameOf);
  if (answered !== undefined) state.answered = answered.map((one) => ({ ...one, visit: renameVisit(one.visit, nameOf) }));
  if (keptRequests !== undefined) state.keptRequests = keptRequests.map((one) => ({ ...one, via: nameOf(one.via) }));
  if (visit !== undefined) state.visit = { ...visit, nodeId: nameOf(visit.nodeId) };
  if (wait !== undefined) state.wait = { ...wait, nodeId: nameOf(wait.nodeId) };
  if (pending !== undefined) state.pending = { ...pending, nodeId: nameOf(pending.nodeId) };
}

const pickDefaults = ({ view }: TransitionContext, scope: string, declarations: Parameters<typeof readDefaults>[0]): readonly Write[] =>
  Object.entries(readDefaults(declarations))
    .map(([name, value]) => ({ path: [scope, name], value }))
    .filter(({ path }) => view.get(path) === undefined);

const questionRefused: Settled = {
  kind: 'failure',
  outcome: 'failed',
  failure: {
    cause: 'WINDOW_CLOSED',
    message: 'The provider refused the message after it had taken it: the 24-hour window of the user is closed',
  },
  port: 'windowClosed',
};

const result = (value: Json): Settled => ({ kind: 'result', value });

/** Records a result and continues the visit. Writes that the result carries are applied when the visit ends. */
function answer(
  context: TransitionContext,
  { contextUpdates = none }: ExecutionEvent,
  settled: Settled,
  brought: readonly Write[] = none,
): Step {
  const { state } = context;
  const node = findOpenNode(context);
  if (state.visit === undefined || node === undefined) {
    return end(context, 'failed', { cause: 'NODE_GONE', message: 'The node this execution stood at is no longer there' });
  }
  if (state.wait !== undefined) state.visitsSinceWait = 0;
  if (state.pending !== undefined) rememberSent(state, settled);
  state.visit = {
    ...state.visit,
    results: concat(state.visit.results, [settled]),
    contextUpdates: concat(concat(state.visit.contextUpdates, brought), contextUpdates),
  };
  state.status = 'running';
  state.wait = undefined;
  state.pending = undefined;
  return node;
}

/**
 * Begins the visit again after the pause of a retry: a further attempt of the same visit, with the same keys. Its instant stays that of
 * the first attempt, so that requests under a key are the same each time (P4).
 */
function tryAgain(context: TransitionContext, contextUpdates: readonly Write[]): Step {
  const { state } = context;
  const node = findOpenNode(context);
  if (state.visit === undefined || node === undefined) return halt;
  state.visit = {
    ...state.visit,
    attempt: state.visit.attempt + 1,
    results: [],
    contextUpdates: concat(state.visit.contextUpdates, contextUpdates),
  };
  state.visitsSinceWait = 0;
  state.status = 'running';
  state.wait = undefined;
  return node;
}

/** The node of the open visit asks once more for what the visit is at: the results before it stay. */
function askAgain(context: TransitionContext, contextUpdates: readonly Write[] = none): Step {
  const { state } = context;
  const node = findOpenNode(context);
  if (state.visit === undefined || node === undefined)
    return end(context, 'failed', { cause: 'NODE_GONE', message: 'The node this execution stood at is no longer there' });
  state.visit = { ...state.visit, contextUpdates: concat(state.visit.contextUpdates, contextUpdates) };
  state.visitsSinceWait = 0;
  state.status = 'running';
  state.wait = undefined;
  state.pending = undefined;
  return node;
}

const findOpenNode = ({ canvas, state }: TransitionContext): CompiledNode | undefined => canvas.nodes.get(state.visit?.nodeId ?? '');
