import { portableDigest } from './canvas/hash.ts';
import type { Clock, Digest, Random } from './contract/clock.ts';

// The only place of the engine that reads the machine's time and randomness: for hosts, and the default of `createEngine`. It needs
// nothing specific to Node.js, and uses Node.js where that is faster.

/** The longest that a timer of the platform waits, in milliseconds; a longer one would fire at once. */
const longestDelayMs = 2 ** 31 - 1;

/** The machine's time. A timer waits 24 days at most: its owner reads the clock when it fires. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, Math.min(delayMs, longestDelayMs)),
  clearTimeout: (timer) => clearTimeout(timer as number),
};

/** So many bytes are drawn at once: a draw costs far more than its bytes. */
const poolBytes = 4_096;

/** The machine's randomness, fit for keys. No byte is used twice. */
export const systemRandom: Random = pooledRandom();

function pooledRandom(): Random {
  const pool = new Uint8Array(poolBytes);
  let used = poolBytes;
  return {
    bytes(length) {
      if (length > poolBytes) return drawBytes(length);
      if (used + length > poolBytes) {
        crypto.getRandomValues(pool);
        used = 0;
      }
      const bytes = pool.slice(used, used + length);
      pool.fill(0, used, used + length); // used bytes are not kept
      used += length;
      return bytes;
    },
  };
}

/** The platform fills at most 64 KB at a time. */
function drawBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let start = 0; start < length; start += poolBytes) crypto.getRandomValues(bytes.subarray(start, start + poolBytes));
  return bytes;
}

/** What Node.js has built in, where this runs on it. */
declare const process:
  | undefined
  | { getBuiltinModule?(name: 'node:crypto'): { hash?(algorithm: 'sha256', text: string, encoding: 'hex'): string } | undefined };

const nodeHash = typeof process === 'undefined' ? undefined : process.getBuiltinModule?.('node:crypto')?.hash;

/** SHA-256 by the machine, several times as fast as without it. */
export const systemDigest: Digest = nodeHash === undefined ? portableDigest : (text) => nodeHash('sha256', text, 'hex');

/** A browser's worker has no `setImmediate`. */
declare const setImmediate: ((callback: () => void) => unknown) | undefined;
declare const MessageChannel: new () => {
  readonly port1: { onmessage: (() => void) | null };
  readonly port2: { postMessage(message: null): void };
};

/** Calls back in the next turn of the event loop, when what has come in the meantime was served. */
export function systemTurn(callback: () => void): void {
  if (typeof setImmediate === 'function') return void setImmediate(callback);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = callback;
  port2.postMessage(null);
}
