/** The page `/docs`: every operation of the interface with its example and a command to copy, without a script. */
import { html } from 'hono/html';
import type { Html } from '../platform/http/page.ts';
import type { InterfaceDocument } from './openapi.ts';

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;

/** The parts of an OpenAPI operation that the page shows. */
interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses?: { readonly [status: string]: Body };
  readonly 'x-codeSamples'?: readonly { readonly source: string }[];
}

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
}

interface Body {
  readonly description?: string;
  readonly content?: { readonly [type: string]: { readonly schema?: unknown; readonly example?: unknown } };
}

interface Placed extends Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** Renders the page's content; it is the same for everybody. */
export async function renderInterface({ info, paths = {}, components }: InterfaceDocument): Promise<string> {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method): Placed[] => {
      const operation = item[method] as Operation | undefined;
      return operation === undefined ? [] : [{ ...operation, id: operation.operationId ?? `${method} ${path}`, method, path }];
    }),
  );
  const groups = Object.entries(Object.groupBy(operations, ({ tags: [tag = 'Others'] = [] }) => tag));
  const schemas = Object.entries(components?.schemas ?? {});
  return String(
    await html`<div class="interface">
      <nav aria-label="Operations">
        ${groups.map(([group, within = []]) => renderCollapsible(html`${group} (${within.length})`, renderLinks(within)))}
        <p><a href="#schemas">Schemas</a></p>
      </nav>
      <div>
        <p>${info.description} Version ${info.version}.</p>
        ${groups.map(([group, within = []]) => html`<section id="${group}"><h2>${group}</h2>${within.map(renderOperation)}</section>`)}
        <section id="schemas"><h2>Schemas</h2>${schemas.map(([name, schema]) => html`<div id="schema-${name}">${renderCollapsible(html`<code>${name}</code>`, renderJson(schema))}</div>`)}</section>
      </div>
    </div>`,
  );
}

/** A link to each operation; those that differ in the method alone follow one another, and share one. */
const renderLinks = (operations: readonly Placed[]): Html =>
  html`<ul>${Array.from(
    Map.groupBy(operations, ({ id, summary = id }) => summary),
    ([summary, alike]) =>
      html`<li>${alike.map(({ method }) => method.toUpperCase()).join(', ')} <a href="#${alike[0]?.id ?? ''}">${summary}</a></li>`,
  )}</ul>`;

function renderOperation({ id, method, path, summary = id, description, ...operation }: Placed): Html {
  const { parameters = [], requestBody, responses = {}, 'x-codeSamples': [command] = [] } = operation;
  return html`<article id="${id}">
    <h3>${summary}</h3>
    <p><span class="method">${method.toUpperCase()}</span> <code>${path}</code></p>
    ${description === undefined ? '' : html`<p>${description}</p>`}
    ${command === undefined ? '' : html`<pre tabindex="0">${command.source}</pre>`}
    ${parameters.length === 0 ? '' : renderCollapsible(html`Parameters`, renderParameters(parameters))}
    ${requestBody === undefined ? '' : renderCollapsible(html`Body`, renderBody(requestBody))}
    ${Object.entries(responses).map(([status, answer]) => renderCollapsible(html`<b>${status}</b> ${answer.description ?? ''}`, renderBody(answer)))}
  </article>`;
}

const renderParameters = (parameters: readonly Parameter[]): Html => html`<table>
  <tr><th>Name</th><th>In</th><th>Meaning</th><th>Example</th></tr>
  ${parameters.map(
    ({ name, in: place, required, description, example }) => html`<tr>
      <td><code>${name}</code></td><td>${place}${required === true ? '' : ', optional'}</td><td>${description ?? ''}</td>
      <td>${example === undefined ? '' : html`<code>${typeof example === 'string' ? example : JSON.stringify(example)}</code>`}</td>
    </tr>`,
  )}
</table>`;

/** A body by its content types: an example, then its schema, or a link to it. */
const renderBody = ({ content = {} }: Body): Html =>
  html`${Object.entries(content).map(
    ([type, { schema, example }]) =>
      html`<p>${type}${renderLink(schema)}</p>${example === undefined ? '' : renderJson(example)}${schema === undefined || nameOf(schema) !== undefined ? '' : renderCollapsible(html`Schema`, renderJson(schema))}`,
  )}`;

function renderLink(schema: unknown): Html | '' {
  const name = nameOf(schema);
  return name === undefined ? '' : html`: <a href="#schema-${name}">${name}</a>`;
}

/** The name of the schema that is referred to. */
function nameOf(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null || !('$ref' in schema)) return undefined;
  return /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref))?.[1];
}

const renderCollapsible = (title: Html, content: Html): Html => html`<details><summary>${title}</summary>${content}</details>`;

const renderJson = (value: unknown): Html => html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
