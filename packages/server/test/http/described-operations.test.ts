// What the description of the interface says of each operation: its name, what it does, its headers and its arrays.
import { expect, it } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import { describeInterface } from '../../src/operations/openapi.ts';
import { withPlace } from '../data/open-for-test.ts';

interface Part {
  readonly [key: string]: unknown;
}
const isPart = (part: unknown): part is Part => typeof part === 'object' && part !== null;

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const;

const listOperations = ({ paths = {} }: Pick<Awaited<ReturnType<typeof describeInterface>>, 'paths'>) =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] === undefined ? [] : [{ route: `${method} ${path}`, ...item[method] }])),
  );

/** The places of schemas of arrays that do not say what their items are. Examples are no schemas. */
function findOpenArrays(part: unknown, place = ''): readonly string[] {
  if (!isPart(part)) return [];
  const isArray = [part['type']].flat().includes('array');
  const isOpen = isArray && part['items'] === undefined && part['prefixItems'] === undefined;
  const within = Object.entries(part).filter(([key]) => !['example', 'examples', 'default', 'const', 'enum'].includes(key));
  return [...(isOpen ? [place] : []), ...within.flatMap(([key, inner]) => findOpenArrays(inner, `${place}/${key}`))];
}

it(
  'the description of the interface names each operation by what it does, and says more of it (VER-01)',
  withPlace(async ({ open }) => {
    const operations = listOperations(await describeInterface(createApp(await open())));
    expect(operations.length).toBeGreaterThan(90);
    const names = operations.map(({ operationId }) => operationId ?? '');
    expect(names.filter((name) => !/^[a-z]+([A-Z][a-z]+)+$/.test(name) || name.length > 40 || name.includes('By'))).toEqual([]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    // A name made of the method and the path would say nothing that they do not.
    expect(names.filter((name) => /^(get|put|post|patch|delete)(V1|V2|AdminV1|Workflows)/.test(name))).toEqual([]);
    const silent = operations.filter(({ summary = '', description = '' }) => description.length < 20 || description === summary);
    expect(silent.map(({ route }) => route)).toEqual([]);
    expect(operations.filter(({ summary = '' }) => summary.length < 10).map(({ route }) => route)).toEqual([]);
    expect(operations.find(({ route }) => route === 'post /workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}')).toMatchObject({
      operationId: 'startWorkflow',
    });
  }),
  120_000,
);

it(
  'the description of the interface has the form of each request header, which its example has, and the items of each array',
  withPlace(async ({ open }) => {
    const document = await describeInterface(createApp(await open()));
    const headers = listOperations(document).flatMap(({ route, parameters = [] }) =>
      parameters.flatMap((parameter) =>
        'in' in parameter && parameter.in === 'header'
          ? [{ place: `${route}: ${parameter.name}`, schema: parameter.schema as Part, example: parameter.example as unknown }]
          : [],
      ),
    );
    expect(headers.length).toBeGreaterThan(20);
    const isFormed = ({ schema: { pattern }, example }: (typeof headers)[number]) =>
      typeof pattern === 'string' && /^\^.*\$$/.test(pattern) && new RegExp(pattern, 'u').test(String(example));
    expect(headers.filter((header) => !isFormed(header)).map(({ place }) => place)).toEqual([]);
    expect(findOpenArrays(document)).toEqual([]);
  }),
  120_000,
);

it(
  'the description of the interface is that of all schemas at once, though it is made in turns (P20)',
  withPlace(async ({ open }) => {
    const app = createApp(await open());
    const whole = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'Hilo', version: '1.0.0' } });
    let turns = 0;
    let isMade = false;
    const count = (): void => {
      turns += 1;
      if (!isMade) setImmediate(count);
    };
    setImmediate(count);
    const { paths = {}, components } = await describeInterface(app);
    isMade = true;
    expect(turns).toBeGreaterThan(20);
    expect(Object.keys(components?.schemas ?? {})).toEqual(Object.keys(whole.components?.schemas ?? {}));
    for (const [path, item] of Object.entries(whole.paths ?? {})) {
      expect(Object.keys(paths[path] ?? {})).toEqual(Object.keys(item));
      expect(Object.keys(paths[path]?.post?.responses ?? {})).toEqual(Object.keys(item.post?.responses ?? {}));
    }
    expect(Object.keys(paths)).toEqual(Object.keys(whole.paths ?? {}));
  }),
);
