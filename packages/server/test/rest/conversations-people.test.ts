import type { Json, JsonObject } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { type Place } from '../data/open-for-test.ts';
import { ana, type Desk, deskOf, helpDesk, idIn } from './conversations-stage.ts';
import { describeOverEachStore } from './each-store.ts';

const [phone, bsuid] = ['5215500009999', 'MX.new2'];

async function desk({ open }: Pick<Place, 'open'>, changes: { readonly [pointer: string]: Json } = {}) {
  const service = await open();
  await service.importWorkspace({ workspace: await helpDesk({}, changes) });
  return { service, desk: deskOf(service) };
}

type Room = { readonly id: string; readonly userId: string };

/** The filtered list of conversations of any time. */
async function listed({ call }: Desk, filter: string) {
  const { body } = await call(`GET /v1/external/conversations?startAt=2020-01-01T00:00:00Z&endAt=2040-01-01T00:00:00Z&${filter}`);
  const { pagination, results } = body as { readonly pagination: { readonly total: number }; readonly results: readonly JsonObject[] };
  return { total: pagination.total, ids: results.map(idIn), results };
}

describeOverEachStore('a person in conversations', (on) => {
  it(
    'has the names of their own messages, and those of the workspace before there are any (CON-11, TAG-02)',
    on(async (place) => {
      const { service, desk: d } = await desk(place);
      const user = { id: phone, names: '"Plain" Name', phone };
      const message = { id: 'm1', type: 'text', text: 'help' } as const;
      await service.engine.receiveMessage({ companyId: '1', botId: 'bot_wa', eventId: 'e1', user, message });
      await service.engine.whenIdle();
      const [conversation] = (await listed(d, `userId=${phone}`)).results;
      expect(conversation).toMatchObject({ user: { id: phone, names: '"Plain" Name' } });
      const { companies } = (await service.exportWorkspace()) as { readonly companies: readonly { readonly rooms: readonly Room[] }[] };
      const room = companies[0]?.rooms.find(({ userId }) => userId === phone);
      expect(await d.call(`GET /v1/rooms/${room?.id ?? ''}`)).toMatchObject({ body: { data: { user: { names: '"Plain" Name' } } } });
      const opened = await d.does('POST /conversations', { botId: 'bot_wa', userId: ana });
      expect(opened).toMatchObject({ user: { id: ana, names: 'Ana' } });
    }),
    120_000,
  );

  it(
    'is found by each of their ids (CON-05, UID-04)',
    on(async (place) => {
      const { service, desk: d } = await desk(place);
      const user = { id: phone, phone, bsuid };
      const message = { id: 'm1', type: 'text', text: 'help' } as const;
      await service.engine.receiveMessage({ companyId: '1', botId: 'bot_wa', eventId: 'e1', user, message });
      await service.engine.whenIdle();
      const other = idIn(await d.does('POST /conversations', { botId: 'bot_wa', userId: ana }));
      const [mine] = (await listed(d, `userId=${phone}`)).ids;
      // A number is searched as people write it.
      for (const typed of ['+52 1 55 0000 9999', '+52 55 0000-9999', '55 0000 9999', phone]) {
        const { results } = await d.does(`GET /inbox?q=${encodeURIComponent(typed)}`);
        expect({ typed, found: (results as readonly JsonObject[]).map(idIn) }).toEqual({ typed, found: [mine] });
      }
      for (const filter of [phone, bsuid].flatMap((id) => [`userId=${id}`, `userId=${id}&botId=bot_wa&state=active`])) {
        expect({ filter, ...(await listed(d, filter)) }).toMatchObject({ filter, total: 1, ids: [mine] });
      }
      expect(await listed(d, `userId=${bsuid}&botId=bot_web`)).toMatchObject({ total: 0, ids: [] });
      // Ana's business-scoped id is in the workspace alone.
      expect(await listed(d, 'userId=MX.a1B2c3')).toMatchObject({ total: 1, ids: [other] });
    }),
    120_000,
  );

  it(
    'is listed from the first millisecond that is not before the beginning of a range (CON-02, STA-02)',
    on(async (place) => {
      const begins = { _id: 'c1', botId: 'bot_wa', userId: ana, state: 'closed', startAt: '2026-05-01T00:00:00.001Z' };
      const { desk: d } = await desk(place, { '/companies/0/conversations': [begins] });
      const total = async (startAt: string, endAt: string): Promise<unknown> => {
        const { body } = await d.call(`GET /v1/external/conversations?startAt=${startAt}&endAt=${endAt}`);
        const stats = await d.call(`GET /v1/metrics/conversations/external/stats?startAt=${startAt}&endAt=${endAt}`);
        expect(stats.body).toMatchObject({ total: (body as { readonly pagination: JsonObject }).pagination['total'] });
        return stats.body;
      };
      const [second, exact] = ['2026-05-01T00:00:01Z', '2026-05-01T00:00:00.001Z'];
      expect(await total('2026-05-01T00:00:00.0009Z', second)).toMatchObject({ total: 1 });
      expect(await total(exact, '2026-05-01T00:00:00.0019Z')).toMatchObject({ total: 1 });
      expect(await total('2026-05-01T00:00:00.001000Z', second)).toMatchObject({ total: 1 });
      expect(await total('2026-05-01T00:00:00.0011Z', second)).toMatchObject({ total: 0 });
    }),
    120_000,
  );

  it(
    'have no operator under the number 0 (CON-05, CON-08)',
    on(async (place) => {
      const { desk: d } = await desk(place);
      await d.does('POST /conversations', { botId: 'bot_wa', userId: ana });
      for (const filter of ['operatorId=0', 'operatorId=0&state=active', `operatorId=0&userId=${ana}`])
        expect(await listed(d, filter)).toMatchObject({ total: 0, ids: [] });
    }),
    120_000,
  );
});
