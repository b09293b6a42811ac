// A service with a bot of WhatsApp, a double of its media endpoint, and a system that takes files.
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Json, JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { startHttp, type HttpServer } from '../../../drivers/test/local-servers.ts';
import { createApp } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import type { Settings } from '../../src/service/settings.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';

export const png = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  Buffer.from('0000000d49484452', 'hex'),
  Buffer.alloc(64, 'p'),
]);

/** What the provider has of a file. */
export interface HeldFile {
  readonly bytes?: Buffer;
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  /** Sends so much and never ends. */
  readonly isEndless?: boolean;
  /** Breaks the connection after its bytes. */
  readonly isCutOff?: boolean;
  /** What it has when it is asked for whole, after its beginning was looked at. */
  readonly laterBytes?: Buffer;
}

export interface FilesStage {
  readonly service: RunningService;
  readonly place: Place;
  readonly host: string;
  /** Files of the provider, by their ids. */
  readonly held: Map<string, HeldFile>;
  /** Paths that were asked of the provider, with whether the token came. */
  readonly asked: string[];
  /** Messages that the provider was asked to send. */
  readonly sent: JsonObject[];
  /** Resolves once the provider is asked for a path. */
  requested(path: string): Promise<void>;
  /** What the other system was sent. */
  readonly taken: { readonly contentType: string; readonly body: Buffer; readonly url: string }[];
  /** Delivers a message with a file. */
  image(id: string, more?: JsonObject, from?: string): Promise<void>;
  /** Asks at the service as an operator. */
  get(path: string): Promise<Response>;
  /** The handle that the message of an id has. */
  handleOf(messageId: string): Promise<string>;
  /** Variables and status of the execution that began last. */
  last(): Promise<JsonObject>;
}

const node = (id: string, type: string, data: Json) => ({ id, type, data });

/** A canvas that begins with any message and leaves both ways of its node. */
export const canvasOf = (id: string, type: string, data: Json): JsonObject => ({
  schemaVersion: 1,
  id,
  name: id,
  nodes: [node('begin', 'start', { fallback: true }), node('act', type, data), { id: 'done', type: 'end' }],
  edges: [
    { source: 'begin', target: 'act' },
    { source: 'act', target: 'done' },
  ],
});

/** A canvas that looks at no file. */
export const quiet = canvasOf('quiet', 'set', { assignments: [{ path: '$context.seen', value: true }] });

/** A picture of so many megabytes. */
export const largePicture = (megabytes: number): Buffer => Buffer.concat([png, Buffer.alloc(megabytes * 1024 * 1024 - png.length, 'abc')]);

const secret = 'app-secret';

const mediaPath = /^\/v23\.0\/([\w-]+)\?/;

/** Answers as the provider does: where a file is, and the file for whoever has the token. */
function provide(held: ReadonlyMap<string, HeldFile>, asked: string[], sent: JsonObject[], host: () => string) {
  return (
    request: { readonly method: string; readonly url: string; readonly headers: NodeJS.Dict<string | string[]>; readonly body: string },
    response: ServerResponse,
  ) => {
    const { url, headers } = request;
    if (headers['range'] === undefined)
      asked.push(`${url.split('?')[0]}${headers['authorization'] === 'Bearer wa-token' ? ' with token' : ''}`);
    const id = mediaPath.exec(url)?.[1];
    if (id !== undefined) {
      const isKnown = held.has(id);
      response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
      response.end(isKnown ? JSON.stringify({ url: `http://${host()}/media/${id}`, mime_type: 'image/png' }) : '{"error":{"code":100}}');
      return;
    }
    const file = held.get(url.replace('/media/', ''));
    if (url.startsWith('/media/') && file !== undefined) {
      const bytes = (headers['range'] === undefined ? file.laterBytes : undefined) ?? file.bytes ?? png;
      response.writeHead(file.status ?? 200, { 'content-type': 'image/png', ...file.headers });
      if (file.isCutOff === true) response.write(bytes, () => response.destroy());
      else if (file.isEndless === true) response.write(bytes);
      else response.end(bytes);
      return;
    }
    if (request.method === 'POST') sent.push(JSON.parse(request.body) as JsonObject);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"messages":[{"id":"wamid.out"}]}');
  };
}

/** Runs a test with the stage. @param canvas - what any message starts; its texts may name the other system as TARGET */
export const withFiles = (
  canvas: JsonObject,
  test: (stage: FilesStage) => Promise<void>,
  { settings = {}, more = {} }: { readonly settings?: Partial<Settings>; readonly more?: JsonObject } = {},
): (() => Promise<void>) =>
  withPlace(async (place) => {
    const [held, asked, taken] = [new Map<string, HeldFile>(), [] as string[], [] as FilesStage['taken'][number][]];
    const sent: JsonObject[] = [];
    let host = '';
    const provider = await startHttp((request, response) => provide(held, asked, sent, () => host)(request, response));
    ({ host } = provider);
    const target = await startTarget(taken);
    const service = await place.open({ egressAllow: [host, target.host], ...settings });
    try {
      await service.importWorkspace({ workspace: { companies: [companyOf(host, target.host, canvas, more)] } });
      const requested: FilesStage['requested'] = async (path) => {
        while (!asked.some((one) => one.startsWith(path))) await setImmediate();
      };
      await test({ service, place, host, held, asked, taken, sent, requested, ...actions(service, place) });
    } finally {
      await Promise.all([provider.close(), target.close()]);
    }
  });

const startTarget = (taken: FilesStage['taken'][number][]): Promise<HttpServer> =>
  startHttp(({ url, headers, body }, response) => {
    taken.push({ url, contentType: headers['content-type'] ?? '', body: Buffer.from(body) });
    if (url === '/report') response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7 report');
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });

const companyOf = (host: string, target: string, canvas: JsonObject, more: JsonObject) => ({
  id: 1,
  name: 'Acme',
  plan: 'growth',
  bots: [
    {
      id: 'bot_wa',
      name: 'Acme',
      channel: 'whatsapp',
      connectedAt: '2026-01-10T00:00:00Z',
      provider: {
        kind: 'whatsapp-cloud',
        phoneNumberId: '1065',
        accessToken: 'wa-token',
        appSecret: secret,
        verifyToken: 'v',
        apiVersion: 'v23.0',
        baseUrl: `http://${host}`,
      },
    },
  ],
  workflows: [{ canvas: JSON.parse(JSON.stringify(canvas).replaceAll('TARGET', `http://${target}`)) as JsonObject, publish: true }],
  ...more,
});

function actions(service: RunningService, { clock }: Place): Pick<FilesStage, 'image' | 'get' | 'handleOf' | 'last'> {
  const app = createApp(service);
  const get: FilesStage['get'] = async (path) => app.request(path, { headers: { authorization: `Bearer ${service.settings.adminToken}` } });
  const json = async (path: string) => (await (await get(path)).json()) as { readonly results: readonly JsonObject[] } & JsonObject;
  return {
    get,
    async image(id, more = {}, from = '51999000111') {
      const message = {
        from,
        id,
        timestamp: String(Math.floor(clock.now() / 1_000)),
        type: 'image',
        image: { id, mime_type: 'image/png' },
        ...more,
      };
      const value = { messaging_product: 'whatsapp', metadata: { phone_number_id: '1065' }, messages: [message] };
      const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field: 'messages', value }] }] });
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
      const answer = await app.request('/channels/bot_wa/webhook', { method: 'POST', headers, body });
      if (answer.status !== 200) throw new Error(`The delivery was answered ${answer.status}: ${await answer.text()}`);
      await service.engine.whenIdle();
    },
    async handleOf(messageId) {
      const { results } = await service.messages.list('1', 'bot_wa', { limit: 100 });
      return z.string().parse(results.find((one) => one.messageId === messageId)?.message['file']);
    },
    async last() {
      const { results } = await json('/admin/v1/executions?companyId=1&limit=1');
      return json(`/admin/v1/executions/${z.string().parse(results[0]?.['executionId'])}?companyId=1`);
    },
  };
}
