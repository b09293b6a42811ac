// The OpenAPI document of the interface, made of what its routes say of themselves.
import { OpenAPIHono } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import type { Route, RouteExample } from '../platform/http/define-route.ts';
import { listRoutes } from '../platform/http/mount-routes.ts';
import { findAnswerExample } from './answers.ts';
import { createTurns } from '../platform/turns.ts';
import { writeCurlCommand } from './curl.ts';
import { collectFieldExamples, findExampleByName, type FieldExamples } from './field-examples.ts';
import { fieldDescriptions } from './field-descriptions.ts';

/** An OpenAPI 3.1 document. */
export type InterfaceDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>;

/** Routes that are described in one turn, each in some 0.5 ms. */
const routesInTurn = 10;

/**
 * The OpenAPI document of an app's routes, generated from the schemas that validate their requests (VER-01), with a
 * credential for each operation, as client generators need it, what each field is for, a curl command to copy, and an example of
 * each request, answer and field. It is made in turns: the whole takes the event loop 0.13 s.
 */
export async function describeInterface(app: DescribedApp): Promise<InterfaceDocument> {
  const { definitions } = app.openAPIRegistry;
  const routes = listRoutes(app);
  const document = generateDocument(definitions.filter(({ type }) => type !== 'route'));
  const items = new Map<string, PathItem>();
  const schemas: NonNullable<NonNullable<InterfaceDocument['components']>['schemas']> = { ...document.components?.schemas };
  const nextTurn = createTurns(1);
  const ofRoutes = definitions.filter(({ type }) => type === 'route');
  for (let from = 0; from < ofRoutes.length; from += routesInTurn) {
    await nextTurn();
    const part = generateDocument(ofRoutes.slice(from, from + routesInTurn));
    for (const [name, schema] of Object.entries(part.components?.schemas ?? {})) schemas[name] ??= schema;
    for (const [path, item] of Object.entries(part.paths ?? {}))
      items.set(path, { ...items.get(path), ...completeOperations(path, item, routes) });
  }
  await nextTurn();
  const { components, ...head } = document;
  const securitySchemes = { ...components?.securitySchemes, ...operatorSchemes };
  const outline = { ...head, components: { ...components, schemas, securitySchemes } };
  const examples = collectFieldExamples({ ...outline, paths: Object.fromEntries(items) });
  const paths: [string, PathItem][] = [];
  for (const [path, item] of items) {
    if (paths.length % routesInTurn === 0) await nextTurn();
    paths.push([path, describeFields(item, examples)]);
  }
  return { ...describeFields(outline, examples), paths: Object.fromEntries(paths) };
}

type DescribedApp = Pick<OpenAPIHono<HttpEnv>, 'openAPIRegistry'>;
type Definition = OpenAPIHono['openAPIRegistry']['definitions'][number];

/** What the schemas of some definitions say. */
function generateDocument(definitions: readonly Definition[]): InterfaceDocument {
  const { openAPIRegistry, getOpenAPI31Document } = new OpenAPIHono();
  for (const definition of definitions) {
    if (definition.type === 'route') openAPIRegistry.registerPath(definition.route);
    else if (definition.type === 'component')
      openAPIRegistry.registerComponent(definition.componentType, definition.name, definition.component);
  }
  return getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Hilo',
      version: '1.0.0',
      description: 'Conversational messaging and workflows: webhooks, channels, management and operations.',
    },
    servers: [{ url: '/', description: 'Where this description is served' }],
  });
}

/** Says of each field what it is for, with an example, where its schema does not. */
function describeFields<Part>(part: Part, examples: FieldExamples, key = ''): Part {
  if (typeof part !== 'object' || part === null || key === 'example' || key === 'examples') return part;
  if (Array.isArray(part)) return part.map((item: unknown) => describeFields(item, examples)) as Part;
  const entries = Object.entries(part).map(([name, inner]: [string, unknown]) => {
    const within = describeFields(inner, examples, name);
    return [name, key === 'properties' ? describeField(name, within, examples.get(inner)) : within] as const;
  });
  return Object.fromEntries(entries) as Part;
}

function describeField(name: string, schema: unknown, example: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const description = 'description' in schema ? undefined : fieldDescriptions[name];
  return { ...schema, ...(description !== undefined && { description }), ...(example !== undefined && { examples: [example] }) };
}

/** How operators authenticate (P27). */
const operatorSchemes = {
  adminToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'HILO_ADMIN_TOKEN, or the content of the file admin.token in the data directory',
  },
  adminSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'hilo_admin',
    description: 'The cookie of POST /admin/v1/login; `__Host-hilo_admin` if the public address is https',
  },
} as const;

type Routes = ReadonlyMap<string, Pick<Route<never>, 'example' | 'auth'>>;

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const;
type PathItem = NonNullable<InterfaceDocument['paths']>[string];
type Operation = NonNullable<PathItem['get']>;

function completeOperations(path: string, item: PathItem, routes: Routes): PathItem {
  const operations = methods.flatMap((method) => {
    const operation = item[method];
    if (operation === undefined) return [];
    const { example = {}, auth } = routes.get(`${method.toUpperCase()} ${path}`) ?? {};
    const security =
      auth === 'operator' || auth === 'anyOperator' ? [{ adminToken: [] }, { adminSession: [] }] : (operation.security ?? []);
    const described = { ...operation, security };
    const examples = { ...addExamples(example, described), responses: addAnswers(method, path, described.responses) };
    return [[method, { ...described, ...examples, 'x-codeSamples': buildSamples(method, path, described, example) }] as const];
  });
  return { ...item, ...Object.fromEntries(operations) };
}

const buildSamples = (...of: Parameters<typeof writeCurlCommand>) => [{ lang: 'Shell', label: 'curl', source: writeCurlCommand(...of) }];

/** The parts of an operation that show the example of its route: parameters, and the body by its content type. */
function addExamples(
  { path: names, query, body }: RouteExample,
  { parameters, requestBody }: Pick<Operation, 'parameters' | 'requestBody'>,
) {
  const given = { ...names, ...query };
  return {
    ...(parameters && {
      parameters: parameters.map((parameter) => {
        if (!('name' in parameter)) return parameter;
        const { name, description = parameter.in === 'path' ? omitDefault(fieldDescriptions[name]) : fieldDescriptions[name] } = parameter;
        const ofRoute = readParameter(given[name], parameter.schema);
        const example = ofRoute === undefined ? findExampleByName(name, parameter.schema) : ofRoute;
        return { ...parameter, ...(description !== undefined && { description }), ...(example !== undefined && { example }) };
      }),
    }),
    ...(requestBody !== undefined &&
      'content' in requestBody &&
      body !== undefined && {
        requestBody: {
          ...requestBody,
          content: Object.fromEntries(
            Object.entries(requestBody.content).map(([type, content]) => [
              type,
              { ...content, example: type === form ? parseForm(body) : body },
            ]),
          ),
        },
      }),
  };
}

/** A parameter of the path is always there. */
const omitDefault = (description: string | undefined): string | undefined => description?.replace(/; may be left out.*$/, '');

/** The value of a parameter in an example; `undefined` for a placeholder in capitals, whose value an earlier answer has. */
function readParameter(text: string | undefined, schema: object | undefined): string | number | undefined {
  if (text === undefined || text.endsWith('_ID')) return undefined;
  return schema !== undefined && 'type' in schema && schema.type === 'integer' ? Number(text) : text;
}

const form = 'application/x-www-form-urlencoded';
/** A form, which is sent as a text. */
const parseForm = (body: unknown): object => Object.fromEntries(new URLSearchParams(String(body)));

/** The answers of an operation, each with an example of its content. */
function addAnswers(method: string, path: string, responses: Operation['responses'] = {}): Operation['responses'] {
  const answers = Object.entries(responses).map(([status, answer]: [string, { readonly content?: object }]) => {
    if (answer.content === undefined) return [status, answer] as const;
    const content = Object.entries(answer.content).map(([type, shown]: [string, object]) => {
      const example = findAnswerExample(`${method.toUpperCase()} ${path}`, status, type);
      return [type, example === undefined ? shown : { ...shown, example }] as const;
    });
    return [status, { ...answer, content: Object.fromEntries(content) }] as const;
  });
  return Object.fromEntries(answers) as Operation['responses'];
}
