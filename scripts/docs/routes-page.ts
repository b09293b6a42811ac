import type { InterfaceDocument } from '../../packages/server/src/operations/openapi.ts';
import { cell } from './schema-fields.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The page of the service's routes, from the document that it serves: each with a command to copy. */
export function routesPage(document: InterfaceDocument): string {
  const sections = new Map<string, string[]>();
  for (const [path, item = {}] of Object.entries(document.paths ?? {})) {
    const operations = methods.flatMap((method) =>
      item[method] === undefined ? [] : [{ ...(item[method] as Omit<Operation, 'method'>), method }],
    );
    for (const [summary, alike] of Map.groupBy(operations, (operation) => operation.summary ?? '')) {
      const [tag = 'Others'] = alike[0]?.tags ?? [];
      sections.set(tag, [...(sections.get(tag) ?? []), section(path, summary, alike)]);
    }
  }
  const schemes = Object.entries(document.components?.securitySchemes ?? {}).map(([name, scheme]) => schemeRow(name, scheme));
  return `# Routes

This page lists every route of the service. \`npm run generate\` writes it from the OpenAPI document that the service serves as \`/openapi.json\` and shows
at \`/docs\`. The commands call the service that \`npm start\` runs with its example workspace, and a test runs them. Words in capitals, such as
\`EXECUTION_ID\`, stand for values from earlier answers.

- **Company**: it follows from the credential, never from ids in the request.
- **Bodies** are JSON of at most 1 MB.
- **Errors** have a stable \`code\` or \`error\`, and a message that says what to do. 429 and 503 come with \`Retry-After\`.
- **Idempotency**: on routes that take an \`Idempotency-Key\` (or \`webhook-id\`), a key that is repeated within eight days has no second effect and gets
  the same answer. For webhooks only the key counts, not the body. A message that is sent again with its key but another body is refused with 400.

## Credentials

| name | how |
| --- | --- |
${schemes.join('\n')}

${[...sections].map(([tag, routes]) => `## ${tag}\n\n${routes.join('\n')}`).join('\n')}`;
}

interface Operation {
  readonly method: (typeof methods)[number];
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly { readonly [scheme: string]: unknown }[];
  readonly parameters?: readonly Parameter[];
  readonly responses?: {
    readonly [status: string]: { readonly description?: string; readonly content?: { readonly [type: string]: Content } };
  };
  readonly 'x-codeSamples'?: readonly { readonly source: string }[];
}
interface Content {
  readonly example?: unknown;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
}

/** Methods of a path with the same behaviour share a section: that of the most common one. */
function section(path: string, summary: string, operations: readonly Operation[]): string {
  const shown = operations.find(({ method }) => method === 'post') ?? operations[0];
  const { security = [], parameters = [], responses = {} } = shown ?? {};
  const ways = security
    .map((way) =>
      Object.keys(way)
        .map((name) => `\`${name}\``)
        .join(' and '),
    )
    .map((way) => (way === '' && security.length > 1 ? 'none' : way))
    .join(' or ');
  const optional = parameters
    .filter(({ in: place }) => place !== 'path')
    .map(({ name, required = false, description = '' }) => {
      const says = description === '' ? '' : ` (${cell(description).replace(/\.$/, '')})`;
      return `\`${name}\`${required ? '' : '?'}${says}`;
    });
  const statuses = Object.entries(responses).map(([status, { description = '' }]) => `${status} ${cell(description)}`);
  const lines = [
    ways === '' ? 'No credential.' : `Credential: ${ways}.`,
    optional.length === 0 ? '' : `Parameters: ${optional.join(', ')}.`,
    `Answers: ${statuses.join(' · ')}.`,
  ];
  return `### \`${operations.map(({ method }) => method.toUpperCase()).join(', ')} ${path}\`

${cell(summary)}.

\`\`\`sh
${shown?.['x-codeSamples']?.[0]?.source ?? ''}
\`\`\`
${describeAnswer(responses)}
${lines.filter((line) => line !== '').join('\n\n')}
`;
}

/** Up to so many characters of an answer are shown. */
const maxChars = 400;

/** What the command is answered, as a service gave it; nothing where the answer is no JSON. */
function describeAnswer(responses: NonNullable<Operation['responses']>): string {
  const example = responses['200']?.content?.['application/json']?.example;
  if (example === undefined) return '';
  const text = JSON.stringify(example);
  return `\n\`\`\`text\n${text.length > maxChars ? `${text.slice(0, maxChars)} …` : text}\n\`\`\`\n`;
}

function schemeRow(name: string, scheme: object): string {
  const { type, scheme: http, in: place, name: header, description } = scheme as { readonly [key: string]: string | undefined };
  const how = type === 'http' ? `\`Authorization: ${http === 'basic' ? 'Basic' : 'Bearer'} …\`` : `${place} \`${header}\``;
  return `| \`${name}\` | ${how}${description === undefined ? '' : `. ${cell(description)}`} |`;
}
