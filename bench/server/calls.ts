import { apiKey, authorization } from './credentials.ts';
import { answerTo, orderOf } from './order.ts';

/** What callers send, again and again, and how they know a right answer. */
export interface Calls {
  readonly headers: { readonly [name: string]: string };
  /** The body of one, by its number. */
  readonly body: (number: number) => object;
  readonly isRight: (answer: string, number: number) => boolean;
}

/** So many users are written to again and again. */
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
