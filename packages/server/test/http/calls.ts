// Calls of an app in this process, and answers as tests compare them.
import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { ExecutionState } from '@hilo/engine/contract';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { HttpEnv } from '../../src/platform/http/context.ts';
import { expect } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import { type Listening, listen, type ListenOptions } from '../../src/platform/http/listen.ts';
import { serve } from '../../src/service/serve.ts';
import type { OpenSettings } from '../../src/service/settings.ts';
import type { Service } from '../../src/service/service.ts';
import { fakeService, type FakeService, keys } from './fake-service.ts';

/** An answer as tests compare it: `body` is its JSON, or its text when it has none. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

export interface CallOptions {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  /** A text goes out as it is, everything else as JSON. */
  readonly body?: unknown;
  /** The socket address that a Node.js server reports for the request. */
  readonly from?: string;
}

/** A service with its app, and short ways to call it. */
export interface Stage {
  readonly service: FakeService;
  readonly app: OpenAPIHono<HttpEnv>;
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** Calls a webhook with the key of the first company. */
  hook(path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** Lets time pass, and everything that is due then come to its next wait or end. */
  pass(ms: number): Promise<void>;
  /** The state of an execution of the first company. */
  stateOf(executionId: string): Promise<ExecutionState | undefined>;
  /** Delivers an event to a bot, signed. */
  deliver(botId: string, event: unknown, options?: CallOptions): Promise<Answer>;
}

/** What the gateway is called over: the framework, as a host mounts it, or Node's own server, as `serve` has it. */
export const frames = ['the framework', 'a Node server'] as const;
export type Frame = (typeof frames)[number];

export async function setStage(
  settings: Partial<OpenSettings> = {},
  plan?: Parameters<typeof fakeService>[1],
  frame: Frame = 'the framework',
): Promise<Stage> {
  const service = await fakeService(settings, plan);
  const app = createApp(service);
  const { send, close } = await openFrame(frame, app, service);
  const closeService = service.close;
  service.close = async () => {
    await close();
    await closeService();
  };
  const call: Stage['call'] = async (path, { method = 'GET', headers = {}, body, from } = {}) => {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const hasJson = body !== undefined && typeof body !== 'string';
    const response = await send(path, {
      method,
      headers: { ...(hasJson && { 'content-type': 'application/json' }), ...headers },
      ...(text !== undefined && { body: text }),
      ...(from !== undefined && { from }),
    });
    return { status: response.status, headers: response.headers, body: bodyOf(await response.text()) };
  };
  return {
    service,
    app,
    call,
    hook: (path, body, options = {}) =>
      call(`/workflows/v2/webhooks/skill/${path}`, {
        method: 'POST',
        ...options,
        headers: { 'x-api-key': keys.acme, ...options.headers },
        ...(body !== undefined && { body }),
      }),
    async pass(ms) {
      service.clock.advanceBy(ms);
      await service.engine.fireDueTimers();
      await service.engine.whenIdle();
    },
    stateOf: async (executionId) => (await service.engine.execution('1', executionId))?.state,
    deliver(botId, event, options = {}) {
      const body = typeof event === 'string' ? event : JSON.stringify(event);
      return call(`/channels/${botId}/webhook`, {
        method: 'POST',
        ...options,
        headers: { 'content-type': 'application/json', 'x-hub-signature-256': signed(body), ...options.headers },
        body,
      });
    },
  };
}

type Send = (path: string, request: CallOptions & { readonly body?: string }) => Promise<Response>;

/** A service that is called over one of the frames. */
export interface OpenFrame {
  readonly send: Send;
  close(): Promise<void>;
}

/** @param app - what a host mounts */
export const openFrame = async (frame: Frame, app: Stage['app'], service: Service): Promise<OpenFrame> =>
  frame === 'the framework' ? { send: overFramework(app), close: async () => {} } : overServer(service);

const overFramework =
  (app: Stage['app']): Send =>
  async (path, { from, ...sent }) =>
    app.request(path, sent, from === undefined ? {} : { incoming: { socket: { remoteAddress: from } } });

/** Listens on a port of its own: with what a host mounts alone, or as `serve` does. */
export function listenOver(
  frame: Frame,
  { app, service }: Pick<Stage, 'app' | 'service'>,
  more: Partial<ListenOptions>,
): Promise<Listening> {
  const options: ListenOptions = { port: 0, host: '127.0.0.1', ...more };
  return frame === 'the framework' ? listen(app.fetch, options) : serve(service, options);
}

/** Serves on a port. */
async function overServer(service: Service): Promise<OpenFrame> {
  const server = await serve(service, { port: 0, host: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true });
  const close = async (): Promise<void> => {
    agent.destroy();
    await server.close(0);
  };
  const send: Send = (path, { method, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const { pathname, search } = new URL(path, 'http://localhost');
      const asked = request({ agent, port: server.port, method, path: `${pathname}${search}`, headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('end', () => {
          const { statusCode: status = 0, rawHeaders } = incoming;
          const pairs = rawHeaders.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : []));
          const isEmpty = status === 204 || status === 304;
          resolve(new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers: new Headers(pairs) }));
        });
      });
      asked.once('error', reject);
      asked.end(body);
    });
  return { send, close };
}

/** The signature of a body under a bot's secret. */
export const signed = (body: string, secret: string = keys.appSecret): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The user of most tests. */
export const ana = '5215512345678';

/** An event as a provider sends it. */
export const event = (more: object = {}) => ({
  eventId: 'e1',
  botId: 'bot_wa',
  user: { id: ana },
  message: { id: 'm1', type: 'text', text: 'hi' },
  receivedAt: '2031-02-03T09:00:00Z',
  ...more,
});

/** What a call that was accepted is answered. */
export function accepted(answer: Answer): { readonly executionId: string; readonly mode: string } {
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  return answer.body as { readonly executionId: string; readonly mode: string };
}

/** Starts an order and lets it come to its second webhook. */
export async function waiting(stage: Stage): Promise<string> {
  const { executionId } = accepted(await stage.hook('order/whatsapp/hook', { user: { id: ana } }));
  await stage.pass(2_000);
  expect((await stage.stateOf(executionId))?.wait?.kind).toBe('webhook');
  return executionId;
}
