import { createMemoryStore } from '@hilo/engine';
import { type Commit, type ExecutionStore, HiloError, type JsonObject } from '@hilo/engine/contract';
import { simulate, simulatedIds, visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { flow } from '../test/flows.ts';
import { sendEvent } from './send-event.ts';

const config = { name: 'paid', correlation: 'order {{$context.order}}', payload: { by: '{{$context.payer}}' }, saveAs: '$context.told' };
const variables = { $context: { order: 7, payer: 'Ana' } };

const waiter = flow(
  [
    ['begin', 'start', { keywords: ['wait'] }],
    ['first', 'wait-event', { name: 'paid', correlation: '7', saveAs: '$context.first' }],
    ['second', 'wait-event', { name: 'paid', correlation: '7', saveAs: '$context.second' }],
    ['done', 'end'],
  ],
  ['next', 'received', 'received'],
  { id: 'waiter' },
);
const senderOf = (sends: readonly JsonObject[], more: JsonObject = {}) =>
  flow(
    [
      ['begin', 'start', { keywords: ['send'] }],
      ...sends.map((data, index) => [`send-${index}`, 'send-event', { saveAs: `$context.told${index}`, ...data }] as const),
      ['done', 'end'],
    ],
    sends.map(() => 'next').concat('next'),
    { id: 'sender', ...more },
  );
const event = { name: 'paid', correlation: '7', payload: { paid: true } };

/** A user who waits, and then sends: both executions are in one lane. */
async function sent(sends: readonly JsonObject[], store: ExecutionStore = createMemoryStore(), more: JsonObject = {}) {
  const talk = await simulate({ canvases: [waiter, senderOf(sends, more)], store });
  await talk.says('wait');
  await talk.says('send');
  const { results } = await store.list(simulatedIds.companyId, { limit: 10 });
  const stateOf = (workflowId: string) => results.find((record) => record.workflowId === workflowId)?.state;
  return { talk, stateOf, context: (workflowId: string) => stateOf(workflowId)?.variables['$context'] };
}

describe('send-event', () => {
  it('sends the configured event, and stores how many waited', () => {
    expect(visit(sendEvent, { config, variables }).effects).toEqual([
      { type: 'event.send', request: { name: 'paid', correlation: 'order 7', payload: { by: 'Ana' } } },
    ]);
    expect(visit(sendEvent, { config, variables, results: [{ waits: 3 }] })).toMatchObject({ by: 'next', writes: { '$context.told': 3 } });
    expect(visit(sendEvent, { config: { name: 'paid' }, results: [{ waits: 0 }] })).toMatchObject({ by: 'next', writes: {} });
    expect(visit(sendEvent, { config: { name: 'paid' } }).effects[0]?.request).toEqual({ name: 'paid', correlation: '', payload: null });
  });

  it('leaves by error where its name comes to nothing, and is refused without one', () => {
    const { by, failure } = visit(sendEvent, { config: { name: "{{$context.name ?? ''}}" } });
    expect({ by, cause: failure?.cause }).toEqual({ by: 'error', cause: 'INVALID_EVENT' });
    expect(sendEvent.config.safeParse({ name: ' ' }).success).toBe(false);
  });

  it('answers who waits, with its payload, also an execution of the same user (P9)', async () => {
    const { context, stateOf } = await sent([event]);
    expect(context('sender')).toMatchObject({ told0: 1 });
    expect(context('waiter')).toMatchObject({ first: { paid: true } });
    expect(stateOf('waiter')?.wait?.nodeId).toBe('second');
  });

  it.each([
    ['waits already', ['wait', 'send']],
    ['waits later', ['send', 'wait']],
  ])('is named in the history of who %s', async (_when, said) => {
    const store = createMemoryStore();
    const talk = await simulate({ canvases: [waiter, senderOf([{ ...event, ttl: 'PT1H' }])], store });
    for (const text of said) await talk.says(text);
    await talk.passes('PT1M');
    const { results } = await store.list(simulatedIds.companyId, { limit: 10 });
    const idOf = (workflow: string): string => results.find(({ workflowId }) => workflowId === workflow)?.executionId ?? '';
    const heard = (await store.history(simulatedIds.companyId, idOf('waiter'))).map(({ event: one }) => one);
    expect(heard.find(({ type }) => type === 'signal.received')).toMatchObject({ from: idOf('sender') });
  });

  it('is no answer to another name, another correlation value or a wait of another kind', async () => {
    const { context, stateOf } = await sent([
      { ...event, name: 'Paid' },
      { ...event, correlation: '' },
    ]);
    expect(context('sender')).toMatchObject({ told0: 0, told1: 0 });
    expect(stateOf('waiter')?.wait?.nodeId).toBe('first');
  });

  it('answers a wait once, for several events of one commit (P7)', async () => {
    const { context, stateOf } = await sent([event, event]);
    expect(context('sender')).toMatchObject({ told0: 1, told1: 0 });
    expect(stateOf('waiter')?.wait?.nodeId).toBe('second');
  });

  it('refuses a payload that no variable could hold, and sends nothing', async () => {
    const { stateOf } = await sent([{ ...event, payload: '{{$context.large}}' }], createMemoryStore(), {
      variables: { large: { default: 'x'.repeat(65_534) } },
    });
    expect(stateOf('sender')?.status).toBe('completed');
    const { stateOf: larger } = await sent([{ ...event, payload: ['{{$context.large}}'] }], createMemoryStore(), {
      variables: { large: { default: 'x'.repeat(65_533) } },
    });
    expect(larger('sender')?.ending?.failure?.cause).toBe('VALUE_TOO_LARGE');
    expect(larger('waiter')?.wait?.nodeId).toBe('first');
  });

  it('hands the event over in the commit that records its answer, exactly once over any death (P3, P4)', async () => {
    const commitsOf = async (dying: number): Promise<{ readonly commits: readonly Commit[]; readonly nodeId: string | undefined }> => {
      const kept = createMemoryStore();
      const commits: Commit[] = [];
      let [count, isDead] = [0, false];
      const store: ExecutionStore = {
        ...kept,
        async commit(commit) {
          count += 1;
          if (count === dying) isDead = true;
          if (isDead) throw new HiloError('STORE_UNAVAILABLE', { reason: 'The process is dead' });
          const committed = await kept.commit(commit);
          if (committed.kind === 'committed') commits.push(commit);
          return committed;
        },
      };
      const talk = await simulate({ canvases: [waiter, senderOf([event])], store });
      const say = (text: string) => talk.says(text).catch(() => undefined);
      await say('wait');
      await say('send');
      isDead = false;
      await talk.restarts();
      // A refused delivery is repeated, as by a provider.
      if (!commits.some(({ saves }) => saves.some(({ workflowId }) => workflowId === 'waiter'))) await say('wait');
      if (!commits.some(({ saves }) => saves.some(({ workflowId }) => workflowId === 'sender'))) await say('send');
      const { results } = await kept.list(simulatedIds.companyId, { limit: 10 });
      return { commits, nodeId: results.find(({ workflowId }) => workflowId === 'waiter')?.state.wait?.nodeId };
    };
    for (const dying of [0, 1, 2, 3, 4, 5, 6]) {
      const { commits, nodeId } = await commitsOf(dying);
      const sending = commits.filter(({ enqueue }) => enqueue.some(({ accepted }) => accepted.kind === 'event'));
      expect([dying, sending.length, nodeId]).toEqual([dying, 1, 'second']);
      expect(sending[0]?.saves[0]?.state.variables['$context']).toMatchObject({ told0: 1 });
    }
  });
});
