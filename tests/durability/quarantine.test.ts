import { createMemoryStore, parseCanvas, type WebhookCall } from '@hilo/engine';
import { type Commit, type ExecutionRecord, type ExecutionStore, HiloError, type JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { markOfJoined } from '../../packages/engine/src/runtime/joined-deliveries.ts';
import { createMortalEngine, type MortalEngine, quiet, sayLater, sayOnce, sayWhenPaid } from './mortal-engine.ts';

const companyId = '1';

async function publish({ engine }: MortalEngine, ...canvases: readonly object[]): Promise<void> {
  for (const json of canvases) {
    const { canvas } = parseCanvas(json);
    if (canvas === undefined) throw new Error('not a canvas');
    await engine().saveDraft(companyId, canvas);
    await engine().publish(companyId, canvas.id);
  }
}

/** Messages are accepted before their turn from the first death on: here an earlier process has died. */
const acceptAlone = ({ store }: MortalEngine): Promise<void> => store.countCrashes([markOfJoined]);

const start = ({ engine }: MortalEngine, workflowId: string, userId: string) =>
  engine().startWorkflow({ origin: { companyId, botId: 'b', userId, channel: 'whatsapp', route: 'production' }, workflowId });

const byUser = async ({ store }: MortalEngine): Promise<ReadonlyMap<string | undefined, ExecutionRecord>> =>
  new Map((await store.list(companyId, { limit: 100 })).results.map((record) => [record.state.origin.userId, record]));

describe('an execution that kills its process (P17)', () => {
  it('is quarantined at the third death, and the others continue', async () => {
    let isPoisonous = true;
    const world = createMortalEngine((text) => (isPoisonous && text === 'poison' ? 'dies' : 'sent'));
    await world.boot();
    await publish(world, sayOnce('harmless', 'hello'), sayOnce('deadly', 'poison'));
    // All are in progress when the process dies.
    const starts = ['u1', 'u2', 'poisoned', 'u3'].map((user) => start(world, user === 'poisoned' ? 'deadly' : 'harmless', user));
    await Promise.race([Promise.all(starts), quiet()]);

    for (let boots = 0; boots < 5; boots += 1) await world.boot();

    expect(world.deaths()).toBe(3);
    const records = await byUser(world);
    expect(records.get('poisoned')?.state.status).toBe('quarantined');
    expect(records.size).toBe(4);
    for (const user of ['u1', 'u2', 'u3']) expect(records.get(user)?.state.status).toBe('completed');
    const { executionId = '' } = records.get('poisoned') ?? {};
    const last = (await world.store.history(companyId, executionId)).at(-1)?.event;
    expect(last).toMatchObject({ type: 'execution.quarantined', reason: 'The process died 3 times at its work' });

    isPoisonous = false;
    await world.engine().release(companyId, executionId);
    await quiet();
    expect((await byUser(world)).get('poisoned')?.state.status).toBe('completed');
  });

  it('is not counted against executions that advanced between two deaths', async () => {
    let isDeadly = false;
    const world = createMortalEngine(() => (isDeadly ? 'dies' : 'sent'));
    await world.boot();
    await publish(world, sayOnce('once', 'hello'));
    for (let round = 0; round < 5; round += 1) {
      isDeadly = true;
      await Promise.race([start(world, 'once', 'u'), quiet()]);
      isDeadly = false;
      await world.boot();
    }
    expect(world.deaths()).toBe(5);
    const { results } = await world.store.list(companyId, { limit: 100 });
    expect(results.map(({ state }) => state.status)).toEqual(Array.from({ length: 5 }, () => 'completed'));
  });

  it('is quarantined when its timer is what kills, and other timers fire', async () => {
    const world = createMortalEngine((text) => (text === 'poison' ? 'dies' : 'sent'));
    await world.boot();
    await publish(world, sayLater('harmless', 'hello', 'PT1H'), sayLater('deadly', 'poison', 'PT1H'));
    for (const user of ['u1', 'u2']) await start(world, 'harmless', user);
    await start(world, 'deadly', 'poisoned');
    await quiet();
    world.clock.advanceBy(3_600_000);
    await quiet();
    for (let boots = 0; boots < 6; boots += 1) {
      await world.boot();
      world.clock.advanceBy(10_000);
      await quiet();
    }
    const records = await byUser(world);
    expect(records.get('poisoned')?.state.status).toBe('quarantined');
    expect(records.get('u1')?.state.status).toBe('completed');
    expect(records.get('u2')?.state.status).toBe('completed');
  });

  it('is quarantined at once when its canvas cannot be run any more, and its lane continues', async () => {
    const world = createMortalEngine(() => 'sent');
    await world.boot();
    await publish(world, sayLater('later', 'hello', 'PT1H'));
    await start(world, 'later', 'u');
    await quiet();
    const gone: MortalEngine['canvases'] = { ...world.canvases, byHash: async () => undefined };
    Object.assign(world.canvases, gone);
    await world.boot(); // nothing compiled is left
    world.clock.advanceBy(3_600_000);
    await quiet();
    expect((await byUser(world)).get('u')?.state.status).toBe('quarantined');
    expect(world.faults).not.toEqual([]);
  });

  it('is begun in quarantine when the message that begins it is what kills, and begins when it is released', async () => {
    let isPoisonous = true;
    const world = createMortalEngine(
      () => 'sent',
      createMemoryStore(),
      ({ history }) => isPoisonous && history.some(({ event }) => event.type === 'execution.started'),
    );
    await acceptAlone(world);
    await world.boot();
    await publish(world, sayOnce('deadly', 'hello'));
    const message = { id: 'm1', type: 'text', text: 'deadly' };
    // Not awaited: the process dies before it answers.
    void world.engine().receiveMessage({ companyId, botId: 'b', eventId: 'e1', user: { id: 'u' }, message });
    await quiet();
    for (let boots = 0; boots < 4; boots += 1) await world.boot();

    expect(world.deaths()).toBe(3);
    const poisoned = (await byUser(world)).get('u');
    expect(poisoned?.state.status).toBe('quarantined');
    expect((await world.store.unfinishedIn(poisoned?.lane ?? '')).queued).toBe(0);
    isPoisonous = false;
    await world.engine().release(companyId, poisoned?.executionId ?? '');
    await quiet();
    expect((await byUser(world)).get('u')?.state.status).toBe('completed');
  });

  it.each([2, 5])('is set aside alone: of %d messages that kill, none is lost by the deaths of the others', async (count) => {
    const kept = createMemoryStore();
    const isBegun = ({ history }: Commit): boolean => history.some(({ event }) => event.type === 'execution.started');
    const isSetAside = ({ history }: Commit): boolean => history.some(({ event }) => event.type === 'execution.quarantined');
    const isHarmless = ({ saves }: Commit): boolean => saves.some(({ state }) => state.origin.userId === 'harmless');
    // As slow as a disk: others are at work while a message is set aside.
    const slow: ExecutionStore = {
      ...kept,
      async commit(commit) {
        const before = world.deaths();
        if (isSetAside(commit)) await quiet(5);
        return world.deaths() > before ? new Promise(() => undefined) : kept.commit(commit);
      },
    };
    const world: MortalEngine = createMortalEngine(
      () => 'sent',
      slow,
      (commit) => isBegun(commit) && !isSetAside(commit) && !isHarmless(commit),
    );
    await acceptAlone(world);
    await world.boot();
    await publish(world, sayOnce('deadly', 'hello'));
    const users = [...Array.from({ length: count }, (_, index) => `lethal ${index}`), 'harmless'];
    for (const id of users) {
      const message = { id: `m ${id}`, type: 'text', text: 'deadly' };
      void world.engine().receiveMessage({ companyId, botId: 'b', eventId: id, user: { id }, message });
    }
    await quiet();
    for (let boots = 0; boots < count + 4; boots += 1) await world.boot();

    expect(await world.store.unfinished('', 10)).toEqual([]);
    const statuses = [...(await byUser(world))].map(([user, { state }]) => [user, state.status]);
    expect(new Map(statuses as [string, string][])).toEqual(
      new Map(users.map((id) => [id, id === 'harmless' ? 'completed' : 'quarantined'])),
    );
  });

  it('is begun in quarantine at the fourth death, where nothing of the message was kept before the first, and its provider repeats it', async () => {
    const isBegun: (text: Commit) => boolean = ({ history }) => history.some(({ event }) => event.type === 'execution.started');
    const world = createMortalEngine(() => 'sent', createMemoryStore(), isBegun);
    await world.boot();
    await publish(world, sayOnce('deadly', 'hello'));
    const message = { id: 'm1', type: 'text', text: 'deadly' };
    const deliver = async (): Promise<void> => {
      void world.engine().receiveMessage({ companyId, botId: 'b', eventId: 'e1', user: { id: 'u' }, message });
      await quiet();
    };
    await deliver();
    expect(await world.store.unfinished('', 10)).toEqual([]); // it is the provider's still
    await world.boot();
    await deliver();
    expect((await world.store.unfinished('', 10)).map(({ queued }) => queued)).toEqual([1]);
    for (let boots = 0; boots < 4; boots += 1) await world.boot();
    await deliver();

    expect(world.deaths()).toBe(4);
    expect((await byUser(world)).get('u')?.state.status).toBe('quarantined');
    expect((await world.store.list(companyId, { limit: 10 })).results).toHaveLength(1);
  });

  it.each([
    ['', 0],
    [', behind a thousand other lanes', 1_000],
  ])(
    'is what is quarantined, and not what a request makes go on in its lane while the deaths are counted%s (P3)',
    async (_where, others) => {
      let isPoisonous = false;
      const kept = createMemoryStore();
      // As slow as a file: the answer takes several turns of the event loop.
      const slow: ExecutionStore = { ...kept, crashCounts: (lanes) => quiet(5).then(() => kept.crashCounts(lanes)) };
      const paid = Promise.withResolvers<'sent'>();
      const sent: string[] = [];
      const world = createMortalEngine(
        (text) => (sent.push(text), text === 'Paid' ? paid.promise : 'sent'),
        slow,
        ({ history }) => isPoisonous && history.some(({ event }) => event.type === 'execution.started'),
      );
      await acceptAlone(world);
      await world.boot();
      await publish(world, sayOnce('deadly', 'hello'), sayWhenPaid);
      const call = { companyId, botId: 'b', workflowId: 'order', nodeId: 'hook', route: 'production', channel: 'whatsapp' } as const;
      const post = (body: JsonObject): WebhookCall => ({ ...call, request: { method: 'POST', headers: {}, query: {}, body } });
      const { executionId } = await world.engine().receiveWebhook(post({ userId: '593900000001' }));
      await quiet();
      isPoisonous = true;
      const message = { id: 'm1', type: 'text', text: 'deadly' };
      void world.engine().receiveMessage({ companyId, botId: 'b', eventId: 'e1', user: { id: '593900000001' }, message });
      await quiet();
      await world.boot();
      await world.boot();
      expect(world.deaths()).toBe(3);

      const accepted = { kind: 'event', executionId: 'nobody', waitId: 'w', payload: null } as const;
      const enqueue = Array.from({ length: others }, (_, index) => ({ companyId, lane: `0/${index}`, acceptedAtMs: 0, accepted }));
      await kept.commit({ saves: [], history: [], contacts: [], dequeue: [], enqueue });
      const booted = world.boot();
      void world.engine().receiveWebhook(post({ executionId }));
      await booted;
      await quiet();
      paid.resolve('sent');
      await quiet();

      expect(world.deaths()).toBe(3);
      const { results } = await world.store.list(companyId, { limit: 10 });
      const statuses = new Map(results.map(({ workflowId, state }) => [workflowId, state.status]));
      expect(statuses).toEqual(
        new Map([
          ['order', 'completed'],
          ['deadly', 'quarantined'],
        ]),
      );
      expect(sent).toEqual(['Paid']);
    },
  );

  it('is quarantined, and not the items queued behind it, when the store fails in between', async () => {
    const kept = createMemoryStore();
    let failures = 0;
    const failing: ExecutionStore = {
      ...kept,
      async clearCrashCounts(lanes) {
        if (failures-- > 0) throw new HiloError('STORE_UNAVAILABLE', { reason: 'the disk is full' });
        await kept.clearCrashCounts(lanes);
      },
    };
    const world = createMortalEngine((text) => (text === 'poison' ? 'dies' : 'sent'), failing);
    await world.boot();
    await publish(world, sayOnce('deadly', 'poison'), sayOnce('harmless', 'hello'));
    await Promise.race([start(world, 'deadly', 'u'), quiet()]);
    await world.boot();
    await world.boot();
    expect(world.deaths()).toBe(3);
    const lane = (await byUser(world)).get('u')?.lane ?? '';
    const accepted = { kind: 'message', botId: 'b', userId: 'u', message: { id: 'm1', type: 'text', text: 'harmless' } } as const;
    await kept.commit({ saves: [], history: [], contacts: [], dequeue: [], enqueue: [{ companyId, lane, acceptedAtMs: 0, accepted }] });

    failures = 1;
    await world.boot();
    world.clock.advanceBy(10_000);
    await quiet();

    expect(failures).toBe(-1);
    const { results } = await world.store.list(companyId, { limit: 10 });
    expect(new Map(results.map(({ workflowId, state }) => [workflowId, state.status]))).toEqual(
      new Map([
        ['harmless', 'completed'],
        ['deadly', 'quarantined'],
      ]),
    );
  });

  it('is tried alone without waiting for itself, and not counted twice for a timer of the same user', async () => {
    let dies = 2;
    const world = createMortalEngine((text) => (text === 'now' && dies-- > 0 ? 'dies' : 'sent'));
    await world.boot();
    await publish(world, sayOnce('now', 'now'), sayLater('later', 'later', 'PT1H'));
    await start(world, 'later', 'u');
    await quiet();
    await Promise.race([start(world, 'now', 'u'), quiet()]);
    world.clock.advanceBy(7_200_000);
    await world.boot();
    expect(world.deaths()).toBe(2);
    await world.boot();
    // No time has to pass: an overdue timer fires at once.
    world.clock.advanceBy(0);
    await quiet();
    const { results } = await world.store.list(companyId, { limit: 10 });
    expect(results.map(({ state }) => state.status)).toEqual(['completed', 'completed']);
    expect(await world.store.crashCounts(results.map(({ lane }) => lane))).toEqual(new Map());
  });
});

describe('a message that kills the process which tries the starts with it (P17)', () => {
  const ask = {
    schemaVersion: 1,
    id: 'ask',
    name: 'ask',
    nodes: [
      { id: 'begin', type: 'start', data: { keywords: ['ask'] } },
      { id: 'wait', type: 'ask', data: { message: { type: 'text', text: 'And?' }, input: { kind: 'text' } } },
      { id: 'done', type: 'end' },
    ],
    edges: [
      { source: 'begin', target: 'wait' },
      { source: 'wait', sourceHandle: 'answered', target: 'done' },
    ],
  };
  const now = {
    ...ask,
    id: 'now',
    name: 'now',
    nodes: [
      { id: 'begin', type: 'start', data: { keywords: ['now'], interrupts: true } },
      { id: 'done', type: 'end' },
    ],
    edges: [{ source: 'begin', target: 'done' }],
  };

  it.each([
    ['that nobody waits for', [], ['harmless']],
    ['that answers an open question', ['ask'], ['harmless', 'ask']],
  ])('%s leaves its lane, and those behind it and of others have their turn', async (_which, before, workflows) => {
    const kept = createMemoryStore();
    const world = createMortalEngine(
      () => 'sent',
      kept,
      () => false,
      (text) => text === 'poison',
    );
    await acceptAlone(world);
    await world.boot();
    await publish(world, ask, now, sayOnce('harmless', 'hello'));
    let count = 0;
    const says = (userId: string, text: string): void => {
      const message = { id: `m${(count += 1)}`, type: 'text', text };
      void world.engine().receiveMessage({ companyId, botId: 'b', eventId: `e${count}`, user: { id: userId }, message });
    };
    for (const text of before) says('u', text);
    await quiet();
    says('u', 'poison');
    await quiet();
    expect(world.deaths()).toBe(1);
    const [lane] = await kept.unfinished('', 10);
    const accepted = { kind: 'message', botId: 'b', userId: 'u', message: { id: 'm9', type: 'text', text: 'harmless' } } as const;
    await kept.commit({
      saves: [],
      history: [],
      contacts: [],
      dequeue: [],
      enqueue: [{ companyId, lane: lane?.lane ?? '', acceptedAtMs: 0, accepted }],
    });
    for (let boots = 0; boots < 6; boots += 1) {
      await world.boot();
      world.clock.advanceBy(10_000);
      await quiet();
    }
    says('other', 'harmless');
    await quiet();

    expect(world.deaths()).toBeLessThanOrEqual(4); // at the fourth it is the quarantine that tried them once more
    expect(await kept.unfinished('', 10)).toEqual([]);
    const { results } = await kept.list(companyId, { limit: 10 });
    const of = (user: string) => results.filter(({ state }) => state.origin.userId === user);
    expect(new Set(of('u').map(({ workflowId }) => workflowId))).toEqual(new Set(workflows));
    expect(of('u').find(({ workflowId }) => workflowId === 'harmless')?.state.status).toBe('completed');
    expect(of('other')[0]?.state.status).toBe('completed');
  });
});
