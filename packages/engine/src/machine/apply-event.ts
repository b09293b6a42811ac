import type { CompiledNode } from '../canvas/compile.ts';
import type { ExecutionEvent } from '../contract/event.ts';
import type { OpenVisit, Settled } from '../contract/execution.ts';
import type { Json } from '../contract/json.ts';
import type { Write } from '../contract/variables.ts';
import { asDeclared } from '../variables/declared.ts';
import { directly, end, enter, type Step, type Work } from './step.ts';

const stand: Step = { kind: 'stand' };

/** Takes a legal event in; the visits it leads to follow. */
export function applyEvent(work: Work, event: ExecutionEvent): Step {
  switch (event.type) {
    case 'execution.started': {
      const node = work.canvas.nodes.get(event.entry);
      if (node === undefined) return end(work, 'failed', { cause: 'NO_ENTRY', message: `There is no node "${event.entry}" to start at` });
      work.view.write(event.news ?? []);
      if (event.trigger.kind === 'message') work.view.write([{ path: ['$message'], value: event.trigger.message }]);
      if (event.trigger.kind === 'call') {
        const inputs = asDeclared(event.trigger.inputs, work.canvas.canvas.settings.inputs);
        if (inputs.kind === 'refused') return end(work, 'failed', { cause: 'INVALID_INPUT', message: `Input ${inputs.reason}` }, node);
        const refusal = work.view.write([{ path: ['$input'], value: inputs.values }]);
        if (refusal !== undefined) return end(work, 'failed', refusal, node);
      }
      return enter(work, node, directly, event.trigger);
    }
    case 'effect.settled':
      return answer(work, event, event.settled);
    case 'canvas.entered': {
      const node = work.canvas.nodes.get(event.entry);
      const { pending, visit, ...state } = work.state;
      if (pending !== undefined && visit !== undefined) {
        work.view.write([...visit.news, ...(event.news ?? [])]);
        work.trail.push({
          at: work.atMs,
          nodeId: pending.nodeId,
          visitNumber: visit.number,
          type: 'jump',
          effect: { type: pending.type, key: pending.key, result: event.canvasHash },
        });
      }
      work.state = { ...state, canvasHash: event.canvasHash, memos: {} };
      return node === undefined
        ? end(work, 'failed', { cause: 'NO_ENTRY', message: `There is no node "${event.entry}" to go on at` })
        : enter(work, node, directly);
    }
    case 'reply.received': {
      const kind = work.state.wait?.kind === 'timer' ? 'interrupted' : 'message';
      return answer(work, event, result({ kind, message: event.message }), [{ path: ['$message'], value: event.message }]);
    }
    case 'webhook.received':
      if (event.once) work.state = { ...work.state, resumedOnce: [...work.state.resumedOnce, event.via] };
      return answer(work, event, result({ kind: 'request', writes: event.writes as unknown as Json }));
    case 'signal.received':
      return answer(work, event, result({ kind: 'received', payload: event.payload }));
    case 'child.ended':
      return answer(work, event, result(event.result));
    case 'timer.fired': {
      const { wait } = work.state;
      if (wait?.onDue === 'expire')
        return end(
          work,
          'expired',
          { cause: 'SESSION_EXPIRED', message: 'The session expired while the execution waited' },
          work.canvas.nodes.get(wait.nodeId),
        );
      if (wait?.kind === 'retry') return tryAgain(work, event.news ?? []);
      return answer(work, event, result({ kind: wait?.kind === 'timer' ? 'elapsed' : 'timeout', lateByMs: event.lateByMs }));
    }
    case 'execution.cancelled':
      return end(work, 'cancelled', { cause: 'CANCELLED', message: event.reason });
    case 'execution.quarantined':
      work.state = { ...work.state, status: 'quarantined' };
      return stand;
    case 'execution.released':
      work.state = { ...work.state, status: work.state.wait === undefined ? 'running' : 'waiting' };
      return stand;
  }
}

const result = (value: Json): Settled => ({ kind: 'result', value });

/** Records an answer and goes on with the visit. What came beside it is written when the visit is left. */
function answer(work: Work, event: ExecutionEvent, settled: Settled, brought: readonly Write[] = []): Step {
  const { wait: _answered, pending: _settled, visit, ...state } = work.state;
  const node = visit === undefined ? undefined : work.canvas.nodes.get(visit.nodeId);
  if (visit === undefined || node === undefined)
    return end(work, 'failed', { cause: 'NODE_GONE', message: 'The node this execution stood at is no longer there' });
  const next: OpenVisit = {
    ...visit,
    atMs: visit.atMs,
    results: [...visit.results, settled],
    news: [...visit.news, ...brought, ...(event.news ?? [])],
  };
  work.state = { ...state, status: 'running', visit: next, ...(work.state.wait === undefined ? {} : { visitsSinceWait: 0 }) };
  return goOn(node);
}

/** Begins the visit again after a retry's delay: a further attempt of the same visit, with the same keys. */
function tryAgain(work: Work, news: readonly Write[]): Step {
  const { wait: _over, visit, ...state } = work.state;
  const node = visit === undefined ? undefined : work.canvas.nodes.get(visit.nodeId);
  if (visit === undefined || node === undefined) return stand;
  work.view.write(news);
  work.state = {
    ...state,
    status: 'running',
    visitsSinceWait: 0,
    visit: { ...visit, attempt: visit.attempt + 1, atMs: work.atMs, results: [] },
  };
  return goOn(node);
}

const goOn = (node: CompiledNode): Step => ({ kind: 'visit', node, via: directly });
