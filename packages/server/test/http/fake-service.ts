// A service of two companies over a store in memory, in virtual time, for tests of routes.
import { createEngine, parseCanvas } from '@hilo/engine';
import { type Canvas, type Channel, drive, type JsonObject } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { respondWebhook } from '@hilo/nodes/effects';
import { openSqliteStore } from '@hilo/stores';
import { createRecordingDrivers, createVirtualClock, type RecordingDrivers, seededRandom, type VirtualClock } from '@hilo/testing';
import { measureCommits } from '../../src/platform/database/commit-times.ts';
import type { Bot, Companies, Company } from '../../src/tenants/companies.ts';
import { createHistoryCounter } from '../../src/numbers/count-histories.ts';
import type { Service } from '../../src/service/service.ts';
import type { OpenSettings } from '../../src/service/settings.ts';
import { serviceTables } from '../../src/platform/database/tables.ts';
import { serviceJobs } from '../../src/service/resources.ts';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import { settingsFor } from '../data/settings.ts';
import { createResumeTokens } from '../../src/webhooks/resume-tokens.ts';
import { createLimitReports } from '../../src/platform/logging/limit-reports.ts';
import { derivesFrom } from '../../src/platform/secrets/token-keys.ts';
import { nothingSent } from '../rest/nothing-sent.ts';

/** The credentials of the two companies, and the secret of every bot. */
export const keys = {
  acme: 'hk_acme_0123456789abcdef',
  other: 'hk_other_0123456789abcdef',
  client: { id: 'acme-client', secret: 's3c:ret-of-acme' },
  admin: 'admin-token-0123456789',
  appSecret: 'inbound-secret',
} as const;

/** What a test may look into and turn. */
export interface FakeService extends Service {
  readonly clock: VirtualClock;
  readonly drivers: RecordingDrivers;
  /** Every line of the log. */
  readonly logged: { readonly level: string; readonly fields: object; readonly message: string }[];
  /** Adds a bot; of a channel, the one connected last counts. */
  connect(bot: Partial<Bot> & Pick<Bot, 'id' | 'channel'>): void;
  /** Stores a canvas as a draft, and publishes it on request. */
  keep(canvas: object, what?: { readonly publish?: boolean; readonly companyId?: string }): Promise<void>;
  stopAccepting(): void;
  close(): Promise<void>;
}

/** A service of two companies over a store in memory, in virtual time: no file, no port, no waiting. */
export async function fakeService(
  settings: Partial<OpenSettings> = {},
  plan: Pick<Company, 'plan' | 'kind'> = acmePlan,
): Promise<FakeService> {
  const clock = createVirtualClock();
  const store = await openSqliteStore({ path: ':memory:', extensions: [serviceTables] });
  const drivers = createRecordingDrivers();
  const { store: executions, commitTimes } = measureCommits(store.executions);
  const bots: Bot[] = [];
  const callbacks = createResumeTokens(derivesFrom(new Uint8Array(32).fill(7)));
  const engine = createEngine({
    nodes: standardNodes,
    drivers: [...drivers.drivers, drive(respondWebhook, () => ({ kind: 'done' }))],
    clock,
    random: seededRandom(1),
    resumeUrl: (claim) => `https://hilo.example/workflows/v2/resume/${callbacks.seal(claim)}`,
    store: { executions: executions, canvases: store.canvases },
    directory: { company: (id) => ({ id, ...plan }), bot: (companyId, id) => botFacts(bots, companyId, id) },
  });
  const logged: FakeService['logged'] = [];
  const note = (level: string) => (fields: object, message: string) => void logged.push({ level, fields, message });
  let isAccepting = true;
  const log = { info: note('info'), warn: note('warn'), error: note('error') };
  const service: FakeService = {
    settings: { ...defaults, ...settings },
    engine,
    callbacks,
    store: { ...store, executions },
    companies: fakeCompanies(bots, plan),
    ...nothingSent(),
    messages: { sent: async () => 'message', unmatched: async () => {}, list: async () => ({ results: [], nextCursor: null }) },
    log,
    limitReports: createLimitReports({ log, clock }),
    clock,
    historyCounter: createHistoryCounter({ store, clock }),
    schedules: { wake: () => {}, createId: () => '3f6c1d1e3f6c1d1e3f6c1d1e3f6c1d1e' },
    jobs: createJobs(serviceJobs, { store, clock, random: seededRandom(3), wake: () => {} }),
    commitTimes,
    isAccepting: () => isAccepting,
    drivers,
    logged,
    connect: (bot) => void bots.push(newBot(bot)),
    async keep(given, { publish = true, companyId = '1' } = {}) {
      const canvas = canvasOf(given);
      await engine.saveDraft(companyId, canvas);
      if (publish) await engine.publish(companyId, canvas.id);
    },
    stopAccepting: () => {
      isAccepting = false;
    },
    close: () => store.close(),
  };
  service.connect({ id: 'bot_wa', channel: 'whatsapp' });
  service.connect({ id: 'bot_web', channel: 'web' });
  service.connect({ id: 'bot_c2', channel: 'whatsapp', companyId: '2' });
  return service;
}

const acmePlan = { plan: 'free', kind: 'self-service' } as const;

const defaults: OpenSettings = { ...settingsFor(''), adminToken: keys.admin };

function canvasOf(given: object): Canvas {
  const { canvas, problems } = parseCanvas(JSON.stringify(given));
  if (canvas === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return canvas;
}

const newBot = (bot: Partial<Bot> & { readonly id: string; readonly channel: Channel }): Bot => ({
  companyId: '1',
  name: bot.id,
  connectedAtMs: 0,
  provider: { kind: 'log', fields: { appSecret: keys.appSecret } },
  settings: { userIdFormat: 'strict', enforceSessionWindow: true, templateReopensWindow: 'onSend' },
  ...bot,
});

function botFacts(bots: readonly Bot[], companyId: string, botId: string): JsonObject | undefined {
  const bot = bots.find(({ id, companyId: owner }) => id === botId && owner === companyId);
  return bot === undefined ? undefined : { id: bot.id, name: bot.name, channel: bot.channel };
}

const companyOfKey = new Map<string, string>([
  [keys.acme, '1'],
  [keys.other, '2'],
]);

function fakeCompanies(bots: readonly Bot[], plan: Pick<Company, 'plan' | 'kind'>): Companies {
  const all: readonly Company[] = ['1', '2'].map((id) => ({ id, name: `Company ${id}`, settings: {}, ...plan }));
  return {
    all: () => all,
    company: (companyId) => all.find(({ id }) => id === companyId),
    bot: (botId) => bots.find(({ id }) => id === botId),
    botToProve: (botId) => bots.find(({ id }) => id === botId),
    botOf: (companyId, botId) => bots.find((bot) => bot.id === botId && bot.companyId === companyId),
    bots: (companyId) => bots.filter((bot) => bot.companyId === companyId),
    botOfChannel: (companyId, channel) =>
      bots
        .filter((bot) => bot.companyId === companyId && bot.channel === channel)
        .toSorted((a, b) => b.connectedAtMs - a.connectedAtMs || (a.id < b.id ? 1 : -1))[0],
    companyOfApiKey: (key) => companyOfKey.get(key),
    companyOfClient: (id, secret) => (id === keys.client.id && secret === keys.client.secret ? '1' : undefined),
    isArchived: () => false,
    refresh: async () => {},
    template: () => undefined,
    templates: () => [],
    credential: async () => undefined,
    credentialToProve: async () => undefined,
    secrets: () => [keys.appSecret],
  };
}
