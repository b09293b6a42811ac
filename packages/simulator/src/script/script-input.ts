import { isJsonObject, isLocale, isTimeZone, type Json, type JsonObject } from '@hilo/engine/contract';
import type { OperatorAct } from '../simulation/desk.ts';
import type { ApiAnswer } from '../simulation/scripted-api.ts';

/** The user's time zone, and the locale for numbers and dates. A field that is left out is unchanged. */
export interface UserPlace {
  readonly timeZone?: string;
  readonly locale?: string;
}

/** Reads a place from JSON without other fields. @throws {SyntaxError} that names the fault */
export function readPlace({ timeZone, locale, ...others }: JsonObject): UserPlace {
  const [other] = Object.keys(others);
  if (other !== undefined) throw new SyntaxError(`a place has a timeZone and a locale, and no "${other}"`);
  return {
    ...(timeZone !== undefined && { timeZone: known(timeZone, isTimeZone, 'time zone', 'America/Lima') }),
    ...(locale !== undefined && { locale: known(locale, isLocale, 'locale', 'es-PE') }),
  };
}

function known(name: Json, isKnown: (name: string) => boolean, what: string, example: string): string {
  if (typeof name === 'string' && isKnown(name)) return name;
  throw new SyntaxError(`there is no ${what} ${JSON.stringify(name)}: write one such as ${example}`);
}

/** A request to a webhook. */
export interface WebhookInput {
  /** `POST`, when left out. */
  readonly method?: string;
  readonly body?: Json;
  readonly query?: JsonObject;
  readonly headers?: { readonly [name: string]: string };
  /** The main canvas, when left out. */
  readonly workflowId?: string;
  /** The canvas's own webhook node, when left out. */
  readonly nodeId?: string;
  /** The same key within eight days gives the same execution (WEB-27). */
  readonly idempotencyKey?: string;
}

/** A request to the address of a callback. */
export type CallbackInput = Pick<WebhookInput, 'method' | 'body' | 'query' | 'headers' | 'idempotencyKey'>;

/**
 * An event from outside. In any of its texts, `<execution-1>` is replaced by the id of the first execution, `<execution-2>` by that of
 * the second, and so on.
 */
export type ScriptInput =
  | { readonly kind: 'says'; readonly message: JsonObject }
  /** Delivers the user's last message again, as providers do. */
  | { readonly kind: 'repeats' }
  /** A campaign reaches the user: what they write within a day answers it. */
  | { readonly kind: 'campaign'; readonly id: string }
  /** Where the user is from now on. */
  | { readonly kind: 'places'; readonly place: UserPlace }
  | { readonly kind: 'webhook'; readonly call: WebhookInput }
  /** A third party calls the address that `resumeUrl` gave last, for the node where one is named. */
  | { readonly kind: 'calls'; readonly nodeId?: string; readonly request: CallbackInput }
  | { readonly kind: 'passes'; readonly durationMs: number }
  | { readonly kind: 'apiAnswers'; readonly answer: ApiAnswer }
  /** The oldest call of this effect without an answer is answered, or else the next one. */
  | { readonly kind: 'answers'; readonly effect: string; readonly answer: Json }
  /** What the operator does whom the user was handed over to. */
  | { readonly kind: 'operator'; readonly act: OperatorAct }
  /** The channel, or another service, refuses the next message, or the next effect of a node. */
  | { readonly kind: 'refuses'; readonly nodeId?: string; readonly cause: string; readonly message?: string }
  /** The next message, or that of a node, meets a closed window: the user has not written for 24 hours. */
  | { readonly kind: 'closesWindow'; readonly nodeId?: string }
  /** Begins a workflow as a call does; the main canvas, when none is named. */
  | { readonly kind: 'starts'; readonly workflowId?: string; readonly inputs: JsonObject }
  | { readonly kind: 'signals'; readonly name: string; readonly correlation: string; readonly payload: Json }
  /** The execution, or else the youngest that has not ended. */
  | { readonly kind: 'cancels'; readonly executionId?: string }
  /** Kills the process and starts another. */
  | { readonly kind: 'restarts' };

/** The channel's id of what reached the user, in order from 1: the `replyTo` of a reply to it. */
export const sentMessageId = (number: number): string => `message-${number}`;

/** The number of {@link sentMessageId}. */
export function sentMessageNumber(id: Json | undefined): number | undefined {
  const [, digits] = (typeof id === 'string' ? /^message-([1-9]\d{0,5})$/.exec(id) : null) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** A user's message from what a test writes for short: its text, or the payload of the button that was pressed. */
export function userMessage(said: string | { readonly payload: string; readonly text?: string } | JsonObject): JsonObject {
  if (typeof said === 'string') return { type: 'text', text: said };
  if ('type' in said) return said;
  return { type: 'button', ...said };
}

/** The message by which a form comes back. Without a `flow_token` among the values, it is the one that was offered last. */
export const formMessage = (values: JsonObject): JsonObject => ({ type: 'flow', text: '', name: '', response: values });

/** The values of {@link formMessage}; `undefined` for another message. */
export function formValues({ type, text, name, response, ...others }: JsonObject): JsonObject | undefined {
  const isForm = type === 'flow' && text === '' && name === '' && isJsonObject(response);
  return isForm && Object.keys(others).length === 0 ? response : undefined;
}
