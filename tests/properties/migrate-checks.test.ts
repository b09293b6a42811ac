// Each thing that the proof of a migration compares is needed: where it alone differs, the verdict is not `same`, and an execution that is
// migrated all the same does something else (M6).
import { defineNode, leave } from '@hilo/engine/node-kit';
import type { NodeDefinition } from '@hilo/engine/contract';
import type { CompiledCanvas } from '@hilo/engine/debug';
import { compareCanvases } from '@hilo/engine/authoring';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Move } from '../../packages/testing/src/arbitraries/execution-events.ts';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { simulatedIds } from '../../packages/simulator/src/simulation/world.ts';
import { compile, continueBoth, migrate } from './migrated.ts';
import { need, walk } from './walk.ts';

/** A node that leaves by one of its ports: what two types do with the same data is theirs. */
const turn = (type: string, port: 'left' | 'right'): NodeDefinition =>
  defineNode({
    type,
    config: z.strictObject({}),
    ports: ['left', 'right'],
    visual: { label: type, category: 'logic', icon: 'box', colour: '#0f766e', description: 'Takes a turn.', summary: () => '' },
    run: () => leave(port),
  });
const nodes: readonly NodeDefinition[] = [...standardNodes, turn('turn-left', 'left'), turn('turn-right', 'right')];

interface Drawn {
  readonly kind?: string;
  readonly settings?: object;
  readonly nodes: readonly { readonly id: string; readonly type: string; readonly data?: object }[];
  readonly edges: readonly (readonly [source: string, port: string, target: string])[];
}

const text = (said: string): object => ({ message: { type: 'text', text: said } });

/** Waits at `pause`, takes a turn, says something, asks, and ends. */
const drawn: Drawn = {
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'pause', type: 'delay', data: { duration: 'PT1H' } },
    { id: 'turn', type: 'turn-left' },
    { id: 'say', type: 'message', data: text('Hello') },
    { id: 'other', type: 'message', data: text('Other') },
    { id: 'ask', type: 'ask', data: { ...text('Well?'), input: { kind: 'text' }, saveAs: '$context.said', timeout: 'PT1H' } },
    { id: 'done', type: 'end', data: { outputs: {} } },
    { id: 'caught', type: 'catch' },
    { id: 'sorry', type: 'message', data: text('Sorry') },
  ],
  edges: [
    ['begin', 'next', 'pause'],
    ['pause', 'elapsed', 'turn'],
    ['turn', 'left', 'say'],
    ['turn', 'right', 'other'],
    ['say', 'sent', 'ask'],
    ['other', 'sent', 'ask'],
    ['ask', 'answered', 'done'],
    ['caught', 'caught', 'sorry'],
    ['sorry', 'sent', 'done'],
  ],
};

function compiledOf({ edges, ...canvas }: Drawn): CompiledCanvas {
  const json = {
    schemaVersion: 1,
    id: 'drawn',
    name: 'Drawn',
    kind: 'skill',
    ...canvas,
    edges: edges.map(([source, sourceHandle, target]) => ({ source, target, ...(source !== 'begin' && { sourceHandle }) })),
  };
  return need(compile(json, nodes));
}

/** The same with other data or another type for a node. */
const withNode = (id: string, changes: object): Drawn => ({
  ...drawn,
  nodes: drawn.nodes.map((node) => (node.id === id ? { ...node, ...changes } : node)),
});
const withEdges = (edges: Drawn['edges']): Drawn => ({ ...drawn, edges });
const led = (from: string, port: string, to: string): Drawn['edges'] =>
  drawn.edges.map((edge) => (edge[0] === from && edge[1] === port ? [from, port, to] : edge));

const elapsed: Move = { kind: 'timer', choice: 0, text: '', value: null, afterMs: 0 };
const answered: Move = { kind: 'answer', choice: 0, text: 'Yes', value: 'v', afterMs: 1_000 };
/** Its turn fails, and no port takes that. */
const failing: Drawn = {
  ...withNode('turn', { type: 'set', data: { assignments: [{ path: '$context.n', value: '{{$context.none.n}}' }] } }),
  edges: [...drawn.edges.filter(([source]) => source !== 'turn'), ['turn', 'next', 'say']],
};
/** It holds its user while it calls. */
const holding: Drawn = {
  ...withNode('say', { type: 'api', data: { url: 'https://shop.example', hold: { enabled: true, onMessage: 'discard' } } }),
  edges: [...drawn.edges.filter(([source]) => source !== 'say'), ['say', 'success', 'ask']],
};
/** Its question has no time of its own. */
const unending = withNode('ask', { data: { ...text('Well?'), input: { kind: 'text' }, saveAs: '$context.said' } });
const withoutCatch = (one: Drawn): Drawn => ({
  ...one,
  nodes: one.nodes.filter(({ id }) => id !== 'caught'),
  edges: one.edges.filter(([source]) => source !== 'caught'),
});

const all: readonly Move[] = [elapsed, answered, answered, answered, answered];

describe('an execution that is migrated against its verdict does something else where there differ', () => {
  it.each<readonly [name: string, other: Drawn, kind: string, future: readonly Move[], base: Drawn]>([
    ['data', withNode('say', { data: text('Good day') }), 'data', all, drawn],
    ['the type, with the same data', withNode('turn', { type: 'turn-right' }), 'type', all, drawn],
    ['the target of a port', withEdges(led('turn', 'left', 'other')), 'port', all, drawn],
    ['a port that leads nowhere', withEdges(drawn.edges.filter(([source]) => source !== 'ask')), 'port', all, drawn],
    [
      'a port that leads somewhere',
      withEdges([...drawn.edges, ['ask', 'timeout', 'other']]),
      'port',
      [elapsed, answered, answered, elapsed],
      drawn,
    ],
    ['the node where it waits', { ...withNode('pause', { id: 'rest' }), edges: rewired('pause', 'rest') }, 'gone', all, drawn],
    ['the outputs', { ...drawn, settings: { outputs: { answer: { type: 'string', default: 'x' } } } }, 'settings', all, drawn],
    ['what catches failures', withoutCatch(failing), 'catch', all, failing],
    ['the kind, while a user is held', { ...holding, kind: 'tool' }, 'settings', all, holding],
    ['the expiry of questions', { ...unending, settings: { sessionExpiry: 'PT3H' } }, 'settings', all, unending],
  ])('%s', (_name, other, kind, future, base) => {
    const [before, after] = [compiledOf(base), compiledOf(other)];
    const steps = walk(before, []);
    const state = need(steps.at(-1)).after;
    expect(state.wait?.nodeId).toBe('pause');
    expect(compareCanvases(before, after).differenceFrom('pause', false)?.kind).toBe(kind);
    const { verdict, moved } = migrate(before, after, state, {}, state.wait?.openedAtMs ?? 0);
    expect(verdict.kind).not.toBe('same');
    const shown = continueBoth(
      state,
      moved,
      [before, after],
      future,
      steps.map(({ event }) => event),
    );
    expect(shown.map(({ other: is }) => is)).not.toEqual(JSON.parse(JSON.stringify(shown.map(({ one }) => one))));
  });
});

function rewired(from: string, to: string): Drawn['edges'] {
  const name = (id: string): string => (id === from ? to : id);
  return drawn.edges.map(([source, port, target]) => [name(source), port, name(target)]);
}

/** It is resumed by its webhook once, and waits for an event then. */
const hooked = (oneTimeOnly: boolean): object => ({
  schemaVersion: 1,
  id: 'hooked',
  name: 'Hooked',
  nodes: [
    {
      id: 'hook',
      type: 'webhook',
      data: { methods: ['POST'], variableName: 'order', userIdPath: 'user', executionIdPath: 'on', oneTimeOnly },
    },
    { id: 'payment', type: 'wait-external' },
    { id: 'wait', type: 'wait-event', data: { name: 'paid' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'payment' },
    { source: 'payment', sourceHandle: 'resumed', target: 'wait' },
    { source: 'wait', sourceHandle: 'received', target: 'done' },
  ],
});

it('answers a late request otherwise where the webhook differs, though it cannot come to it any more', async () => {
  const answers: unknown[] = [];
  for (const isMigrated of [false, true]) {
    const conversation = await simulate(hooked(true));
    const begun = await conversation.webhook({ body: { user: '5215512345678' } });
    const executionId = need(typeof begun === 'object' && 'executionId' in begun ? begun.executionId : undefined);
    expect(await conversation.webhook({ body: { user: '5215512345678', on: executionId } })).toMatchObject({ mode: 'resume' });
    const company = conversation.engine.company(simulatedIds.companyId);
    await company.publish(hooked(false));
    const verdict = isMigrated
      ? await company.migrate(executionId, { workflowId: 'hooked', from: 1, to: 2 }, { accept: ['changed'] })
      : await company.migrate(executionId, { workflowId: 'hooked', from: 1, to: 2 });
    expect(verdict).toMatchObject({ kind: 'changed', difference: { kind: 'webhook' } });
    answers.push(await conversation.webhook({ body: { user: '5215512345678', on: executionId } }));
  }
  const [still, migrated] = answers;
  expect(still).toMatchObject({ ignored: true });
  expect(migrated).toMatchObject({ status: 409 });
});
