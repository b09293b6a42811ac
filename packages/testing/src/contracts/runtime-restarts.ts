import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { napMs } from './runtime-canvases.ts';
import { type RuntimeStage, withWorld } from './runtime-stage.ts';

const is =
  (status: string) =>
  (record: { readonly state: { readonly status: string } }): boolean =>
    record.state.status === status;

/** What was accepted goes on in the next process. */
export function describeRestartsOfRuntime(open: () => Promise<RuntimeStage>): void {
  describe('the death of a process', () => {
    it(
      'leaves an effect without an answer to the next, under the same key, and what queues behind it (P1, P4)',
      withWorld(open, async (world) => {
        const { hold, restart, say, sent, textsTo, untilSent } = world;
        hold('Hello Hi');
        await say('ada', 'Hi');
        const first = await untilSent('Hello Hi', 'ada');
        expect(await say('ada', 'Well')).toBe('queued');
        await restart();
        await untilSent('You said Well', 'ada');
        expect(textsTo('ada')).toEqual(['Hello Hi', 'And?', 'You said Well']);
        expect(sent.filter(({ text }) => text === 'Hello Hi').map(({ key }) => key)).toEqual([first.key, first.key]);
        expect(await say('ada', 'Hi')).toBe('duplicate');
      }),
    );

    it(
      'leaves every wait as it was: for a reply, for time, for a child',
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

  describe('what cannot be processed', () => {
    it(
      'is quarantined with its reason, keeps nothing else from going on, and goes on when it is released (P17)',
      withWorld(open, async (world) => {
        const { elapse, restart, until } = world;
        const { executionId } = await world.acme.start('nap');
        await until(executionId, is('waiting'));
        await restart(standardNodes.filter(({ type }) => type !== 'delay')); // a release that no longer has the node
        const { executionId: other } = await world.acme.start('awaiting', { inputs: { order: 'a' } });
        await elapse(2 * napMs);
        await until(executionId, is('quarantined'));
        await until(other, is('waiting'));
        expect((await world.acme.history(executionId)).at(-1)?.event).toMatchObject({ type: 'execution.quarantined' });
        await restart();
        expect((await world.acme.execution(executionId))?.state.status).toBe('quarantined');
        await world.acme.release(executionId);
        await elapse(2 * napMs);
        await until(executionId, is('completed'));
      }),
    );
  });
}
