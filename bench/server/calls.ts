import { createHmac } from 'node:crypto';
import { apiKey, authorization, whatsapp } from './credentials.ts';
import { answerTo, orderOf } from './order.ts';

/** A repeated request of the callers, and how they recognise a right answer. */
export interface Calls {
  /** @param body - which some of them sign */
  readonly headers: (body: string) => { readonly [name: string]: string };
  /** The body of a request, by its number. */
  readonly body: (number: number) => object;
  readonly isRight: (answer: string, number: number) => boolean;
}

/** Messages go to this many users. */
const users = 1_000;
export const userOf = (number: number): string => String(51_999_100_000 + (number % users));

const orders: Calls = {
  headers: () => ({ 'x-api-key': apiKey }),
  body: orderOf,
  isRight: (answer, number) => answer === answerTo(number),
};

const messages: Calls = {
  headers: () => ({ authorization }),
  body: (number) => ({ type: 'text', userId: userOf(number), text: `Order A-${number} is on its way` }),
  isRight: (answer) => /^\{"success":true,"messageId":"[\w-]+"\}$/.test(answer),
};

/** A gateway webhook that is answered once its execution is accepted. */
const webhooks: Calls = {
  headers: () => ({ 'x-api-key': apiKey }),
  body: (number) => ({ user: { id: userOf(number) }, text: `Order A-${number}` }),
  isRight: (answer) => /^\{"success":true,"executionId":"\w+","mode":"new","isNewExecution":true\}$/.test(answer),
};

/** A user's text as the WhatsApp Cloud API delivers it. */
const deliveries: Calls = {
  headers: (body) => ({ 'x-hub-signature-256': `sha256=${createHmac('sha256', whatsapp.appSecret).update(body).digest('hex')}` }),
  body(number) {
    const from = userOf(number);
    const message = { from, id: `wamid.${number}`, timestamp: '1750269342', type: 'text', text: { body: `Order A-${number}` } };
    const value = {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '15550783881', phone_number_id: whatsapp.phoneNumberId },
      contacts: [{ profile: { name: 'Ana' }, wa_id: from }],
      messages: [message],
    };
    return { object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field: 'messages', value }] }] };
  },
  isRight: (answer) => answer === '{"success":true,"outcome":"started"}',
};

/** All that servers are called with here, by name. */
export const calls = { orders, messages, webhooks, deliveries } as const satisfies { readonly [name: string]: Calls };
export type CallsName = keyof typeof calls;
