import { expect, it } from 'vitest';
import { accepted, type Caller, keys } from '../caller.ts';
import { thirdKey } from '../third-company.ts';

const [reminder, once] = ['payment-reminder/web/wh1', 'payment-once/web/wo1'];
const resumed = (executionId: string) => ({ success: true, executionId, mode: 'resume', isNewExecution: false });

/** Requests to executions that wait. */
export function resumeFlows(calls: () => Caller): void {
  /** An execution of a new user that waits for its payment. */
  const waiting = async (path: string, userId: string): Promise<string> => {
    const { executionId } = accepted(await calls().hook(path, { user: { id: userId }, number: 'F-7', amount: '70' }));
    expect(await calls().settled(executionId)).toMatchObject({ status: 'waiting', wait: { kind: 'external' } });
    return executionId;
  };
  const textsTo = async (userId: string) => (await calls().messages('bot_web', userId)).map(({ message }) => message.text);

  it.for(['body', 'query'] as const)(
    'continue where it stopped, by the id in the %s alone (WEB-10, WEB-11, WEB-14, WEB-21)',
    async (place) => {
      const userId = place === 'body' ? '5215510000001' : '5215510000002';
      const executionId = await waiting(reminder, userId);
      const answer =
        place === 'body'
          ? await calls().hook(reminder, { meta: { executionId }, user: { id: 'ignored, whatever it is' }, receipt: 'R-1' })
          : await calls().hook(`${reminder}?executionId=${executionId}`, { receipt: 'R-1' });
      expect(answer).toMatchObject({ status: 200, body: resumed(executionId) });
      expect(await calls().settled(executionId)).toMatchObject({ status: 'completed' });
      expect(await textsTo(userId)).toEqual(['Hello there, invoice F-7 of 70 is due.', 'Thank you. Receipt: R-1']);
    },
  );

  it('are no new executions when their id is empty, no text, or given twice (WEB-10, WEB-11)', async () => {
    const user = { id: '5215510000003' };
    const refused = { status: 400, body: { error: 'INVALID_REQUEST' } };
    for (const executionId of ['', 7, {}, ['x']])
      expect(await calls().hook(reminder, { user, meta: { executionId } })).toMatchObject(refused);
    expect(await calls().hook(`${reminder}?executionId=one`, { user, meta: { executionId: 'two' } })).toMatchObject(refused);
    expect((await calls().executions('1')).filter(({ userId }) => userId === user.id)).toEqual([]);
    accepted(await calls().hook(reminder, { user, meta: { executionId: null } })); // null is as good as absent
  });

  it('count once under oneTimeOnly: later ones are answered as ignored (WEB-15)', async () => {
    const executionId = await waiting(once, '5215510000004');
    const pay = (receipt: string) => calls().hook(once, { meta: { executionId }, receipt });
    expect((await pay('R-1')).body).toEqual(resumed(executionId));
    for (const receipt of ['R-2', 'R-3'])
      expect(await pay(receipt)).toMatchObject({ status: 200, body: { ...resumed(executionId), ignored: true } });
    expect(await calls().settled(executionId)).toMatchObject({ status: 'completed' });
    expect((await pay('R-4')).body).toEqual({ ...resumed(executionId), ignored: true });
    expect((await textsTo('5215510000004')).at(-1)).toBe('Thank you. Receipt: R-1');
  });

  it('are refused once the execution has ended, or waits for something else, and change nothing (WEB-23)', async () => {
    const executionId = await waiting(reminder, '5215510000005');
    accepted(await calls().hook(reminder, { meta: { executionId }, receipt: 'R-1' }));
    const ended = await calls().settled(executionId);
    expect(await calls().hook(reminder, { meta: { executionId }, receipt: 'R-2' })).toMatchObject({
      status: 409,
      body: { error: 'EXECUTION_NOT_WAITING' },
    });
    expect(await calls().execution(executionId)).toEqual(ended);

    const asked = accepted(await calls().hook('twice/custom/hook', { user: { id: '5215510000006' } }, { 'x-api-key': thirdKey }));
    expect(await calls().settled(asked.executionId, '3')).toMatchObject({ wait: { kind: 'timer' } });
    const early = await calls().hook('twice/custom/hook', { meta: { executionId: asked.executionId } }, { 'x-api-key': thirdKey });
    expect(early).toMatchObject({ status: 409, body: { error: 'EXECUTION_NOT_WAITING' } });
  });

  it('find no execution that is unknown, of another workflow or of another company (WEB-22, WEB-25, P28)', async () => {
    const executionId = await waiting(reminder, '5215510000007');
    const unknown = (id: string) => ({
      status: 404,
      body: { error: 'EXECUTION_NOT_FOUND', message: expect.stringContaining(id) as string },
    });
    expect(await calls().hook(reminder, { meta: { executionId: '0'.repeat(32) } })).toMatchObject(unknown('0'.repeat(32)));
    expect(await calls().hook(once, { meta: { executionId } })).toMatchObject(unknown(executionId));
    expect(await calls().hook(reminder, { meta: { executionId } }, { 'x-api-key': keys.other })).toMatchObject({ status: 404 });
    expect(await calls().execution(executionId)).toMatchObject({ status: 'waiting' });
  });

  it('are one when they are delivered again (WEB-27, P10)', async () => {
    const executionId = await waiting(reminder, '5215510000008');
    const again = () => calls().hook(reminder, { meta: { executionId }, receipt: 'R-1' }, { 'webhook-id': 'paid-once' });
    for (const answer of [...(await Promise.all([again(), again(), again()])), await again()])
      expect(answer).toMatchObject({ status: 200, body: resumed(executionId) });
    expect(await calls().settled(executionId)).toMatchObject({ status: 'completed' });
    expect(await textsTo('5215510000008')).toHaveLength(2);
  });

  it('reach the child that waits, and what they bring is the parent’s (WEB-17)', async () => {
    const { executionId } = accepted(await calls().hook('sign-contract/web/whp', { userId: '5215510000009', number: 'C-7' }));
    const parent = await calls().settled(executionId);
    expect(parent).toMatchObject({ status: 'waiting', wait: { kind: 'child' } });
    const childId = parent.wait?.childExecutionId ?? '';
    expect(await calls().settled(childId)).toMatchObject({
      workflowId: 'collect-signature',
      parentExecutionId: executionId,
      wait: { kind: 'webhook' },
      variables: { $webhook: { contract: { body: { number: 'C-7' } } } },
    });
    accepted(await calls().hook('collect-signature/web/whc', { executionId, signer: 'Ana Torres', number: 'C-8' }));
    expect(await calls().settled(childId)).toMatchObject({ status: 'completed' });
    let now = await calls().settled(executionId);
    while (now.status === 'waiting') now = await calls().settled(executionId);
    expect(now).toMatchObject({ status: 'completed', variables: { $webhook: { contract: { body: { number: 'C-8' } } } } });
    expect(await textsTo('5215510000009')).toEqual(['Contract C-8 signed by Ana Torres.']);
  });
}
