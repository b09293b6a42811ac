// The built studio, as files that are served.
import { randomBytes } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { HttpEnv } from '../platform/http/context.ts';
import { takesGzip } from '../platform/http/kept-body.ts';
import { findRootPath } from '../platform/http/page.ts';

/** The studio, as it is built now. */
export interface StudioApplication {
  /** Its page, and the files that the page loads, by name. @returns `undefined` while it is not built */
  read(): Promise<BuiltStudio | undefined>;
  /** What was read last: browsers ask for many files behind one page. */
  known(): BuiltStudio | undefined;
}

interface BuiltStudio {
  readonly page: string;
  readonly files: ReadonlyMap<string, StudioFile>;
}

interface StudioFile {
  readonly path: string;
  readonly type: string;
}

const types: { readonly [extension: string]: string } = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};

/** Where `@hilo/studio` was built. */
const locateStudio = (): string => fileURLToPath(new URL('dist/app/', import.meta.resolve('@hilo/studio/package.json')));

/** Finds the built studio. @returns `undefined` when it was not built */
async function findStudio(folder: string): Promise<BuiltStudio | undefined> {
  try {
    const page = await readFile(join(folder, 'index.html'), 'utf8');
    const names = await readdir(join(folder, 'assets'));
    const files = names.flatMap((name): [string, StudioFile][] => {
      const type = types[extname(name)];
      return type === undefined ? [] : [[name, { path: join(folder, 'assets', name), type }]];
    });
    return { page, files: new Map(files) };
  } catch {
    return undefined;
  }
}

/** The studio of a folder: built, or built again, while the service runs, it is read anew. While a build replaces it, it is what it was. */
export function openStudio(folder = locateStudio()): StudioApplication {
  let known: { readonly builtAtMs: number; readonly studio: BuiltStudio } | undefined;
  return {
    known: () => known?.studio,
    async read() {
      const builtAtMs = await stat(join(folder, 'index.html')).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      );
      if (builtAtMs === undefined || builtAtMs === known?.builtAtMs) return known?.studio;
      const studio = await findStudio(folder);
      if (studio !== undefined) known = { builtAtMs, studio };
      return known?.studio;
    },
  };
}

/**
 * Serves the studio, where it is built: its files under hashed names, which browsers cache for ever, and its page for every other path. The content
 * security policy lets only these files run. The nonce is for the style sheet that the expression editor adds.
 *
 * @param loginWith - the name of the provider that people can log in with; its page tells it to whoever has to log in again
 */
export function serveApplication(studio: StudioApplication, loginWith: string | undefined): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const provider = loginWith === undefined ? '' : html`<meta name="login-with" content="${loginWith}" />`;
  const compressed = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  app.get('/studio/assets/:name', async (c) => {
    const name = c.req.param('name');
    const file = studio.known()?.files.get(name) ?? (await studio.read())?.files.get(name);
    if (file === undefined) return c.notFound();
    const headers = { ...fileHeaders, 'content-type': file.type };
    try {
      if (!takesGzip(c)) return c.body(new Uint8Array(await readFile(file.path)), 200, headers);
      const bytes = compressed.get(name) ?? readFile(file.path).then(async (content) => new Uint8Array(await promisify(gzip)(content)));
      compressed.set(name, bytes);
      return c.body(await bytes, 200, { ...headers, 'content-encoding': 'gzip' });
    } catch (error) {
      compressed.delete(name); // it may be there again for the next one who asks
      // Built again under a service that runs: a browser that has the page of before loads it anew.
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return c.notFound();
      throw error;
    }
  });
  app.get('/studio/*', async (c, next) => {
    const built = await studio.read();
    if (built === undefined) return next();
    const nonce = randomBytes(16).toString('base64');
    const root = `${findRootPath(c)}studio/`;
    const metas = `<meta name="csp-nonce" content="${nonce}"><meta name="studio-root" content="${root}">${await provider}`;
    const text = built.page.replaceAll(/(src|href)="\.\/assets\//g, `$1="${root}assets/`).replace('<head>', `<head>${metas}`);
    return c.html(text, 200, {
      'content-security-policy': buildPolicy(nonce),
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
    });
  });
  return app;
}

/** A worker has the policy of its own script, which loads its other parts and the sandbox of code nodes. */
const fileHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
  vary: 'accept-encoding',
} as const;

const buildPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data: https:",
    'media-src https:',
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'", // the chat of a bot, beside the code that brings it to a page
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
