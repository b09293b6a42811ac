// A service of two companies for tests of management, with what it lists.
import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import { createEngine } from '@hilo/engine';
import { openSqliteStore } from '@hilo/stores';
import { createRecordingDrivers, createVirtualClock, type RecordingDrivers, seededRandom, type VirtualClock } from '@hilo/testing';
import { standardNodes } from '@hilo/nodes';
import { Hono } from 'hono';
import { serviceTables } from '../../src/platform/database/tables.ts';
import { createManagement } from '../../src/service/app.ts';
import type { Bot, Companies, Company, MessageTemplate } from '../../src/tenants/companies.ts';
import type { LoggedMessage } from '../../src/messages/messages.ts';
import { createHistoryCounter } from '../../src/numbers/count-histories.ts';
import type { Service } from '../../src/service/service.ts';
import { serviceJobs } from '../../src/service/resources.ts';
import type { Job } from '../../src/platform/jobs/define-job.ts';
import { createJobRunner } from '../../src/platform/jobs/job-runner.ts';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import { settingsFor } from '../data/settings.ts';
import { nothingSent } from '../rest/nothing-sent.ts';

const company = (id: string): Company => ({ id, name: `Company ${id}`, kind: 'enterprise', plan: 'enterprise', settings: {} });

const bot = (companyId: string, id: string, channel: Bot['channel']): Bot => ({
  companyId,
  id,
  name: id,
  channel,
  connectedAtMs: 0,
  provider: { kind: 'log', fields: { appSecret: 'canary-app-secret' } },
  settings: { userIdFormat: 'strict', enforceSessionWindow: true, templateReopensWindow: 'onSend' },
});

const template = (id: string): MessageTemplate => ({
  id,
  botId: 'bot_wa',
  elementName: id,
  language: 'en',
  category: 'UTILITY',
  status: 'APPROVED',
  body: 'Hi',
  components: undefined,
});

/** Companies 1 and 2 with a bot or two each; only the first has a template and a credential. */
function fakeCompanies(ids: readonly string[]): Companies {
  const bots = [bot('1', 'bot_wa', 'whatsapp'), bot('1', 'bot_slack', 'slack'), bot('2', 'bot_other', 'web')];
  const templateOf = (companyId: string, id: string) => (companyId === '1' && id === 'tpl1' ? template(id) : undefined);
  return {
    all: () => ids.map(company),
    company: (id) => (ids.includes(id) ? company(id) : undefined),
    bot: (id) => bots.find((known) => known.id === id),
    botToProve: (id) => bots.find((known) => known.id === id),
    botOf: (companyId, id) => bots.find((known) => known.companyId === companyId && known.id === id),
    bots: (companyId) => bots.filter((known) => known.companyId === companyId),
    botOfChannel: (companyId, channel) => bots.find((known) => known.companyId === companyId && known.channel === channel),
    companyOfApiKey: () => undefined,
    companyOfClient: () => undefined,
    isArchived: () => false,
    refresh: async () => {},
    template: templateOf,
    templates: (companyId) => (companyId === '1' ? [template('tpl1')] : []),
    credential: async (companyId, id) => (companyId === '1' && id === 'cred1' ? { kind: 'basic' } : undefined),
    credentialToProve: async (companyId, id) => (companyId === '1' && id === 'cred1' ? { kind: 'basic' } : undefined),
    secrets: () => [],
  };
}

export interface FakeManagement extends AsyncDisposable {
  readonly service: Service;
  readonly drivers: RecordingDrivers;
  readonly clock: VirtualClock;
  readonly logged: LoggedMessage[];
  /** Begins to do jobs. */
  startJobs(): Promise<void>;
  /** Asks the surface, mounted as the service mounts it. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The same without reading the answer. */
  request(method: string, path: string, body?: unknown): Promise<Response>;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Management over a real store in memory, an engine in virtual time, and companies that are written down above. */
export async function fakeManagement({
  companies = ['1', '2'],
  publicUrl,
  kinds = serviceJobs,
}: {
  readonly companies?: readonly string[];
  readonly publicUrl?: string;
  readonly kinds?: readonly Job<Service>[];
} = {}): Promise<FakeManagement> {
  const store = await openSqliteStore({ path: ':memory:', extensions: [serviceTables] });
  const clock = createVirtualClock();
  const logged: LoggedMessage[] = [];
  const drivers = createRecordingDrivers();
  const engine = createEngine({
    nodes: standardNodes,
    drivers: drivers.drivers,
    clock,
    random: seededRandom(1),
    store: { executions: store.executions, canvases: store.canvases },
  });
  await engine.start();
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const runner = createJobRunner<Service>(kinds, {
    store,
    clock,
    random: seededRandom(2),
    log,
    isBusy: () => false,
    atWork: () => 0,
    onCounted: () => {},
  });
  const service: Service = {
    settings: { ...settingsFor('', { publicUrl }), adminToken: 'admin-token-of-the-tests' },
    engine,
    store,
    companies: fakeCompanies(companies),
    ...nothingSent(),
    messages: {
      sent: async () => 'never',
      unmatched: async () => {},
      async list(_companyId, botId, { userId, sinceMs = 0, order, limit, cursor = '0' }) {
        const found = logged.filter((message) => botId === 'bot_wa' && (userId === undefined || message.userId === userId));
        const since = found.filter(({ createdAtMs }) => createdAtMs >= sinceMs);
        const fits = order === 'desc' ? since.toReversed() : since;
        const results = fits.slice(Number(cursor), Number(cursor) + limit);
        return { results, nextCursor: Number(cursor) + limit < fits.length ? String(Number(cursor) + limit) : null };
      },
    },
    historyCounter: createHistoryCounter({ store, clock }),
    schedules: { wake: () => {}, createId: () => '3f6c1d1e3f6c1d1e3f6c1d1e3f6c1d1e' },
    jobs: createJobs(kinds, { store, clock, random: seededRandom(3), wake: runner.wake }),
    log,
    clock,
    isAccepting: () => true,
  };
  const app = new Hono().route('/admin/v1', createManagement(service));
  const request: FakeManagement['request'] = async (method, path, body) => {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    return app.request(`http://hilo.test/admin/v1${path}`, {
      method,
      ...(text !== undefined && { body: text, headers: { 'content-type': 'application/json' } }),
    });
  };
  return {
    service,
    drivers,
    clock,
    logged,
    startJobs: () => runner.start(service),
    request,
    async ask(method, path, body) {
      const response = await request(method, path, body);
      const answered = await response.text();
      return { status: response.status, body: answered.startsWith('{') ? (JSON.parse(answered) as unknown) : answered };
    },
    async [Symbol.asyncDispose]() {
      await runner.stop();
      await engine.stop();
      await store.close();
    },
  };
}

/** The last line of an answer by lines. */
export async function lastLine({ service }: FakeManagement, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await createManagement(service).request(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(200);
  return JSON.parse((await answer.text()).trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
}

/** Asks for a job, and lets it be done. @returns the job as management shows it */
export async function doneJob({ ask }: FakeManagement, path: string, body?: object): Promise<unknown> {
  const asked = await ask('POST', path, body);
  expect(asked).toMatchObject({ status: 202, body: { jobId: expect.any(String) as unknown } });
  const { jobId } = asked.body as { readonly jobId: string };
  for (;;) {
    const { body: job } = await ask('GET', `/jobs/${jobId}`);
    const { status } = job as { readonly status: string };
    if (status !== 'waiting' && status !== 'running') return job;
    await setImmediate();
  }
}

/** A canvas with a webhook, a pause and an end. */
export const pausing = (changes: object = {}) => ({
  schemaVersion: 1,
  id: 'pausing',
  name: 'Pausing',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user' } },
    { id: 'wait', type: 'delay', data: { duration: 'PT1H' } },
    { id: 'keep', type: 'set', data: { assignments: [{ path: '$context.paid', value: true }] } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'wait' },
    { source: 'wait', sourceHandle: 'elapsed', target: 'keep' },
    { source: 'keep', target: 'done' },
  ],
  ...changes,
});
