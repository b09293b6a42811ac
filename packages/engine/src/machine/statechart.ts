// A canvas as a statechart, for people and inspectors.
import type { CompiledCanvas, CompiledNode } from '../canvas/compile.ts';
import type { ExecutionEvent, ExecutionEventType } from '../contract/event.ts';
import type { ExecutionInput, ExecutionState, ExecutionStatus } from '../contract/execution.ts';
import { limits } from '../contract/limits.ts';
import { applyEvent } from './apply-event.ts';
import { initialState } from './canvas-logic.ts';
import { finalStatuses, isLegal, lifecycle } from './lifecycle.ts';
import { visitNode } from './run-node.ts';
import { type Step, closeTransition, halt, noPort, openTransition } from './transition-context.ts';
import { enqueueActions, setup } from 'xstate';

/** Internal events of the statechart: where a visit led. */
type Led = { readonly type: `port:${string}` } | { readonly type: `go:${string}` } | { readonly type: 'halted' };

/** Only its type is looked at, by XState's `setup`. */
const types: { context?: Context; events?: ExecutionEvent | Led; input?: ExecutionInput } = {};

interface Context {
  readonly state: ExecutionState;
  readonly atMs: number;
}

/**
 * The statechart of a canvas, for XState's own tools, for drawing, and for paths with `xstate/graph`. It takes the same steps as
 * `canvasLogic`, one at a time: each visit is a state of its own, committed by itself, and each edge a transition made from the canvas.
 * It is some thirty times slower.
 */
export function canvasMachine(canvas: CompiledCanvas) {
  const machine = setup({
    types,
    actions: {
      /** Applies an event, and raises where it leads. */
      take: enqueueActions(({ context, event, enqueue }) => {
        const transition = openTransition(canvas, context.state, readInstant(event, context.atMs));
        const step = isExternal(event) ? applyEvent(transition, event) : halt;
        enqueue.assign({ state: closeTransition(transition), atMs: transition.atMs });
        enqueue.raise(leadTo(step, transition.via));
      }),
      /** Visits the entered node, and raises where it leads. */
      visit: enqueueActions(({ context, enqueue }) => {
        const transition = openTransition(canvas, context.state, context.atMs);
        const node = canvas.nodes.get(context.state.visit?.nodeId ?? '');
        const step = node === undefined ? halt : visitNode(transition, node);
        enqueue.assign({ state: closeTransition(transition) });
        enqueue.raise(leadTo(step, transition.via));
      }),
    },
    guards: {
      isLegal: ({ context, event }) => isExternal(event) && isLegal(context.state, event),
      isIn: ({ context }, params: { readonly status: string }) => context.state.status === params.status,
    },
  });

  /** Any node may be entered without an edge: at the start, on a result, through `catch`. */
  const goes = Object.fromEntries([...canvas.nodes.values()].map((node) => [`go:${node.id}`, { target: `#${stateId(node.id)}` }]));

  return machine.createMachine({
    id: 'execution',
    context: ({ input }) => ({ state: initialState(input), atMs: input.startedAtMs }),
    initial: 'accepted',
    on: goes,
    states: {
      accepted: { on: { ...takes('running'), halted: toHalts } },
      nodes: {
        initial: noNode,
        states: {
          [noNode]: {},
          ...Object.fromEntries([...canvas.nodes.values()].map((node) => [node.id, nodeState(node)])),
          [lastPosition]: { type: 'history', history: 'deep' },
        },
      },
      quarantined: {
        id: 'quarantined',
        on: {
          ...takes('quarantined'),
          halted: [...toEnds, where('waiting', `nodes.${lastPosition}`), where('running', `nodes.${lastPosition}`)],
        },
      },
      ...Object.fromEntries([...finalStatuses].map((status) => [status, { id: status, type: 'final' as const }])),
    },
    options: { maxIterations: limits.visitsWithoutWait * 4 },
  });
}

/** Every legal event of a status, with its guard and action; its target is decided by the raised event. */
const takes = (status: keyof typeof lifecycle) =>
  Object.fromEntries(lifecycle[status].map((type: ExecutionEventType) => [type, { guard: 'isLegal' as const, actions: 'take' as const }]));

const where = (status: ExecutionStatus, target: string) => ({ guard: { type: 'isIn' as const, params: { status } }, target });
const toEnds = [...finalStatuses].map((status) => where(status, `#${status}`));
const toHalts = [...toEnds, where('quarantined', '#quarantined')];

/** A node: its visit, and where the execution performs an effect or waits there. */
const nodeState = (node: CompiledNode) => ({
  id: stateId(node.id),
  initial: 'visiting',
  states: {
    visiting: {
      entry: 'visit' as const,
      on: {
        ...Object.fromEntries([...node.targets].map(([port, target]) => [`port:${port}`, { target: `#${stateId(target.id)}` }])),
        [`go:${node.id}`]: { target: `#${stateId(node.id)}` }, // its visit ended with `again`
        halted: [...toHalts, where('waiting', 'waiting'), where('running', 'performing')],
      },
    },
    performing: { on: { ...takes('running'), halted: toHalts } },
    waiting: { on: { ...takes('waiting'), halted: toHalts } },
  },
});

/** Names that no node can have: ids hold no blank. */
const noNode = 'no node';
const lastPosition = 'last position';

const stateId = (nodeId: string): string => `node:${nodeId}`;

const leadTo = (node: Step, via: string): Led => {
  if (node === undefined) return { type: 'halted' };
  return via === noPort ? { type: `go:${node.id}` } : { type: `port:${via}` };
};

const isExternal = (event: ExecutionEvent | Led): event is ExecutionEvent => 'atMs' in event;

const readInstant = (event: ExecutionEvent | Led, atMs: number): number => (isExternal(event) ? event.atMs : atMs);
