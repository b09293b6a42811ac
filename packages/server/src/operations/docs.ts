import { html } from 'hono/html';
import type { Html } from '../platform/http/page.ts';
import type { InterfaceDocument } from './openapi.ts';

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;

interface Operation {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly unknown[];
  readonly requestBody?: unknown;
  readonly responses?: { readonly [status: string]: unknown };
}

/** The description as people read it: every route by its surface, and every schema. Made here, so that no script is needed. */
export function docsOf({ info, paths = {}, components }: InterfaceDocument): Html {
  const sections = new Map<string, Html[]>();
  for (const [path, item = {}] of Object.entries(paths))
    for (const method of methods) {
      const operation = item[method] as Operation | undefined;
      if (operation === undefined) continue;
      const [tag = 'Others'] = operation.tags ?? [];
      sections.set(tag, [...(sections.get(tag) ?? []), operationOf(method, path, operation)]);
    }
  return html`<p>${info.description} Version ${info.version}; <a href="openapi.json">as OpenAPI 3.1</a>.</p>
    ${[...sections].map(([tag, operations]) => html`<section><h2>${tag}</h2>${operations}</section>`)}
    <section><h2>Schemas</h2>${Object.entries(components?.schemas ?? {}).map(([name, schema]) => folded(html`<code>${name}</code>`, schema))}</section>`;
}

function operationOf(method: string, path: string, { summary = '', parameters, requestBody, responses }: Operation): Html {
  const parts = { ...(parameters && { parameters }), ...(requestBody !== undefined && { requestBody }), responses };
  return folded(html`<span class="method">${method.toUpperCase()}</span> <code>${path}</code> ${summary}`, parts);
}

const folded = (title: Html, content: unknown): Html =>
  html`<details><summary>${title}</summary><pre>${JSON.stringify(content, null, 2)}</pre></details>`;
