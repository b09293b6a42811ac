import type { Channel, JsonObject } from '@hilo/engine/contract';
import { Message } from '@hilo/nodes/effects';
import { DriverError } from '../driver-error.ts';

/** The length that providers count: code points. */
export const characters = (text: string): number => Array.from(text).length;

/** A text within the bound of a provider, in code points. @throws {DriverError} `INVALID_REQUEST` that says which text is how long */
export function within(text: string, max: number, what: string): string {
  const length = characters(text);
  if (length <= max) return text;
  throw new DriverError('INVALID_REQUEST', `${what} has ${length} characters, and the provider takes ${max}: shorten it`);
}

/**
 * Reads a message for a channel without templates of its own.
 *
 * @throws {DriverError} `INVALID_REQUEST` for a template, and for what is no message
 */
export function messageFor(channel: Channel, message: JsonObject): Message {
  if (message['type'] === 'template') throw unsupported('template', channel);
  return readMessage(message);
}

/** @throws {DriverError} `INVALID_REQUEST` that lists what is wrong */
export function readMessage(message: JsonObject): Message {
  const { data, error } = Message.safeParse(message);
  if (data === undefined) throw new DriverError('INVALID_REQUEST', error.issues.map((issue) => issue.message).join('; '));
  return data;
}

/** A type of message that a channel has no form for, and that cannot be said in a text either. */
export const unsupported = (type: string, channel: Channel): DriverError =>
  new DriverError('INVALID_REQUEST', `Messages of type "${type}" cannot be sent on ${channel}: choose another type`);
