import type { Channel, JsonObject } from '@hilo/engine/contract';
import { channelNames, Message, problemsAtProvider, textLength } from '@hilo/nodes/effects';
import { DriverError } from '@hilo/drivers';

/**
 * Parses a message for a channel, with the same rules and limits as the API and the check of canvases.
 *
 * @throws {DriverError} `INVALID_REQUEST` for a template, for a malformed message, and for one that the channel refuses
 */
export function parseMessage(channel: Channel, message: JsonObject): Message {
  if (message['type'] === 'template') throw unsupported('template', channel);
  const { data, error } = Message.safeParse(message);
  const [problem] = data === undefined ? error.issues : problemsAtProvider(data, channel);
  if (data === undefined || problem !== undefined) throw new DriverError('INVALID_REQUEST', problem?.message ?? '');
  return data;
}

/** Returns a value of a template that keeps to its limit, in code points. @throws {DriverError} `INVALID_PARAMETERS` with its length */
export function checkLength(text: string, max: number, what: string): string {
  const length = textLength(text, 'characters');
  if (length <= max) return text;
  throw new DriverError('INVALID_PARAMETERS', `${what} has ${length} characters, and the provider takes ${max}: shorten it`);
}

/** Cuts a text to `max` code points, so that no character is cut in two. For labels that no author wrote. */
export const shorten = (text: string, max: number): string => Array.from(text).slice(0, max).join('');

/** Returns a text that is not blank. @throws {DriverError} `INVALID_REQUEST` */
export function requireText(text: string): string {
  if (text.trim() === '') throw new DriverError('INVALID_REQUEST', 'The message says nothing: give it a text');
  return text;
}

/** The last part of a URL's path, to name a file by; `undefined` when it has none. */
export const lastPathPart = (url: string): string | undefined =>
  URL.parse(url)
    ?.pathname.split('/')
    .findLast((part) => part !== '');

/** The error for a type of message that a channel cannot send, not even as text. */
export const unsupported = (type: string, channel: Channel): DriverError =>
  new DriverError('INVALID_REQUEST', `Messages of type "${type}" cannot be sent on ${channelNames[channel]}: choose another type`);
