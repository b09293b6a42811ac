// A service with a payment provider that is played, for tests of payments over HTTP.
import { createHmac } from 'node:crypto';
import type { Json, JsonObject } from '@hilo/engine/contract';
import { type FakeStripe, secretKey, stripeSignature, webhookSecret } from '../../../integrations/test/fake-stripe.ts';
import type { Payments } from '../../src/payments/payments.ts';
import { createApp } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import type { Place } from '../data/open-for-test.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** A payment as management lists it. */
export interface ListedPayment {
  readonly checkoutId: string;
  readonly executionId: string;
  readonly status: string;
  readonly provider: string;
  readonly isLate: boolean | null;
}

/** Replaces a missing value, so that later checks of it fail. */
export const noPayment: ListedPayment = { checkoutId: '', executionId: '', status: '', provider: '', isLate: null };

/** A shop whose users write "pay", over the surfaces of a service. */
export interface Shop {
  readonly service: RunningService & { readonly payments: Payments };
  ask(
    method: string,
    path: string,
    request?: { readonly headers?: { readonly [name: string]: string }; readonly body?: string | Uint8Array },
  ): Promise<Answer>;
  /** Asks management for something that is there. */
  shows(path: string): Promise<JsonObject>;
  /** The user writes to the bot. */
  writes(text: string, userId?: string): Promise<void>;
  /** What the user got, as texts. */
  got(userId?: string): Promise<readonly string[]>;
  /** The link in what the user got last. */
  link(userId?: string): Promise<string>;
  /** The payments of the company, the newest first. */
  payments(): Promise<readonly ListedPayment[]>;
  /** An event of Stripe arrives, signed. */
  told(
    event: JsonObject,
    more?: { readonly credentialId?: string; readonly companyId?: string; readonly signature?: string },
  ): Promise<Answer>;
}

const ana = '5215512345678';
export const publicUrl = 'https://bots.example/hilo';
export const adminToken = 'admin-token-0123456789';

const text = (id: string, words: string): JsonObject => ({ id, type: 'message', data: { message: { type: 'text', text: words } } });

/** A canvas that asks a user who writes "pay" for 12.50, and reports how that ended. */
export const payCanvas = (config: JsonObject = {}, ports: readonly string[] = ['expired', 'error']): JsonObject => ({
  schemaVersion: 1,
  id: 'shop',
  name: 'Shop',
  kind: 'skill',
  nodes: [
    { id: 'start', type: 'start', data: { keywords: ['pay'] } },
    {
      id: 'pay',
      type: 'payment',
      data: { amount: 1250, currency: 'MXN', description: 'Order <7>', saveAs: '$context.payment', ...config },
    },
    text('approved', 'approved {{$context.payment.amount}}'),
    ...['rejected', 'pending', 'expired'].filter((port) => port === 'rejected' || ports.includes(port)).map((port) => text(port, port)),
    ...(ports.includes('error') ? [text('error', '{{$error.cause}}: {{$error.message}}')] : []),
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'start', target: 'pay' },
    ...['approved', 'rejected', ...ports].flatMap((port) => [
      { source: 'pay', sourceHandle: port, target: port },
      { source: port, sourceHandle: 'sent', target: 'done' },
    ]),
  ],
});

/** The example workspace with that canvas alone, and with more changes by JSON pointer. */
export async function shopWorkspace(canvas: JsonObject, changes: { readonly [pointer: string]: Json } = {}): Promise<JsonObject> {
  const mine = { '/companies/0/workflows': [{ canvas, publish: true }], '/companies/0/campaigns': [], '/companies/0/conversations': [] };
  return changed(await inlineExample(), { ...mine, ...changes });
}

/** An account with a Stripe, as a workspace has it. */
export const accountWith = ({ baseUrl }: Pick<FakeStripe, 'baseUrl'>, id = 'stripe'): JsonObject => ({
  id,
  kind: 'stripe',
  secretKey,
  webhookSecret,
  baseUrl,
});

export const withStripe = { auth: { credentialId: 'stripe' } };

/** Opens a service on a place, with a workspace. */
export async function openShop({ open }: Pick<Place, 'open'>, workspace: JsonObject | undefined, stripe?: FakeStripe): Promise<Shop> {
  const service = await open({ publicUrl, adminToken, egressAllow: stripe === undefined ? [] : [stripe.host] });
  if (workspace !== undefined) await service.importWorkspace({ workspace });
  return shopOf(service);
}

export function shopOf(service: RunningService): Shop {
  const { payments: own, clock } = service;
  if (own === undefined) throw new Error('The service has no payments');
  const app = createApp(service);
  let events = 0;

  const ask: Shop['ask'] = async (method, path, { headers = {}, body } = {}) => {
    const answer = await app.request(path, { method, headers, ...(body !== undefined && { body: body as string }) });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  const shows: Shop['shows'] = async (path) => {
    const { status, text: body } = await ask('GET', `/admin/v1${path}`, { headers: { authorization: `Bearer ${adminToken}` } });
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
    return JSON.parse(body) as JsonObject;
  };
  const got: Shop['got'] = async (userId = ana) => {
    await service.engine.whenIdle();
    const { results } = await service.messages.list('1', 'bot_wa', { userId, limit: 200 });
    return results.flatMap(({ direction, message: { text: words } }) =>
      direction === 'outbound' && typeof words === 'string' ? [words] : [],
    );
  };
  return {
    service: { ...service, payments: own },
    ask,
    shows,
    got,
    async writes(words, userId = ana) {
      const id = `${userId}-${clock.now()}-${(events += 1)}`;
      const user = { id: userId };
      const event = { eventId: id, botId: 'bot_wa', user, message: { id, type: 'text', text: words }, receivedAt: '2031-03-03T09:00:00Z' };
      const body = JSON.stringify(event);
      const signature = `sha256=${createHmac('sha256', 'inbound-secret-wa').update(body).digest('hex')}`;
      const { status } = await ask('POST', '/channels/bot_wa/webhook', { headers: { 'x-hub-signature-256': signature }, body });
      if (status !== 200) throw new Error(`The message was refused with ${status}`);
      await service.engine.whenIdle();
    },
    async link(userId) {
      const last = (await got(userId)).findLast((words) => words.includes('https://'));
      const [found] = /https:\/\/\S+/.exec(last ?? '') ?? [];
      if (found === undefined) throw new Error('No link came');
      return found;
    },
    async payments() {
      const { results } = await shows('/payments?companyId=1&limit=200');
      return results as unknown as readonly ListedPayment[];
    },
    async told(event, { credentialId = 'stripe', companyId = '1', signature } = {}) {
      const body = JSON.stringify(event);
      const headers = { 'stripe-signature': signature ?? stripeSignature(body, clock.now()), 'content-type': 'application/json' };
      return ask('POST', `/payments/callbacks/${companyId}/${credentialId}`, { headers, body });
    },
  };
}
