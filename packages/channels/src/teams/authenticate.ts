import { isWithin, type Json } from '@hilo/engine/contract';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import type { ChannelContext, Delivery } from '../channel-adapter.ts';
import { callProvider, isSuccess, listAt, textAt } from '../provider-answer.ts';

/** The keys that sign deliveries, as last read. */
export interface KeyCache {
  keys: { readonly set: JSONWebKeySet; readonly readAtMs: number } | undefined;
  /** The reading under way: a burst of deliveries reads once. */
  pending: Promise<void> | undefined;
  /** The instants of recent reads. */
  triedAtMs: readonly number[];
}

/** The connector's keys rarely change; they are read again once a day. */
const freshMs = 24 * 3_600_000;
/** An unknown key causes another read, but only this often: forged tokens must not cause endless calls. */
const maxReadings = { count: 5, inMs: 300_000 };
/** A delivery is answered within 3 s: the keys have to come before. */
const readMs = 2_000;

const issuer = 'https://api.botframework.com';
const connectorKeys = 'https://login.botframework.com/v1/.well-known/keys';

type Context = Pick<
  ChannelContext<{ readonly appId: string; readonly keysUrl?: string | undefined }, { readonly keys: KeyCache }>,
  'config' | 'state' | 'dialer' | 'clock'
>;

/**
 * Whether the Bot Connector sent a delivery: a JWT of its issuer for this bot, signed with RS256 by one of its published keys,
 * not expired (5 minutes of skew), and about the `serviceUrl` of the activity (T5). Without keys nothing is authentic.
 */
export async function isFromConnector({ headers, json }: Delivery, context: Context): Promise<boolean> {
  const [, token] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  if (token === undefined) return false;
  const claims = await verifyToken(token, context);
  if (claims === undefined) return false;
  const claimed = claims['serviceurl'] ?? claims['serviceUrl'];
  return typeof claimed === 'string' && claimed !== '' && claimed === textAt(json(), 'serviceUrl');
}

/** Verifies with the known keys, and again with new ones for an unknown key: the connector rotates its keys. */
async function verifyToken(token: string, context: Context): Promise<JWTPayload | undefined> {
  const {
    config: { appId },
    state: { keys: cache },
    clock,
  } = context;
  const isStale = cache.keys === undefined || !isWithin(cache.keys.readAtMs, freshMs, clock.now());
  if (isStale) await refresh(context);
  for (const isLast of [false, true]) {
    // Keys that could not be read again for a day are no longer trusted.
    if (cache.keys === undefined || clock.now() - cache.keys.readAtMs >= 2 * freshMs) return undefined;
    try {
      const options = {
        issuer,
        audience: appId,
        algorithms: ['RS256'],
        clockTolerance: 300,
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp'],
      };
      return (await jwtVerify(token, createLocalJWKSet(cache.keys.set), options)).payload;
    } catch (error) {
      if (isLast || !(error instanceof errors.JWKSNoMatchingKey)) return undefined;
      await refresh(context);
    }
  }
  return undefined;
}

async function refresh(context: Context): Promise<void> {
  const {
    state: { keys: cache },
    clock,
  } = context;
  if (cache.pending !== undefined) return cache.pending;
  const lately = cache.triedAtMs.filter((atMs) => isWithin(atMs, maxReadings.inMs, clock.now()));
  if (lately.length >= maxReadings.count) return;
  cache.triedAtMs = [...lately, clock.now()];
  cache.pending = readKeys(context).finally(() => {
    cache.pending = undefined;
  });
  return cache.pending;
}

/** Reads the keys now. @returns whether they could be read */
export async function readsKeys(context: Context): Promise<boolean> {
  const before = context.state.keys.keys;
  await readKeys(context);
  return context.state.keys.keys !== before;
}

/** When keys cannot be read, the known ones stay. */
async function readKeys({ config: { keysUrl = connectorKeys }, state: { keys: cache }, dialer, clock }: Context): Promise<void> {
  try {
    const answer = await callProvider({ method: 'GET', url: keysUrl, maxBytes: 262_144, timeoutMs: readMs }, { dialer });
    if (isSuccess(answer) && isKeySet(answer.json)) cache.keys = { set: answer.json, readAtMs: clock.now() };
  } catch {
    // The delivery is judged by the keys at hand.
  }
}

const isKeySet = (value: Json): value is Json & JSONWebKeySet =>
  listAt(value, 'keys').length > 0 && listAt(value, 'keys').every((key) => typeof key['kty'] === 'string');
