import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { HttpEnv } from './context.ts';
import type { PageLanguage } from './page-words.ts';

/** A part of a page, from a template that escapes its values. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** What a page shows, and the scripts that may run in it. */
export interface PageParts {
  readonly content: Html;
  /** The one script that may run in the page, and call this service; none, when left out. */
  readonly script?: string;
  /** The content is as wide as the window; a card is small, for one thing that a person does or is told. */
  readonly shape?: 'wide' | 'card';
  /** The language of its words; English, when left out. */
  readonly language?: PageLanguage;
  /** The address of the page is a secret: no request that it makes carries it as a referrer. */
  readonly hasSecretAddress?: boolean;
}

/**
 * A page of this service: no content from another host and no script but the given one, enforced by a content security policy (T20).
 * Its forms send their origin to this service alone, which accepts logins only from its own pages.
 */
export const renderPage = async (c: Context<HttpEnv>, status: ContentfulStatusCode, title: string, parts: PageParts): Promise<Response> =>
  c.html(await writePage(c, title, parts), status, pageHeaders(parts));

/** The headers that keep a page to what {@link renderPage} promises. */
export const pageHeaders = ({ script, hasSecretAddress = false }: Pick<PageParts, 'script' | 'hasSecretAddress'>) => ({
  'content-security-policy': buildPolicy(script),
  'referrer-policy': hasSecretAddress ? 'no-referrer' : 'same-origin',
});

/** The text of a page. */
export async function writePage(
  c: Context<HttpEnv>,
  title: string,
  { content, script, shape, language = 'en' }: PageParts,
): Promise<string> {
  const logOut =
    c.get('credential') === 'admin session'
      ? html`<form method="post" action="${findRootPath(c)}admin/v1/logout"><button>Log out</button></form>`
      : '';
  const text = await html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Hilo</title>
        <style>${raw(style)}</style>
      </head>
      <body><main class="${shape ?? ''}"><header><h1>${title}</h1>${logOut}</header>${content}</main>${script === undefined ? '' : html`<script>${raw(script)}</script>`}</body>
    </html>`;
  return String(text);
}

/**
 * The relative path from an operators' page to the mount point, such as `../`, so that its links work under any prefix.
 */
export function findRootPath(c: Context<HttpEnv>): string {
  const [own = ''] = /\/(?:docs(?:\/.*)?|studio(?:\/.*)?|admin\/v1\/.*)$/.exec(c.req.path) ?? [];
  return '../'.repeat(Math.max(0, own.split('/').length - 2));
}

/** The colours are those of the studio. */
const style = `
:root {
  color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif;
  --ground: light-dark(#f6f7f9, #0f1218); --surface: light-dark(#fff, #1b2029); --line: light-dark(#e4e7ec, #333a47); --strong: light-dark(#667085, #98a2b3);
  --text: light-dark(#101828, #f2f4f7); --soft: light-dark(#475467, #b8c0cc); --accent: light-dark(#4f46e5, #818cf8); --on-accent: light-dark(#fff, #0f1218);
  --bad: light-dark(#b42318, #f97066);
  background: var(--surface); color: var(--text); accent-color: var(--accent);
}
a { color: var(--accent); }
header { display: flex; justify-content: space-between; align-items: center; gap: 1rem; }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
main.wide { max-width: none; }
:root:has(main.card) { background: var(--ground); }
main.card { max-width: 24rem; margin: 14vh auto 2rem; padding: 1.5rem 2rem 2rem; background: var(--surface); border: 1px solid var(--line); border-radius: 1rem; box-shadow: 0 12px 24px -4px light-dark(#10182814, #0008); }
main.card h1 { font-size: 1.5rem; line-height: 2rem; margin: .5rem 0; }
main.card label { display: block; margin: 1rem 0 .25rem; }
main.card input { display: block; box-sizing: border-box; width: 100%; margin: .25rem 0 1rem; }
main.card button { margin: .5rem .5rem 0 0; }
main.card details { margin-top: 1.25rem; color: var(--soft); font-size: .875rem; }
[role=alert] { color: var(--bad); }
[role=alert]:empty { display: none; }
summary { cursor: pointer; padding: .25rem 0; }
code, pre { font: .875rem/1.4 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
svg { max-width: 100%; height: auto; }
.whole svg { display: block; max-height: max(12rem, calc(100vh - 11rem)); }
.full { overflow: auto; }
.full svg { max-width: none; }
.method { font-weight: 600; }
.interface { display: grid; grid-template-columns: 20rem minmax(0, 1fr); gap: 2rem; }
.interface nav { position: sticky; top: 0; max-height: 100vh; overflow: auto; font-size: .875rem; }
.interface nav ul { padding-left: 1rem; margin: 0 0 .5rem; }
.interface nav summary { font-weight: 600; font-size: 1rem; }
.interface article { margin: 2rem 0; padding-top: 1rem; border-top: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 20rem; }
@media (max-width: 50rem) { .interface { display: block; } .interface nav { position: static; max-height: none; } }
input, button { font: inherit; padding: .375rem .75rem; border: 1px solid var(--strong); border-radius: .5rem; background: var(--surface); color: inherit; }
button { cursor: pointer; }
button.primary { background: var(--accent); color: var(--on-accent); border-color: transparent; font-weight: 600; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }`;

const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const buildPolicy = (script: string | undefined): string =>
  [
    "default-src 'none'",
    `style-src ${hashSource(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashSource(script)}`, "connect-src 'self'"]),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
