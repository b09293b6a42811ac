// Hashes of the secrets of clients and API keys, and how they are judged.
import { createHmac, hash, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { OnLimit } from '@hilo/drivers';
import type { Clock, Random } from '@hilo/engine/contract';
import { createBoundedMap } from '../bounded-map.ts';
import { unavailable } from '../http/errors.ts';
import { httpLimits } from '../http/limits.ts';
import { createHashQueue, type Guesser, type HashQueueBounds } from './hash-queue.ts';

const derive = promisify<string, Uint8Array, number, { N: number; r: number; p: number }, Buffer>(scrypt);

/** About 50 ms, off the event loop. A hash is stored with the parameters that it was made with. */
const cost = { N: 16_384, r: 8, p: 1 };
const hashBytes = 32;

/** The stored form of a secret that a person may have chosen: salted scrypt. */
export async function hashSecret(secret: string, random: Random): Promise<string> {
  const salt = random.bytes(16);
  const hash = await derive(secret, salt, hashBytes, cost);
  return ['scrypt', cost.N, cost.r, cost.p, Buffer.from(salt).toString('base64url'), hash.toString('base64url')].join('$');
}

/** Whether a secret matches a hash. Compares in constant time. */
export async function isSecret(secret: string, kept: string): Promise<boolean> {
  const [form, N, r, p, salt, hash] = kept.split('$');
  if (form !== 'scrypt' || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64url');
  const found = await derive(secret, Buffer.from(salt, 'base64url'), hashBytes, { N: Number(N), r: Number(r), p: Number(p) });
  return expected.length === found.length && timingSafeEqual(expected, found);
}

/** Judges secrets, and remembers its verdicts so that a request need not wait for scrypt again. */
export interface SecretJudge {
  /**
   * Checks a secret; synchronous when this secret was checked before.
   *
   * @param kept - the hash of the client's secret; `undefined` for an unknown client, whose secrets are all wrong
   * @throws {HttpError} 503 when later guesses of the same guesser evicted it (P22, T2)
   */
  judge(guesser: Guesser, secret: string, kept: string | undefined): boolean | Promise<boolean>;
}

interface JudgeParts {
  readonly random: Random;
  readonly clock: Clock;
  readonly onLimit: OnLimit;
  readonly bounds?: HashQueueBounds;
}

/** Most wrong verdicts that are remembered. Right ones are kept regardless: one for each secret that a client has used. */
const maxVerdicts = 10_000;

/**
 * Verdicts are stored under an HMAC with a key of this process: no secret stays in memory. A secret of an unknown client takes as long
 * as any other, in a separate lane: it takes no place from known clients.
 */
export function createSecretJudge({ random, clock, onLimit, bounds = httpLimits.secretsJudged }: JudgeParts): SecretJudge {
  const key = random.bytes(32);
  const turns = createHashQueue(bounds, clock, onLimit);
  const turnsOfUnknown = createHashQueue({ ...bounds, atOnce: 1 }, clock, onLimit);
  const right = new Set<string>();
  const others = createBoundedMap<false | Promise<boolean>>(maxVerdicts);

  const judgeAnew = async (guesser: Guesser, secret: string, kept: string | undefined): Promise<boolean> => {
    if (kept === undefined) {
      // All unknown clients share one lane: an invented name gets no lane of its own.
      const ofUnknown = { ...guesser, clientId: '' };
      return requireVerdict(await turnsOfUnknown.judge(ofUnknown, () => isSecret(secret, hashOfUnknown).then(() => false)));
    }
    return requireVerdict(await turns.judge(guesser, () => isSecret(secret, kept)));
  };
  const requireVerdict = (verdict: boolean | undefined): boolean => {
    if (verdict === undefined) throw unavailable('Too many client secrets wait to be checked; send this again in a moment');
    return verdict;
  };

  return {
    judge(guesser, secret, kept) {
      const name = createHmac('sha256', key)
        .update(JSON.stringify([guesser.clientId, kept ?? null, secret]))
        .digest('base64url');
      if (right.has(name)) return true;
      const known = others.get(name);
      if (known !== undefined) return known;
      const judging = judgeAnew(guesser, secret, kept).then((verdict) => {
        others.delete(name);
        if (verdict) right.add(name);
        else others.set(name, false);
        return verdict;
      });
      others.set(name, judging);
      judging.catch(() => others.delete(name));
      return judging;
    },
  };
}

/** The hash for unknown clients, so that the refusal takes as long. No secret has it. */
const hashOfUnknown = ['scrypt', cost.N, cost.r, cost.p, 'A'.repeat(22), 'A'.repeat(43)].join('$');

/**
 * The stored form of an API key or a runtime token: SHA-256 in hexadecimal. They are random and long, so that no salt or slow hash is
 * needed.
 */
export const hashKey = (key: string): string => hash('sha256', key);

/** Compares two digests in constant time. */
export const isSameDigest = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));

/** The visible prefix of a key, to recognise it by: at most a quarter of it. */
export const cutKeyPrefix = (key: string): string => key.slice(0, Math.min(8, Math.floor(key.length / 4)));

/** The same of a runtime token: what all of them begin with, up to its `rt_` (AUT-09, TOK-01). */
export const cutTokenPrefix = (token: string): string => /^[a-z]+_rt_/.exec(token)?.[0] ?? cutKeyPrefix(token);
