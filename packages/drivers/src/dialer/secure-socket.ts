import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';

/** The expected identity of the other side, and the trusted authorities. */
export interface Identity {
  /** A name, or an address without brackets. */
  readonly hostname: string;
  /** Certificates in PEM. */
  readonly authorities: readonly string[];
}

/** Starts TLS on a connection, verified regardless of the environment. Rejects when it cannot be trusted, or breaks before. */
export function secureSocket(socket: Duplex, { hostname, authorities }: Identity): Promise<Duplex> {
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const secure = connect({
    socket,
    host: hostname,
    servername: isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '',
    ca: [...authorities],
    rejectUnauthorized: true,
  });
  secure.once('secureConnect', () => resolve(secure));
  secure.on('error', reject);
  secure.once('close', () => reject(new Error('The connection ended while it was being secured')));
  return promise;
}
