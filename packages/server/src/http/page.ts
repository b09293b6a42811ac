import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { HttpEnv } from './context.ts';

/** A part of a page, made of a template that escapes what is put into it. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** A page of ours: no script, nothing from another host, and a policy that keeps it so (T20). */
export async function page(c: Context<HttpEnv>, status: 200 | 401, title: string, content: Html): Promise<Response> {
  const text = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Hilo</title>
        <style>${raw(style)}</style>
      </head>
      <body><main><h1>${title}</h1>${content}</main></body>
    </html>`;
  return c.html(text, status, { 'content-security-policy': policy });
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
summary { cursor: pointer; padding: .25rem 0; }
code, pre { font: .875rem/1.4 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid #8884; border-radius: .5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
svg { max-width: 100%; height: auto; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 600; }
input, button { font: inherit; padding: .25rem .5rem; }`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
