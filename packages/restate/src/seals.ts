import { createHmac, timingSafeEqual } from 'node:crypto';
import { TerminalError } from '@restatedev/restate-sdk';

/**
 * What handlers take: JSON, and the proof that a process with the key wrote it for this place. Whoever reaches Restate's ports can call
 * handlers; without the key, nothing that they send is taken.
 */
export interface Sealed {
  readonly body: string;
  /** HMAC-SHA256 of the place and the body, in base64url. */
  readonly seal: string;
}

/** Seals and opens what handlers take. */
export interface Seals {
  /** @param place - the handler with its key, so that an entry of one lane is not taken in another */
  seal(place: string, value: unknown): Sealed;
  /**
   * The value that was sealed for this place.
   *
   * @throws {TerminalError} 403 for anything else: Restate does not try it again
   */
  open<Value>(place: string, given: unknown): Value;
}

/** @param key - the same for all processes that share a Restate */
export function createSeals(key: Uint8Array): Seals {
  const sign = (place: string, body: string): string =>
    createHmac('sha256', key)
      .update(`${Buffer.byteLength(place)}:${place}${body}`)
      .digest('base64url');
  return {
    seal(place, value) {
      const body = JSON.stringify(value);
      return { body, seal: sign(place, body) };
    },
    open<Value>(place: string, given: unknown): Value {
      const { body, seal } = typeof given === 'object' && given !== null ? (given as Partial<Sealed>) : {};
      if (typeof body !== 'string' || typeof seal !== 'string') throw refused();
      const [is, should] = [Buffer.from(seal), Buffer.from(sign(place, body))];
      if (is.length !== should.length || !timingSafeEqual(is, should)) throw refused();
      return JSON.parse(body) as Value; // written by `seal`
    },
  };
}

const refused = (): TerminalError =>
  new TerminalError('This was not sealed with the key of this service: Hilo takes entries of lanes from its own processes only', {
    errorCode: 403,
  });
