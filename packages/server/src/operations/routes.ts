// The routes for whoever operates a service: health, metrics, and the description of the interface.
import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { html, raw } from 'hono/html';
import type { ChannelRegistry } from '../channels/channels.ts';
import { adminAuth, type AdminAuthParts } from '../platform/http/auth/admin-auth.ts';
import { pageAuth } from '../platform/http/auth/login.ts';
import { requirePermission } from '../platform/http/auth/require-permission.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { envelope, withErrorHandler } from '../platform/http/envelope.ts';
import { unavailable } from '../platform/http/errors.ts';
import { keepBody, type KeptBody } from '../platform/http/kept-body.ts';
import { mountRoutes } from '../platform/http/mount-routes.ts';
import { ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { findRootPath, pageHeaders, renderPage, writePage } from '../platform/http/page.ts';
import { createTraffic, type Traffic, type TrafficParts } from '../platform/http/traffic.ts';
import { createStudio, type StudioParts } from '../studio/studio.ts';
import { createReadiness } from './health.ts';
import { collectMetrics, type MetricsParts } from './metrics.ts';
import { renderInterface } from './interface-page.ts';
import { describeInterface, type InterfaceDocument } from './openapi.ts';

const tags = ['Operations'];
const Health = z.object({ status: z.literal('ok') }).openapi('Health');
const Readiness = z
  .object({
    status: z.literal('ok'),
    details: z.object({
      refusedBots: z
        .number()
        .int()
        .openapi({ description: 'The number of bots whose provider refuses their credentials; the log names them' }),
    }),
  })
  .openapi('Readiness');

const unauthorized = { 401: jsonResponse('No valid admin token', ErrorBody) };

/** What these routes work with. */
interface OperationParts {
  readonly traffic: Pick<Traffic, 'metrics'>;
  /** Why the service is not ready. */
  readonly unready: () => Promise<string | undefined>;
  readonly countRefusedBots: () => number;
  readonly docs: DocTexts;
  readonly shown: ReturnType<typeof showInterface>;
}

const live = defineRoute({
  get: '/health/live',
  operationId: 'getLiveness',
  auth: 'nobody',
  tags,
  summary: 'Liveness: whether the process runs',
  description: 'It reads no store: a failure means that the process must be started again.',
  answer: jsonResponse('The process is alive', Health),
  refusals: {},
  example: {},
  handle: () => ({ status: 'ok' as const }),
});

const ready = defineRoute({
  get: '/health/ready',
  operationId: 'getReadiness',
  auth: 'nobody',
  tags,
  summary: 'Readiness: whether the store accepts writes and the service is not stopping',
  description: 'It makes a write of its own: a failure means that requests are better sent to another process.',
  answer: jsonResponse('The service is ready', Readiness),
  refusals: { 503: jsonResponse('The service is not ready', ErrorBody) },
  example: {},
  async handle(_call, { unready, countRefusedBots }: OperationParts) {
    const reason = await unready();
    if (reason !== undefined) throw unavailable(reason);
    return { status: 'ok' as const, details: { refusedBots: countRefusedBots() } };
  },
});

const metrics = defineRoute({
  get: '/metrics',
  operationId: 'getMetrics',
  auth: 'anyOperator',
  tags,
  summary: 'Metrics for Prometheus',
  description: 'For a scraper: counters, gauges and histograms in the text format 0.0.4. They are of all companies.',
  ofAll: true,
  answer: { description: 'In its text format', content: { 'text/plain': { schema: z.string() } } },
  refusals: unauthorized,
  example: {},
  handle: async ({ c }, { traffic }: OperationParts) =>
    c.text(await traffic.metrics.metrics(), 200, { 'content-type': traffic.metrics.contentType }),
});

const openapi = defineRoute({
  get: '/openapi.json',
  operationId: 'getOpenApi',
  auth: 'anyOperator',
  tags,
  summary: 'This OpenAPI document',
  description: 'Generated from the schemas that validate the requests, for client generators and the page at /docs.',
  answer: jsonResponse('OpenAPI 3.1', z.looseObject({})),
  refusals: unauthorized,
  example: {},
  handle: ({ c }, { shown }: OperationParts) => shown.json.send(c, { 'content-type': 'application/json' }),
});

/** The pages of the documentation of this release, for coding agents: nothing in them is of a company. */
const describeDocs = (path: '/llms.txt' | '/llms-full.txt', operationId: string, summary: string, name: keyof DocTexts) =>
  defineRoute({
    get: path,
    operationId,
    auth: 'nobody',
    tags,
    summary,
    description: 'The documentation of this release, for coding agents. It holds nothing of any company.',
    answer: { description: 'Markdown', content: { 'text/plain': { schema: z.string() } } },
    refusals: {},
    example: {},
    handle: ({ c }, { docs }: OperationParts) => docs[name].send(c, { 'content-type': 'text/plain; charset=UTF-8' }),
  });

const docsIndex = describeDocs('/llms.txt', 'getDocsIndex', 'Every page of the documentation, with its first sentence', 'index');
const wholeDocs = describeDocs('/llms-full.txt', 'getDocs', 'The whole documentation as one text', 'whole');

/** The documentation as texts. */
interface DocTexts {
  readonly index: KeptBody;
  readonly whole: KeptBody;
}

/** Reads the pages at the first request for them: anybody may ask, as often as they like. */
function readDocsOnce(): DocTexts {
  return {
    index: keepBody(async () => (await import('@hilo/mcp/docs')).openDocs().describe()),
    whole: keepBody(async () => (await import('@hilo/mcp/docs')).openDocs().readAll()),
  };
}

/**
 * What operators look at. `/health/*` is open; the rest is as management (P27).
 *
 * @param describe - the description of every surface; of this one alone, when left out
 */
export function createOperations(
  service: MetricsParts & AdminAuthParts & TrafficParts & StudioParts & { readonly channels: Pick<ChannelRegistry, 'credentials'> },
  traffic: Traffic = createTraffic(service),
  describe?: () => Promise<InterfaceDocument>,
): OpenAPIHono<HttpEnv> {
  const { channels, companies } = service;
  const app = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
  const withEnvelope = envelope(service, traffic, 'operations');
  const [authenticate, authenticatePages] = [adminAuth(service, traffic.failedLogins), pageAuth(service, traffic.failedLogins)];
  const shown = showInterface(describe ?? (() => describeInterface(app)));
  collectMetrics(service, traffic.metrics);
  for (const path of ['/', '/health/*', '/metrics', '/openapi.json', '/llms.txt', '/llms-full.txt', '/docs/*', '/studio/*'])
    app.use(path, withEnvelope);
  const countRefusedBots = (): number => {
    const configured = new Set(companies.all().flatMap(({ id }) => companies.bots(id)));
    return channels.credentials.countRefused((bot) => configured.has(bot));
  };
  const parts: OperationParts = { traffic, shown, unready: createReadiness(service), countRefusedBots, docs: readDocsOnce() };
  const mayView = requirePermission({ permission: 'view' });
  mountRoutes(app, parts, [live, ready, metrics, openapi, docsIndex, wholeDocs], {
    guards: ({ auth, ofAll }) => (auth !== 'anyOperator' ? [] : ofAll === true ? [authenticate, mayView] : [authenticate]),
  });
  for (const path of ['/metrics', '/openapi.json']) app.use(path, authenticate);
  for (const path of ['/docs/*', '/studio/*']) app.use(path, authenticatePages);

  for (const path of ['/docs', '/docs/plain'])
    app.get(path, (c) => shown.page(c).send(c, { 'content-type': 'text/html; charset=UTF-8', ...pageHeaders({}) }));
  app.get('/', async (c) => {
    const form = accepts(c, { header: 'Accept', supports: ['application/json', 'text/html'], default: 'application/json' });
    const answer = await (form === 'text/html' ? openFront(c, (await service.studio?.read()) !== undefined) : c.notFound());
    answer.headers.append('vary', 'accept');
    return answer;
  });
  app.route('/', createStudio(service));
  return app;
}

/** What a person sees who opens the address of the service: the studio, or what else there is; it names no company and no bot. */
async function openFront(c: Context<HttpEnv>, hasStudio: boolean): Promise<Response> {
  const { path } = c.req;
  // Where the service is mounted at `/bots`, relative links begin beside it.
  const root = path.endsWith('/') ? '' : `${path.slice(path.lastIndexOf('/') + 1)}/`;
  return hasStudio ? c.redirect(`${root}studio/`, 302) : renderPage(c, 200, 'Hilo', { content: frontPage(root) });
}

/** @param root - the way to the addresses of the service */
function frontPage(root: string) {
  return html`<p>This is a service of Hilo, which runs the conversations of bots. It is up.</p>
    <ul>
      <li><a href="${root}studio">Studio</a>: draw, try and publish conversations</li>
      <li><a href="${root}docs">API reference</a>: every route, with examples; <a href="${root}openapi.json">as OpenAPI 3.1</a></li>
      <li>Chat: a bot of the channel <code>web</code> is at <code>chat/</code> and its id</li>
      <li><a href="${root}health/live">Health</a></li>
    </ul>`;
}

/** The interface as JSON and as a page, each made at the first request for it: the routes of an app do not change. */
function showInterface(describe: () => Promise<InterfaceDocument>) {
  let document: Promise<InterfaceDocument> | undefined;
  let article: Promise<string> | undefined;
  /** By the two things that differ: where its links lead, and whether there is a session to leave. */
  const pages = new Map<string, KeptBody>();
  const described = (): Promise<InterfaceDocument> =>
    (document ??= describe().catch((error: unknown) => {
      document = undefined;
      throw error;
    }));
  const rendered = async (): Promise<string> => {
    const made = await described();
    return (article ??= renderInterface(made));
  };
  const writeWhole = async (c: Context<HttpEnv>): Promise<string> => {
    const content = html`<p><a href="${findRootPath(c)}openapi.json">As OpenAPI 3.1</a></p>${raw(await rendered())}`;
    return writePage(c, 'API reference', { content, shape: 'wide' });
  };
  return {
    json: keepBody(async () => JSON.stringify(await described())),
    page(c: Context<HttpEnv>): KeptBody {
      const form = `${findRootPath(c)} ${c.get('credential')}`;
      const kept = pages.get(form) ?? keepBody(() => writeWhole(c));
      pages.set(form, kept);
      return kept;
    },
  };
}
