import { isJsonObject, type Json } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { changed, inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';
import { callOf } from './campaigns-stage.ts';

const acme = '/companies/0';
/** Both look like the encoding of a text that no column can hold. */
const [half, whole] = ['"half', '"Spring"'];

describe('names that begin with a quotation mark', () => {
  it(
    'are shown and exported unchanged, from any source (CAM-07, CON-11, STA-06, TAG-01, TAG-02)',
    withPlace(async ({ open }) => {
      const service = await open();
      const changes = {
        [`${acme}/campaigns/0/name`]: half,
        [`${acme}/templates/0/elementName`]: whole,
        [`${acme}/campaigns/0/elementName`]: whole,
        [`${acme}/campaigns/1/elementName`]: whole,
        [`${acme}/users/0/names`]: half,
        [`${acme}/operators/0/names`]: half,
        [`${acme}/operators/1/names`]: whole,
        [`${acme}/teams/0/name`]: whole,
        [`${acme}/tags/0/name`]: half,
        [`${acme}/tags/0/language`]: whole,
        [`${acme}/conversations/0/teamName`]: half,
        [`${acme}/conversations/0/endedReason`]: whole,
        [`${acme}/conversations/0/origin`]: half,
      };
      const workspace = changed(await inlineExample(), changes);
      await service.importWorkspace({ workspace });
      const call = callOf(service);
      expect(await call('GET /v1/campaigns?status=SCHEDULED')).toMatchObject({
        status: 200,
        body: { data: { results: [{ name: half, elementName: whole }] } },
      });
      expect(await call('GET /v1/rooms/room_ana')).toMatchObject({
        status: 200,
        body: { data: { user: { names: half }, tags: [{ name: half, language: whole }] } },
      });
      expect(await call('GET /v1/company/1/tags?name=%22ha')).toMatchObject({ status: 200, body: { data: [{ name: half }] } });
      const range = 'startAt=2026-01-01T00:00:00Z&endAt=2026-01-31T00:00:00Z';
      expect(await call(`GET /v1/external/conversations?${range}&conversationId=conv1`)).toMatchObject({
        status: 200,
        body: {
          results: [
            {
              operator: { names: half },
              user: { names: half },
              assignationMethod: { teamName: half },
              endedReason: whole,
              origin: half,
            },
          ],
        },
      });
      expect(await call(`GET /v1/metrics/conversations/external/stats?${range}&operatorId=11`)).toMatchObject({
        status: 200,
        body: { operator: { names: whole } },
      });
      const exported = await service.exportWorkspace();
      for (const [pointer, text] of Object.entries(changes)) expect({ pointer, text: at(exported, pointer) }).toEqual({ pointer, text });
      const { counts } = await service.importWorkspace({ workspace: exported });
      expect(Object.values(counts).filter(({ written }) => written > 0)).toEqual([]);
    }),
  );

  it(
    'are exported as a caller gave them (CAM-12)',
    withPlace(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const name = '"Spring" sale';
      const { status, body } = await callOf(service)('PUT /v1/campaigns/camp_s', { body: { name } });
      expect({ status, body }).toMatchObject({ status: 200, body: { data: { name } } });
      const campaigns = at(await service.exportWorkspace(), `${acme}/campaigns`);
      expect(campaigns).toContainEqual(expect.objectContaining({ id: 'camp_s', name }));
    }),
  );
});

/** What a JSON pointer names; lists are in the order of their ids there, which is that of the example but for its campaigns. */
function at(value: Json, pointer: string): Json | undefined {
  const [, step = '', ...rest] = pointer.replace('campaigns/0/', 'campaigns/1/').split('/');
  const list = Array.isArray(value) ? (value as readonly Json[]) : undefined;
  const inside = list === undefined ? (isJsonObject(value) ? value[step] : undefined) : list[Number(step)];
  return rest.length === 0 || inside === undefined ? inside : at(inside, `/${rest.join('/')}`);
}
