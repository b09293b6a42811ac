import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json, JsonObject } from '@hilo/engine/contract';
import { expect } from 'vitest';
import { headersOfOperator } from '../hilo-process.ts';

/** The credentials of the example workspace. */
export const keys = {
  acme: 'hk_acme_0123456789abcdef',
  other: 'hk_other_0123456789abcdef',
  acmeClient: 'acme-client:s3c:ret-of-acme',
  otherClient: 'other-client:other-secret',
  whatsappSecret: 'inbound-secret-wa',
} as const;

/** What Basic authentication makes of a client and its secret. */
export const basic = (client: string): string => `Basic ${btoa(client)}`;

/** Whether this is the error of `fetch` for an unreachable server. */
export const isGone = (error: unknown): boolean => error instanceof TypeError;

/** An answer: `body` is its JSON, or its text when it has none. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

export interface CallOptions {
  readonly headers?: { readonly [name: string]: string };
  /** A text goes out as it is, everything else as JSON. */
  readonly body?: Json;
}

/** An execution as management shows it, as far as tests look at it. */
export interface Execution {
  readonly executionId: string;
  readonly workflowId: string;
  readonly version: number;
  readonly status: string;
  readonly userId: string | null;
  readonly botId: string | null;
  readonly channel: string | null;
  readonly wait: { readonly kind: string; readonly childExecutionId?: string } | null;
  readonly variables: JsonObject;
}

/** A message as management shows it, as far as tests look at it. */
export interface Message {
  readonly messageId: string;
  readonly direction: string;
  readonly userId: string;
  readonly message: { readonly type: string; readonly text?: string };
}

/** An entry of a history, as far as tests look at it. */
interface Entry {
  readonly nodeId: string;
  readonly type: string;
  readonly port?: string;
}

/** What a webhook answers. */
export interface Accepted {
  readonly executionId: string;
  readonly ignored?: true;
}

/** Calls a service as others do: over HTTP alone, as its operator where only operators may call. */
export interface Caller {
  readonly url: string;
  /** @param request - the method and the path */
  call(request: string, options?: CallOptions): Promise<Answer>;
  /** Posts to a webhook with the key of Acme. @param path - what follows `…/skill/` */
  hook(path: string, body?: Json, headers?: { readonly [name: string]: string }): Promise<Answer>;
  /** Delivers an event to a bot, signed. */
  deliver(botId: string, event: JsonObject, secret: string): Promise<Answer>;
  execution(executionId: string, companyId?: string): Promise<Execution>;
  /** An execution as soon as it waits or has ended. */
  settled(executionId: string, companyId?: string): Promise<Execution>;
  history(executionId: string, companyId?: string): Promise<readonly Entry[]>;
  /** Every message of a bot, or those with one user, the oldest first. */
  messages(botId: string, userId?: string): Promise<readonly Message[]>;
  /** Every execution of a company. */
  executions(companyId: string): Promise<readonly Execution[]>;
  /** The same, as soon as none is at work. */
  atRest(companyId: string): Promise<readonly Execution[]>;
}

/** The pause between retries: the service needs the processor too. */
export const askAgainMs = 25;

/** @param heard - called with every answer @param adminToken - the tests' token when left out */
export function callerOf(url: string, heard: (answer: Answer) => void = () => undefined, adminToken?: string): Caller {
  const call: Caller['call'] = async (request, { headers = {}, body } = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...headersOfOperator(path, adminToken),
        ...(body !== undefined && typeof body !== 'string' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text, body: parsed(text) };
    heard(answer);
    return answer;
  };
  const look = async (path: string): Promise<unknown> => {
    const { status, body } = await call(`GET ${path}`);
    expect({ path, status }).toEqual({ path, status: 200 });
    return body;
  };
  const all = async <Item>(path: string): Promise<readonly Item[]> => {
    const items: Item[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = (await look(`${path}&limit=200${next}`)) as { readonly results: readonly Item[]; readonly nextCursor: string | null };
      items.push(...page.results);
      cursor = page.nextCursor;
    }
    return items;
  };
  const execution: Caller['execution'] = async (id, companyId = '1') =>
    (await look(`/admin/v1/executions/${id}?companyId=${companyId}`)) as Execution;
  const executions: Caller['executions'] = (companyId) => all(`/admin/v1/executions?companyId=${companyId}`);
  return {
    url,
    call,
    hook: (path, body, headers = {}) =>
      call(`POST /workflows/v2/webhooks/skill/${path}`, {
        headers: { 'x-api-key': keys.acme, ...headers },
        ...(body !== undefined && { body }),
      }),
    deliver(botId, event, secret) {
      const body = JSON.stringify(event);
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      return call(`POST /channels/${botId}/webhook`, {
        headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
        body,
      });
    },
    execution,
    async settled(id, companyId = '1') {
      for (;;) {
        const now = await execution(id, companyId);
        if (now.status !== 'running') return now;
        await pause(askAgainMs);
      }
    },
    history: async (id, companyId = '1') =>
      ((await look(`/admin/v1/executions/${id}/history?companyId=${companyId}`)) as { readonly entries: readonly Entry[] }).entries,
    messages: (botId, userId) => all(`/admin/v1/bots/${botId}/messages?${userId === undefined ? '' : `userId=${userId}`}`),
    executions,
    async atRest(companyId) {
      for (;;) {
        const now = await executions(companyId);
        if (now.every(({ status }) => status !== 'running')) return now;
        await pause(askAgainMs);
      }
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What a call that was accepted was answered. */
export function accepted(answer: Answer): Accepted {
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  return answer.body as Accepted;
}
