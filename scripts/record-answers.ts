// `npm run record`: asks a service with the example workspace what docs/routes.md shows, and keeps its answers as the examples of
// /openapi.json. Clock and random numbers are given, so that the same sources have the same answers. With `--check` it writes nothing, and
// ends with 1 when the service answers otherwise than was recorded.
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { createApp, defaultSettings, openService, type RunningService } from '../packages/server/src/index.ts';
import { describeInterface } from '../packages/server/src/operations/openapi.ts';
import { scheduledStarts } from '../packages/server/src/platform/tables/schedules.ts';
import { workflowComments } from '../packages/server/src/platform/tables/workflows.ts';
import { migrateJob } from '../packages/server/src/workflows/migrate-jobs.ts';
import { listRoutes } from '../packages/server/src/platform/http/mount-routes.ts';
import { createVirtualClock, seededRandom } from '../packages/testing/src/index.ts';
import { type Answer, createAsker, type Credentials, type Known, type Operation, listOperations } from './record/ask.ts';
import { refusals } from './record/refusals.ts';
import { shorten } from './record/shorten.ts';

/** An unknown flag is refused: mistyped, `--check` would write. */
const isCheck = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values.check;
const adminToken = 'admin-token-of-the-examples';
const output = new URL('../packages/server/src/operations/answers.json', import.meta.url);
const workspace = fileURLToPath(new URL('../examples/workspace/workspace.json', import.meta.url));
const silent = { info: () => undefined, warn: () => undefined, error: console.error };

/** A cell that serves nearly nobody: what has a user or names an execution is refused with the cell that does (421). */
const cells = [
  { name: 'a', slots: '0-0', url: 'https://a.bots.example' },
  { name: 'b', slots: '1-4095', url: 'https://b.bots.example' },
];

/** Asked after all others: they end what the others look at. */
const last = [
  'POST /admin/v1/executions/{executionId}/cancel',
  'POST /admin/v1/executions/{executionId}/retry',
  'POST /admin/v1/conversations/{conversationId}/',
  'DELETE /admin/v1/companies/{companyId}/event-subscriptions',
  'DELETE /admin/v1/companies/{companyId}/segments/{segment}',
  'DELETE /v1/campaigns/{campaignId}',
];
/** What makes the record that an operation shows or changes is asked before it, by the beginning of the operation. */
const makers: readonly (readonly [beginning: string, maker: string])[] = [
  ['GET /admin/v1/workflows/{workflowId}/transcripts', 'PUT /admin/v1/workflows/{workflowId}/transcripts/{name}'],
  ['POST /admin/v1/companies/{companyId}/campaigns/{campaignId}/cancel', 'POST /admin/v1/companies/{companyId}/campaigns'],
  ['GET /admin/v1/conversations', 'POST /admin/v1/conversations'],
  ['GET /admin/v1/inbox', 'POST /admin/v1/conversations'],
  ['POST /admin/v1/inbox', 'POST /admin/v1/conversations'],
  ['PUT /admin/v1/inbox', 'POST /admin/v1/conversations'],
  ['POST /admin/v1/conversations/', 'POST /admin/v1/conversations'],
  ['POST /admin/v1/executions/{executionId}/cancel', 'POST /workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}'],
  ['GET /admin/v1/companies/{companyId}/segments/', 'PUT /admin/v1/companies/{companyId}/segments/{segment}'],
  ['GET /admin/v1/tokens', 'POST /admin/v1/tokens'],
  ['POST /admin/v1/tokens/', 'POST /admin/v1/tokens'],
  ...['GET /admin/v1/users', 'POST /admin/v1/users/', 'DELETE /admin/v1/users/'].map(
    (beginning) => [beginning, 'PUT /admin/v1/users/{userName}'] as const,
  ),
  ['DELETE /admin/v1/companies/{companyId}/contacts/{id}', 'PUT /admin/v1/companies/{companyId}/contacts/{id}'],
  ['POST /chat/', 'POST /chat/{botId}/session'],
  ['GET /chat/', 'POST /chat/{botId}/session'],
];

/** A canvas whose users are asked for a payment. */
const shop = {
  schemaVersion: 1,
  id: 'shop',
  name: 'Shop',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['pay'] } },
    { id: 'pay', type: 'payment', data: { amount: 1250, currency: 'MXN', description: 'Order A-17', saveAs: '$context.payment' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'pay' },
    ...['approved', 'rejected', 'expired', 'error'].map((sourceHandle) => ({ source: 'pay', sourceHandle, target: 'done' })),
  ],
};

/** Answers by operation and status. */
type Answers = { [operation: string]: { [status: string]: unknown } };
const recorded: Answers = {};

/** Keeps the first answer of each status that an operation documents. */
function keep({ key, shows }: Operation, { status, body }: Answer): void {
  if (!shows(status) || typeof body !== 'object') return; // pages, scripts and streams are no examples
  recorded[key] ??= {};
  recorded[key][status] ??= shorten(key, body);
}

type Ask = ReturnType<typeof createAsker>;
interface Opened {
  readonly operations: readonly Operation[];
  readonly ask: Ask;
  readonly known: Known;
  /** Nothing new is accepted from here on. */
  stopAccepting(): void;
}

async function withService(more: object, work: (opened: Opened) => Promise<void>): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'hilo-answers-'));
  writeFileSync(join(data, 'cells.json'), JSON.stringify({ cells }));
  const settings = { ...defaultSettings, data, adminToken, workspace, ...more };
  if ('cell' in settings) Object.assign(settings, { cells: join(data, 'cells.json') });
  const service = await openService(settings, { log: silent, clock: createVirtualClock(), random: seededRandom(1) });
  const migration = { from: 'any', to: 1 };
  // It waits for its time, so that it is the same in each answer.
  const { jobId } = await service.jobs.ask(migrateJob, {
    companyId: '1',
    spec: { workflowId: 'order-status', migration, accept: ['same'] },
    createdBy: 'operator maria',
    notBeforeMs: Date.UTC(2031, 11, 1),
  });
  await service.store.runner.write(
    scheduledStarts.insert([
      {
        companyId: '1',
        id: '3f6c1d1e3f6c1d1e3f6c1d1e3f6c1d1e',
        workflowId: 'order-status',
        audience: null,
        botId: '',
        userId: '',
        inputs: {},
        status: 'waiting',
        dueAtMs: Date.UTC(2031, 11, 1),
        graceMs: 3_600_000,
        times: 1,
        createdBy: 'operator maria',
        createdAtMs: Date.UTC(2031, 2, 3),
      },
    ]),
  );
  const comment = { id: 'c0ffee00-0000-4000-8000-000000000001', text: 'Shorter?', author: 'maria', createdAtMs: Date.UTC(2031, 2, 3) };
  await service.store.runner.write(workflowComments.insert([{ companyId: '1', workflowId: 'order-status', ...comment }]));
  const handle = await keepReport(service);
  // Paused, so that nothing is sent from here.
  const { subscription } = await subscribe(service);
  const known: Known = new Map([
    ['ADMIN_TOKEN', adminToken],
    ['JOB_ID', jobId],
    ['SUBSCRIPTION_ID', subscription.id],
    ['START_ID', '3f6c1d1e3f6c1d1e3f6c1d1e3f6c1d1e'],
    ['HANDLE_ID', handle],
    ['COMMENT_ID', comment.id],
    ['UPLOAD_ID', await uploadPrices(service)],
    ['FILE_TOKEN', service.fileSeals?.seal({ companyId: '1', fileId: handle, expiresAtMs: Date.UTC(2040, 0, 1) }) ?? ''],
  ]);
  try {
    // The same answers whether studio and chat were built or not.
    const { chat } = service;
    const app = createApp({ ...service, studio: undefined, ...(chat && { chat: { ...chat, widget: undefined } }) });
    const settle = async (): Promise<void> => service.engine.whenIdle();
    const operations = listOperations(await describeInterface(app), listRoutes(app));
    await work({ operations, ask: createAsker(app, credentialsWith(known), known, settle), known, stopAccepting: service.stopAccepting });
  } finally {
    await service.close();
    rmSync(data, { recursive: true });
  }
}

/** A file that a canvas has kept. @returns its handle @throws {Error} where the service keeps none */
async function keepReport({ files }: Pick<RunningService, 'files'>): Promise<string> {
  if (files === undefined) throw new Error('The service keeps no files');
  const content = Buffer.from('day,orders\n1,7\n');
  return files.keepAnswer({ companyId: '1', idempotencyKey: 'report', content, contentType: 'text/csv', name: 'report.csv' });
}

/** A file that an author has uploaded. @returns its handle @throws {Error} where the service keeps none */
async function uploadPrices({ files }: Pick<RunningService, 'files'>): Promise<string> {
  if (files === undefined) throw new Error('The service keeps no files');
  const { id } = await files.upload('1', { content: Buffer.from('A cup of tea: 2 euros'), contentType: 'text/plain', name: 'tea.txt' });
  return id;
}

/** A subscription to the publications of a company. @throws {Error} where the service keeps none */
async function subscribe({ subscriptions }: Pick<RunningService, 'subscriptions'>) {
  if (subscriptions === undefined) throw new Error('The service keeps no subscriptions');
  return subscriptions.add('1', { url: 'https://example.com/hook', events: ['workflow.published'], paused: true });
}

const credentialsWith = (known: Known): Credentials => ({
  apiKey: () => ({ 'x-api-key': 'hk_acme_0123456789abcdef' }),
  platformKey: () => ({ authorization: 'Bearer hk_acme_0123456789abcdef' }),
  basic: () => ({ authorization: `Basic ${btoa('acme-client:s3c:ret-of-acme')}` }),
  adminToken: () => ({ authorization: `Bearer ${adminToken}` }),
  visitor: () => ({ authorization: `Bearer ${known.get('VISITOR_TOKEN') ?? ''}` }),
  providerSignature: (body) => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', 'inbound-secret-wa').update(body).digest('hex')}`,
  }),
});

/** Keeps what an answer tells for later requests. */
function learn(known: Known, { status, body }: Answer): void {
  if (status !== 200 || typeof body !== 'object' || body === null) return;
  const fields = body as { readonly [name: string]: unknown };
  const conversation = fields['conversation'] as { readonly _id?: unknown } | undefined;
  const isAdminToken = fields['token'] !== undefined && fields['roles'] !== undefined;
  const facts: { readonly [placeholder: string]: unknown } = {
    EXECUTION_ID: fields['executionId'],
    CONVERSATION_ID: fields['_id'] ?? conversation?._id ?? fields['conversationId'],
    MESSAGE_ID: fields['messageId'],
    VISITOR_TOKEN: isAdminToken ? undefined : fields['token'],
    TOKEN_ID: isAdminToken ? fields['id'] : undefined,
    FILE_ID: typeof fields['mediaUrl'] === 'string' ? fields['mediaUrl'].split('/').at(-1) : undefined,
  };
  for (const [name, value] of Object.entries(facts)) if (typeof value === 'string') known.set(name, value);
}

await withService({}, async ({ operations, ask, known, stopAccepting }) => {
  const isLast = ({ key }: Operation): boolean => last.some((beginning) => key.startsWith(beginning));
  const inOrder = [...operations.filter((operation) => !isLast(operation)), ...operations.filter(isLast)];
  const byKey = new Map(operations.map((operation) => [operation.key, operation]));
  known.set('LEGACY_ID', 'wo1');
  const findOperation = (key: string): Operation => {
    const operation = byKey.get(key);
    if (operation === undefined) throw new Error(`There is no operation ${key}`);
    return operation;
  };
  const askAndKeep = async (operation: Operation): Promise<Answer> => {
    const answer = await ask(operation);
    learn(known, answer);
    keep(operation, answer);
    return answer;
  };
  const path = { workflowId: shop.id };
  await ask(findOperation('PUT /admin/v1/workflows/{workflowId}'), { path, body: JSON.stringify(shop) });
  await ask(findOperation('POST /admin/v1/workflows/{workflowId}/publish'), { path, body: '{}' });
  await ask(findOperation('POST /admin/v1/workflows/{workflowId}/start'), { path });
  const payments = (await ask(findOperation('GET /admin/v1/payments'))).body as {
    readonly results: readonly { readonly checkoutId: string }[];
  };
  known.set('CHECKOUT_ID', payments.results[0]?.checkoutId ?? '');
  for (const operation of inOrder) {
    for (const [beginning, maker] of makers)
      if (operation.key.startsWith(beginning) && operation.key !== maker) await askAndKeep(findOperation(maker));
    const { status } = await askAndKeep(operation);
    if (status >= 300 && !isCheck) console.log(`${operation.key} is answered ${status}`);
    for (const request of refusals(operation)) keep(operation, await ask(operation, request));
  }
  stopAccepting();
  for (const operation of operations) keep(operation, await ask(operation));
});
await withService({ cell: 'a' }, async ({ operations, ask }) => {
  for (const operation of operations) keep(operation, await ask(operation, { path: { executionId: recordedExecution() } }));
});

/** An execution of the other cell. */
function recordedExecution(): string {
  const started = recorded['POST /workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}']?.['200'];
  return (started as { readonly executionId: string }).executionId;
}

const text = `${JSON.stringify(recorded, null, 1)}\n`;
if (!isCheck) writeFileSync(output, text);
else {
  const stale = differences(JSON.parse(readFileSync(output, 'utf8')) as Answers, JSON.parse(text) as Answers);
  for (const answer of stale)
    console.error(`packages/server/src/operations/answers.json: ${answer} is answered otherwise: run npm run record`);
  if (stale.length > 0) process.exitCode = 1;
}

/** @returns what is answered in one and not in the other, or otherwise, such as `GET /v1/campaigns with 200` */
function differences(before: Answers, now: Answers): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((key) =>
    [...new Set([...Object.keys(before[key] ?? {}), ...Object.keys(now[key] ?? {})])]
      .filter((status) => !isDeepStrictEqual(before[key]?.[status], now[key]?.[status]))
      .map((status) => `${key} with ${status}`),
  );
}
