// The JSON Schema of a workspace file: it takes what an import takes, refuses unknown fields where an import does, and explains each field.
import { channelAdapters } from '@hilo/channels';
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { describeInterface } from '../../src/operations/openapi.ts';
import { readPart, workspaceJsonSchema } from '../../src/tenants/workspace/json-schema.ts';
import { parseShape } from '../../src/tenants/workspace/problems.ts';
import { credentialSecrets, workspaceSchema } from '../../src/tenants/workspace/schema.ts';
import { changed, inlineExample } from './inline-example.ts';
import { withPlace } from './open-for-test.ts';

const schema = workspaceJsonSchema(channelAdapters);
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const judge = ajv.compile(schema);
const reads = workspaceSchema(channelAdapters);

/** The pointers of all objects of a value. */
function findObjects(value: Json, pointer = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : [pointer];
  return [...own, ...Object.entries<Json>(value).flatMap(([name, inner]) => findObjects(inner, `${pointer}/${name}`))];
}

it('takes the example, and refuses an unknown field in each object where an import does', async () => {
  const example = await inlineExample();
  expect([judge(example), judge.errors]).toEqual([true, null]);
  const places = findObjects(example).filter((pointer) => !pointer.includes('/canvas') && !pointer.includes('/components'));
  expect(places.length).toBeGreaterThan(50);
  fc.assert(
    fc.property(fc.constantFrom(...places), (pointer) => {
      const given = changed(example, { [`${pointer}/nobodysField`]: 'x' });
      const isRefused = parseShape(reads, given).problems.some(({ code }) => code === 'UNKNOWN_FIELD');
      expect({ pointer, isTaken: judge(given) }).toEqual({ pointer, isTaken: !isRefused });
    }),
    { numRuns: 200 },
  );
});

it('takes a workspace that names its schema and leaves everything out but what is needed', () => {
  const company = { id: 1, name: 'Acme', plan: 'free' };
  const least = { $schema: './workspace.schema.json', companies: [company] };
  expect([judge(least), parseShape(reads, least).problems]).toEqual([true, []]);
  for (const field of Object.keys(company)) {
    const less = changed(least, { [`/companies/0/${field}`]: undefined });
    expect([field, judge(less), parseShape(reads, less).problems.length > 0]).toEqual([field, false, true]);
  }
});

/** The paths of all fields whose description is missing, or is no more than their name. */
function findSilent(part: Json, path = ''): readonly string[] {
  if (Array.isArray(part)) return part.flatMap((item: Json) => findSilent(item, path));
  if (!isJsonObject(part)) return [];
  return Object.entries(part).flatMap(([key, inner]) => {
    if (key !== 'properties' || !isJsonObject(inner)) return findSilent(inner, path);
    return Object.entries(inner).flatMap(([name, field]) => {
      const { description } = field as JsonObject;
      const isSilent = typeof description !== 'string' || description === name || description.length < 8;
      return [...(isSilent ? [`${path}/${name}`] : []), ...findSilent(field, `${path}/${name}`)];
    });
  });
}

it('says of each field what it is for', () => {
  expect(findSilent(schema)).toEqual([]);
});

it(
  'is described as closed for the routes that take workspaces, companies and records, which refuse unknown fields',
  withPlace(async ({ open }) => {
    const service = await open({});
    await service.importWorkspace({ workspace: { companies: [{ id: 1, name: 'Acme', plan: 'free' }] } });
    const management = createManagement(service);
    const { paths = {} } = await describeInterface(management);
    const ask = async (method: string, path: string) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await management.request(path, { method, headers, body: JSON.stringify({ nobodysField: 1 }) });
      return { status: answer.status, text: await answer.text() };
    };
    const refusal = { status: 422, text: expect.stringContaining('There is no field \\"nobodysField\\" here') as unknown };
    expect(paths['/workspace']?.post).toHaveProperty(
      ['requestBody', 'content', 'application/json', 'schema', 'additionalProperties'],
      false,
    );
    expect(await ask('POST', '/workspace')).toMatchObject(refusal);
    expect(paths['/companies/{companyId}']?.put).toHaveProperty(
      ['requestBody', 'content', 'application/json', 'schema', 'additionalProperties'],
      false,
    );
    expect(await ask('PUT', '/companies/1')).toMatchObject(refusal);
    const kinds = ['bots', 'users', 'templates', 'credentials', 'teams', 'operators', 'tags'];
    const forms: unknown = Reflect.get(Object(paths['/companies/{companyId}/{kind}/{id}']?.put?.requestBody) as object, 'content');
    expect(forms).toMatchObject({
      'application/json': { schema: { anyOf: kinds.map(() => ({ additionalProperties: false })) } },
    });
    for (const kind of kinds) expect(await ask('PUT', `/companies/1/${kind}/x`)).toMatchObject({ status: 422 });
  }),
);

it('marks every secret of a provider and of a credential, and nothing else of them, as what is never read again', () => {
  /** By the kind of a record or provider, its fields that are marked. */
  const markedIn = (forms: Json | undefined): { readonly [kind: string]: readonly string[] } =>
    Object.fromEntries(
      (Array.isArray(forms) ? (forms as readonly JsonObject[]) : []).map(({ properties }) => {
        const fields = properties as { readonly [field: string]: JsonObject };
        const marked = Object.keys(fields).filter((name) => fields[name]?.['writeOnly'] === true);
        const kind = fields['kind']?.['const'];
        return [typeof kind === 'string' ? kind : '', marked.toSorted()];
      }),
    );
  const company = readPart(schema, ['properties', 'companies', 'items', 'properties']);
  expect(markedIn(readPart(company, ['credentials', 'items'])['oneOf'])).toEqual(
    Object.fromEntries(Object.entries(credentialSecrets).map(([kind, secrets]) => [kind, Object.keys(secrets).toSorted()])),
  );
  expect(markedIn(readPart(company, ['bots', 'items', 'properties', 'provider'])['oneOf'])).toEqual(
    Object.fromEntries(channelAdapters.map(({ kind, secrets }) => [kind, secrets.toSorted()])),
  );
});
