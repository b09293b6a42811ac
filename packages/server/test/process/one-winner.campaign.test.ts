import { expect, it } from 'vitest';
import { inlineExample } from '../data/inline-example.ts';
import { respondLater } from '../http/canvases.ts';
import { expectAccountedFor } from './accounts.ts';
import { accepted, type Caller, callerOf } from './caller.ts';
import { describeOverPostgres } from './place.ts';

const resumes = 50;

/** Calls half of them at one process and half at the other, all at once. */
const everywhere = <Result>(callers: readonly Caller[], call: (caller: Caller, index: number) => Promise<Result>) =>
  Promise.all(
    Array.from({ length: resumes }, (_, index) => index).flatMap((index) => {
      const caller = callers[index % callers.length];
      return caller === undefined ? [] : [call(caller, index)];
    }),
  );

describeOverPostgres('two processes over one database', (open) => {
  it(`let one of ${resumes} resumes at once go on, however many times it is tried (P7, WEB-15, WEB-23)`, async () => {
    using place = await open(await inlineExample());
    await using first = await place.start();
    await using second = await place.start();
    const callers = [first, second].map(({ url }) => callerOf(url));
    const [one] = callers;
    if (one === undefined) throw new Error('There is no process');

    for (const [round, starter] of [...callers, ...callers].entries()) {
      const userId = `52155000000${round}`;
      const { executionId } = accepted(await starter.hook('payment-once/web/wo1', { user: { id: userId }, number: 'F-1', amount: '10' }));
      expect(await starter.settled(executionId)).toMatchObject({ status: 'waiting', wait: { kind: 'external' } });
      const answers = await everywhere(callers, (caller, index) =>
        caller.hook('payment-once/web/wo1', { meta: { executionId }, receipt: `R-${index}` }),
      );
      for (const { status, body } of answers)
        expect({ status, body }).toMatchObject({
          status: 200,
          body: { success: true, executionId, mode: 'resume', isNewExecution: false },
        });
      const winners = answers.flatMap(({ body }, index) => ((body as { readonly ignored?: true }).ignored === true ? [] : [index]));
      expect(winners).toHaveLength(1);

      expect(await one.settled(executionId)).toMatchObject({ status: 'completed' });
      const entries = await one.history(executionId);
      expect(entries.filter(({ nodeId, port }) => nodeId === 'paid' && port === 'resumed')).toHaveLength(1);
      expect(entries.filter(({ type }) => type === 'end')).toHaveLength(1);
      const said = (await one.messages('bot_web', userId)).map(({ message }) => message.text);
      expect(said).toEqual(['Hello there, invoice F-1 of 10 is due.', `Thank you. Receipt: R-${winners[0] ?? ''}`]);
      // Long after the end it is ignored as well, at either process.
      for (const caller of callers)
        expect((await caller.hook('payment-once/web/wo1', { meta: { executionId } })).body).toMatchObject({ ignored: true });
    }

    const { executionId } = accepted(
      await one.hook('payment-reminder/web/wh1', { user: { id: '5215500000009' }, number: 'F-2', amount: '20' }),
    );
    await one.settled(executionId);
    const answers = await everywhere(callers, (caller) => caller.hook('payment-reminder/web/wh1', { meta: { executionId }, receipt: 'R' }));
    const byStatus = Map.groupBy(answers, ({ status }) => status);
    expect({ taken: byStatus.get(200)?.length, refused: byStatus.get(409)?.length }).toEqual({ taken: 1, refused: resumes - 1 });
    expect(await one.settled(executionId)).toMatchObject({ status: 'completed' });
    expect(await expectAccountedFor(one)).toBe(5);
  });

  it('both answer a call that both receive with the canvas’s response (WEB-24, WEB-27)', async () => {
    using place = await open(await inlineExample());
    await using first = await place.start();
    await using second = await place.start();
    const callers = [first, second].map(({ url }) => callerOf(url));
    const workflow = '/admin/v1/workflows/respond-later';
    const kept = await callers[0]?.call(`PUT ${workflow}?companyId=1`, { body: respondLater() });
    const published = await callers[1]?.call(`POST ${workflow}/publish?companyId=1`);
    expect([kept?.status, published?.status]).toEqual([200, 200]);

    const answers = await everywhere(callers, (caller, index) =>
      caller.hook('respond-later/web/hook', { user: { id: '5215500000001' }, n: index }, { 'webhook-id': 'once' }),
    );
    const [one] = answers;
    expect(one).toMatchObject({ status: 201, body: { got: expect.any(Number) as unknown } });
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set([`201 ${one?.text}`]));
  });
});
