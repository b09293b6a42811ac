import type { Channel, JsonObject } from '@hilo/engine/contract';
import { Message, problemsAtProvider, textLength } from '@hilo/nodes/effects';
import { DriverError } from '../driver-error.ts';

/**
 * Parses a message for a channel, with the same rules and limits as the API and the check of canvases.
 *
 * @throws {DriverError} `INVALID_REQUEST` for a template, for a malformed message, and for one that the channel refuses
 */
export function messageFor(channel: Channel, message: JsonObject): Message {
  if (message['type'] === 'template') throw unsupported('template', channel);
  const { data, error } = Message.safeParse(message);
  const [problem] = data === undefined ? error.issues : problemsAtProvider(data, channel);
  if (data === undefined || problem !== undefined) throw new DriverError('INVALID_REQUEST', problem?.message ?? '');
  return data;
}

/** A value of a template within its limit, in code points. @throws {DriverError} `INVALID_PARAMETERS` with its length */
export function within(text: string, max: number, what: string): string {
  const length = textLength(text, 'characters');
  if (length <= max) return text;
  throw new DriverError('INVALID_PARAMETERS', `${what} has ${length} characters, and the provider takes ${max}: shorten it`);
}

/** The beginning of a text, at most `max` code points: no character is cut in two. For labels that are no part of what an author wrote. */
export const shorten = (text: string, max: number): string => Array.from(text).slice(0, max).join('');

/** A type of message for which a channel has no form, and which cannot be sent as text. */
export const unsupported = (type: string, channel: Channel): DriverError =>
  new DriverError('INVALID_REQUEST', `Messages of type "${type}" cannot be sent on ${channel}: choose another type`);
