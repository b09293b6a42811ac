import { describe, expect, it } from 'vitest';
import { napMs } from './runtime-canvases.ts';
import { type RuntimeStage, withWorld } from './runtime-stage.ts';

const is =
  (status: string) =>
  (record: { readonly state: { readonly status: string } }): boolean =>
    record.state.status === status;

/** An effect is performed under one key, and keeps nobody from ending its execution. */
export function describeEffectsOfRuntime(open: () => Promise<RuntimeStage>): void {
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
      'keeps nobody from cancelling, and its late answer changes nothing',
      withWorld(open, async ({ acme, hold, say, textsTo, until, untilSent }) => {
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
        expect(textsTo(user)).toEqual(['Placed', 'Hello Hi', 'And?']);
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
