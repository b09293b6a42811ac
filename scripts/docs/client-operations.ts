// The operations of @hilo/client as TypeScript, from the description that the routes give of themselves.
import type { InterfaceDocument } from '../../packages/server/src/operations/openapi.ts';

/** A JSON schema, as far as a type is made of it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
}

interface Content {
  readonly content?: { readonly [type: string]: { readonly schema?: Schema } };
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly security?: readonly { readonly [scheme: string]: unknown }[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema?: Schema }[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses?: { readonly [status: string]: Content };
}

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const;

/** Schemes that a program has a credential for, and the name that the client has for it. Providers sign what they send themselves. */
const credentials: { readonly [scheme: string]: string } = {
  '': 'none',
  apiKey: 'apiKey',
  platformKey: 'bearerKey',
  basic: 'client',
  adminToken: 'adminToken',
  visitor: 'visitorToken',
};

/** Sessions are for browsers. */
const left: ReadonlySet<string> = new Set(['logIn', 'logOut']);

/** An operation that the client has. */
export interface ClientOperation {
  readonly name: string;
  readonly tag: string;
  readonly summary: string;
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly hasBody: boolean;
  /** Of its method in the type of a client. */
  readonly signature: string;
  /** How it is sent. */
  readonly row: string;
}

/** The operations of a document that programs call. */
export const listClientOperations = (document: InterfaceDocument): readonly ClientOperation[] =>
  Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method] as Operation | undefined;
      return operation === undefined ? [] : readOperation(method, path, operation);
    }),
  );

/** Writes `packages/client/src/operations.ts`. */
export function clientOperations(document: InterfaceDocument): string {
  const operations = listClientOperations(document);
  const named = listNamedTypes(document, operations);
  return `// Written by npm run generate from the routes of the service: change those.
// biome-ignore-all format: one operation a line
import type { RequestOptions } from './request-options.ts';

${named.join('\n')}
/** The operations of a service: each sends one request, and throws \`HiloRequestError\` for every refusal. */
export interface HiloClient {
${operations.map(({ signature }) => signature).join('\n')}
}

/** How each operation is sent: method, path, credential, type of the body, and what its answer is read as. */
export const operations = {
${operations.map(({ row }) => row).join('\n')}
} as const;
`;
}

/** The types of the named schemas that operations refer to, themselves or through others. */
function listNamedTypes({ components }: InterfaceDocument, operations: readonly ClientOperation[]): readonly string[] {
  const types = new Map(Object.entries(components?.schemas ?? {}).map(([name, schema]) => [name, writeType(schema as Schema)]));
  const used = new Set<string>();
  const use = (text: string): void => {
    for (const [name] of text.matchAll(/\b[A-Z]\w+\b/g)) {
      const type = types.get(name);
      if (type === undefined || used.has(name)) continue;
      used.add(name);
      use(type);
    }
  };
  for (const { signature } of operations) use(signature.slice(signature.indexOf('*/')));
  return [...types].flatMap(([name, type]) => (used.has(name) ? [`type ${name} = ${type};\n`] : []));
}

function readOperation(method: string, path: string, operation: Operation): readonly ClientOperation[] {
  const { operationId: name = '', summary = '', tags = [], security = [], parameters = [], requestBody, responses = {} } = operation;
  // A visitor without a token gets one: the scheme comes after none.
  const scheme = security.flatMap((one) => Object.keys(one))[0] ?? '';
  const credential = credentials[scheme];
  // What is made is 201, and what is only asked for is accepted (202): the answer names the job.
  const answers = [responses['200'], responses['201'], responses['202']].filter((answered) => answered?.content !== undefined);
  const [type = ''] = Object.keys(answers[0]?.content ?? {});
  const isForBrowsers = left.has(name) || type === 'text/html' || type === 'text/javascript' || responses['303'] !== undefined;
  if (credential === undefined || operation.deprecated === true || isForBrowsers) return [];
  const [takes] = Object.keys(requestBody?.content ?? {});
  const fields = [
    ...(['path', 'query', 'header'] as const).flatMap((place) => writeParameters(place, parameters)),
    ...(takes === undefined ? [] : [writeBody(takes, requestBody)]),
  ];
  const isFree = fields.every((field) => /^readonly \w+\?:/.test(field));
  const request = `request${isFree ? '?' : ''}: RequestOptions${fields.length === 0 ? '' : ` & { ${fields.join('; ')} }`}`;
  const { answer, gives } = readAnswer(type, answers);
  const how = `method: '${method.toUpperCase()}', path: '${path}', credential: '${credential}', gives: '${gives}'`;
  return [
    {
      name,
      tag: tags[0] ?? 'Others',
      summary,
      method: method.toUpperCase(),
      path,
      parameters,
      hasBody: takes !== undefined,
      signature: `  /** ${summary} */\n  ${name}(${request}): Promise<${answer}>;`,
      row: `  ${name}: { ${how}${takes === undefined ? '' : `, takes: '${takes}'`} },`,
    },
  ];
}

/** Path parameters are required; query and headers are, where one of them is. */
function writeParameters(place: 'path' | 'query' | 'header', parameters: Operation['parameters'] = []): readonly string[] {
  const own = parameters.filter((parameter) => parameter.in === place);
  if (own.length === 0) return [];
  const isRequired = own.some(({ required }) => required === true);
  const fields = own.map(
    ({ name, required, schema = {} }) =>
      `readonly ${writeName(name)}${required === true ? '' : '?'}: ${place === 'query' ? writeQueryType(schema) : 'string'}${required === true ? '' : ' | undefined'}`,
  );
  return [`readonly ${place === 'header' ? 'headers' : place}${isRequired ? '' : '?'}: { ${fields.join('; ')} }`];
}

/** Values of a query are written as texts: a number or a truth is as good. */
function writeQueryType(schema: Schema): string {
  const type = writeType(schema);
  if (type === 'string') return 'string | number | boolean';
  return type === 'number' ? 'number | `${number}`' : type;
}

function writeBody(takes: string, body: Operation['requestBody']): string {
  const isOptional = body?.required !== true && takes === 'application/json';
  const type =
    takes === 'application/json' ? writeType(body?.content?.[takes]?.schema ?? {}) : takes === '*/*' ? 'Blob | string' : 'string';
  return `readonly body${isOptional ? '?' : ''}: ${type}`;
}

function readAnswer(type: string, answers: readonly (Content | undefined)[]): { readonly answer: string; readonly gives: string } {
  if (type === 'application/json')
    return { answer: writeUnion(answers.map((answered) => writeType(answered?.content?.[type]?.schema ?? {}))), gives: 'json' };
  if (type === 'text/plain') return { answer: 'string', gives: 'text' };
  return type === '' ? { answer: 'void', gives: 'nothing' } : { answer: 'Response', gives: 'response' };
}

/** @throws {Error} for a schema of which no type can be made */
function writeType(schema: Schema): string {
  const { $ref, enum: values, anyOf, oneOf, allOf, type } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? 'unknown';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (values !== undefined) return writeUnion(values.map((value) => JSON.stringify(value)));
  if (anyOf !== undefined || oneOf !== undefined) {
    const union = writeUnion((anyOf ?? oneOf ?? []).map(writeType));
    return type === undefined || type === 'object' || union !== 'unknown' ? union : writeOne(schema, [type].flat()[0] ?? '');
  }
  if (allOf !== undefined) return allOf.map((part) => `(${writeType(part)})`).join(' & ');
  return type === undefined ? 'unknown' : writeUnion([type].flat().map((one) => writeOne(schema, one)));
}

const writeUnion = (types: readonly string[]): string => {
  const distinct = [...new Set(types)];
  return distinct.includes('unknown') || distinct.length === 0 ? 'unknown' : distinct.join(' | ');
};

function writeOne(schema: Schema, type: string): string {
  const { properties, required = [], additionalProperties, items } = schema;
  switch (type) {
    case 'array':
      return items === undefined ? 'readonly unknown[]' : `readonly (${writeType(items)})[]`;
    case 'object': {
      if (properties === undefined)
        return `{ readonly [name: string]: ${typeof additionalProperties === 'object' ? writeType(additionalProperties) : 'unknown'} }`;
      const fields = Object.entries(properties).map(
        ([name, field]) => `readonly ${writeName(name)}${required.includes(name) ? '' : '?'}: ${writeType(field)}`,
      );
      return fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join('; ')} }`;
    }
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    default:
      throw new Error(`No type is made of a schema of type "${type}"`);
  }
}

const writeName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);
