// Calls for lanes of another process of the same store.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { createDialer } from '@hilo/drivers';
import type { Clock } from '@hilo/engine/contract';
import type { LaneCall, LaneReply, Reach } from '@hilo/engine/runtime-kit';
import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { invalidRequest } from '../platform/http/errors.ts';
import { formatHostAndPort } from '../platform/public-url.ts';

/** Where processes of one store take calls for lanes of theirs. */
export const forwardingPath = '/internal/v1/calls';

/** The header with the signature of a body. */
export const signatureHeader = 'x-hilo-signature';

/** A process that does not answer by then may be dead: the call is left for it in the store, under the same key. */
const answerMs = 5_000;

/** An execution that was cancelled comes back with its variables. */
const longestReplyBytes = 8_000_000;

/** Calls that one request carries at most, and the longest text of one that shares a request: together they are far below its limit. */
const [maxCalls, longestShared] = [64, 20_000];

/** Calls that are answered soon, and in a few words. */
const sharingTypes: ReadonlySet<LaneCall['type']> = new Set(['start', 'message', 'resume', 'signal']);

/** Processes whose connections are kept: those of processes that left are closed in time. */
const keptConnections = 32;

/** How old a call may be, so that a recorded one cannot be replayed later. */
const freshMs = 60_000;

const KnownCall = z.looseObject({
  type: z.enum(['start', 'message', 'resume', 'signal', 'cancel', 'release', 'migrate', 'undoMigration', 'retry', 'fork']),
});

/** A call, and the lane that it is for. */
const ForwardedCall = z.object({
  lane: z.string(),
  call: z.custom<LaneCall>((value) => KnownCall.safeParse(value).success),
});
export type ForwardedCall = z.output<typeof ForwardedCall>;

/** What one process sends to another: JSON, signed as a whole. */
const Forwarded = z.object({
  /** The address that it was sent to. */
  to: z.string(),
  /** By the clock of the store. */
  sentAtMs: z.number(),
  calls: z.array(ForwardedCall).min(1).max(maxCalls),
});

/** The outcome of a call. `elsewhere`: nothing was done, since the lane is not of that process; `failed`: what was done is unknown. */
export type ForwardedReply = LaneReply | { readonly kind: 'elsewhere' } | { readonly kind: 'failed' };

const KnownReply = z.looseObject({ kind: z.enum(['answer', 'refused', 'busy', 'elsewhere', 'failed']) });

/** One for each call, in their order. */
const Replies = z.object({ replies: z.array(z.custom<ForwardedReply>((value) => KnownReply.safeParse(value).success)) });

/** Calls between the processes of one store, over HTTP. */
export interface Forwarding {
  /** Where the others reach this process. */
  readonly address: string;
  readonly reach: Reach;
  /** Whether another process of this store signed a body: all of them have its key. */
  isSigned(body: Uint8Array, signature: string): boolean;
  /**
   * Reads a body that was signed.
   *
   * @returns nothing where it has no calls, or is not for this process, or is old
   * @throws {HttpError} 400 for what is no JSON
   */
  read(body: string): readonly ForwardedCall[] | undefined;
  close(): Promise<void>;
}

interface ForwardingParts {
  /** Where the others reach this process. */
  readonly address: string;
  /** What the store's secrets are encrypted with; what signs is derived from it. */
  readonly masterKey: Uint8Array;
  readonly clock: Clock;
  /** Certificates that TLS trusts besides those of the platform, in PEM. */
  readonly ca?: string | undefined;
}

/** @throws {HttpError} 400 */
function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw invalidRequest('The body is signed, and no JSON');
  }
}

/** Signs calls with a key derived from the master key, which all processes of the store share. */
export function createForwarding({ address, masterKey, clock, ca }: ForwardingParts): Forwarding {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'hilo calls between processes', 32));
  const sign = (body: string | Uint8Array): string => createHmac('sha256', key).update(body).digest('base64url');
  const others = new LRUCache<string, OtherProcess>({ max: keptConnections, dispose: ({ close }) => void close().catch(() => undefined) });

  const findProcess = (to: string): OtherProcess => {
    const found = others.get(to) ?? connect({ to, sign, clock, ca });
    others.set(to, found);
    return found;
  };

  return {
    address,
    reach: {
      async send(to, lane, call) {
        const reply = await findProcess(to).send(lane, call);
        if (reply.kind === 'failed') throw new Error(`The process at ${to} failed, and what it did is unknown`);
        return reply.kind === 'elsewhere' ? 'elsewhere' : reply;
      },
    },
    isSigned(body, signature) {
      const [given, known] = [Buffer.from(signature), Buffer.from(sign(body))];
      return given.length === known.length && timingSafeEqual(given, known);
    },
    read(body) {
      const { data: forwarded } = Forwarded.safeParse(readJson(body));
      const isOurs = forwarded?.to === address && Math.abs(clock.now() - forwarded.sentAtMs) <= freshMs;
      return isOurs ? forwarded.calls : undefined;
    },
    close: async () => void (await Promise.all([...others.values()].map(({ close }) => close()))),
  };
}

/** Another process of the store. */
interface OtherProcess {
  /** @throws when the outcome of the call is unknown */
  send(lane: string, call: LaneCall): Promise<ForwardedReply>;
  close(): Promise<void>;
}

interface Connection extends Pick<ForwardingParts, 'clock' | 'ca'> {
  /** Its address. */
  readonly to: string;
  readonly sign: (body: string) => string;
}

/**
 * Sends calls to a process. Those of one turn of the event loop share a request, since most of what a call costs is its request. Long ones,
 * and those that may take long or have a long reply, hold up no others: each has a request of its own.
 */
function connect({ to, sign, clock, ca }: Connection): OtherProcess {
  // Addresses come from the processes of the store themselves, so private networks are allowed.
  const dialer = createDialer({ allow: [formatHostAndPort(new URL(to))], ca, clock });

  /** @returns the reply to each call, in their order */
  const post = async (calls: readonly string[]): Promise<readonly ForwardedReply[]> => {
    const body = `{"to":${JSON.stringify(to)},"sentAtMs":${clock.now()},"calls":[${calls.join(',')}]}`;
    const answer = await dialer.request({
      method: 'POST',
      url: `${to}${forwardingPath}`,
      headers: { 'content-type': 'application/json', [signatureHeader]: sign(body) },
      body,
      timeoutMs: answerMs,
      maxBytes: longestReplyBytes,
      maxRedirects: 0,
    });
    if (answer.status === 421) return calls.map(() => ({ kind: 'elsewhere' }));
    if (answer.status !== 200) throw new Error(`The process at ${to} answered ${answer.status}`);
    return Replies.parse(JSON.parse(Buffer.from(answer.body).toString('utf8'))).replies;
  };
  const together = new DataLoader(post, { cache: false, maxBatchSize: maxCalls, batchScheduleFn: setImmediate });

  return {
    async send(lane, call) {
      const text = JSON.stringify({ lane, call } satisfies ForwardedCall);
      if (sharingTypes.has(call.type) && text.length <= longestShared) return together.load(text);
      const [reply] = await post([text]);
      if (reply === undefined) throw new Error(`The process at ${to} did not answer the call`);
      return reply;
    },
    close: dialer.close,
  };
}
