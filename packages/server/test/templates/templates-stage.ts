// A service with templates at WhatsApp: a double of the Graph API on loopback, and what it delivers, signed.
import { createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { JsonObject } from '@hilo/engine/contract';
import { startHttp } from '../../../drivers/test/local-servers.ts';
import { createManagement } from '../../src/service/app.ts';
import { createChannels } from '../../src/channels/routes.ts';
import { growRevision } from '../../src/platform/database/revision.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';

/** A template of the workspace. */
export const template = (id: string, more: JsonObject = {}): JsonObject => ({
  id,
  botId: 'bot_wa',
  elementName: id,
  language: 'es_MX',
  category: 'UTILITY',
  status: 'APPROVED',
  body: 'Hola',
  ...more,
});

/** The text of a field. */
export function textAt(body: JsonObject, name: string): string {
  const found = body[name];
  if (typeof found !== 'string') throw new Error(`There is no text ${name} in ${JSON.stringify(body)}`);
  return found;
}

const appSecret = 'the-app-secret';

/** A bot of the Cloud API over the double. */
export const bot = (id: string, url: string, more: JsonObject = {}): JsonObject => ({
  id,
  name: id,
  channel: 'whatsapp',
  connectedAt: '2026-01-10T00:00:00Z',
  provider: {
    kind: 'whatsapp-cloud',
    phoneNumberId: `phone-${id}`,
    accessToken: `token-${id}`,
    appSecret,
    verifyToken: 'verify',
    baseUrl: url,
    ...more,
  },
});

/** A call that the double got. */
export interface GraphCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly token: string;
  readonly body: JsonObject | undefined;
}

/** The double: what it got, and how it answers. */
export interface GraphDouble {
  readonly url: string;
  readonly calls: readonly GraphCall[];
  /** Messages that it has taken. */
  readonly sent: () => readonly JsonObject[];
  /** Answers calls about templates; undefined leaves the next one to the messages of the number. */
  answer: (call: GraphCall) => { readonly status: number; readonly body: JsonObject } | undefined;
}

export interface TemplatesStage {
  readonly service: RunningService;
  readonly place: Place;
  readonly graph: GraphDouble;
  /** Delivers a change of an account, signed. */
  deliver(
    field: string,
    value: JsonObject,
    more?: { readonly time?: number; readonly account?: string; readonly botId?: string },
  ): Promise<number>;
  admin(route: string, body?: JsonObject): Promise<{ readonly status: number; readonly body: JsonObject }>;
}

/**
 * Passes time in steps in which calls of the double come and go, behind what is being written: none may run out of virtual time. What is
 * waited for has its sockets in real time: after `ms` it is waited for without more time passing.
 */
export async function pass(
  { place: { clock }, service: { store } }: Pick<TemplatesStage, 'place' | 'service'>,
  ms: number,
  until?: () => boolean | Promise<boolean>,
  stepMs = 250,
): Promise<void> {
  for (let passed = 0; until === undefined ? passed < ms : !(await until()); passed += stepMs) {
    if (passed < ms) clock.advanceBy(stepMs);
    for (let turn = 0; turn < 4; turn += 1) {
      await store.runner.write([growRevision()]);
      await setImmediate();
    }
  }
}

/** Runs a test over companies that are made for the address of the double. */
export const withTemplates = (
  makeCompanies: (url: string) => readonly JsonObject[],
  test: (stage: TemplatesStage) => Promise<void>,
): (() => Promise<void>) =>
  withPlace(async (place) => {
    const calls: GraphCall[] = [];
    const server = await startHttp((request, response) => {
      const { pathname, searchParams } = new URL(request.url, 'http://graph');
      const call = {
        method: request.method,
        path: pathname,
        query: searchParams,
        token: request.headers.authorization ?? '',
        body: request.body === '' ? undefined : (JSON.parse(request.body) as JsonObject),
      };
      calls.push(call);
      const said = graph.answer(call) ?? { status: 200, body: { messages: [{ id: `wamid.${calls.length}` }] } };
      response.writeHead(said.status, { 'content-type': 'application/json' }).end(JSON.stringify(said.body));
    });
    const graph: GraphDouble = {
      url: `http://${server.host}`,
      calls,
      sent: () => calls.flatMap(({ path, body }) => (path.endsWith('/messages') && body !== undefined ? [body] : [])),
      answer: () => undefined,
    };
    try {
      const service = await place.open({ egressAllow: [server.host] });
      await service.importWorkspace({ workspace: { companies: [...makeCompanies(graph.url)] } });
      const channels = createChannels(service);
      const management = createManagement(service);
      await test({
        service,
        place,
        graph,
        async deliver(field, value, { time = Math.floor(place.clock.now() / 1_000), account = 'waba-1', botId = 'bot_wa' } = {}) {
          const body = JSON.stringify({
            object: 'whatsapp_business_account',
            entry: [{ id: account, time, changes: [{ field, value }] }],
          });
          const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
          const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
          const answer = await channels.request(`/channels/${botId}/webhook`, { method: 'POST', headers, body });
          return answer.status;
        },
        async admin(route, body) {
          const [method = '', path = ''] = route.split(' ');
          const init = {
            method,
            headers: { 'content-type': 'application/json' },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          };
          const answer = await management.request(path, init);
          return { status: answer.status, body: (await answer.json()) as JsonObject };
        },
      });
    } finally {
      await server.close();
    }
  });
