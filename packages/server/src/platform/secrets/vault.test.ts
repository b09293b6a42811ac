import { createVirtualClock, seededRandom } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { httpLimits } from '../http/limits.ts';
import { createSecretJudge, hashSecret, isSecret, hashKey, cutKeyPrefix } from './client-secret.ts';
import type { HashQueueBounds } from './hash-queue.ts';
import { createVault } from './vault.ts';

const key = (fill: number) => new Uint8Array(32).fill(fill);
const random = seededRandom(1);
const judgeOf = (bounds: HashQueueBounds = httpLimits.secretsJudged) =>
  createSecretJudge({ random, clock: createVirtualClock(), onLimit: () => {}, bounds });
const somebody = { network: '192.0.2.1', clientId: 'acme-client' };
const anyText = fc.string({ unit: 'grapheme', maxLength: 200 });

describe('a vault', () => {
  it('opens what it sealed, for the same company and secret alone (P31)', () =>
    fc.assert(
      fc.property(anyText, anyText, anyText, anyText, (company, id, secret, other) => {
        const vault = createVault(key(1), random);
        const sealed = vault.seal(company, id, secret);
        expect(vault.open(company, id, sealed)).toBe(secret);
        expect(createVault(key(1), random).open(company, id, sealed)).toBe(secret);
        expect(vault.seal(company, id, secret)).not.toBe(sealed);
        expect(() => createVault(key(2), random).open(company, id, sealed)).toThrow('another key');
        fc.pre(other !== company && other !== id);
        expect(() => vault.open(other, id, sealed)).toThrow('was changed');
        expect(() => vault.open(company, other, sealed)).toThrow('was changed');
      }),
    ));

  it('notices every change of a byte', () => {
    const vault = createVault(key(1), random);
    const sealed = vault.seal('1', 'bot/b/appSecret', 'a secret');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      // Some bits of the last base64 digit are unused.
      if (Buffer.from(changed.split('.').join(''), 'base64url').equals(Buffer.from(sealed.split('.').join(''), 'base64url'))) continue;
      let opened: string | undefined;
      try {
        opened = vault.open('1', 'bot/b/appSecret', changed);
      } catch {
        continue;
      }
      expect(opened).toBe('a secret');
    }
    expect(() => vault.open('1', 'bot/b/appSecret', '')).toThrow('another key');
  });
});

describe('a client secret', () => {
  it('is stored as a salted hash alone', async () => {
    const hashes = await Promise.all([hashSecret('s3c:ret', random), hashSecret('s3c:ret', random)]);
    expect(hashes[0]).not.toBe(hashes[1]);
    for (const hash of hashes) {
      expect(hash).not.toContain('s3c');
      expect(await isSecret('s3c:ret', hash)).toBe(true);
      expect(await isSecret('s3c:reT', hash)).toBe(false);
      expect(await isSecret('', hash)).toBe(false);
    }
    expect(await isSecret('', '')).toBe(false);
  });

  it('is judged once, and the verdict remembered', async () => {
    const judge = judgeOf();
    const hash = await hashSecret('right', random);
    for (const [secret, verdict] of [
      ['right', true],
      ['wrong', false],
    ] as const) {
      const both = [judge.judge(somebody, secret, hash), judge.judge(somebody, secret, hash)];
      expect(both[0]).toBe(both[1]); // one judgement for all who ask meanwhile
      expect(await both[0]).toBe(verdict);
      expect(judge.judge(somebody, secret, hash)).toBe(verdict);
    }
  });
});

describe('the judge of secrets (P22, T2)', () => {
  it('lets a client in while unknown clients are guessed: those take as long, and no place from it', async () => {
    const judge = judgeOf();
    const hash = await hashSecret('right', random);
    let judged = 0;
    const guesses = Array.from({ length: 50 }, (_, index) =>
      Promise.resolve(judge.judge({ ...somebody, clientId: `made-up-${index}` }, 'guess', undefined)).finally(() => (judged += 1)),
    );
    for (const guess of guesses) guess.catch(() => {});
    expect(await judge.judge(somebody, 'right', hash)).toBe(true);
    expect(judged).toBeLessThan(5);
    expect(await guesses.at(-1)).toBe(false); // the latest of them is next
  });

  it('answers 503 to evicted secrets, whether their client exists or not', async () => {
    const bounds = { ...httpLimits.secretsJudged, waiting: 2 };
    const hash = await hashSecret('right', random);
    for (const kept of [hash, undefined]) {
      const judge = judgeOf(bounds);
      const guesses = Array.from({ length: 5 }, async (_, index) => judge.judge(somebody, `guess ${index}`, kept));
      const ends = await Promise.allSettled(guesses);
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled']);
      expect(ends[1]).toMatchObject({ reason: { status: 503, headers: { 'retry-after': '1' } } });
      expect(await judge.judge(somebody, 'guess 1', kept)).toBe(false);
    }
  });
});

describe('a key', () => {
  it('shows at most a quarter of itself', () =>
    fc.assert(
      fc.property(fc.stringMatching(/^[\x21-\x7e]{16,100}$/), (text) => {
        expect(cutKeyPrefix(text).length).toBeLessThanOrEqual(Math.min(8, text.length / 4));
        expect(text.startsWith(cutKeyPrefix(text))).toBe(true);
        expect(hashKey(text)).toMatch(/^[0-9a-f]{64}$/);
      }),
    ));
});
