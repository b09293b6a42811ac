// The contract suite of runtimes.
import { describe, expect, it } from 'vitest';
import { describeAgentsOfRuntime } from './runtime-agents.ts';
import { napMs, stoppables } from './runtime-canvases.ts';
import { describeContinuationsOfRuntime } from './runtime-continuations.ts';
import { describeGatesOfRuntime } from './runtime-gates.ts';
import { describeLanesOfRuntime, describeRestartsOfRuntime } from './runtime-lanes.ts';
import { describeActsOnManyOfRuntime } from './runtime-many.ts';
import { describeMigrationsOfRuntime } from './runtime-migrations.ts';
import { type RuntimeStage, type RuntimeWorld, withWorld } from './runtime-stage.ts';

/**
 * The contract of lane runtimes, as tests of the engine's public functions: a process in memory, a process with a store, a cluster.
 * Each runs all of them.
 *
 * @param open - opens a new, empty one
 * @example
 * describeRuntime('SQLite', async () => {
 *   const store = await openSqliteStore({ path: newPath() });
 *   return stageOverStore(store, () => store.close());
 * });
 */
export function describeRuntime(name: string, open: () => Promise<RuntimeStage>): void {
  describe(`${name} as a runtime`, () => {
    describeLanesOfRuntime(open);
    describeWaitsOfRuntime(open);
    describeEffectsOfRuntime(open);
    describeRestartsOfRuntime(open);
    describeMigrationsOfRuntime(open);
    describeGatesOfRuntime(open);
    describeContinuationsOfRuntime(open);
    describeActsOnManyOfRuntime(open);
    describeAgentsOfRuntime(open);
  });
}

const user = '5215512345678';

const waiting = (record: { readonly state: { readonly status: string } }): boolean => record.state.status === 'waiting';
const hasEnded = (record: { readonly state: { readonly status: string } }): boolean => record.state.status === 'completed';

/** Begins an order, and lets it come to its wait. */
async function placeOrder({ acme, until }: Pick<RuntimeWorld, 'acme' | 'until'>): Promise<string> {
  const placed = await acme.webhook('order', { method: 'POST', body: { user } }, { bot: 'bot', idempotencyKey: 'o1' });
  expect(placed).toMatchObject({ mode: 'new', isNewExecution: true });
  await until(placed.executionId, waiting);
  return placed.executionId;
}

/** A wait is answered by what it is for, once, and by time at its time. */
function describeWaitsOfRuntime(open: () => Promise<RuntimeStage>): void {
  describe('a wait', () => {
    describeWaitsForRequests(open);

    describeWaitsForEvents(open);

    describeWaitsForOthers(open);
  });
}

/** Waits for requests, and their time. */
function describeWaitsForRequests(open: () => Promise<RuntimeStage>): void {
  it(
    'is resumed by one of many requests, whose repetition gets the same answer (P7, P10)',
    withWorld(open, async ({ acme, sent, until, untilSent }) => {
      const executionId = await placeOrder({ acme, until });
      const pay = (by: string) =>
        acme.webhook('order', { method: 'POST', body: { user, executionId, by } }, { bot: 'bot', idempotencyKey: by });
      const tried = await Promise.allSettled(['ada', 'bob', 'cid'].map(pay));
      const [won] = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(won).toMatchObject({ executionId, mode: 'resume', isNewExecution: false });
      expect(tried.filter(({ status }) => status === 'rejected').map((one) => 'reason' in one && (one.reason as object))).toEqual([
        expect.objectContaining({ code: 'EXECUTION_NOT_WAITING' }),
        expect.objectContaining({ code: 'EXECUTION_NOT_WAITING' }),
      ]);
      const { state } = await until(executionId, hasEnded);
      const by = JSON.stringify(state.ending?.outputs['by']).slice(1, -1);
      await untilSent(`Paid by ${by}`);
      expect(await pay(by)).toMatchObject({ executionId, mode: 'resume' });
      expect(sent.filter(({ text }) => text.startsWith('Paid'))).toHaveLength(1);
    }),
  );

  it(
    'is answered by a request that came while the call before it was under way, and was answered then (WEB-23, WEB-24)',
    withWorld(open, async ({ acme, hold, sent, until, untilSent }) => {
      const { letThrough } = hold('Placed');
      const { executionId } = await acme.webhook('order', { method: 'POST', body: { user } }, { bot: 'bot' });
      await untilSent('Placed', user);
      const pay = (by: string) =>
        acme.webhook('order', { method: 'POST', body: { user, executionId, by } }, { bot: 'bot', idempotencyKey: by });
      const paid = await pay('ada');
      expect(paid).toMatchObject({ executionId, mode: 'resume', isNewExecution: false });
      expect(await pay('ada')).toEqual(paid);
      // One wait is before it, and it is answered.
      await expect(pay('bob')).rejects.toMatchObject({ code: 'EXECUTION_NOT_WAITING' });
      expect((await acme.execution(executionId))?.state.status).toBe('running');
      letThrough();
      await until(executionId, hasEnded);
      await expect(pay('cid')).rejects.toMatchObject({ code: 'EXECUTION_NOT_WAITING' });
      expect(sent.map(({ text }) => text)).toEqual(['Placed', 'Paid by ada']);
    }),
  );

  it(
    'is over at its time, not before, and once (P11)',
    withWorld(open, async ({ acme, elapse, until }) => {
      const { executionId } = await acme.start('nap');
      const { state } = await until(executionId, waiting);
      expect(state.wait?.dueAtMs).toBe((state.wait?.openedAtMs ?? 0) + napMs);
      await elapse(napMs / 4);
      expect((await acme.execution(executionId))?.state.status).toBe('waiting');
      await elapse(napMs);
      const after = await until(executionId, hasEnded);
      expect(after.updatedAtMs).toBeGreaterThanOrEqual(state.wait?.dueAtMs ?? 0);
      await elapse(napMs);
      const fired = (await acme.history(executionId)).filter(({ event }) => event.type === 'timer.fired');
      expect(fired).toHaveLength(1);
    }),
  );
}

/** Waits for events. */
function describeWaitsForEvents(open: () => Promise<RuntimeStage>): void {
  it(
    'for an event is answered by a signal and by another execution, each once (P7)',
    withWorld(open, async ({ acme, until }) => {
      const [one, other] = await Promise.all(['a', 'b'].map((order) => acme.start('awaiting', { inputs: { order } })));
      for (const each of [one, other]) await until(each?.executionId ?? '', waiting);
      const signal = { correlation: 'a', payload: 'by signal', idempotencyKey: 's1' };
      expect(await acme.signal('paid', signal)).toEqual({ executionIds: [one?.executionId] });
      expect(await acme.signal('paid', signal)).toEqual({ executionIds: [one?.executionId] });
      expect((await until(one?.executionId ?? '', hasEnded)).state.ending?.outputs).toEqual({ paid: 'by signal' });
      const { executionId } = await acme.start('sending', { inputs: { order: 'b' } });
      expect((await until(executionId, hasEnded)).state.ending?.outputs).toEqual({ waits: 1 });
      expect((await until(other?.executionId ?? '', hasEnded)).state.ending?.outputs).toEqual({ paid: 'by event' });
    }),
  );

  it(
    'for an event gets a signal that was sent before it was open, once, and not after its time (P7)',
    withWorld(open, async ({ acme, elapse, until }) => {
      const sent = await acme.signal('paid', { correlation: 'a', payload: 1, ttlMs: 60_000, idempotencyKey: 'h1' });
      expect(sent).toMatchObject({ executionIds: [], heldUntilMs: expect.any(Number) as unknown });
      expect(await acme.signal('paid', { correlation: 'a', payload: 1, ttlMs: 60_000, idempotencyKey: 'h1' })).toEqual(sent);
      const first = await acme.start('awaiting', { inputs: { order: 'a' } });
      expect((await until(first.executionId, hasEnded)).state.ending?.outputs).toEqual({ paid: 1 });
      const second = await acme.start('awaiting', { inputs: { order: 'a' } });
      await until(second.executionId, waiting);
      expect(await acme.signal('paid', { correlation: 'a', payload: 2, ttlMs: 60_000 })).toEqual({ executionIds: [second.executionId] });
      await acme.signal('paid', { correlation: 'b', payload: 3, ttlMs: napMs });
      await elapse(2 * napMs);
      const third = await acme.start('awaiting', { inputs: { order: 'b' } });
      await until(third.executionId, waiting);
      const { executionId } = await acme.start('holding', { inputs: { order: 'c' } });
      expect((await until(executionId, hasEnded)).state.ending?.outputs).toEqual({ waits: 0 });
      const fourth = await acme.start('awaiting', { inputs: { order: 'c' } });
      expect((await until(fourth.executionId, hasEnded)).state.ending?.outputs).toEqual({ paid: 'by event' });
      expect((await until(third.executionId, waiting)).state.status).toBe('waiting');
    }),
  );
}

/** Waits for people and for other executions. */
function describeWaitsForOthers(open: () => Promise<RuntimeStage>): void {
  it(
    'for a reply is answered by the message that names its question, and by none that was written before it (P7)',
    withWorld(open, async ({ acme, engine, sent, until, untilSent }) => {
      const ask = async (about: string): Promise<string> => {
        const { executionId } = await acme.start('asking', { user: { id: 'ada' }, bot: 'bot', channel: 'web', inputs: { about } });
        await untilSent(`${about}?`, 'ada');
        await until(executionId, waiting);
        return executionId;
      };
      const deliver = async (text: string, replyTo: string | undefined, more: object = {}): Promise<string> => {
        const message = { type: 'text', text, ...(replyTo !== undefined && { replyTo }) };
        const delivery = { bot: 'bot', deliveryId: text, user: { id: 'ada' }, message, ...more };
        await engine.whenIdle(); // the lane may still look for what came meanwhile, and the message would be queued behind that
        return (await acme.message(delivery)).outcome;
      };
      const nameOf = (about: string): string => sent.find(({ text }) => text === `${about}?`)?.key ?? '';
      const [size, colour, place] = [await ask('Size'), await ask('Colour'), await ask('Place')];
      const openedAtMs = (await until(size, waiting)).state.wait?.openedAtMs ?? 0;
      expect(await deliver('Large', nameOf('Size'))).toBe('resumed');
      expect((await until(size, hasEnded)).state.ending?.outputs).toEqual({ said: 'Large' });
      expect(await deliver('Who?', 'unknown', { repliesTo: [] })).toBe('unmatched');
      expect(await deliver('On its way', undefined, { atMs: openedAtMs - 60_000 })).toBe('unmatched');
      expect(await deliver('Home', undefined)).toBe('resumed');
      expect((await until(place, hasEnded)).state.ending?.outputs).toEqual({ said: 'Home' });
      expect((await until(colour, waiting)).state.status).toBe('waiting');
      expect(await deliver('Red', undefined)).toBe('resumed');
      expect((await until(colour, hasEnded)).state.ending?.outputs).toEqual({ said: 'Red' });
    }),
  );

  it(
    'for others is ended by a message of the user’s, once, and what it was for then comes too late (P7, P18)',
    withWorld(open, async ({ acme, engine, listTexts, say, until, untilSent }) => {
      for (const { id } of stoppables) {
        const { executionId } = await acme.start(id, { user: { id }, bot: 'bot', channel: 'web' });
        const childId = (await until(executionId, waiting)).state.wait?.childId;
        if (childId !== undefined) await until(childId, waiting);
        await engine.whenIdle(); // the lane may still look for what came meanwhile, and the message would be queued behind that
        expect([id, await say(id, 'now')]).toEqual([id, 'resumed']);
        await untilSent('Stopped now', id);
        expect((await until(executionId, hasEnded)).state.ending?.outputs).toEqual({ by: 'message' });
        const come = acme.webhook(id, { method: 'POST', body: { user: id, executionId } }, { bot: 'bot' });
        const code = ['stop-webhook', 'stop-wait-external'].includes(id) ? 'EXECUTION_NOT_WAITING' : 'NODE_NOT_FOUND';
        await expect(come).rejects.toMatchObject({ code });
        expect(childId === undefined || (await acme.execution(childId))?.state.status).toBe(childId === undefined || 'cancelled');
        expect(listTexts(id)).toEqual(['Stopped now']);
      }
      expect((await acme.signal('paid', { correlation: 'stop', payload: 1 })).executionIds).toEqual([]);
    }),
  );

  it(
    'for a child is over with the child, before what its user wrote meanwhile has its turn (P18, P9)',
    withWorld(open, async ({ acme, elapse, hold, say, listTexts, until, untilSent }) => {
      const { letThrough } = hold('Inside');
      const { executionId } = await acme.start('parent', { user: { id: 'ada' }, bot: 'bot', channel: 'web' });
      await untilSent('Inside', 'ada');
      expect(await say('ada', 'Hi')).toBe('queued');
      letThrough();
      await untilSent('And?', 'ada');
      const childId = (await until(executionId, waiting)).state.wait?.childId ?? '';
      expect(await acme.execution(childId)).toMatchObject({ workflowId: 'child', parent: { executionId } });
      await elapse(2 * napMs);
      expect((await until(executionId, hasEnded)).state.ending?.outputs).toEqual({ found: 42 });
      expect((await until(childId, hasEnded)).state.ending?.outputs).toEqual({ doubled: 42 });
      expect(listTexts('ada')).toEqual(['Inside', 'Hello Hi', 'And?', 'Found 42']);
      const reports = (await acme.history(executionId)).filter(({ event }) => event.type === 'child.ended');
      expect(reports).toHaveLength(1);
    }),
  );
}

const is =
  (status: string) =>
  (record: { readonly state: { readonly status: string } }): boolean =>
    record.state.status === status;

/** An effect is performed under one key, and does not prevent the end of its execution. */
function describeEffectsOfRuntime(open: () => Promise<RuntimeStage>): void {
  describe('an effect', () => {
    it(
      'is tried again under its node’s retry, each attempt under its key (P3, P4)',
      withWorld(open, async ({ acme, elapse, failFor, sent, until }) => {
        failFor('Again', 1);
        const { executionId } = await acme.start('stubborn', { user: { id: 'ada' }, bot: 'bot', channel: 'web' });
        await until(executionId, ({ state }) => state.wait?.kind === 'retry' || state.status === 'completed');
        await elapse(napMs);
        await until(executionId, is('completed'));
        expect(sent.map(({ text }) => text)).toEqual(['Again', 'Again']);
      }),
    );

    it(
      'does not prevent a cancel, and its late result changes nothing',
      withWorld(open, async ({ acme, hold, say, listTexts, until, untilSent }) => {
        const { letThrough } = hold('Placed');
        const user = '5215512345678';
        const { executionId } = await acme.webhook('order', { method: 'POST', body: { user } }, { bot: 'bot' });
        await untilSent('Placed', user);
        expect((await acme.cancel(executionId, 'Enough')).state.status).toBe('cancelled');
        expect(await say(user, 'Hi')).toBe('started');
        letThrough();
        await untilSent('And?', user);
        expect((await until(executionId, is('cancelled'))).state.status).toBe('cancelled');
        expect((await acme.cancel(executionId)).state.status).toBe('cancelled');
        expect(listTexts(user)).toEqual(['Placed', 'Hello Hi', 'And?']);
      }),
    );

    it(
      'of a child ends with its parent (P18)',
      withWorld(open, async ({ acme, elapse, until, untilSent, sent }) => {
        const { executionId } = await acme.start('parent', { user: { id: 'ada' }, bot: 'bot', channel: 'web' });
        await untilSent('Inside', 'ada');
        const childId = (await until(executionId, is('waiting'))).state.wait?.childId ?? '';
        await until(childId, is('waiting'));
        await acme.cancel(executionId);
        expect((await acme.execution(childId))?.state.status).toBe('cancelled');
        await elapse(2 * napMs);
        expect((await acme.execution(executionId))?.state.status).toBe('cancelled');
        expect(sent.map(({ text }) => text)).toEqual(['Inside']);
      }),
    );
  });
}
