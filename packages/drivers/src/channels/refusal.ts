import type { Channel, JsonObject } from '@hilo/engine/contract';
import { Message } from '@hilo/nodes/effects';

/** A message that a provider would not take, told before it is sent. */
export class UnfitMessage extends Error {
  override readonly name = 'UnfitMessage';
  override readonly cause: string;

  constructor(cause: string, message: string) {
    super(message);
    this.cause = cause;
  }
}

/** The length that providers count: code points. */
export const characters = (text: string): number => Array.from(text).length;

/** A text within the bound of a provider, in code points. @throws {UnfitMessage} `INVALID_REQUEST` that says which text is how long */
export function within(text: string, max: number, what: string): string {
  const length = characters(text);
  if (length <= max) return text;
  throw new UnfitMessage('INVALID_REQUEST', `${what} has ${length} characters, and the provider takes ${max}: shorten it`);
}

/**
 * Reads a message for a channel without templates of its own.
 *
 * @throws {UnfitMessage} `INVALID_REQUEST` for a template, and for what is no message
 */
export function messageFor(channel: Channel, message: JsonObject): Message {
  if (message['type'] === 'template') throw unsupported('template', channel);
  return readMessage(message);
}

/** @throws {UnfitMessage} `INVALID_REQUEST` that lists what is wrong */
export function readMessage(message: JsonObject): Message {
  const { data, error } = Message.safeParse(message);
  if (data === undefined) throw new UnfitMessage('INVALID_REQUEST', error.issues.map((issue) => issue.message).join('; '));
  return data;
}

/** A type of message that a channel has no form for, and that cannot be said in a text either. */
export const unsupported = (type: string, channel: Channel): UnfitMessage =>
  new UnfitMessage('INVALID_REQUEST', `Messages of type "${type}" cannot be sent on ${channel}: choose another type`);
