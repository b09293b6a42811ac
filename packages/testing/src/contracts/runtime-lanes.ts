import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { napMs } from './runtime-canvases.ts';
import { type RuntimeStage, withWorld } from './runtime-stage.ts';

const hasEnded = (record: { readonly state: { readonly status: string } }): boolean => record.state.status === 'completed';

/** Accepted work is stored, once, and processed in order. */
export function describeLanesOfRuntime(open: () => Promise<RuntimeStage>): void {
  describe('accepted work', () => {
    it(
      'is there when the answer is, and is carried to its end (P1, P3)',
      withWorld(open, async ({ acme, say, sent, until, untilSent }) => {
        expect(await say('ada', 'Hi')).toBe('started');
        await untilSent('And?', 'ada');
        const { executionId } = await acme.start('nap');
        expect(await acme.execution(executionId)).toMatchObject({ workflowId: 'nap', version: 1, state: { status: 'waiting' } });
        expect(await say('ada', 'Well')).toBe('resumed');
        const { key } = await untilSent('You said Well', 'ada');
        expect(sent.filter((one) => one.key === key)).toHaveLength(1);
        expect(sent.map(({ text }) => text)).toEqual(['Hello Hi', 'And?', 'You said Well']);
        expect(new Set(sent.map((one) => one.key)).size).toBe(3);
        const first = await acme.start('sending', { inputs: { order: 'none' } });
        expect((await until(first.executionId, hasEnded)).state.ending?.outputs).toEqual({ waits: 0 });
        expect((await acme.history(first.executionId)).map(({ event }) => event.type)).toContain('execution.started');
      }),
    );

    it(
      'has one consequence when it arrives twice, at once or later (P10)',
      withWorld(open, async ({ acme, say, listTexts, untilSent }) => {
        const outcomes = await Promise.all([say('ada', 'Hi', 'd1'), say('ada', 'Hi', 'd1'), say('ada', 'Hi', 'd1')]);
        expect(outcomes.filter((outcome) => outcome !== 'duplicate')).toEqual(['started']);
        await untilSent('And?', 'ada');
        expect(await say('ada', 'Hi', 'd1')).toBe('duplicate');
        const starts = await Promise.all([1, 2, 3].map(() => acme.start('nap', { idempotencyKey: 'once' })));
        expect(new Set(starts.map(({ executionId }) => executionId)).size).toBe(1);
        expect(await acme.start('nap', { idempotencyKey: 'once' })).toEqual(starts[0]);
        expect(await acme.start('nap', { idempotencyKey: 'other' })).not.toEqual(starts[0]);
        expect(listTexts('ada')).toEqual(['Hello Hi', 'And?']);
      }),
    );

    it(
      'is processed in order for one user, and meanwhile for another (P9)',
      withWorld(open, async ({ hold, say, listTexts, untilSent }) => {
        const { letThrough } = hold('Hello Hi');
        await say('ada', 'Hi');
        await untilSent('Hello Hi', 'ada');
        expect(await say('ada', 'One')).toBe('queued');
        expect(await say('ada', 'Two')).toBe('queued');
        await say('bob', 'Ho');
        await untilSent('And?', 'bob');
        expect(listTexts('ada')).toEqual(['Hello Hi']);
        letThrough();
        await untilSent('Hello Two', 'ada');
        await untilSent('And?', 'ada');
        expect(listTexts('ada').slice(0, 4)).toEqual(['Hello Hi', 'And?', 'You said One', 'Hello Two']);
      }),
    );

    it(
      'is refused with the reason when it names nothing',
      withWorld(open, async ({ acme }) => {
        await expect(acme.start('nobody')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
        await expect(acme.cancel('nothing')).rejects.toMatchObject({ code: 'EXECUTION_NOT_FOUND' });
        await expect(acme.release('nothing')).rejects.toMatchObject({ code: 'EXECUTION_NOT_FOUND' });
        const request = { method: 'POST', body: { user: '5215512345678', executionId: 'nothing' } };
        await expect(acme.webhook('order', request, { bot: 'bot' })).rejects.toMatchObject({ code: 'EXECUTION_NOT_FOUND' });
        expect(await acme.signal('paid', { correlation: 'nobody' })).toEqual({ executionIds: [] });
      }),
    );
  });
}

const is =
  (status: string) =>
  (record: { readonly state: { readonly status: string } }): boolean =>
    record.state.status === status;

/** Accepted work continues in the next process. */
export function describeRestartsOfRuntime(open: () => Promise<RuntimeStage>): void {
  describe('the death of a process', () => {
    it(
      'leaves an effect without an answer to the next, under the same key, and what queues behind it (P1, P4)',
      withWorld(open, async (world) => {
        const { hold, restart, say, sent, listTexts, untilSent } = world;
        hold('Hello Hi');
        await say('ada', 'Hi');
        const first = await untilSent('Hello Hi', 'ada');
        expect(await say('ada', 'Well')).toBe('queued');
        await restart();
        await untilSent('You said Well', 'ada');
        expect(listTexts('ada')).toEqual(['Hello Hi', 'And?', 'You said Well']);
        expect(sent.filter(({ text }) => text === 'Hello Hi').map(({ key }) => key)).toEqual([first.key, first.key]);
        expect(await say('ada', 'Hi')).toBe('duplicate');
      }),
    );

    it(
      'keeps a request that came before its wait, and applies it once (WEB-23, P3)',
      withWorld(open, async (world) => {
        const { hold, restart, sent, until, untilSent } = world;
        hold('Placed');
        const [user, by] = ['5215512345678', 'ada'];
        const { executionId } = await world.acme.webhook('order', { method: 'POST', body: { user } }, { bot: 'bot' });
        await untilSent('Placed', user);
        await world.acme.webhook('order', { method: 'POST', body: { user, executionId, by } }, { bot: 'bot' });
        await restart();
        await until(executionId, hasEnded);
        expect(sent.filter(({ text }) => text.startsWith('Paid')).map(({ text }) => text)).toEqual(['Paid by ada']);
        const received = (await world.acme.history(executionId)).filter(({ event }) => event.type === 'webhook.received');
        expect(received).toHaveLength(1);
      }),
    );

    it(
      'keeps a signal that is held for a wait to come (P1)',
      withWorld(open, async (world) => {
        await world.acme.signal('paid', { correlation: 'a', payload: 'early', ttlMs: 3_600_000 });
        await world.restart();
        const { executionId } = await world.acme.start('awaiting', { inputs: { order: 'a' } });
        expect((await world.until(executionId, hasEnded)).state.ending?.outputs).toEqual({ paid: 'early' });
      }),
    );

    it(
      'keeps every wait: for a reply, for time, for a child',
      withWorld(open, async (world) => {
        const { elapse, restart, say, until, untilSent } = world;
        await say('ada', 'Hi');
        await untilSent('And?', 'ada');
        const { executionId: napping } = await world.acme.start('nap');
        const { executionId: calling } = await world.acme.start('parent', { user: { id: 'bob' }, bot: 'bot', channel: 'web' });
        await untilSent('Inside', 'bob');
        const childId = (await until(calling, is('waiting'))).state.wait?.childId ?? '';
        await until(childId, is('waiting'));
        await restart();
        await elapse(2 * napMs);
        await until(napping, is('completed'));
        expect((await until(calling, is('completed'))).state.ending?.outputs).toEqual({ found: 42 });
        expect(await say('ada', 'Well')).toBe('resumed');
        await untilSent('You said Well', 'ada');
      }),
    );
  });

  describeQuarantineOfRuntime(open);
}

/** What cannot be processed harms nothing else. */
function describeQuarantineOfRuntime(open: () => Promise<RuntimeStage>): void {
  describe('what cannot be processed', () => {
    it(
      'since its release has not the node delays nothing else, and goes on in one that has it (P17)',
      withWorld(open, async (world) => {
        const { elapse, restart, until } = world;
        const { executionId } = await world.acme.start('nap');
        await until(executionId, is('waiting'));
        await restart(standardNodes.filter(({ type }) => type !== 'delay')); // a release that no longer has the node
        const { executionId: other } = await world.acme.start('awaiting', { inputs: { order: 'a' } });
        await elapse(2 * napMs);
        await until(other, is('waiting'));
        await restart();
        // An engine with its own store keeps it as it was; a runtime that cannot has it released by an operator.
        if ((await world.acme.execution(executionId))?.state.status === 'quarantined') await world.acme.release(executionId);
        await elapse(2 * napMs);
        expect((await until(executionId, is('completed'))).state.status).toBe('completed');
      }),
    );
  });
}
