// An operator who leaves a company: what they answered, and its figures, stay theirs; nothing is given to them any more.
import type { JsonObject } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { withPlace } from '../data/open-for-test.ts';
import { activeOf, type Desk, deskOf, helpDesk } from './conversations-stage.ts';

const range = 'startAt=2020-01-01T00:00:00Z&endAt=2040-01-01T00:00:00Z';
const figuresOf = async ({ call }: Desk, more = '') => (await call(`GET /v1/metrics/conversations/external/stats?${range}${more}`)).body;

/** The operators of the company as records: its routes name the company in their path. */
function operatorsOf(service: RunningService) {
  const management = createManagement(service);
  const ask = async (method: string, id = '', body?: JsonObject) => {
    const path = id === '' ? '/companies/1/records/operators' : `/companies/1/operators/${id}`;
    const answer = await management.request(path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
    return { status: answer.status, body: (await answer.json()) as JsonObject };
  };
  return {
    ids: async () => ((await ask('GET')).body['results'] as unknown as readonly JsonObject[]).map(({ id }) => id),
    put: async (id: string, operator: JsonObject) => (await ask('PUT', id, operator)).status,
    remove: async (id: string) => (await ask('DELETE', id)).status,
  };
}

it('keeps the conversations and the figures of an operator who has left, in an export as well, and gives them nothing', async () => {
  const [olga, omar] = [
    { id: 10, names: 'Olga', email: 'olga@acme.test' },
    { id: 11, names: 'Omar', email: 'omar@acme.test' },
  ];
  let exported: JsonObject = {};
  let figures: unknown;
  await withPlace(async ({ open, clock }) => {
    const service = await open();
    await service.importWorkspace({ workspace: await helpDesk() });
    const [desk, operators] = [deskOf(service), operatorsOf(service)];
    await desk.writes('help');
    const first = await activeOf(desk);
    await desk.does(`POST /conversations/${first}/assign`, { operatorId: 10 });
    expect(await operators.remove('10'), 'while they answer somebody').toBe(409);
    await desk.does(`POST /conversations/${first}/messages`, { type: 'text', text: 'I am Olga' });
    clock.advanceBy(1_000);
    await desk.does(`POST /conversations/${first}/close`);
    figures = await figuresOf(desk);
    const own = await figuresOf(desk, '&operatorId=10');
    expect(own).toMatchObject({ total: 1, operator: olga });

    const left = async (): Promise<void> => {
      expect(await figuresOf(desk)).toEqual(figures);
      expect(await figuresOf(desk, '&operatorId=10')).toEqual(own);
      expect(await desk.record(first)).toMatchObject({ operator: olga });
      expect(await operators.ids()).toEqual([11]);
      expect(await desk.does('GET /inbox/people')).toMatchObject({ operators: [omar] });
      expect(await desk.does('GET /references')).toMatchObject({ operators: [{ id: '11' }] });
    };
    expect(await operators.remove('10')).toBe(200);
    await left();
    expect(await operators.remove('10')).toBe(404);

    await desk.writes('help');
    const second = await activeOf(desk);
    expect(await desk.record(second)).toMatchObject({ operator: omar });
    expect(await desk.admin(`POST /conversations/${second}/assign`, { operatorId: 10 })).toMatchObject({ status: 404 });
    expect(await desk.admin(`POST /conversations/${second}/transfer`, { operatorId: 10 })).toMatchObject({ status: 404 });
    await desk.does(`POST /conversations/${second}/close`);
    figures = await figuresOf(desk);
    exported = await service.exportWorkspace();
    expect(exported).toMatchObject({ companies: [{ operators: [{ ...olga, leftAt: expect.stringMatching(/Z$/) as string }, omar] }, {}] });

    // Somebody who is brought again is here again.
    expect(await operators.put('10', { names: 'Olga', email: 'olga@acme.test', teamIds: [5] })).toBe(200);
    expect(await desk.does('GET /inbox/people')).toMatchObject({ operators: [olga, omar] });
  })();
  await withPlace(async ({ open }) => {
    const service = await open();
    // An export has no secrets: what it says of people is brought beside those of the example.
    const [company = {}] = exported['companies'] as readonly JsonObject[];
    const brought = ['operators', 'rooms', 'conversations'].map((list) => [`/companies/0/${list}`, company[list] ?? []] as const);
    await service.importWorkspace({ workspace: await helpDesk({}, Object.fromEntries(brought)) });
    const [desk, operators] = [deskOf(service), operatorsOf(service)];
    expect(await figuresOf(desk)).toEqual(figures);
    expect(await desk.does('GET /inbox/people')).toMatchObject({ operators: [omar] });
    // Who has answered nobody is not kept.
    expect(await operators.put('12', { names: 'Otto', email: 'otto@acme.test', teamIds: [] })).toBe(200);
    expect(await operators.remove('12')).toBe(200);
    expect(JSON.stringify(await service.exportWorkspace())).not.toContain('otto@');
  })();
}, 60_000);
