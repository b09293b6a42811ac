import type { CompiledNode } from '../canvas/compile.ts';
import type { ExecutionEvent } from '../contract/event.ts';
import type { Settled } from '../contract/execution.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import type { Write } from '../contract/variables.ts';
import { asDeclared, defaultsOf } from '../variables/declared.ts';
import { enter } from './step.ts';
import { directly, end, type Step, stand, weighed, type Work } from './work.ts';

/** Takes a legal event in; the visits it leads to follow. */
export function applyEvent(work: Work, event: ExecutionEvent): Step {
  const { state } = work;
  weighed(work, event);
  switch (event.type) {
    case 'execution.started':
      return start(work, event);
    case 'canvas.entered':
      return enterCanvas(work, event);
    case 'effect.settled':
      return answer(work, event, event.settled);
    case 'reply.received': {
      const { message, atMs } = event;
      const replied = state.wait?.kind === 'timer' ? { kind: 'interrupted', message } : { kind: 'message', message, atMs };
      return answer(work, event, result(replied), [{ path: ['$message'], value: message }]);
    }
    case 'webhook.received':
      if (event.once) state.resumedOnce = [...state.resumedOnce, event.via];
      return answer(work, event, result({ kind: 'request', writes: event.writes as unknown as Json }));
    case 'signal.received':
      return answer(work, event, result({ kind: 'received', payload: event.payload }));
    case 'child.ended':
      return answer(work, event, result(event.result));
    case 'timer.fired':
      if (state.wait?.onDue === 'expire') {
        const failure = { cause: 'SESSION_EXPIRED', message: 'The session expired while the execution waited' };
        return end(work, 'expired', failure, work.canvas.nodes.get(state.wait.nodeId));
      }
      if (state.wait?.kind === 'retry') return tryAgain(work, event.news ?? []);
      return answer(work, event, result({ kind: state.wait?.kind === 'timer' ? 'elapsed' : 'timeout', lateByMs: event.lateByMs }));
    case 'execution.cancelled':
      return end(work, 'cancelled', { cause: 'CANCELLED', message: event.reason });
    case 'execution.quarantined':
      state.status = 'quarantined';
      return stand;
    case 'execution.released':
      state.status = state.wait === undefined ? 'running' : 'waiting';
      return stand;
  }
}

/** Begins at the entry, with what the caller, the user or the request brought. */
function start(work: Work, { entry, trigger, news = [] }: Extract<ExecutionEvent, { readonly type: 'execution.started' }>): Step {
  const node = work.canvas.nodes.get(entry);
  if (node === undefined) return end(work, 'failed', { cause: 'NO_ENTRY', message: `There is no node "${entry}" to start at` });
  work.view.write(news);
  if (trigger.kind === 'message') work.view.write([{ path: ['$message'], value: trigger.message }]);
  const { inputs: declared } = work.canvas.canvas.settings;
  const inputs = trigger.kind === 'call' ? asDeclared(trigger.inputs, declared) : ({ kind: 'fits', values: defaultsOf(declared) } as const);
  if (inputs.kind === 'refused') return end(work, 'failed', { cause: 'INVALID_INPUT', message: `Input ${inputs.reason}` }, node);
  const refusal = work.view.write(isEmpty(inputs.values) ? [] : [{ path: ['$input'], value: inputs.values }]);
  if (refusal !== undefined) return end(work, 'failed', refusal, node);
  return enter(work, node, directly, trigger);
}

const isEmpty = (values: JsonObject): boolean => Object.keys(values).length === 0;

/** Goes on in another canvas after a jump, with the variables as they are and its defaults for those that are missing. What nodes had kept stays behind. */
function enterCanvas(work: Work, { canvasHash, entry, news = [] }: Extract<ExecutionEvent, { readonly type: 'canvas.entered' }>): Step {
  const { state, canvas, trail, view, atMs } = work;
  const { pending, visit } = state;
  if (pending !== undefined && visit !== undefined) {
    view.write([...visit.news, ...news]);
    trail.push(
      weighed(work, {
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
  if (node === undefined) return end(work, 'failed', { cause: 'NO_ENTRY', message: `There is no node "${entry}" to go on at` });
  const { variables, settings } = canvas.canvas;
  const refusal = view.write([...missingDefaults(work, '$context', variables), ...missingDefaults(work, '$input', settings.inputs)]);
  if (refusal !== undefined) return end(work, 'failed', refusal, node);
  return enter(work, node, directly);
}

const missingDefaults = ({ view }: Work, scope: string, declarations: Parameters<typeof defaultsOf>[0]): readonly Write[] =>
  Object.entries(defaultsOf(declarations))
    .map(([name, value]) => ({ path: [scope, name], value }))
    .filter(({ path }) => view.get(path) === undefined);

const result = (value: Json): Settled => ({ kind: 'result', value });

/** Records an answer and goes on with the visit. What came beside it is written when the visit is left. */
function answer(work: Work, { news = [] }: ExecutionEvent, settled: Settled, brought: readonly Write[] = []): Step {
  const { state } = work;
  const node = openNode(work);
  if (state.visit === undefined || node === undefined) {
    return end(work, 'failed', { cause: 'NODE_GONE', message: 'The node this execution stood at is no longer there' });
  }
  if (state.wait !== undefined) state.visitsSinceWait = 0;
  state.visit = { ...state.visit, results: [...state.visit.results, settled], news: [...state.visit.news, ...brought, ...news] };
  state.status = 'running';
  state.wait = undefined;
  state.pending = undefined;
  return { kind: 'visit', node, via: directly };
}

/** Begins the visit again after a retry's delay: a further attempt of the same visit, with the same keys. */
function tryAgain(work: Work, news: readonly Write[]): Step {
  const { state, atMs } = work;
  const node = openNode(work);
  if (state.visit === undefined || node === undefined) return stand;
  state.visit = { ...state.visit, attempt: state.visit.attempt + 1, atMs, results: [], news: [...state.visit.news, ...news] };
  state.visitsSinceWait = 0;
  state.status = 'running';
  state.wait = undefined;
  return { kind: 'visit', node, via: directly };
}

const openNode = ({ canvas, state }: Work): CompiledNode | undefined => canvas.nodes.get(state.visit?.nodeId ?? '');
