import { createHmac, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Random } from '@hilo/engine/contract';
import { httpLimits } from '../http/limits.ts';
import { unavailable } from '../http/refusal.ts';
import { fewAtOnce } from './few-at-once.ts';

const derive = promisify<string, Uint8Array, number, { N: number; r: number; p: number }, Buffer>(scrypt);

/** About 50 ms, off the event loop. What a hash was made with is written beside it. */
const cost = { N: 16_384, r: 8, p: 1 };
const hashBytes = 32;

/** What is kept of a secret that people may have chosen: salted scrypt. */
export async function hashSecret(secret: string, random: Random): Promise<string> {
  const salt = random.bytes(16);
  const hash = await derive(secret, salt, hashBytes, cost);
  return ['scrypt', cost.N, cost.r, cost.p, Buffer.from(salt).toString('base64url'), hash.toString('base64url')].join('$');
}

/** Whether a secret is the one that a hash was made of. Compares in constant time. */
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
   * At once when this secret was judged before.
   *
   * @throws {Refusal} 503 when too many wait to be judged: whoever guesses takes neither the memory nor the threads of others (P22, T2)
   */
  judge(secret: string, kept: string): boolean | Promise<boolean>;
}

/** Of those that are wrong, or not known yet. Right ones stay, whoever guesses meanwhile: one for each secret that a client has used. */
const mostVerdicts = 10_000;

/** Verdicts are found by an HMAC under a key that ends with the process: no secret stays in memory. */
export function createSecretJudge(
  random: Random,
  bounds: { readonly [Name in 'secretsJudgedAtOnce' | 'secretsToBeJudged']: number } = httpLimits,
): SecretJudge {
  const key = random.bytes(32);
  const turns = fewAtOnce(bounds.secretsJudgedAtOnce, bounds.secretsToBeJudged);
  const right = new Set<string>();
  const others = new Map<string, false | Promise<boolean>>();
  return {
    judge(secret, kept) {
      const name = createHmac('sha256', key)
        .update(JSON.stringify([kept, secret]))
        .digest('base64url');
      if (right.has(name)) return true;
      const known = others.get(name);
      if (known !== undefined) return known;
      const judging = turns(() => isSecret(secret, kept))?.then((verdict) => {
        others.delete(name);
        if (verdict) right.add(name);
        else others.set(name, false);
        return verdict;
      });
      if (judging === undefined) throw unavailable('Too many who are not known yet want to come in; send this again in a moment');
      const [oldest] = others.keys();
      if (others.size >= mostVerdicts && oldest !== undefined) others.delete(oldest);
      others.set(name, judging);
      judging.catch(() => others.delete(name));
      return judging;
    },
  };
}
