import type { Duplex } from 'node:stream';
import { type Identity, secureSocket } from '../dialer/secure-socket.ts';

/** `SSLRequest` of the protocol: its length, and a number that is no version. */
const request = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/**
 * Asks a server of PostgreSQL for TLS and continues with it, verified, or not at all. An answer of more than one byte is none:
 * the bytes behind the first may have been injected by an attacker.
 *
 * @throws {Error} when the server speaks no TLS, or cannot be trusted
 */
export async function postgresTls(socket: Duplex, identity: Identity, signal: AbortSignal): Promise<Duplex> {
  const giveUp = (): void => void socket.destroy();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
    socket.once('data', resolve).once('close', () => resolve(undefined));
    socket.on('error', giveUp);
    socket.write(request);
    const answer = await promise;
    if (answer === undefined) throw new Error('The connection ended before TLS began');
    if (answer.toString('latin1') !== 'S') throw new Error('The server does not speak TLS: set "tls" to "off" in a network of your own');
    return await secureSocket(socket, identity);
  } catch (error) {
    giveUp();
    throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
