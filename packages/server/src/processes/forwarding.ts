import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { createDialer, type Dialer } from '@hilo/drivers';
import type { Clock } from '@hilo/engine/contract';
import type { LaneCall, LaneReply, Reach } from '@hilo/engine/runtime-kit';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { formatHostAndPort } from '../platform/public-url.ts';

/** Where processes of one store take calls for lanes of theirs. */
export const forwardingPath = '/internal/v1/calls';

/** The header with the signature of a body. */
export const signatureHeader = 'x-hilo-signature';

/** A process that does not answer by then may be dead: the call is left for it in the store, under the same key. */
const answerMs = 5_000;

/** An execution that was cancelled comes back with its variables. */
const longestReplyBytes = 8_000_000;

/** Processes whose connections are kept: those of processes that left are closed in time. */
const keptConnections = 32;

/** How old a call may be, so that a recorded one cannot be replayed later. */
const freshMs = 60_000;

const callTypes: ReadonlySet<unknown> = new Set<LaneCall['type']>(['start', 'message', 'resume', 'signal', 'cancel', 'release']);
const replyKinds: ReadonlySet<unknown> = new Set<LaneReply['kind']>(['answer', 'refused', 'busy']);

/** What one process sends to another: JSON, signed as a whole. */
const Forwarded = z.object({
  /** The address that it was sent to. */
  to: z.string(),
  /** By the clock of the store. */
  sentAtMs: z.number(),
  lane: z.string(),
  call: z.custom<LaneCall>((value) => callTypes.has(z.looseObject({ type: z.string() }).safeParse(value).data?.type)),
});
export type Forwarded = z.output<typeof Forwarded>;

const Reply = z.custom<LaneReply>((value) => replyKinds.has(z.looseObject({ kind: z.string() }).safeParse(value).data?.kind));

/** Calls between the processes of one store, over HTTP. */
export interface Forwarding {
  /** Where the others reach this process. */
  readonly address: string;
  readonly reach: Reach;
  /** Whether another process of this store signed a body: all of them have its key. */
  isSigned(body: Uint8Array, signature: string): boolean;
  /** Reads a body that was signed. @returns nothing where it is no call, or none for this process, or an old one */
  read(body: string): Forwarded | undefined;
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

/** Signs calls with a key derived from the master key, which all processes of the store share. */
export function createForwarding({ address, masterKey, clock, ca }: ForwardingParts): Forwarding {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'hilo calls between processes', 32));
  const sign = (body: string | Uint8Array): string => createHmac('sha256', key).update(body).digest('base64url');
  const dialers = new LRUCache<string, Dialer>({ max: keptConnections, dispose: (dialer) => void dialer.close().catch(() => undefined) });
  /** Addresses come from the processes of the store themselves, so private networks are allowed. */
  const findDialer = (url: URL): Dialer => {
    const known = dialers.get(url.origin);
    if (known !== undefined) return known;
    const dialer = createDialer({ allow: [formatHostAndPort(url)], ca, clock });
    dialers.set(url.origin, dialer);
    return dialer;
  };
  return {
    address,
    reach: {
      async send(to, lane, call) {
        const body = JSON.stringify({ to, sentAtMs: clock.now(), lane, call } satisfies Forwarded);
        const answer = await findDialer(new URL(to)).request({
          method: 'POST',
          url: `${to}${forwardingPath}`,
          headers: { 'content-type': 'application/json', [signatureHeader]: sign(body) },
          body,
          timeoutMs: answerMs,
          maxBytes: longestReplyBytes,
          maxRedirects: 0,
        });
        if (answer.status === 421) return 'elsewhere';
        if (answer.status !== 200) throw new Error(`The process at ${to} answered ${answer.status}`);
        return Reply.parse(JSON.parse(Buffer.from(answer.body).toString('utf8')));
      },
    },
    isSigned(body, signature) {
      const [given, known] = [Buffer.from(signature), Buffer.from(sign(body))];
      return given.length === known.length && timingSafeEqual(given, known);
    },
    read(body) {
      const { data: forwarded } = Forwarded.safeParse(JSON.parse(body));
      const isOurs = forwarded?.to === address && Math.abs(clock.now() - forwarded.sentAtMs) <= freshMs;
      return isOurs ? forwarded : undefined;
    },
    close: async () => void (await Promise.all([...dialers.values()].map((dialer) => dialer.close()))),
  };
}
