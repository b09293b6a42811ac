// Acts upon one thing that another act overtakes, done whole before the first of them writes: what comes out is that of one after the other,
// so that nothing that was removed comes back, and nothing names what is gone.
import type { JsonObject } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { beforeWrite } from '../data/before-write.ts';
import { inlineExample } from '../data/inline-example.ts';
import { dumpTables } from '../data/table-dump.ts';
import { describeOverEachStore } from '../rest/each-store.ts';

type Act = readonly [method: string, path: string, body?: object];

async function perform(
  service: RunningService,
  [method, path, body]: Act,
): Promise<{ readonly status: number; readonly body: JsonObject }> {
  const answer = await createManagement(service).request(path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as JsonObject };
}

/** The first write of an act puts on record that it is asked for: nothing is read before it. */
const writeOfAct = 2;

/** Performs an act, and another one whole before the first of its writes. @returns the status of both */
async function overtake(service: RunningService, act: Act, other: Act): Promise<readonly (number | undefined)[]> {
  let overtaking: number | undefined;
  const hold = beforeWrite(service, writeOfAct, async () => {
    overtaking = (await perform(service, other)).status;
  });
  try {
    const { status } = await perform(service, act);
    return [status, overtaking];
  } finally {
    hold.end();
  }
}

const ana = '51999000777';
const contact = `/companies/1/contacts/${ana}`;
const remove: Act = ['DELETE', `/companies/1/users/${ana}`];
const tag = { name: 'Gone', color: '#7c3aed', textColor: '#ffffff', language: 'en', teams: [5], channels: ['whatsapp'] };
const tagRoom: Act = ['PUT', '/inbox/conv1/tags?companyId=1', { tags: [9] }];

const greeting = {
  schemaVersion: 1,
  id: 'again',
  name: 'Again',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['again'] } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [{ source: 'begin', target: 'done' }],
};

describeOverEachStore('an act that is overtaken', (on) => {
  it(
    'brings no contact back that was removed meanwhile, and one that is made anew has nothing of the old one (P3)',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const rowsOfAna = async (): Promise<readonly string[]> =>
        Object.entries(await dumpTables(service.store)).flatMap(([table, rows]) =>
          table !== 'audit' && JSON.stringify(rows).includes(ana) ? [table] : [],
        );
      const overtaken = async (act: Act) => {
        await perform(service, ['PUT', contact, { names: 'Ana', groups: ['vip'] }]);
        const statuses = await overtake(service, act, remove);
        return { statuses, after: (await perform(service, ['GET', contact])).body['names'] ?? null };
      };
      for (const act of [
        ['PATCH', contact, { names: 'Back', groups: ['gold'] }],
        ['PUT', `/companies/1/groups/gold/contacts/${ana}`],
      ] as const) {
        expect(await overtaken(act)).toEqual({ statuses: [404, 200], after: null });
        expect(await rowsOfAna()).toEqual([]);
      }
      expect(await overtaken(['PUT', contact, { names: 'New' }])).toEqual({ statuses: [200, 200], after: 'New' });
      expect((await perform(service, ['GET', contact])).body['groups']).toEqual([]);
      // Another contact under the same key is not the one that was to be changed.
      await perform(service, remove);
      await perform(service, ['PUT', contact, { names: 'Ana' }]);
      const { id } = (await perform(service, ['GET', contact])).body;
      await perform(service, remove);
      await perform(service, ['PUT', contact, { names: 'Another' }]);
      expect(
        (await perform(service, ['PATCH', `/companies/1/contacts/${typeof id === 'string' ? id : ''}`, { names: 'Back' }])).status,
      ).toBe(404);
    }),
  );

  it(
    'leaves nothing of a workflow that was removed meanwhile: what is made anew under its id begins from nothing (P3)',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const place = '/workflows/again';
      const put: Act = ['PUT', `${place}?companyId=1`, greeting];
      const show = async (part: string) => (await perform(service, ['GET', `${place}${part}?companyId=1`])).body['results'] ?? [];
      const acts: readonly Act[] = [
        ['POST', `${place}/publish?companyId=1`, {}],
        ['POST', `${place}/versions/1/publish?companyId=1`, {}],
        ['POST', `${place}/comments?companyId=1`, { nodeId: 'begin', text: 'Hm' }],
        ['PUT', `${place}/folder?companyId=1`, { folder: 'Orders' }],
      ];
      for (const act of acts) {
        await perform(service, put);
        await perform(service, ['POST', `${place}/publish?companyId=1`, {}]);
        const [status, removed] = await overtake(service, act, ['DELETE', `${place}?companyId=1`]);
        expect({ act, removed, isRefused: status === 404 || status === 409 }).toEqual({ act, removed: 200, isRefused: true });
        const fresh = await perform(service, put);
        expect({ act, versions: await show('/versions'), comments: await show('/comments') }).toEqual({ act, versions: [], comments: [] });
        expect(fresh.body).toMatchObject({ isArchived: false });
        expect((await perform(service, ['DELETE', `${place}?companyId=1`])).status).toBe(200);
      }
    }),
  );

  it(
    'is refused by what closed the workflow, and not by the store, where a pause comes between (P26)',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const place = '/workflows/again';
      await perform(service, ['PUT', `${place}?companyId=1`, greeting]);
      for (const [closing, refused] of [
        ['pause', 409],
        ['unpublish', 404],
      ] as const)
        for (let user = 0; user < 4; user += 1) {
          await perform(service, ['POST', `${place}/publish?companyId=1`, {}]);
          await perform(service, ['POST', `${place}/unpause?companyId=1`]);
          const start: Act = ['POST', `${place}/start?companyId=1`, { user: { id: String(5_215_512_340_000 + user) }, botId: 'bot_wa' }];
          const [started, closed] = await Promise.all([
            perform(service, start),
            perform(service, ['POST', `${place}/${closing}?companyId=1`, {}]),
          ]);
          expect(closed.status).toBe(200);
          expect([200, refused]).toContain(started.status); // one of the two is first
        }
    }),
  );

  it(
    'leaves no room with a tag that is gone, whichever of the two is first (TAG-07)',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const add: Act = ['PUT', '/companies/1/tags/9', tag];
      const removeTag: Act = ['DELETE', '/companies/1/tags/9'];
      await perform(service, add);
      expect(await overtake(service, tagRoom, removeTag)).toEqual([422, 200]);
      await perform(service, add);
      expect(await overtake(service, removeTag, tagRoom)).toEqual([409, 200]);
      expect((await perform(service, ['GET', '/inbox/conv1?companyId=1'])).status).toBe(200);
    }),
  );

  it(
    'leaves nobody with a conversation who was removed (P3)',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      await perform(service, ['PUT', '/companies/1/operators/12', { names: 'Oda', email: 'oda@acme.test', teamIds: [5] }]);
      const begin: Act = ['POST', '/conversations?companyId=1', { botId: 'bot_wa', userId: '5215512349999', operatorId: 12 }];
      expect(await overtake(service, ['DELETE', '/companies/1/operators/12'], begin)).toEqual([409, 200]);
    }),
  );

  it(
    'gives no conversation to an operator who was removed meanwhile: it goes to another one, or is refused (P3)',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const oda = '/companies/1/operators/12';
      const removeOda: Act = ['DELETE', oda];
      let user = 5_215_512_340_000;
      const begin = (to: object): Act => ['POST', '/conversations?companyId=1', { botId: 'bot_wa', userId: String((user += 1)), ...to }];
      for (const act of ['open', 'assign', 'transfer'] as const)
        for (const [to, status] of [
          [{ operatorId: 12 }, 404],
          [{ teamId: 77 }, 422],
        ] as const) {
          await perform(service, ['PUT', '/companies/1/teams/77', { name: 'Seven' }]);
          await perform(service, ['PUT', oda, { names: 'Oda', email: 'oda@acme.test', teamIds: [77] }]);
          const { body } = await perform(service, begin({ operatorId: 10 }));
          const id = typeof body['_id'] === 'string' ? body['_id'] : '';
          const late: Act = act === 'open' ? begin(to) : ['POST', `/conversations/${id}/${act}?companyId=1`, to];
          expect({ act, to, statuses: await overtake(service, late, removeOda) }).toEqual({ act, to, statuses: [status, 200] });
          expect((await perform(service, ['GET', oda])).status).toBe(404);
          expect((await perform(service, ['GET', `/conversations/${id}?companyId=1`])).body).toMatchObject({ state: 'active' });
        }
    }),
  );

  it(
    'is not done twice: of two removals of one user of the service, of one subscription, one answers that there is none',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      await perform(service, ['PUT', '/users/olga', { roles: ['editor'], companies: ['1'] }]);
      const ofHook = { url: 'https://hooks.example/in', events: ['job.ended'] };
      const { body } = await perform(service, ['POST', '/companies/1/event-subscriptions', ofHook]);
      const id = typeof body['id'] === 'string' ? body['id'] : '';
      for (const path of ['/users/olga', `/companies/1/event-subscriptions/${id}`]) {
        const remove: Act = ['DELETE', path];
        expect([path, await overtake(service, remove, remove)]).toEqual([path, [404, 200]]);
      }
    }),
  );
});
