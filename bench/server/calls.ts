import { apiKey, authorization } from './credentials.ts';
import { answerTo, orderOf } from './order.ts';

/** A repeated request of the callers, and how they recognise a right answer. */
export interface Calls {
  readonly headers: { readonly [name: string]: string };
  /** The body of a request, by its number. */
  readonly body: (number: number) => object;
  readonly isRight: (answer: string, number: number) => boolean;
}

/** Messages go to this many users. */
const users = 1_000;

const orders: Calls = {
  headers: { 'x-api-key': apiKey },
  body: orderOf,
  isRight: (answer, number) => answer === answerTo(number),
};

const messages: Calls = {
  headers: { authorization },
  body: (number) => ({ type: 'text', userId: String(51_999_100_000 + (number % users)), text: `Order A-${number} is on its way` }),
  isRight: (answer) => /^\{"success":true,"messageId":"[\w-]+"\}$/.test(answer),
};

/** All that servers are called with here, by name. */
export const calls = { orders, messages } as const satisfies { readonly [name: string]: Calls };
export type CallsName = keyof typeof calls;
