import { canvasSchema, standardNodes } from '@hilo/nodes';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import { describeInterface } from '../../src/operations/openapi.ts';
import { withPlace } from '../data/open-for-test.ts';

interface Content {
  readonly schema?: object;
  readonly example?: unknown;
}
interface Described {
  readonly parameters?: readonly (Content & { readonly name: string; readonly schema?: { readonly enum?: unknown } })[];
  readonly requestBody?: { readonly content: { readonly [type: string]: Content } };
  readonly responses?: { readonly [status: string]: { readonly content?: { readonly [type: string]: Content } } };
}

/** An example with the schema that it must fit. */
interface Shown {
  readonly place: string;
  readonly schema: object;
  readonly example: unknown;
}

async function describedBy(work: (document: object, operations: readonly (readonly [key: string, operation: Described])[]) => void) {
  await withPlace(async ({ open }) => {
    const document = await describeInterface(createApp(await open()));
    const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      Object.entries(item ?? {}).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation as Described] as const),
    );
    work(document, operations);
  })();
}

const contentsOf = (key: string, { requestBody, responses = {} }: Described): readonly (readonly [place: string, content: Content])[] => [
  ...Object.entries(requestBody?.content ?? {}).map(([type, content]) => [`${key} takes ${type}`, content] as const),
  ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).map(([type, shown]) => [`${key} answers ${status} ${type}`, shown] as const),
  ),
];

/** The examples of fields, wherever in the document they are. */
function fieldsOf(document: object): { readonly shown: readonly Shown[]; readonly silent: readonly string[] } {
  const shown: Shown[] = [];
  const silent: string[] = [];
  const judge = (place: string, schema: object): void => {
    const { type, examples, ...said } = schema as { readonly type?: unknown; readonly examples?: readonly unknown[]; example?: unknown };
    if ('example' in said) shown.push({ place, schema, example: said.example });
    for (const example of examples ?? []) shown.push({ place, schema, example });
    const isOpen = [type].flat().some((one) => one === 'string' || one === 'integer' || one === 'number');
    if (isOpen && !['examples', 'example', 'enum', 'const'].some((keyword) => keyword in schema)) silent.push(place);
  };
  const walk = (part: unknown, place: string, key: string): void => {
    if (typeof part !== 'object' || part === null || key === 'example' || key === 'examples') return;
    for (const [name, inner] of Object.entries(part)) {
      if (key === 'properties' && typeof inner === 'object') judge(`${place}/${name}`, inner as object);
      walk(inner, `${place}/${name}`, key === 'properties' ? '' : name);
    }
  };
  walk(document, '#', '');
  return { shown, silent };
}

/** The examples that do not fit their schemas, in the dialect of OpenAPI 3.1. */
function misfits(document: object, examples: readonly Shown[]): readonly string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>(); // the same schema has many places
  return examples.flatMap(({ place, schema, example }) => {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
    compiled.set(text, validate);
    return validate(example) ? [] : [`${place}: ${JSON.stringify(example)}: ${ajv.errorsText(validate.errors)}`];
  });
}

it('examples of the fields of a canvas fit their schemas', () => {
  const schema = canvasSchema(standardNodes);
  const { shown } = fieldsOf(schema);
  expect(shown.length).toBeGreaterThan(300);
  expect(misfits(schema, shown)).toEqual([]);
});

describe('the description of the interface', { timeout: 120_000 }, () => {
  it('has an example of each request, answer and parameter, and each fits its schema', () =>
    describedBy((document, operations) => {
      const contents = operations.flatMap(([key, operation]) => contentsOf(key, operation));
      const parameters = operations.flatMap(([key, { parameters: all = [] }]) =>
        all.map((parameter) => [`${key}: ${parameter.name}`, parameter] as const),
      );
      expect(contents.filter(([, content]) => content.example === undefined).map(([place]) => place)).toEqual([]);
      expect(contents.length).toBeGreaterThan(700);
      expect(
        parameters.filter(([, { example, schema }]) => example === undefined && schema?.enum === undefined).map(([place]) => place),
      ).toEqual([]);
      const shown = [...contents, ...parameters].map(([place, { schema = {}, example }]): Shown => ({ place, schema, example }));
      expect(misfits(document, shown)).toEqual([]);
    }));

  it('has an example of each field that is a text or a number, and each fits its schema', () =>
    describedBy((document) => {
      const { shown, silent } = fieldsOf(document);
      expect(silent).toEqual([]);
      expect(shown.length).toBeGreaterThan(400);
      expect(misfits(document, shown)).toEqual([]);
    }));

  it('names the cell to ask wherever another one may have the user or the execution', () =>
    describedBy((_document, operations) => {
      const elsewhere = operations.flatMap(([key, { responses = {} }]) =>
        // For a form of a provider, the status says that its key is another.
        responses['421'] === undefined || key === 'POST /channels/{botId}/flows/{workflowId}' ? [] : [[key, responses['421']] as const],
      );
      expect(elsewhere.map(([key]) => key)).toEqual(
        expect.arrayContaining(['POST /channels/{botId}/webhook', 'GET /admin/v1/executions/{executionId}', 'POST /chat/{botId}/messages']),
      );
      for (const [, answer] of elsewhere)
        expect(answer).toMatchObject({
          headers: { 'X-Hilo-Cell': { schema: { type: 'string' } } },
          content: { 'application/json': { example: { error: 'CELL_ELSEWHERE' } } },
        });
    }));
});
