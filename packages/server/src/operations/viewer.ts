import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { HttpEnv } from '../platform/http/context.ts';
import { renderPage } from '../platform/http/page.ts';

/** Redoc, in one file: beside this one in a build, in its own package while the sources run. */
const places = [
  () => new URL('../viewer/redoc.standalone.js', import.meta.url),
  () => new URL(import.meta.resolve('redoc/bundles/redoc.standalone.js')),
];

/** Starts the viewer. The page's nonce is for the styles that it adds; search runs in a worker. */
const start = `
const nonce = document.querySelector('meta[name="csp-nonce"]').content;
const options = { nonce, hideDownloadButton: true, nativeScrollbars: true, expandResponses: '200', jsonSampleExpandLevel: 4 };
Redoc.init('openapi.json', options, document.getElementById('interface'));
`;

/**
 * Shows the description of the interface with Redoc, which is served from here: nothing comes from another host (T20). The same
 * without a script is `/docs/plain`.
 */
export function createViewer(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  let compressed: Promise<Uint8Array<ArrayBuffer>> | undefined;

  app.get('/docs', (c) =>
    renderPage(c, 200, 'Interface', {
      content: html`<p><a href="docs/plain">Without scripts</a> · <a href="openapi.json">as OpenAPI 3.1</a></p><div id="interface"></div>`,
      files: ['docs/viewer.js', 'docs/start.js'],
    }),
  );
  app.get('/docs/start.js', (c) => c.body(start, 200, { 'content-type': script }));
  app.get('/docs/viewer.js', async (c) => {
    compressed ??= readViewer().then(async (text) => new Uint8Array(await promisify(gzip)(text)));
    const headers = { 'content-type': script, 'cache-control': 'private, max-age=3600', vary: 'accept-encoding' };
    if (!/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) return c.body(new Uint8Array(await readViewer()), 200, headers);
    return c.body(await compressed, 200, { ...headers, 'content-encoding': 'gzip' });
  });
  return app;
}

const script = 'text/javascript; charset=utf-8';

async function readViewer(): Promise<Buffer> {
  for (const place of places)
    try {
      return await readFile(fileURLToPath(place()));
    } catch {
      // in the other place, then
    }
  throw new Error('The viewer of the interface is not there: build the package again, or use /docs/plain');
}
