// A refusal as a page: what was sent to a person, such as a link to confirm or to pay, may be opened too late.
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { HttpEnv, Surface } from './context.ts';
import { renderPage } from './page.ts';
import { type PageWords, readPageWords } from './page-words.ts';

/** The surfaces with addresses that bots send to people. */
const surfacesOfPeople: ReadonlySet<Surface> = new Set(['callbacks', 'chat', 'files', 'payments']);

/** Whether a browser shows the answer to a person: programs prefer JSON, or say nothing. */
export const isOpenedByPerson = (c: Context<HttpEnv>): boolean =>
  surfacesOfPeople.has(c.get('surface')) &&
  accepts(c, { header: 'Accept', supports: ['application/json', 'text/html'], default: 'application/json' }) === 'text/html';

/** The page of a refusal. @param message - of the refusal, in English, which is shown where no words of the page say it */
export async function renderRefusal(
  c: Context<HttpEnv>,
  {
    status,
    headers,
    message,
  }: { readonly status: ContentfulStatusCode; readonly headers: { readonly [name: string]: string }; readonly message: string },
): Promise<Response> {
  const { language, words } = readPageWords(c);
  const text = sayRefusal(words, status) ?? `${message}.`;
  const content = html`<p role="alert">${text}</p>`;
  const page = await renderPage(c, status, words.refused, { language, shape: 'card', content, hasSecretAddress: true });
  for (const [name, value] of Object.entries(headers)) page.headers.set(name, value);
  return page;
}

function sayRefusal({ gone, later }: PageWords, status: number): string | undefined {
  if (status === 404 || status === 405 || status === 410) return gone;
  return status === 429 || status >= 500 ? later : undefined;
}
