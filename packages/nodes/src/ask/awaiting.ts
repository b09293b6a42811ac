/** Waits for replies to a question, and what all kinds of question do with them. */
import {
  durationMs,
  getPath,
  type Json,
  type JsonObject,
  leave,
  type Outcome,
  perform,
  reply,
  type RunArguments,
  type Variables,
  type Write,
} from '@hilo/engine/contract';
import { z } from 'zod';
import { InboundMessage } from '../messages/inbound-message.ts';
import type { AskConfig } from './config.ts';

export type Visit = RunArguments<AskConfig>;

/** A reply of any form: a field that cannot be read is treated as missing, so that no channel fails the node. */
const Reply = InboundMessage.extend({ id: z.string().exactOptional(), type: z.string().exactOptional() }).catch({});
export type Reply = z.output<typeof Reply>;

/** What came, as far as it can be understood. */
export interface Received {
  readonly reply: Reply;
  /** As it came: `$message` from now on. */
  readonly message: JsonObject;
  readonly atMs: number;
}

/** Waits for the next reply; leaves by `timeout` where none comes in time. */
export function awaitReply(visit: Visit, next: (received: Received) => Outcome<string>): Outcome<string> {
  const { timeout } = visit.config;
  const dueInMs = timeout === undefined ? undefined : durationMs(timeout, visit.variables);
  return perform(reply({ ...(dueInMs !== undefined && { dueInMs }) }), (result): Outcome<string> => {
    if (result.kind === 'timeout')
      return leave('timeout', [], { failure: { cause: 'TIMEOUT', message: `No reply came within ${dueInMs} ms` } });
    const { message, atMs } = result;
    return next({ reply: Reply.parse(message), message, atMs });
  });
}

export const createWrites = (answer: Json, { saveAs }: AskConfig): readonly Write[] =>
  saveAs === undefined ? [] : [{ path: saveAs, value: answer }];

/** The author's text after an invalid reply, where there is one. It may use that reply, which is the `$message` now. */
export function renderInvalidMessage({ config: { invalidMessage }, variables }: Visit, message: JsonObject): string | undefined {
  const now: Variables = { get: (path) => (path[0] === '$message' ? getPath(message, path, 1) : variables.get(path)) };
  return invalidMessage?.(now);
}
