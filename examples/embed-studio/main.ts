// A product with the studio in it: its own login, its own theme, and a node of its own. Builds its page, and serves it.
//   node scripts/up.mjs node examples/embed-studio/main.ts
//   then open http://localhost:3000: ana has all permissions, ben is read-only; the password is printed at the start.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createAdmin, defaultSettings, type Operator, openService } from '@hilo/server';
import { type HttpBindings, serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import react from '@vitejs/plugin-react';
import { Hono } from 'hono';
import { build } from 'vite';
import { z } from 'zod';
import { leadScores, scoreLead } from '../own-node/score-lead.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const pages = process.env['PAGES'] ?? here('dist');
await build({
  root: here('web'),
  configFile: false,
  logLevel: 'warn',
  plugins: [react()],
  worker: { format: 'es' },
  build: { outDir: pages, emptyOutDir: true },
});

// The host's own people and sessions: a real product has a directory, and passwords that are hashed.
const password = process.env['DEMO_PASSWORD'] ?? randomUUID();
const people: ReadonlyMap<string, Operator> = new Map([
  ['ana', { name: 'ana', can: ['view', 'edit', 'publish', 'operate'], companies: 'all' }],
  ['ben', { name: 'ben', can: ['view'], companies: ['1'] }],
]);
const sessions = new Map<string, Operator>();
const tokenIn = (headers: Headers): string => headers.get('authorization')?.replace(/^Bearer /, '') ?? '';

const service = await openService({
  ...defaultSettings,
  data: process.env['HILO_DATA'] ?? './data',
  workspace: here('../own-node/workspace.json'),
  nodes: [scoreLead],
  drivers: [leadScores],
  authorize: ({ headers }) => sessions.get(tokenIn(headers)),
});
const admin = createAdmin(service);

/** The studio sets sizes and colours by style attributes, starts workers of its own origin, and runs code nodes in WebAssembly. */
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: https:";
const Login = z.object({ name: z.string(), password: z.string() });

const app = new Hono<{ Bindings: HttpBindings }>();
app.post('/session', async (c) => {
  const given = Login.safeParse(await c.req.json().catch(() => undefined)).data;
  const person = given?.password === password ? people.get(given.name) : undefined;
  if (person === undefined) return c.json({ message: 'The name or the password is wrong' }, 401);
  const token = randomUUID();
  sessions.set(token, person);
  return c.json({ token, ...person });
});
app.delete('/session', (c) => {
  sessions.delete(tokenIn(c.req.raw.headers));
  return c.body(null, 204);
});
app.all('/admin/*', (c) => admin.fetch(c.req.raw, c.env)); // the environment has the caller's address
app.use('*', async (c, next) => {
  await next();
  c.header('content-security-policy', policy);
});
app.get('*', serveStatic({ root: pages }));

const server = serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000) }, (address) => {
  console.log(`the password of ana and ben is ${password}`);
  console.log('listening on', address);
});
process.once('SIGTERM', () => server.close(() => void service.close()));
