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
  /** The content is as wide as the window. */
  readonly isWide?: boolean;
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
  { content, script, isWide = false, language = 'en' }: PageParts,
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
      <body><main${isWide ? raw(' class="wide"') : ''}><header><h1>${title}</h1>${logOut}</header>${content}</main>${script === undefined ? '' : html`<script>${raw(script)}</script>`}</body>
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

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#fff, #16181d); color: light-dark(#1b1c20, #e3e4e8); }
a { color: light-dark(#0b57d0, #a8c7fa); }
header { display: flex; justify-content: space-between; align-items: center; gap: 1rem; }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
main.wide { max-width: none; }
summary { cursor: pointer; padding: .25rem 0; }
code, pre { font: .875rem/1.4 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid #8884; border-radius: .5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
svg { max-width: 100%; height: auto; }
.whole svg { display: block; max-height: max(12rem, calc(100vh - 11rem)); }
.full { overflow: auto; }
.full svg { max-width: none; }
.method { font-weight: 600; }
.interface { display: grid; grid-template-columns: 20rem minmax(0, 1fr); gap: 2rem; }
.interface nav { position: sticky; top: 0; max-height: 100vh; overflow: auto; font-size: .875rem; }
.interface nav ul { padding-left: 1rem; margin: 0 0 .5rem; }
.interface nav summary { font-weight: 600; font-size: 1rem; }
.interface article { margin: 2rem 0; padding-top: 1rem; border-top: 1px solid #8884; content-visibility: auto; contain-intrinsic-size: auto 20rem; }
@media (max-width: 50rem) { .interface { display: block; } .interface nav { position: static; max-height: none; } }
input, button { font: inherit; padding: .25rem .5rem; }`;

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
