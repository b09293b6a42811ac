import { beforeEach, describe, expect, it } from 'vitest';
import { accepted, ana, frames, setStage, type Stage, waiting } from './calls.ts';
import { order } from './canvases.ts';
import { keys } from './fake-service.ts';

describe.each(frames)('over %s', (frame) => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await setStage({}, undefined, frame);
    await stage.service.keep(order());
    return () => stage.service.close();
  });

  describe('the mode', () => {
    it('is new without an executionId, absent or null (WEB-10, WEB-20)', async () => {
      for (const body of [{ user: { id: ana } }, { user: { id: ana }, meta: { executionId: null } }]) {
        expect(accepted(await stage.hook('order/whatsapp/hook', body))).toMatchObject({ mode: 'new', isNewExecution: true });
      }
    });

    it.each(['body', 'query'])('is resume with an executionId in the %s (WEB-11, WEB-14, WEB-21)', async (place) => {
      const executionId = await waiting(stage);
      const query = place === 'query' ? `?executionId=${executionId}` : '';
      const body = place === 'body' ? { meta: { executionId }, user: { id: 'not a user' } } : { step: 2 };
      const answer = await stage.hook(`order/whatsapp/hook${query}`, body);
      expect(answer).toMatchObject({ status: 200, body: { success: true, executionId, mode: 'resume', isNewExecution: false } });
      expect(answer.body).not.toHaveProperty('ignored');
      expect(await stage.stateOf(executionId)).toMatchObject({
        status: 'completed',
        variables: { $webhook: { order: { mode: 'resume', isNewExecution: false, body } } },
      });
    });

    it.each([
      ['empty', { meta: { executionId: '' } }, ''],
      ['a number', { meta: { executionId: 7 } }, ''],
      ['an object', { meta: { executionId: {} } }, ''],
      ['empty in the query', {}, '?executionId='],
      ['twice in the query', {}, '?executionId=a&executionId=b'],
      ['two that differ', { meta: { executionId: 'a' } }, '?executionId=b'],
    ])('is never guessed from an executionId that is %s (WEB-10, WEB-11)', async (_what, more, query) => {
      const answer = await stage.hook(`order/whatsapp/hook${query}`, { user: { id: ana }, ...more });
      expect(answer).toMatchObject({ status: 400, body: { error: 'INVALID_REQUEST' } });
      expect((await stage.service.store.executions.list('1', { limit: 1 })).results).toEqual([]);
    });

    it('never follows a prototype (WEB-11, T8)', async () => {
      await stage.service.keep(order({ executionIdPath: 'meta.toString' }));
      expect(accepted(await stage.hook('order/whatsapp/hook', { user: { id: ana }, meta: {} })).mode).toBe('new');
    });

    it('finds no unknown execution, and none of another company (WEB-22, WEB-25, P28)', async () => {
      await stage.service.keep(order(), { companyId: '2' });
      const foreign = (await stage.hook('order/whatsapp/hook', { user: { id: ana } }, { headers: { 'x-api-key': keys.other } })).body as {
        executionId: string;
      };
      const unknown = 'f'.repeat(foreign.executionId.length);
      const [a, b] = await Promise.all(
        [foreign.executionId, unknown].map((id) => stage.hook('order/whatsapp/hook', { meta: { executionId: id } })),
      );
      expect([a?.status, b?.status]).toEqual([404, 404]);
      expect(JSON.stringify(a?.body).replace(foreign.executionId, unknown)).toBe(JSON.stringify(b?.body));
    });

    it('is refused with 409 by an execution that waits for something else, or has ended (WEB-23)', async () => {
      const { executionId } = accepted(await stage.hook('order/whatsapp/hook', { user: { id: ana } }));
      const resume = () => stage.hook('order/whatsapp/hook', { meta: { executionId } });
      expect(await resume()).toMatchObject({ status: 409, body: { error: 'EXECUTION_NOT_WAITING' } });
      await stage.pass(2_000);
      accepted(await resume());
      expect(await resume()).toMatchObject({ status: 409 });
    });
  });

  describe('the user', () => {
    it.each([
      ['body', '', { user: { id: ana } }],
      ['query', `?userId=${ana}`, {}],
    ])('of a new execution is in the %s (WEB-12)', async (_place, query, body) => {
      const { executionId } = accepted(await stage.hook(`order/whatsapp/hook${query}`, body));
      expect((await stage.stateOf(executionId))?.origin.userId).toBe(ana);
    });

    it('is missed by name (WEB-12)', async () => {
      expect(await stage.hook('order/whatsapp/hook', {})).toMatchObject({
        status: 400,
        body: { error: 'INVALID_REQUEST', message: 'userId is missing' },
      });
    });

    it.each([`+${ana}`, '', 'us.abc', '0123', 'a b', 42, ['x'], {}])(
      'must have a valid id, which %j is not (WEB-12, UID-03)',
      async (id) => {
        expect(await stage.hook('order/whatsapp/hook', { user: { id } })).toMatchObject({
          status: 400,
          body: { error: 'INVALID_USER_ID' },
        });
      },
    );

    it('may have any id on a bot that is open (UID-05)', async () => {
      stage.service.connect({
        id: 'bot_open',
        channel: 'slack',
        settings: { userIdFormat: 'open', enforceSessionWindow: true, templateReopensWindow: 'onSend' },
      });
      const { executionId } = accepted(await stage.hook('order/slack/hook', { user: { id: 'U02:ABC@x' } }));
      expect((await stage.stateOf(executionId))?.origin.userId).toBe('U02:ABC@x');
    });

    it('comes from the tester on the test route, where a userId is data like any other (WEB-13)', async () => {
      const none = accepted(await stage.hook('order/whatsapp/test/hook?userId=nobody', { user: { id: 'nobody' } }));
      expect((await stage.stateOf(none.executionId))?.origin.userId).toBeUndefined();
      const some = accepted(await stage.hook(`order/whatsapp/test/hook?testUserId=${ana}&a=1`, {}));
      expect(await stage.stateOf(some.executionId)).toMatchObject({
        origin: { userId: ana, route: 'test' },
        variables: { $webhook: { order: { query: { a: '1' } } } },
      });
      expect(await stage.hook('order/whatsapp/test/hook?testUserId=x', {})).toMatchObject({
        status: 400,
        body: { error: 'INVALID_USER_ID' },
      });
    });

    it('is not required of a tool (WEB-29)', async () => {
      await stage.service.keep({ ...order({}, 'tool'), kind: 'tool' });
      const { executionId } = accepted(await stage.hook('tool/whatsapp/hook', {}));
      expect((await stage.stateOf(executionId))?.origin.userId).toBeUndefined();
    });
  });

  describe('oneTimeOnly', () => {
    it('honours the first of many resumes, and answers the others (WEB-15, P7)', async () => {
      await stage.service.keep(order({ oneTimeOnly: true }));
      const executionId = await waiting(stage);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => stage.hook('order/whatsapp/hook', { meta: { executionId }, n })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      const won = answers.filter(({ body }) => (body as { ignored?: true }).ignored === undefined);
      expect(won).toHaveLength(1);
      expect(await stage.stateOf(executionId)).toMatchObject({
        variables: { $webhook: { order: { body: { n: answers.indexOf(won[0]!) } } } },
      });
    });
  });

  describe('a repeated call', () => {
    it.each(['webhook-id', 'Idempotency-Key'])('repeated with the same %s has one consequence (WEB-27, P10)', async (name) => {
      const call = () => stage.hook('order/whatsapp/hook', { user: { id: ana } }, { headers: { [name]: 'delivery-1' } });
      const answers = await Promise.all([call(), call(), call()]);
      expect(new Set(answers.map((answer) => accepted(answer).executionId)).size).toBe(1);
      expect((await stage.service.store.executions.list('1', { limit: 9 })).results).toHaveLength(1);
    });

    it('without one is another call (WEB-27)', async () => {
      const call = async () => accepted(await stage.hook('order/whatsapp/hook', { user: { id: ana } })).executionId;
      expect(await call()).not.toBe(await call());
    });
  });
});
