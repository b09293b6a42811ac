import { createHmac } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { ChannelContext, DeliveryHeaders } from '../channel-adapter.ts';
import type { WebConfig } from './config.ts';

/** The user of a web chat, as proved by a signature. Claims of a page about its user are ignored without one. */
export interface Visitor {
  readonly id: string;
  readonly names?: string | undefined;
  readonly phone?: string | undefined;
  /** The workflow whose draft they try. */
  readonly draft?: string | undefined;
  /** When the proof ends, in milliseconds since the Unix epoch. */
  readonly expiresAtMs: number;
}

type Context = Pick<ChannelContext<Pick<WebConfig, 'appSecret'>, unknown>, 'bot' | 'config' | 'clock'>;

/** Clocks of two machines may differ by this. */
const clockSkewS = 60;

const Claims = z.object({
  sub: z.string().min(1),
  exp: z.number(),
  name: z.string().max(500).optional(),
  phone: z
    .string()
    .regex(/^[1-9]\d{1,14}$/)
    .optional(),
  draft: z.string().optional(),
});

/**
 * The visitor of a token: one that we issued, or one of the host's own, both JWTs with HS256. The host signs with the bot's secret itself;
 * ours are signed with a key derived from it, so that neither passes for the other.
 *
 * @returns `undefined` for a token that is forged, expired, of another bot, or of another algorithm
 */
export async function visitorOf(token: string, { bot, config: { appSecret }, clock }: Context): Promise<Visitor | undefined> {
  const own = sessionKey(appSecret);
  for (const key of [own, Buffer.from(appSecret)]) {
    const claims = await verifyToken(token, key, bot.id, clock.now());
    const { data } = Claims.safeParse(claims);
    if (data === undefined) continue;
    const { sub: id, name: names, phone, exp, draft } = data;
    // A host names its users, and no draft: that is what the link of an author is for.
    return { id, names, phone, expiresAtMs: exp * 1_000, ...(key === own && draft !== undefined && { draft }) };
  }
  return undefined;
}

/** Issues the token that a visitor's browser keeps. */
export const issueSession = (visitor: Visitor, { bot, config: { appSecret } }: Omit<Context, 'clock'>): Promise<string> =>
  new SignJWT({
    ...(visitor.names !== undefined && { name: visitor.names }),
    ...(visitor.phone !== undefined && { phone: visitor.phone }),
    ...(visitor.draft !== undefined && { draft: visitor.draft }),
  })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(visitor.id)
    .setAudience(bot.id)
    .setExpirationTime(Math.floor(visitor.expiresAtMs / 1_000))
    .sign(sessionKey(appSecret));

/** The token of an `Authorization` header. */
export const bearerToken = (headers: Pick<DeliveryHeaders, 'get'>): string | undefined =>
  /^Bearer ([\w-]{1,2048}\.[\w-]{1,4096}\.[\w-]{1,512})$/.exec(headers.get('authorization') ?? '')?.[1];

const sessionKey = (appSecret: string): Uint8Array => createHmac('sha256', appSecret).update('hilo web session').digest();

async function verifyToken(token: string, key: Uint8Array, audience: string, nowMs: number): Promise<JWTPayload | undefined> {
  try {
    const options = {
      algorithms: ['HS256'],
      audience,
      currentDate: new Date(nowMs),
      clockTolerance: clockSkewS,
      requiredClaims: ['exp', 'sub'],
    };
    return (await jwtVerify(token, key, options)).payload;
  } catch {
    return undefined;
  }
}
