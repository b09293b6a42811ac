import { end, none, start, visual } from '../../test/runnable-nodes.ts';
import { parseCanvas } from '../canvas/parse.ts';
import { defineEffect, defineNode, drive, leave, perform, reply } from '../contract/index.ts';
import { createEngine } from '../engine.ts';
import type { ExecutionSnapshot, Inspect } from '../machine/canvas-logic.ts';
import { describe, expect, it } from 'vitest';
import type { InspectionEvent } from 'xstate';
import { z } from 'zod';

const say = defineEffect('say', { request: none, result: z.literal('said') });
const nodes = [
  start,
  defineNode({
    type: 'ask',
    config: none,
    visual,
    ports: ['next'],
    run: () => perform(say({}), () => perform(reply({}), () => leave('next'))),
  }),
  end,
];

/** A conversation of two messages with a canvas that asks once. */
async function talk(inspect: Inspect) {
  const engine = createEngine({
    nodes,
    drivers: [drive(say, () => 'said')],
    clock: { now: () => 1_000, setTimeout: () => undefined, clearTimeout: () => undefined },
    random: { bytes: (length) => new Uint8Array(length) },
    inspect,
  });
  const faults: unknown[] = [];
  engine.on('engine.fault', ({ error }) => faults.push(error));
  const { canvas } = parseCanvas({
    schemaVersion: 1,
    id: 'talk',
    name: 'Talk',
    nodes: ['start', 'ask', 'end'].map((type) => ({ id: type, type })),
    edges: [
      { source: 'start', target: 'ask' },
      { source: 'ask', target: 'end' },
    ],
  });
  if (canvas === undefined) throw new Error('The canvas cannot be parsed');
  await engine.saveDraft('1', canvas);
  await engine.publish('1', 'talk');
  let outcome: string | undefined;
  for (const eventId of ['a', 'b']) {
    ({ outcome } = await engine.receiveMessage({ companyId: '1', botId: 'bot', eventId, user: { id: '521' }, message: { text: 'hi' } }));
    await engine.whenIdle();
  }
  return { outcome, faults };
}

describe('createEngine({ inspect })', () => {
  it('receives each event of an execution’s XState actor, with the snapshot after it', async () => {
    const told: InspectionEvent[] = [];
    await talk((event) => told.push(event));
    const advances = told.flatMap((event) => {
      if (event.type !== '@xstate.snapshot' || event.event.type === 'xstate.init') return [];
      const { state } = event.snapshot as ExecutionSnapshot;
      const place = state.pending === undefined ? state.wait?.kind : state.pending.type;
      return [`${event.event.type}: ${state.status}${place === undefined ? '' : ` at ${place}`}`];
    });
    expect(advances).toEqual(['execution.started: running at say', 'effect.settled: waiting at reply', 'reply.received: completed']);
    expect(new Set(told.map(({ actorRef }) => ('id' in actorRef ? actorRef.id : ''))).size).toBe(1); // the id of the execution
    expect(told.filter(({ type }) => type === '@xstate.event').length).toBeGreaterThanOrEqual(3);
  });

  it('is not affected by an inspector that throws', async () => {
    const { outcome, faults } = await talk(() => {
      throw new Error('An inspector of the host');
    });
    expect(outcome).toBe('resumed');
    expect(new Set(faults.map(String))).toEqual(new Set(['Error: An inspector of the host']));
  });
});
