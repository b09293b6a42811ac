// A service with chats for web pages, and browsers that read them.
import { createHmac } from 'node:crypto';
import type { Json, JsonObject } from '@hilo/engine/contract';
import { createApp } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';

export const chatSecret = 'secret-of-the-web-chat-0123456789abcdef';

/** Greets, echoes messages until "bye", with one option chosen by its payload. */
const echo: JsonObject = {
  schemaVersion: 1,
  id: 'echo',
  name: 'Echo',
  kind: 'skill',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    {
      id: 'ask',
      type: 'ask',
      data: { message: { type: 'text', text: 'You said {{$message.text}}' }, input: { kind: 'text' }, saveAs: '$context.said' },
    },
    { id: 'again', type: 'message', data: { message: { type: 'text', text: 'Again: {{$context.said}}' } } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'ask' },
    { source: 'ask', sourceHandle: 'answered', target: 'again' },
    { source: 'again', sourceHandle: 'sent', target: 'done' },
  ],
};

const chatBot = (id: string, more: JsonObject = {}, settings: JsonObject = {}): JsonObject => ({
  id,
  name: 'Acme help',
  channel: 'web',
  connectedAt: '2026-01-01T00:00:00Z',
  provider: { kind: 'web', appSecret: chatSecret, ...more },
  settings,
});

/** A company with chats: `help` for any page, `shop` for one origin, `other` with another secret. */
export const chatWorkspace = (canvas: JsonObject = echo, more: JsonObject = {}): JsonObject => ({
  companies: [
    {
      id: 1,
      name: 'Acme',
      plan: 'enterprise',
      kind: 'enterprise',
      bots: [
        chatBot('help'),
        chatBot('shop', { origins: ['https://shop.example'] }),
        chatBot('other', { appSecret: 'another-secret-0123456789abcdef0123' }),
        { ...chatBot('silent'), provider: { kind: 'log' } },
      ],
      workflows: [{ canvas, publish: true }],
      ...more,
    },
  ],
});

/** A message as the browser gets it. */
export interface SeenMessage {
  readonly messageId: string;
  readonly direction: string;
  readonly status: string;
  readonly order: number;
  readonly message: { readonly type: string; readonly text?: string; readonly mediaUrl?: string };
}

/** One event of a stream. */
export interface SeenEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}

/** A stream of server-sent events that is read piece by piece, as a browser does. */
export interface EventReader {
  /** The next event of this name. */
  next(event?: string): Promise<SeenEvent>;
  /** The next messages. */
  messages(count: number): Promise<readonly SeenMessage[]>;
  /** The id of the last event that was read. */
  lastEventId(): string | undefined;
  /** Resolves when the stream has ended. */
  end(): Promise<void>;
  cancel(): Promise<void>;
}

export function readEvents(response: Response): EventReader {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  if (reader === undefined) throw new Error(`No stream: ${response.status}`);
  const decoder = new TextDecoder();
  let text = '';
  let lastId: string | undefined;

  const nextEvent = async (): Promise<SeenEvent | undefined> => {
    for (;;) {
      const at = text.indexOf('\n\n');
      if (at >= 0) {
        const lines = text.slice(0, at).split('\n');
        text = text.slice(at + 2);
        const fields = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
        const seen: SeenEvent = fields;
        if (seen.id !== undefined) lastId = seen.id;
        if (Object.keys(fields).some((name) => name !== '')) return seen;
        continue; // a heartbeat
      }
      const { value, done } = await reader.read();
      if (done) return undefined;
      text += decoder.decode(value, { stream: true });
    }
  };
  const next = async (event?: string): Promise<SeenEvent> => {
    for (;;) {
      const seen = await nextEvent();
      if (seen === undefined) throw new Error('The stream has ended');
      if (event === undefined || seen.event === event) return seen;
    }
  };
  return {
    next,
    async messages(count) {
      const seen: SeenMessage[] = [];
      while (seen.length < count) seen.push(JSON.parse((await next('message')).data ?? '') as SeenMessage);
      return seen;
    },
    lastEventId: () => lastId,
    async end() {
      while ((await nextEvent()) !== undefined);
    },
    cancel: () => reader.cancel(),
  };
}

/** A browser without a page: one visitor of a bot. */
export interface Browser {
  readonly token: string;
  readonly userId: string;
  /** Posts a message; of a text, its id is the text's own. */
  say(text: string, id?: string): Promise<{ readonly status: number; readonly body: JsonObject }>;
  events(lastEventId?: string): Promise<EventReader>;
  call(path: string, init?: RequestInit): Promise<Response>;
}

type Ask = (path: string, init?: RequestInit) => Response | Promise<Response>;

/** @param identity - a token of the host */
export async function openBrowser(ask: Ask, botId = 'help', identity?: string): Promise<Browser> {
  const authorization = identity === undefined ? {} : { authorization: `Bearer ${identity}` };
  const opened = await ask(`/chat/${botId}/session`, { method: 'POST', headers: authorization });
  if (opened.status !== 200) throw new Error(`No session: ${opened.status} ${await opened.text()}`);
  const { token, user } = (await opened.json()) as { readonly token: string; readonly user: { readonly id: string } };
  const call: Browser['call'] = async (path, init = {}) =>
    ask(`/chat/${botId}/${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) } });
  return {
    token,
    userId: user.id,
    call,
    async say(text, id = `message-${text}`.replaceAll(/[^\w-]/g, '-')) {
      const response = await call('messages', { method: 'POST', body: JSON.stringify({ id, type: 'text', text }) });
      return { status: response.status, body: (await response.json()) as JsonObject };
    },
    async events(lastEventId) {
      return readEvents(await call('events', { headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId } }));
    },
  };
}

/** The whole app of a service over the chats' workspace, called in this process. @param canvas - the flow of its bots, in place of the echo */
export async function chatApp(service: RunningService, canvas?: JsonObject): Promise<Ask> {
  await service.importWorkspace({ workspace: chatWorkspace(canvas) });
  const app = createApp(service);
  return (path, init) => app.request(path, init);
}

/** A token as a host's server makes it. */
export function hostToken(claims: { readonly [name: string]: Json | undefined }, key = chatSecret): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ aud: 'help', ...claims })}`;
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
}
