// The oracle of what a canvas means: an interpreter after the documents, which shares no function with the engine.
import type {
  ExecutionEvent,
  Failure,
  Json,
  JsonObject,
  Leave,
  NodeDefinition,
  Outcome,
  Settled,
  Trigger,
  Write,
} from '@hilo/engine/contract';

/**
 * An execution exactly after the documents, and slow: the oracle of what a canvas means. It shares no function with the engine: edges
 * are looked up in the JSON of the canvas, variables are one plain mutable object, and every state is computed afresh. A node's own
 * behaviour is not reimplemented: its definition is run.
 *
 * Left out, because the documents leave them to the engine: ids, keys, drawn numbers, holds, and limits of size.
 */
export interface NaiveExecution {
  /** @param isForThis - whether the event names the current visit, effect or wait */
  take(event: ExecutionEvent, isForThis: boolean): void;
  /** Its current state. */
  stands(): Standing;
}

/** Everything about an execution that an author, a user or an operator can see. */
export interface Standing {
  readonly status: string;
  readonly at: {
    readonly nodeId: string;
    readonly effect?: { type: string; request: Json };
    readonly wait?: { kind: string; dueAtMs: number | null };
  } | null;
  readonly path: readonly (readonly [nodeId: string, port: string])[];
  readonly variables: JsonObject;
  readonly ending: { readonly outputs: JsonObject; readonly cause?: string; readonly nodeId?: string } | null;
}

/** A canvas as in a file. */
export interface CanvasJson {
  readonly kind?: string;
  readonly settings?: { readonly sessionExpiry?: string; readonly inputs?: Declarations; readonly outputs?: Declarations };
  readonly variables?: Declarations;
  readonly nodes: readonly { readonly id: string; readonly type: string; readonly data?: JsonObject }[];
  readonly edges: readonly { readonly source: string; readonly sourceHandle?: string | null; readonly target: string }[];
}
type Declarations = { readonly [name: string]: { readonly type: string; readonly default?: Json } };

interface Visit {
  readonly nodeId: string;
  attempt: number;
  atMs: number;
  readonly trigger: Trigger | undefined;
  results: Settled[];
  /** Writes that results carry; applied when the visit ends. */
  brought: Write[];
}

interface Wait {
  readonly kind: string;
  readonly dueAtMs: number | null;
  readonly onDue: 'timeout' | 'expire';
  readonly takesReply: boolean;
}

/** The fields of `node.data` that are no config of the node's own. */
const commonFields = ['label', 'notes', 'retry', 'hold', 'mask', 'onError'];
const ended = ['completed', 'failed', 'cancelled', 'expired'];
const expiryMs: { readonly [text: string]: number } = { P2D: 172_800_000, PT12H: 43_200_000 };

/** What a canvas says of its nodes and edges. */
function readCanvas(canvas: CanvasJson, definitions: readonly NodeDefinition[]) {
  const nodeOf = (id: string) => canvas.nodes.find((node) => node.id === id);
  const definitionOf = (id: string) => definitions.find(({ type }) => type === nodeOf(id)?.type)!;
  const dataOf = (id: string) => nodeOf(id)?.data ?? {};
  const configOf = (id: string) =>
    definitionOf(id).config.parse(Object.fromEntries(Object.entries(dataOf(id)).filter(([name]) => !commonFields.includes(name))));
  const hasErrorPort = (id: string) => definitionOf(id).optionalPorts(configOf(id)).includes('error');
  const ends = (id: string) => dataOf(id)['onError'] === 'fail';
  /** An edge may leave its port out where the node has only one. */
  const targetOf = (id: string, port: string) =>
    canvas.edges.find((edge) => {
      const [config, definition] = [configOf(id), definitionOf(id)];
      const only = [...definition.ports(config), ...(definition.ports(config).length === 0 ? definition.optionalPorts(config) : [])][0];
      return edge.source === id && (edge.sourceHandle ?? only) === port;
    })?.target;
  return { nodeOf, definitionOf, dataOf, configOf, hasErrorPort, ends, targetOf };
}

/** The variables of an execution. */
function keepVariables(scopes: JsonObject) {
  const variables = structuredClone<{ [scope: string]: Json }>({ ...scopes });
  const get = (steps: Write['path']): Json | undefined => {
    let value: Json | undefined = variables;
    for (const step of steps) {
      const isThere: boolean = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
      const isPlace: boolean = !Array.isArray(value) || /^\d+$/.test(String(step));
      value = isThere && isPlace ? (value as { [name: string]: Json })[step] : undefined;
    }
    return value;
  };
  const write = ({ path: steps, value }: Write): void => {
    let target = variables;
    for (const step of steps.slice(0, -1)) {
      if (typeof target[step] !== 'object' || target[step] === null || (target === variables && Array.isArray(target[step])))
        target[step] = {};
      target = target[step] as { [name: string]: Json };
    }
    const last = steps.at(-1)!;
    if (value === undefined) delete target[last];
    else target[last] = structuredClone(value);
  };
  /** Whether a write names an invalid position of a list: then none of the visit's writes is applied. */
  const isNoPosition = ({ path: steps }: Write): boolean => {
    let target: Json | undefined = variables[String(steps[0])];
    return steps.slice(1).some((step, index) => {
      const isOutside = index > 0 && Array.isArray(target) && !(/^\d+$/.test(String(step)) && Number(step) <= target.length);
      target = typeof target === 'object' && target !== null ? (target as { readonly [name: string]: Json })[step] : undefined;
      return isOutside;
    });
  };
  return { variables, get, write, isNoPosition };
}

const defaultsOf = (declared: Declarations = {}): JsonObject =>
  Object.fromEntries(Object.entries(declared).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])));

export function naiveExecution(canvas: CanvasJson, definitions: readonly NodeDefinition[], scopes: JsonObject): NaiveExecution {
  const { nodeOf, definitionOf, dataOf, configOf, hasErrorPort, ends, targetOf } = readCanvas(canvas, definitions);
  const { variables, get, write, isNoPosition } = keepVariables(scopes);
  const visits: { [nodeId: string]: number } = {};
  const memos: { [nodeId: string]: Json } = {};
  const path: [string, string][] = [];
  let status = 'running';
  let [hasBegun, isCaught] = [false, false];
  let sinceWait = 0;
  let visit: Visit | undefined;
  let effect: { type: string; request: Json } | undefined;
  let wait: Wait | undefined;
  let ending: Standing['ending'] = null;

  const end = (how: string, failure?: Failure, nodeId?: string, outputs: JsonObject = {}): void => {
    [status, visit, effect, wait] = [how, undefined, undefined, undefined];
    ending = {
      outputs,
      ...(failure !== undefined && { cause: failure.cause }),
      ...(failure !== undefined && nodeId !== undefined && { nodeId }),
    };
  };

  const enter = (id: string, atMs: number, trigger?: Trigger): void => {
    if (sinceWait >= 1_000) return end('failed', { cause: 'STEP_LIMIT_EXCEEDED', message: '' }, id);
    sinceWait += 1;
    visits[id] = (visits[id] ?? 0) + 1;
    visit = { nodeId: id, attempt: 1, atMs, trigger, results: [], brought: [] };
    go(atMs);
  };

  /** The node's outcome, given the results so far. */
  const outcomeOf = ({ nodeId, atMs, trigger, results }: Visit): Outcome => {
    const failing = (failure: Failure): Leave => ({ kind: 'leave', port: 'error', writes: [], failure });
    try {
      let outcome = definitionOf(nodeId).run({
        config: configOf(nodeId),
        variables: { get: (steps) => structuredClone(get(steps)), nowMs: atMs },
        trigger,
        isConnected: (port) => targetOf(nodeId, port) !== undefined,
        random: () => {
          throw new Error('Numbers are drawn by the engine');
        },
        nowMs: atMs,
        memo: memos[nodeId] ?? null,
        channel: 'whatsapp',
        hold: undefined,
      });
      for (const settled of results) {
        if (outcome.kind !== 'perform') break;
        if (settled.kind === 'failure') return { ...failing(settled.failure), memo: null };
        outcome = outcome.next(settled.value as never);
      }
      return outcome;
    } catch (error) {
      const { code = 'NODE_FAILED', message } = error as Error & { readonly code?: string };
      return failing({ cause: code, message });
    }
  };

  const park = (opened: Wait): void => {
    [status, wait] = ['waiting', opened];
  };

  /** Runs the open visit until the execution waits or ends. */
  const go = (atMs: number): void => {
    const open = visit!;
    const outcome = outcomeOf(open);
    if (outcome.kind === 'leave') return leaveBy(open, outcome, atMs);
    if (outcome.kind === 'again') {
      for (const one of [...open.brought, ...outcome.writes]) write(one);
      memos[open.nodeId] = outcome.memo;
      path.push([open.nodeId, 'again']);
      return enter(open.nodeId, atMs);
    }
    if (outcome.kind === 'finish') {
      const failure = outcome.failure ?? (outcome.outcome === 'failed' ? { cause: 'ENDED_AS_FAILED', message: '' } : undefined);
      for (const one of [...open.brought, { path: ['$output'], value: outcome.outputs }]) write(one);
      return end(outcome.outcome === 'done' ? 'completed' : 'failed', failure, open.nodeId, outcome.outputs);
    }
    const { type, request } = outcome.effect;
    if (!type.startsWith('wait.')) {
      [status, effect] = ['running', { type, request }];
      return undefined;
    }
    const asked = request as { kind: string; dueAtMs?: number; dueInMs?: number; isInterruptible?: boolean };
    const ownMs = asked.kind === 'timer' ? asked.dueAtMs! : asked.dueInMs === undefined ? null : atMs + asked.dueInMs;
    // A session that expires before the wait ends the execution; a child has its own expiry.
    const session = asked.kind === 'child' ? undefined : expiryMs[canvas.settings?.sessionExpiry ?? ''];
    const expires = session !== undefined && (ownMs === null || ownMs > atMs + session);
    return park({
      kind: asked.kind,
      dueAtMs: expires ? atMs + session : ownMs,
      onDue: expires ? 'expire' : 'timeout',
      takesReply: asked.kind === 'reply' || asked.isInterruptible === true,
    });
  };

  const leaveBy = (open: Visit, asked: Leave, atMs: number): void => {
    const refused = [...open.brought, ...asked.writes].find(isNoPosition);
    if (refused !== undefined) {
      const message = `A write to ${refused.path.join('.')} was refused: it is no position of this list`;
      return leaveBy(
        { ...open, brought: [] },
        { kind: 'leave', port: 'error', writes: [], failure: { cause: 'INVALID_PATH', message } },
        atMs,
      );
    }
    const { nodeId, attempt, brought } = open;
    const { port, writes, failure, memo } = asked;
    const isFailure = port === 'error' && (failure !== undefined || hasErrorPort(nodeId));
    const retry = dataOf(nodeId)['retry'] as { attempts: number; on?: readonly number[] } | undefined;
    const status = failure?.details?.['status'];
    const isForGood =
      typeof status === 'number' && [400, 401, 403, 404, 409, 410, 422].includes(status) && retry?.on?.includes(status) !== true;
    if (isFailure && !isForGood && attempt < (retry?.attempts ?? 0)) {
      effect = undefined;
      return park({ kind: 'retry', dueAtMs: null, onDue: 'timeout', takesReply: false });
    }
    for (const one of [...brought, ...writes]) write(one);
    if (memo !== undefined) memos[nodeId] = memo;
    const mayLeave = !isFailure || (!ends(nodeId) && hasErrorPort(nodeId));
    const target = mayLeave ? targetOf(nodeId, port) : undefined;
    const trouble =
      failure ?? (target === undefined ? { cause: 'DEAD_END', message: `Port "${port}" of node "${nodeId}" leads nowhere` } : undefined);
    if (trouble !== undefined) {
      const { cause, message, details } = trouble;
      write({ path: ['$error'], value: { ...details, cause, message, nodeId, attempt } });
    }
    path.push([nodeId, port]);
    visit = undefined;
    if (target !== undefined) return enter(target, atMs);
    if (ends(nodeId)) return end('failed', trouble, nodeId);
    const error = hasErrorPort(nodeId) ? targetOf(nodeId, 'error') : undefined;
    if (error !== undefined) return enter(error, atMs);
    const catcher = canvas.nodes.find(({ type }) => type === 'catch');
    if (catcher === undefined || isCaught) return end('failed', trouble, nodeId);
    isCaught = true;
    return enter(catcher.id, atMs);
  };

  const answer = (settled: Settled, atMs: number, brought: readonly Write[] = []): void => {
    if (wait !== undefined) sinceWait = 0;
    visit!.results.push(settled);
    visit!.brought.push(...brought);
    [status, wait, effect] = ['running', undefined, undefined];
    go(atMs);
  };
  const result = (value: unknown): Settled => ({ kind: 'result', value: value as Json });

  const onTimer = (lateByMs: number, atMs: number): void => {
    if (wait!.onDue === 'expire') return end('expired', { cause: 'SESSION_EXPIRED', message: '' }, visit!.nodeId);
    if (wait!.kind !== 'retry') return answer(result({ kind: wait!.kind === 'timer' ? 'elapsed' : 'timeout', lateByMs }), atMs);
    Object.assign(visit!, { attempt: visit!.attempt + 1, results: [] });
    [status, wait, sinceWait] = ['running', undefined, 0];
    return go(atMs);
  };

  /** The same canvas, with values that were missing; or on at another node. */
  const migrate = ({ writes = [], enter: entered, atMs }: Extract<ExecutionEvent, { readonly type: 'execution.migrated' }>): void => {
    if (visit === undefined) return;
    if (entered !== undefined) for (const one of visit.brought) write(one);
    for (const one of writes) write(one);
    if (entered === undefined) return;
    [status, visit, wait, effect, sinceWait] = ['running', undefined, undefined, undefined, 0];
    enter(entered, atMs);
  };

  return {
    take(event, isForThis) {
      const { atMs } = event;
      if (ended.includes(status)) return;
      if (event.type === 'execution.cancelled') return end('cancelled', { cause: 'CANCELLED', message: event.reason });
      if (status === 'quarantined') {
        if (event.type === 'execution.released') status = wait === undefined ? 'running' : 'waiting';
        if (event.type === 'execution.migrated') migrate(event);
        return;
      }
      if (event.type === 'execution.quarantined') return void (status = 'quarantined');
      if (event.type === 'execution.started') {
        if (hasBegun) return;
        hasBegun = true;
        if (nodeOf(event.entry) === undefined) return end('failed', { cause: 'NO_ENTRY', message: '' });
        if (event.trigger.kind === 'message') write({ path: ['$message'], value: event.trigger.message });
        const inputs = defaultsOf(canvas.settings?.inputs);
        if (Object.keys(inputs).length > 0) write({ path: ['$input'], value: inputs });
        return enter(event.entry, atMs, event.trigger);
      }
      if (event.type === 'execution.migrated') return status === 'waiting' ? migrate(event) : undefined;
      if (!isForThis) return;
      switch (event.type) {
        case 'effect.settled':
          if (effect !== undefined) answer(event.settled, atMs);
          return;
        case 'canvas.entered':
          if (effect?.type !== 'flow.jump') return;
          [visit, effect] = [undefined, undefined];
          for (const id of Object.keys(memos)) delete memos[id];
          for (const [scope, declared] of [
            ['$context', canvas.variables],
            ['$input', canvas.settings?.inputs],
          ] as const)
            for (const [name, value] of Object.entries(defaultsOf(declared)))
              if (get([scope, name]) === undefined) write({ path: [scope, name], value });
          return enter(event.entry, atMs);
        case 'reply.received': {
          const { message } = event;
          const replied = wait?.kind === 'reply' ? { kind: 'message', message, atMs } : { kind: 'interrupted', message };
          if (wait?.takesReply === true) answer(result(replied), atMs, [{ path: ['$message'], value: message }]);
          return;
        }
        case 'webhook.received':
          if (wait?.kind === 'webhook' || wait?.kind === 'external') answer(result({ kind: 'request', writes: event.writes }), atMs);
          return;
        case 'signal.received':
          if (['event', 'handoff', 'payment'].includes(wait?.kind ?? ''))
            answer(result({ kind: 'received', payload: event.payload }), atMs);
          return;
        case 'child.ended':
          if (wait?.kind === 'child') answer(result(event.result), atMs);
          return;
        case 'timer.fired':
          if (wait?.kind === 'retry' || (wait !== undefined && wait.dueAtMs !== null && wait.dueAtMs <= atMs))
            onTimer(event.lateByMs, atMs);
          return;
        case 'execution.released':
      }
    },
    stands: () => ({
      status,
      at:
        visit === undefined
          ? null
          : {
              nodeId: visit.nodeId,
              ...(effect !== undefined && { effect }),
              ...(wait !== undefined && { wait: { kind: wait.kind, dueAtMs: wait.dueAtMs } }),
            },
      path: [...path],
      variables: structuredClone(variables),
      ending,
    }),
  };
}
