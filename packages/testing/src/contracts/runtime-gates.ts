import { describe, expect, it } from 'vitest';
import { napMs } from './runtime-canvases.ts';
import { type RuntimeStage, withWorld } from './runtime-stage.ts';

const hasEnded = (record: { readonly state: { readonly status: string } }): boolean =>
  record.state.status === 'completed' || record.state.status === 'failed';
const isWaiting = (record: { readonly state: { readonly status: string } }): boolean => record.state.status === 'waiting';

/** A workflow that is paused or unpublished is started by nothing, and what is open goes on. */
export function describeGatesOfRuntime(open: () => Promise<RuntimeStage>): void {
  describe('a workflow that is closed', () => {
    it(
      'tells its users what its pause says, while whoever talks goes on; unpaused, it begins as before (P14)',
      withWorld(open, async ({ acme, say, listTexts, sent, untilSent }) => {
        await say('ada', 'Hi');
        await untilSent('And?', 'ada');
        expect(await acme.pause('talk', { says: 'Later, please', by: 'maria' })).toMatchObject({ state: 'paused', by: 'maria' });
        expect(await say('bob', 'Ho')).toBe('started');
        await untilSent('Later, please', 'bob');
        const told = (await acme.executions({ workflowId: 'talk', userId: 'bob' })).results;
        expect(told.map(({ version }) => version)).toEqual([0]);
        expect(await say('ada', 'Well')).toBe('resumed');
        await untilSent('You said Well', 'ada');
        await acme.unpause('talk');
        expect(await say('bob', 'Again')).toBe('started');
        await untilSent('Hello Again', 'bob');
        expect(listTexts('bob').slice(0, 2)).toEqual(['Later, please', 'Hello Again']);
        expect(sent.filter(({ text }) => text === 'Later, please')).toHaveLength(1);
        const [newest] = (await acme.executions({ workflowId: 'talk', userId: 'bob' })).results;
        expect(newest?.version).toBe(1);
      }),
    );

    it(
      'leaves messages unmatched where its pause says nothing, and where it is unpublished',
      withWorld(open, async ({ acme, say, sent }) => {
        const causes: string[] = [];
        acme.on('message.unmatched', ({ cause }) => void causes.push(cause));
        await acme.pause('talk');
        expect(await say('ada', 'Hi')).toBe('unmatched');
        await acme.unpublish('talk');
        expect(await say('ada', 'Ho')).toBe('unmatched');
        expect(causes[0]).toBe('WORKFLOW_PAUSED');
        expect(causes[1]).not.toBe('WORKFLOW_PAUSED');
        expect(sent).toEqual([]);
        await expect(acme.pause('talk')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
      }),
    );

    it(
      'refuses requests and starts for a while, and resumes what waits',
      withWorld(open, async ({ acme, until }) => {
        const call = (body: object = {}) =>
          acme.webhook('order', { method: 'POST', body: { user: '5215512345678', ...body } }, { bot: 'bot' });
        const { executionId } = await call();
        await until(executionId, isWaiting);
        for (const workflowId of ['order', 'nap']) await acme.pause(workflowId);
        await expect(call()).rejects.toMatchObject({ code: 'WORKFLOW_PAUSED', status: 503, details: { retryAfterS: 60 } });
        await expect(acme.start('nap')).rejects.toMatchObject({ code: 'WORKFLOW_PAUSED', status: 409 });
        await expect(acme.start('nap', { version: 1 })).rejects.toMatchObject({ code: 'WORKFLOW_PAUSED', status: 409 });
        expect(await call({ executionId, by: 'ada' })).toMatchObject({ executionId, mode: 'resume' });
        await until(executionId, hasEnded);
        for (const workflowId of ['order', 'nap']) await acme.unpublish(workflowId);
        await expect(call()).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND', status: 404 });
        await expect(acme.start('nap')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
        const [only] = await acme.versions('nap');
        expect(await acme.publish(only?.canvas ?? {})).toMatchObject({ version: 1 });
        await acme.start('nap');
      }),
    );

    describeClosedChildren(open);
  });
}

/** What others call that is closed. */
function describeClosedChildren(open: () => Promise<RuntimeStage>): void {
  it(
    'is still called by others, unless its pause refuses them or it is unpublished',
    withWorld(open, async ({ acme, elapse, until }) => {
      const endOfParent = async (): Promise<string | undefined> => {
        const { executionId } = await acme.start('parent', { bot: 'bot', user: { id: 'ada' } });
        const { state } = await until(executionId, (record) => hasEnded(record) || record.state.wait?.kind === 'child');
        if (state.wait?.childId !== undefined) await until(state.wait.childId, (record) => record.state.wait?.kind === 'timer');
        await elapse(napMs);
        return (await until(executionId, hasEnded)).state.ending?.failure?.cause;
      };
      await acme.pause('child');
      expect(await endOfParent()).toBeUndefined();
      await acme.pause('child', { children: 'refuse' });
      expect(await endOfParent()).toBe('WORKFLOW_PAUSED');
      await acme.unpublish('child');
      expect(await endOfParent()).toBe('WORKFLOW_NOT_FOUND');
    }),
  );
}
