// docs/client.md: how a program calls the service with @hilo/client, and one call of each operation; and the same calls as a program that is
// type-checked.
import type { RouteExample } from '../../packages/server/src/platform/http/define-route.ts';
import { type ClientOperation, listClientOperations } from './client-operations.ts';
import type { DescribedService } from './describe-service.ts';

/** The type-checked program that the blocks of the page are parts of. */
const programPath = 'packages/client/test/page-program.ts';

const beginning = `import { createClient, HiloRequestError } from '@hilo/client';

const hilo = createClient({
  baseUrl: 'http://127.0.0.1:3000',
  apiKey: 'hk_acme_0123456789abcdef', // webhooks, signals and functions
  client: { id: 'acme-client', secret: 's3c:ret-of-acme' }, // the REST API
  adminToken: 'ADMIN_TOKEN', // management
});

try {
  await hilo.sendMessage({ path: { botId: 'bot_wa' }, body: { type: 'text', userId: '5215512345678', text: 'Your order is ready.' } });
} catch (error) {
  // A refusal says what it is; 429 and 503 also say when to try again.
  if (error instanceof HiloRequestError && error.code === 'OUTSIDE_SESSION_WINDOW') console.log('Only a template can be sent now');
  else throw error;
}
`;

/** Writes `docs/client.md`, and the program that has its blocks: types say whether a call that is shown may be written so. */
export function clientPage(service: DescribedService): { readonly [path: string]: string } {
  const blocks = listCallBlocks(service);
  return { 'docs/client.md': writePage(blocks), [programPath]: writeProgram(blocks) };
}

interface CallBlock {
  readonly tag: string;
  readonly code: string;
}

/** One call of each operation, by the tag of the operations. */
function listCallBlocks({ document, routes }: DescribedService): readonly CallBlock[] {
  return [...Map.groupBy(listClientOperations(document), ({ tag }) => tag)].map(([tag, operations]) => {
    const calls = operations.map((operation) => {
      const { method, path, name, summary } = operation;
      return `// ${summary}\n${writeCall(name, routes.get(`${method} ${path}`)?.example ?? {}, operation)}\n`;
    });
    return { tag, code: calls.join('\n') };
  });
}

const writeProgram = (blocks: readonly CallBlock[]): string =>
  `// Written by npm run generate: the blocks of docs/client.md as one program, for the type check. The client's test makes its calls.
// biome-ignore-all format: one call a line
${[beginning, ...blocks.map(({ code }) => code)].join('\n')}`;

const writeBlock = (code: string): string => `\`\`\`ts ${programPath}\n${code}\`\`\``;

function writePage(blocks: readonly CallBlock[]): string {
  return `# Calling the service from a program

\`@hilo/client\` has a method for each operation of the service, with the types of what it takes and answers. It is written from the routes
themselves (\`npm run generate\`), needs nothing but \`fetch\`, and runs in Node.js and in browsers. [Routes](routes.md) describes the same operations as HTTP.

${writeBlock(beginning)}

- **A request** has the parts \`path\`, \`query\`, \`headers\` and \`body\`, as far as the operation has them, and a \`signal\` that aborts it. A list in a query is repeated.
- **An answer** is the parsed body; of a stream or a file it is the \`Response\`.
- **A credential** is sent only to operations that ask for it. A page that has logged in gives no \`adminToken\`: the browser sends its cookie. Another way
  of sending, such as a socket or a proxy, is a \`fetch\` of yours.
- **A refusal** throws \`HiloRequestError\` with \`status\`, \`code\`, \`body\` and \`retryAfterMs\`. A service that is not reached throws what \`fetch\` throws.

## One call of each operation

With the names of the example workspace that \`npm start\` brings in. Words in capitals stand for values from earlier answers, and for the content of \`data/admin.token\`.

${blocks.map(({ tag, code }) => `### ${tag}\n\n${writeBlock(code)}\n`).join('\n')}`;
}

function writeCall(
  name: string,
  { path, query, headers, body, contentType }: RouteExample,
  { hasBody, parameters }: ClientOperation,
): string {
  const known = (place: string, values: { readonly [key: string]: string } = {}) =>
    Object.fromEntries(Object.entries(values).filter(([key]) => parameters.some((one) => one.in === place && one.name === key)));
  const parts = Object.entries({
    path: known('path', path),
    query: known('query', query),
    headers: contentType === undefined ? known('header', headers) : { ...headers, 'content-type': contentType },
    ...(hasBody && body !== undefined && { body }),
  }).filter(([, value]) => typeof value === 'string' || Object.keys(value as object).length > 0);
  return `await hilo.${name}(${parts.length === 0 ? '' : writeValue(Object.fromEntries(parts))});`;
}

/** As code is written: names without quotes, texts in single ones. */
function writeValue(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
  if (Array.isArray(value)) return `[${value.map(writeValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, field]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`}: ${writeValue(field)}`,
  );
  return `{ ${fields.join(', ')} }`;
}
