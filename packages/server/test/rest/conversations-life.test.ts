import { runtimeOfTests } from '../data/runtime.ts';
import { call } from '@hilo/stores';
import { describe, expect, it } from 'vitest';
import { statement } from '../../src/platform/database/schema.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';
import { activeOf, ana, type Desk, deskOf, helpDesk, idIn } from './conversations-stage.ts';
import { describeOverEachStore } from './each-store.ts';

const removeTeam = statement<{ readonly id: number }>()((db, { id }) => db.deleteFrom('teams').where('id', '=', id));

/** A desk with the canvas that hands over, and a conversation that it opened for Ana. */
async function handedOver({ open }: Pick<Place, 'open'>, config: Parameters<typeof helpDesk>[0] = {}) {
  const service = await open();
  await service.importWorkspace({ workspace: await helpDesk(config) });
  const desk = deskOf(service);
  await desk.writes('help');
  return { service, desk, id: await activeOf(desk) };
}

const says = (desk: Desk, id: string, text: string) => desk.does(`POST /conversations/${id}/messages`, { type: 'text', text });

/** Advances time. @returns the messages sent by then */
const passing = ({ clock }: Pick<Place, 'clock'>, ms: number, desk: Desk) => {
  clock.advanceBy(ms);
  return desk.sent();
};

describeOverEachStore('the life of a conversation', (on) => {
  it(
    'parks the workflow until the operator closes; no workflow gets the user’s messages meanwhile (CON-17)',
    on(async (place) => {
      const { desk, id } = await handedOver(place);
      expect(await desk.record(id)).toMatchObject({
        state: 'active',
        origin: 'organic',
        operator: { id: 10 },
        user: { id: ana, names: 'Ana' },
        assignationMethod: { teamName: 'Support' },
        endedReason: null,
        endAt: null,
      });
      await desk.writes('is anybody there?');
      expect(await desk.sent()).toEqual([]);
      await says(desk, id, 'Yes, I am Olga');
      expect(await desk.does(`POST /conversations/${id}/close`)).toMatchObject({
        state: 'closed',
        endedReason: 'closed_by_operator',
        wasReplied: true,
      });
      await expect.poll(() => desk.sent()).toEqual(['Yes, I am Olga', 'closed by 10']);
      await desk.writes('help'); // and gets messages again
      expect(await activeOf(desk)).not.toBe(id);
    }),
    120_000,
  );

  it(
    'is listed by management, by user, bot, operator and state, in pages',
    on(async (place) => {
      const { desk, id } = await handedOver(place);
      await desk.does(`POST /conversations/${id}/close`);
      await desk.writes('help');
      const second = await activeOf(desk);
      const listed = async (query: string) => {
        const { results, nextCursor } = (await desk.does(`GET /conversations?${query}`)) as {
          readonly results: readonly { readonly _id: string }[];
          readonly nextCursor: string | null;
        };
        return [results.map(({ _id }) => _id).toSorted(), nextCursor];
      };
      expect(await listed('')).toEqual([[id, second].toSorted(), null]);
      expect(await listed('state=closed')).toEqual([[id], null]);
      expect(await listed(`userId=${ana}&state=active`)).toEqual([[second], null]);
      expect(await listed('userId=51000000000')).toEqual([[], null]);
      expect(await listed('operatorId=999')).toEqual([[], null]);
      const [first, cursor] = (await listed('limit=1')) as [readonly string[], string | null];
      const [next, end] = (await listed(`limit=1&cursor=${cursor ?? ''}`)) as [readonly string[], string | null];
      expect([[...first, ...next].toSorted(), end]).toEqual([[id, second].toSorted(), null]);
    }),
    120_000,
  );

  it.each([
    ['resolve', 'resolved', 'resolved_by_operator'],
    ['close', 'closed', 'closed_by_operator'],
  ])(
    'ends once and for all by %s (CON-15, CON-17)',
    (verb, state, reason) =>
      on(async (place) => {
        const { desk, id } = await handedOver(place);
        const ended = await desk.does(`POST /conversations/${id}/${verb}`, verb === 'close' ? { reason: 'spam' } : undefined);
        expect(ended).toMatchObject({ state, endedReason: verb === 'close' ? 'spam' : reason });
        for (const again of ['close', 'resolve', 'transfer', 'assign', 'messages']) {
          const body = { messages: { type: 'text', text: 'Hi' }, transfer: { operatorId: 11 }, assign: { operatorId: 11 } }[again];
          expect(await desk.admin(`POST /conversations/${id}/${again}`, body)).toMatchObject({
            status: 422,
            body: { validationError: { state: [{ en: expect.stringContaining('has ended') as unknown }] } },
          });
        }
        expect(await desk.record(id)).toEqual(ended);
      })(),
    120_000,
  );

  it(
    'is transferred in one commit that points both ways, and the workflow waits for the child (CON-18)',
    on(async (place) => {
      const { desk, id } = await handedOver(place);
      const child = await desk.does(`POST /conversations/${id}/transfer`, { operatorId: 11 });
      expect(child).toMatchObject({
        state: 'active',
        origin: 'transfer',
        parentConversation: id,
        operator: { id: 11 },
        childConversation: null,
      });
      expect(await desk.record(id)).toMatchObject({ state: 'transferred', endedReason: 'transferred', childConversation: child['_id'] });
      expect(await desk.sent()).toEqual([]);
      await desk.does(`POST /conversations/${idIn(child)}/resolve`);
      await expect.poll(() => desk.sent()).toEqual(['resolved by 11']);
    }),
    120_000,
  );

  it(
    'has one winner of concurrent ends (P6, CON-17)',
    on(async (place) => {
      const { desk, id } = await handedOver(place);
      const all = await Promise.all(
        ['close', 'resolve', 'transfer', 'transfer', 'close'].map((verb) =>
          desk.admin(`POST /conversations/${id}/${verb}`, verb === 'transfer' ? { teamId: 5 } : undefined),
        ),
      );
      expect(all.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 422, 422, 422, 422]);
      const { state, childConversation } = await desk.record(id);
      expect(state === 'transferred').toBe(childConversation !== null);
    }),
    120_000,
  );

  it(
    'opens by an operator, once for each user, and is handed from one operator to the other (CON-16)',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await helpDesk() });
      const desk = deskOf(service);
      const opened = await desk.does('POST /conversations', { botId: 'bot_wa', userId: ana, operatorId: 11 });
      expect(opened).toMatchObject({
        origin: 'induced_by_operator',
        operator: { id: 11 },
        timeRepliedOperator: null,
        avgOperatorResponseTime: null,
      });
      const id = idIn(opened);
      const again = await Promise.all([1, 2, 3].map(() => desk.admin('POST /conversations', { botId: 'bot_wa', userId: ana })));
      expect(again.map(({ status }) => status)).toEqual([422, 422, 422]);
      expect(await desk.does(`POST /conversations/${id}/assign`, { operatorId: 10 })).toMatchObject({
        _id: id,
        operator: { id: 10, names: 'Olga' },
      });
      await says(desk, id, 'Good morning');
      expect(await desk.record(id)).toMatchObject({ wasReplied: true, avgOperatorResponseTime: null });
    }),
    120_000,
  );

  it(
    'goes to the operator with the fewest conversations',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await helpDesk() });
      const desk = deskOf(service);
      const operators: unknown[] = [];
      for (const userId of ['5215500000001', '5215500000002', '5215500000003', '5215500000004']) {
        const { operator } = await desk.does('POST /conversations', { botId: 'bot_wa', userId, teamId: 5 });
        operators.push(operator);
      }
      expect(operators).toMatchObject([{ id: 10 }, { id: 11 }, { id: 10 }, { id: 11 }]);
    }),
    120_000,
  );

  it(
    'leaves a hand-off by noAgent without an operator, and by error without the team',
    on(async ({ open }) => {
      const service = await open();
      const teams = { '/companies/0/teams/-': { id: 6, name: 'Night' } };
      const gone = { '/companies/0/teams/-': { id: 7, name: 'Day' } };
      await service.importWorkspace({ workspace: await helpDesk({ teamId: 6 }, teams) });
      const desk = deskOf(service);
      await desk.writes('help');
      await expect.poll(() => desk.sent()).toEqual(['nobody is here']);
      await service.importWorkspace({ workspace: await helpDesk({ teamId: 7 }, gone) });
      await service.store.runner.write([call(removeTeam, { id: 7 })]);
      await desk.writes('help');
      await expect.poll(() => desk.sent()).toEqual(['nobody is here', 'TEAM_NOT_FOUND']);
    }),
    120_000,
  );

  it(
    'ends the execution under "end", and stays with the operator',
    on(async (place) => {
      const { desk, id, service } = await handedOver(place, { mode: 'end' });
      const { results } = await service.store.executions.list('1', { limit: 9 });
      expect(results.map(({ state: { status } }) => status)).toEqual(['completed']);
      await says(desk, id, 'Hello');
      await desk.does(`POST /conversations/${id}/close`);
      expect(await desk.sent()).toEqual(['Hello']);
    }),
    120_000,
  );
});

describeOverEachStore('a workflow that waits for an operator', (on) => {
  it(
    'resumes the workflow even when the process ended between the end and the signal (P1, P25)',
    on(async (place) => {
      const { service, id } = await handedOver(place);
      await service.close();
      const silent = await place.open({}, { runs: false });
      expect(await silent.conversations.end('1', id, 'closed', 'closed_by_operator')).toBe(true);
      await silent.close();
      const desk = deskOf(await place.open());
      await expect.poll(() => passing(place, 1_000, desk)).toEqual(['closed by 10']);
    }),
    120_000,
  );
});

/** Virtual: PostgreSQL's clock cannot be moved. */
describe.skipIf(runtimeOfTests === 'postgres')(
  `time in the life of a conversation${runtimeOfTests === 'postgres' ? ' (skipped: its clock cannot be moved)' : ''}`,
  () => {
    it(
      'expires after the node’s idle time, and not before (P11, P13)',
      withPlace(async (place) => {
        const { desk, id } = await handedOver(place, { timeout: 'PT1H' });
        place.clock.advanceBy(3_599_000);
        await desk.writes('I am still here');
        place.clock.advanceBy(3_599_000);
        await desk.writes('and here');
        await expect(desk.record(id)).resolves.toMatchObject({ state: 'active' });
        await expect.poll(() => passing(place, 600_000, desk)).toEqual(['expired']);
        expect(await desk.record(id)).toMatchObject({ state: 'expired', endedReason: 'expired', wasReplied: false });
      }),
      120_000,
    );

    it(
      'measures the first reply and every answer that the user waited for, milliseconds here and seconds there (CON-13, STA-05)',
      withPlace(async (place) => {
        const { desk, id } = await handedOver(place);
        const { clock } = place;
        clock.advanceBy(30_000);
        await says(desk, id, 'Hello'); // 30 s after the hand-off
        clock.advanceBy(5_000);
        await says(desk, id, 'How can I help?'); // the user was not waiting
        clock.advanceBy(60_000);
        await desk.writes('My order');
        clock.advanceBy(10_000);
        await desk.writes('never came');
        clock.advanceBy(2_000);
        await says(desk, id, 'I will look'); // 12 s after the first of the two
        clock.advanceBy(3_000);
        await desk.does(`POST /conversations/${id}/close`);
        expect(await desk.record(id)).toMatchObject({
          wasReplied: true,
          firstRepliedAtOperator: '2031-03-03 09:00:30',
          timeRepliedOperator: 30_000,
          avgOperatorResponseTime: 21_000,
          conversationDuration: 110_000,
        });
        const { body } = await desk.call('GET /v1/metrics/conversations/external/stats?startAt=2031-03-03&endAt=2031-03-03&operatorId=10');
        expect(body).toMatchObject({ avgReplyTime: 30, avgOperatorResponseTime: 21, avgConversationTime: 110, lastMessageOperator: 1 });
      }),
      120_000,
    );
  },
);
