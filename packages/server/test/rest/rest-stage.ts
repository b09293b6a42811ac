// A service over the example workspace with its REST API in this process.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '@hilo/engine/contract';
import { createVirtualClock, seededRandom, type VirtualClock } from '@hilo/testing';
import type { MediaFile, MediaVerdict } from '../../src/messages/media/media-check.ts';
import { createRest } from '../../src/service/app.ts';
import { openService, type RunningService } from '../../src/service/open-service.ts';
import type { Settings } from '../../src/service/settings.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import { runtimeParts } from '../data/runtime.ts';
import { settingsFor } from '../data/settings.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface AskOptions {
  /** A text goes out as it is, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
  /** `clientId:clientSecret`; none, when null. */
  readonly as?: string | null;
}

/** A service over the example workspace, and its REST API in this process. */
export interface RestStage extends AsyncDisposable {
  readonly service: RunningService;
  readonly clock: VirtualClock;
  /** Files that were looked at. */
  readonly looked: MediaFile[];
  /** What the next looks find, by address; every other file fits. */
  readonly files: Map<string, MediaVerdict>;
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>;
  send(body: unknown, botId?: string, headers?: AskOptions['headers']): Promise<Answer>;
  /** Ends the process and opens another on what it left. */
  reopen(): Promise<void>;
}

export const acme = 's3c:ret-of-acme';
export const ana = '5215512345678';
/** Wrote months ago. */
export const eva = '593987654321';

const bot = (id: string, channel: string, settings: Json = {}): Json => ({
  id,
  name: id,
  channel,
  connectedAt: '2026-01-20T00:00:00Z',
  provider: { kind: 'log', appSecret: `secret-${id}` },
  settings,
});

/** A bot on each channel; `bot_open` accepts ids of any form. */
const moreBots: readonly Json[] = [
  bot('bot_fb', 'facebook'),
  bot('bot_ig', 'instagram'),
  bot('bot_teams', 'teams'),
  bot('bot_custom', 'custom'),
  bot('bot_open', 'web', { userIdFormat: 'open' }),
  bot('bot_free', 'whatsapp', { enforceSessionWindow: false }),
];

/** The example's campaign is not due during a test. */
const later = { '/companies/0/campaigns/0/scheduledAt': '2040-01-01T00:00:00Z' };

interface StageOptions {
  readonly settings?: Partial<Settings>;
  /** Changes of the workspace, by JSON pointer. */
  readonly changes?: { readonly [pointer: string]: Json };
  /** Bots beside those of the example. */
  readonly moreBots?: readonly Json[];
  /** Whether files are looked at where they lie. */
  readonly looksAtFiles?: boolean;
}

export async function restStage({
  settings = {},
  changes = {},
  moreBots: others = [],
  looksAtFiles = false,
}: StageOptions = {}): Promise<RestStage> {
  const directory = await mkdtemp(join(tmpdir(), 'hilo-rest-'));
  const clock = createVirtualClock();
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const looked: MediaFile[] = [];
  const files = new Map<string, MediaVerdict>();
  let opened = 0;
  const open = async () => {
    const parts = settings.databaseUrl === undefined ? await runtimeParts(directory) : {};
    const service = await openService(
      { ...parts, ...settingsFor(directory, { ...parts, ...settings }) },
      { clock, log, random: seededRandom((opened += 1)) },
    );
    const media = async (file: MediaFile): Promise<MediaVerdict> => {
      looked.push(file);
      return files.get(file.url) ?? { kind: 'fits' };
    };
    return { service, rest: createRest(looksAtFiles ? service : { ...service, media }) };
  };
  let { service, rest } = await open();
  const example = await inlineExample();
  const companies = example['companies'] as readonly { readonly bots: readonly Json[] }[];
  const bots = [...(companies[0]?.bots ?? []), ...moreBots, ...others];
  await service.importWorkspace({ workspace: changed(changed(example, { '/companies/0/bots': bots, ...later }), changes) });

  const ask: RestStage['ask'] = async (method, path, { body, headers = {}, as = `acme-client:${acme}` } = {}) => {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const response = await rest.request(path, {
      method,
      headers: {
        ...(as !== null && { authorization: `Basic ${btoa(as)}` }),
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text !== undefined && { body: text }),
    });
    const answered = await response.text();
    return { status: response.status, body: answered.startsWith('{') ? (JSON.parse(answered) as unknown) : answered };
  };
  return {
    get service() {
      return service;
    },
    clock,
    looked,
    files,
    ask,
    send: (body, botId = 'bot_wa', headers = {}) => ask('POST', `/v1/bots/${botId}/messages`, { body, headers }),
    async reopen() {
      await service.close();
      ({ service, rest } = await open());
    },
    async [Symbol.asyncDispose]() {
      // How long a service waits for what is under way when it is closed is measured by its clock.
      const turning = setInterval(() => clock.advanceBy(1_000), 20);
      await service.close().finally(() => clearInterval(turning));
      await rm(directory, { recursive: true });
    },
  };
}

/** The name of a message that was accepted. */
export function messageIdOf({ status, body }: Answer): string {
  const { success, messageId } = body as { readonly success?: unknown; readonly messageId?: unknown };
  if (status !== 200 || success !== true || typeof messageId !== 'string')
    throw new Error(`Not accepted: ${status} ${JSON.stringify(body)}`);
  return messageId;
}
