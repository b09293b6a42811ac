// The part of the contract of runtimes that continues what failed, and copies executions.
import { expect, describe, it } from 'vitest';
import { napMs } from './runtime-canvases.ts';
import { type RuntimeStage, type RuntimeWorld, withWorld } from './runtime-stage.ts';

const user = '5215512345678';
const isWaiting = ({ state }: { readonly state: { readonly status: string } }): boolean => state.status === 'waiting';
const hasFailed = ({ state }: { readonly state: { readonly status: string } }): boolean => state.status === 'failed';
const hasEnded = ({ state }: { readonly state: { readonly status: string } }): boolean => state.status === 'completed';

const node = (id: string, type: string, data: object = {}) => ({ id, type, data });
const edge = (source: string, target: string, sourceHandle?: string) => ({ source, target, ...(sourceHandle && { sourceHandle }) });
const says = (text: string): object => ({ message: { type: 'text', text } });

/** Asks for an amount, charges it, and sends a receipt. */
const paying = (receipt: string): object => ({
  schemaVersion: 1,
  id: 'paying',
  name: 'paying',
  kind: 'skill',
  nodes: [
    node('begin', 'start'),
    node('ask', 'ask', { ...says('How much?'), input: { kind: 'text' }, saveAs: '$context.said' }),
    node('charge', 'message', says('Charged')),
    node('receipt', 'message', says(receipt)),
    node('done', 'end'),
  ],
  edges: [edge('begin', 'ask'), edge('ask', 'charge', 'answered'), edge('charge', 'receipt', 'sent'), edge('receipt', 'done', 'sent')],
});
const faulty = '{{$context.said * 2.0}}';
const mended = 'Receipt of {{$context.said}}';

/** A workflow that calls another, which does something and then goes wrong. */
const calling: object = {
  schemaVersion: 1,
  id: 'calling',
  name: 'calling',
  kind: 'skill',
  nodes: [node('begin', 'start'), node('call', 'workflow', { workflowId: 'called', saveAs: '$context.found' }), node('done', 'end')],
  edges: [edge('begin', 'call'), edge('call', 'done', 'success')],
};
const called = (text: string): object => ({
  schemaVersion: 1,
  id: 'called',
  name: 'called',
  kind: 'skill',
  nodes: [
    node('begin', 'start'),
    node('note', 'set', { assignments: [{ path: '$context.word', value: 'ten' }] }),
    node('work', 'message', says('Worked')),
    node('tell', 'message', says(text)),
    node('done', 'end', { outputs: { word: '{{$context.word}}' } }),
  ],
  edges: [edge('begin', 'note'), edge('note', 'work'), edge('work', 'tell', 'sent'), edge('tell', 'done', 'sent')],
});

/** Pays, up to where it fails. */
async function pay({ acme, say, until }: Pick<RuntimeWorld, 'acme' | 'say' | 'until'>): Promise<string> {
  const { executionId } = await acme.start('paying', { user: { id: user }, bot: 'bot' });
  await until(executionId, isWaiting);
  await say(user, 'ten');
  await until(executionId, hasFailed);
  return executionId;
}

const textsOf = ({ sent }: Pick<RuntimeWorld, 'sent'>): readonly string[] => sent.map(({ text }) => text);

/** What failed, expired or was cancelled is continued once as a new execution, and what was done is not done again. */
export function describeContinuationsOfRuntime(open: () => Promise<RuntimeStage>): void {
  describeRetriesOfRuntime(open);

  describeCopiesOfRuntime(open);
}

/** An execution that has ended goes on. */
function describeRetriesOfRuntime(open: () => Promise<RuntimeStage>): void {
  describe('a retry', () => {
    it(
      'after an expression goes on in the mended version, and does not repeat the effect before it',
      withWorld(open, async (world) => {
        const { acme, until } = world;
        await acme.publish(paying(faulty));
        const executionId = await pay(world);
        const before = await acme.execution(executionId);
        await acme.publish(paying(mended));
        const made = await acme.retry(executionId, { version: 'latest', by: 'ada' });
        await until(made.executionId, hasEnded);
        expect(textsOf(world)).toEqual(['How much?', 'Charged', 'Receipt of ten']);
        const after = await acme.execution(executionId);
        const { continuedAs, ...ending } = after?.state.ending ?? {};
        expect({ ...after, state: { ...after?.state, ending } }).toEqual({ ...before, revision: (before?.revision ?? 0) + 1 });
        expect(continuedAs).toBe(made.executionId);
        expect((await acme.history(executionId)).at(-1)?.event).toMatchObject({
          type: 'execution.continued',
          as: made.executionId,
          by: 'ada',
        });
        const [first] = await acme.history(made.executionId);
        expect(first?.event).toMatchObject({ type: 'execution.forked', from: { executionId, version: 1 }, by: 'ada' });
        expect(await acme.execution(made.executionId)).toMatchObject({ version: 2, state: { forkedFrom: executionId } });
      }),
    );

    it(
      'of an effect that may have happened repeats it under its key; with keys "new", under another',
      withWorld(open, async (world) => {
        const { acme, failFor, sent, until } = world;
        await acme.publish(paying(mended));
        failFor('Charged', 2);
        const executionId = await pay(world);
        const again = await acme.retry(executionId);
        await until(again.executionId, hasFailed);
        const last = await acme.retry(again.executionId, { keys: 'new' });
        await until(last.executionId, hasEnded);
        expect(textsOf(world)).toEqual(['How much?', 'Charged', 'Charged', 'Charged', 'Receipt of ten']);
        const [one, two, three] = sent.filter(({ text }) => text === 'Charged').map(({ key }) => key);
        expect(two).toBe(one);
        expect(three).not.toBe(one);
      }),
    );

    it(
      'is made once, however many ask for it; again where that is asked (F3)',
      withWorld(open, async (world) => {
        const { acme, until } = world;
        await acme.publish(paying(faulty));
        const executionId = await pay(world);
        await acme.publish(paying(mended));
        const tried = await Promise.allSettled([1, 2, 3].map(() => acme.retry(executionId, { version: 'latest' })));
        const made = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value.executionId] : []));
        expect(made).toHaveLength(1);
        const as = made[0] ?? '';
        const refused = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
        const refusal = { code: 'CONTINUED_ALREADY', status: 409, details: { executionId, as } };
        expect(refused).toMatchObject([refusal, refusal]);
        await until(as, hasEnded);
        const second = await acme.retry(executionId, { version: 'latest', again: true });
        await until(second.executionId, hasEnded);
        expect(textsOf(world).filter((text) => text === 'Receipt of ten')).toHaveLength(2);
        expect((await acme.execution(executionId))?.state.ending?.continuedAs).toBe(second.executionId);
        await expect(acme.retry(as)).rejects.toMatchObject({ code: 'NOT_ENDED_BADLY' });
      }),
    );

    describeRetriesOfWaits(open);
  });
}

/** What waits or stands for another goes on too. */
function describeRetriesOfWaits(open: () => Promise<RuntimeStage>): void {
  it(
    'of what was cancelled stands at its wait again with the whole time of it, and survives a restart',
    withWorld(open, async (world) => {
      const { engine, elapse, until } = world;
      const napping = await world.acme.start('nap');
      await until(napping.executionId, isWaiting);
      await elapse(napMs / 2);
      await world.acme.cancel(napping.executionId);
      const made = await world.acme.retry(napping.executionId);
      const { state } = await until(made.executionId, isWaiting);
      expect((state.wait?.dueAtMs ?? 0) - (state.wait?.openedAtMs ?? 0)).toBe(napMs);
      expect(engine).toBe(world.engine);
      await world.restart();
      await elapse(2 * napMs);
      await until(made.executionId, hasEnded);
    }),
  );

  it(
    'of what failed by its child continues both, and repeats nothing that the child has done',
    withWorld(open, async (world) => {
      const { acme, until } = world;
      await acme.publish(called('{{$context.word * 2.0}}'));
      await acme.publish(calling);
      const { executionId } = await acme.start('calling', { user: { id: user }, bot: 'bot' });
      await until(executionId, hasFailed);
      const { results } = await acme.executions({ workflowId: 'called' });
      const child = results[0]?.executionId ?? '';
      await expect(acme.retry(child)).rejects.toMatchObject({ code: 'CHILD', status: 409 });
      await acme.publish(called('It is {{$context.word}}'));
      const made = await acme.retry(executionId, { version: 'latest' });
      const { state } = await until(made.executionId, hasEnded);
      expect(state.variables['$context']).toMatchObject({ found: { word: 'ten' }, executionId: made.executionId });
      expect(textsOf(world)).toEqual(['Worked', 'It is ten']);
      const continuedAs = (await acme.execution(child))?.state.ending?.continuedAs ?? '';
      expect(await acme.execution(continuedAs)).toMatchObject({
        parent: { executionId: made.executionId },
        state: { status: 'completed' },
      });
    }),
  );

  it(
    'takes the requests that name the original',
    withWorld(open, async ({ acme, until, untilSent }) => {
      const { executionId } = await acme.webhook('order', { method: 'POST', body: { user } }, { bot: 'bot' });
      await until(executionId, isWaiting);
      await acme.cancel(executionId);
      const made = await acme.retry(executionId);
      const paid = await acme.webhook('order', { method: 'POST', body: { user, executionId, by: 'ada' } }, { bot: 'bot' });
      expect(paid).toMatchObject({ executionId, mode: 'resume' });
      await untilSent('Paid by ada');
      await until(made.executionId, hasEnded);
    }),
  );
}

/** A copy of an execution goes on beside it, or in its place. */
function describeCopiesOfRuntime(open: () => Promise<RuntimeStage>): void {
  describe('a copy', () => {
    it(
      'stands where the original stood, beside it, and asks for nothing under a key of it',
      withWorld(open, async (world) => {
        const { acme, sent, say, until } = world;
        await acme.publish(paying(mended));
        const { executionId } = await acme.start('paying', { user: { id: user }, bot: 'bot' });
        const { state } = await until(executionId, isWaiting);
        const history = await acme.history(executionId);
        const made = await acme.fork(executionId, { before: history.length });
        const copied = await until(made.executionId, isWaiting);
        expect(copied.state.wait).toEqual(state.wait);
        await acme.cancel(executionId);
        await say(user, 'ten');
        await until(made.executionId, hasEnded);
        const done = await acme.history(made.executionId);
        const last = await acme.fork(made.executionId, { before: done.length - 1 }); // its last message has no answer yet
        await until(last.executionId, hasEnded);
        const keys = sent.map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        expect(textsOf(world)).toEqual(['How much?', 'Charged', 'Receipt of ten', 'Receipt of ten']);
        expect((await acme.execution(executionId))?.state.ending?.continuedAs).toBeUndefined();
      }),
    );

    it(
      'that ends its original does so in the same commit, and names it',
      withWorld(open, async (world) => {
        const { acme, until } = world;
        const called_ = await acme.start('parent', { user: { id: user }, bot: 'bot' });
        await until(called_.executionId, ({ state: { wait } }) => wait?.kind === 'child');
        const at = { before: (await acme.history(called_.executionId)).length };
        await expect(acme.fork(called_.executionId, at)).rejects.toMatchObject({ code: 'WAITS_FOR_CHILD', status: 409 });
        const set = { '$context.found': { doubled: 7 } };
        const made = await acme.fork(called_.executionId, { ...at, enter: 'tell', set, ends: true });
        expect((await until(made.executionId, hasEnded)).state.ending?.outputs).toEqual({ found: 7 });
        const original = await acme.execution(called_.executionId);
        expect(original?.state).toMatchObject({ status: 'cancelled', ending: { continuedAs: made.executionId } });
        const events = (await acme.history(called_.executionId)).map(({ event }) => event.type);
        expect(events.slice(-2)).toEqual(['execution.cancelled', 'execution.continued']);
      }),
    );

    it(
      'is refused where there is no such event, and where a value is missing',
      withWorld(open, async (world) => {
        const { acme, until } = world;
        await acme.publish(paying(mended));
        const { executionId } = await acme.start('paying', { user: { id: user }, bot: 'bot' });
        await until(executionId, isWaiting);
        const { length } = await acme.history(executionId);
        for (const before of [0, length + 1])
          await expect(acme.fork(executionId, { before })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
        await expect(acme.fork(executionId, { before: length, enter: 'receipt' })).rejects.toMatchObject({
          code: 'NEEDS_VALUE',
          status: 409,
        });
        await expect(acme.fork(executionId, { before: length, enter: 'none' })).rejects.toMatchObject({ code: 'NODE_GONE' });
        await expect(acme.fork(executionId, { before: length, version: 9 })).rejects.toMatchObject({ code: 'VERSION_NOT_FOUND' });
        await expect(acme.fork('none', { before: 1 })).rejects.toMatchObject({ code: 'EXECUTION_NOT_FOUND' });
        await expect(acme.retry(executionId)).rejects.toMatchObject({ code: 'NOT_ENDED_BADLY' });
        expect((await acme.executions({})).results).toHaveLength(1);
      }),
    );
  });
}
