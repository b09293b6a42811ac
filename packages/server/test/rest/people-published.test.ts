import { type Json, type JsonObject, isHiloError } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';

const canvas = (type: string, config: JsonObject): JsonObject => ({
  schemaVersion: 1,
  id: 'people',
  name: 'People',
  nodes: [
    { id: 'begin', type: 'start', data: {} },
    { id: 'act', type, data: config },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'act' },
    { source: 'act', sourceHandle: type === 'tags' ? 'next' : 'closed', target: 'done' },
  ],
});

/** Tags 3 and 4 of the example's second company are not those of the first. */
const ofOther = {
  '/companies/1/tags': [{ id: 77, name: 'Theirs', color: '#000000', textColor: '#ffffff', language: 'en', teams: [], channels: [] }],
};

const walls: readonly (readonly [what: string, canvas: JsonObject, problem: string])[] = [
  ['a tag', canvas('tags', { action: 'add', tags: [1, 999] }), '/nodes/1/data/tags/1 There is no tag "999"'],
  ["another company's tag", canvas('tags', { action: 'replace', tags: [77] }), '/nodes/1/data/tags/0 There is no tag "77"'],
  ['a team', canvas('handoff', { teamId: 999 }), '/nodes/1/data/teamId There is no team "999"'],
  ['an operator', canvas('handoff', { operatorId: 999 }), '/nodes/1/data/operatorId There is no operator "999"'],
];

const told = (problems: Json | undefined): readonly string[] =>
  (problems as unknown as readonly { readonly code: string; readonly pointer: string; readonly message: string }[])
    .filter(({ code }) => code === 'UNRESOLVED_REFERENCE')
    .map(({ pointer, message }) => `${pointer} ${message}`);

describe('a canvas that names people and tags', () => {
  it.each(walls)('is not published with %s that the company does not have (TAG-07, P28)', async (_what, named, problem) =>
    withPlace(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: changed(await inlineExample(), ofOther) });
      const management = createManagement(service);
      const ask = async (method: string, path: string, body?: JsonObject) => {
        const response = await management.request(`${path}?companyId=1`, {
          method,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        return { status: response.status, body: (await response.json()) as JsonObject };
      };
      expect(await ask('PUT', '/workflows/people', named)).toMatchObject({ status: 200 });
      const refused = await ask('POST', '/workflows/people/publish');
      expect(refused.status).toBe(422);
      expect(told(refused.body['problems'])).toEqual([problem]);
    })(),
  );

  it.each(walls)('is not imported with %s that the company does not have', async (_what, named, problem) =>
    withPlace(async ({ open }) => {
      const service = await open();
      const workflow = { '/companies/0/workflows/-': { canvas: named, publish: true } };
      const workspace = changed(await inlineExample(), { ...ofOther, ...workflow });
      const problems = await service.importWorkspace({ workspace }).then(
        () => [],
        (error: unknown) =>
          isHiloError(error, 'WORKSPACE_REFUSED') ? error.details.problems.map(({ message }) => message) : [String(error)],
      );
      expect(problems).toEqual([expect.stringContaining(problem.slice(problem.indexOf('There')))]);
    })(),
  );

  it(
    'is published with existing ones',
    withPlace(async ({ open }) => {
      const service = await open();
      const workflows = [canvas('tags', { action: 'add', tags: [1] }), canvas('handoff', { teamId: 5, operatorId: 10 })];
      for (const named of workflows) {
        const workspace = changed(await inlineExample(), { '/companies/0/workflows/-': { canvas: named, publish: true } });
        await expect(service.importWorkspace({ workspace })).resolves.toBeDefined();
      }
    }),
  );
});
