// Connections that are kept for further calls.
import { createHash, X509Certificate } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { Agent, type Dispatcher } from 'undici';
import { DriverError } from '../driver-error.ts';
import { type ConnectOptions, createConnector } from './connect.ts';

export interface ConnectionsOptions extends Omit<ConnectOptions, 'secureContext'> {
  /** Certificates, in PEM, trusted in addition to the platform's. */
  readonly ca: string | undefined;
  /** Connections that are open at once to one origin. */
  readonly connectionsPerOrigin: number;
}

/** Connections kept for further calls: pooled by client certificate, so that no call uses the connection of another certificate. */
export interface Connections {
  /** @throws {DriverError} `TLS_FAILED` when the certificate cannot be used */
  over(certificate: ClientCertificate | undefined): Dispatcher;
  /** Ends them when their calls are over. */
  close(): Promise<void>;
}

/** Most client certificates with open connections. */
const certificatesKept = 50;

/** @throws {Error} when `ca` contains no certificate, or an unreadable one */
export function createConnections({ ca, connectionsPerOrigin, ...connect }: ConnectionsOptions): Connections {
  const trusted = ca === undefined ? [] : readCertificates(ca);
  const closing = new Set<Promise<void>>();

  const open = (secureContext: () => SecureContext): Agent =>
    new Agent({
      connect: createConnector({ ...connect, secureContext }),
      connections: connectionsPerOrigin,
      pipelining: 1,
      keepAliveMaxTimeout: 30_000, // even if the other side offers more
      allowH2: false,
      headersTimeout: 0, // the time of a call is kept by the dialer, over all hops
      bodyTimeout: 0,
      maxHeaderSize: 16 * 1024,
    });
  const getContext = (certificate?: ClientCertificate): SecureContext =>
    createSecureContext({ ca: [...getCACertificates('default'), ...trusted], ...certificate });

  let anonymousContext: SecureContext | undefined;
  const anonymous = open(() => (anonymousContext ??= getContext()));
  const certified = new Map<string, Agent>();

  return {
    over(certificate) {
      if (certificate === undefined) return anonymous;
      const key = createHash('sha256')
        .update(JSON.stringify([certificate.cert, certificate.key, certificate.passphrase]))
        .digest('hex');
      const agent = certified.get(key) ?? openCertified(certificate, getContext, open);
      certified.delete(key); // the last used is the last to go
      certified.set(key, agent);
      const [eldest] = certified;
      if (eldest !== undefined && certified.size > certificatesKept) {
        certified.delete(eldest[0]);
        const closed = eldest[1].close().finally(() => closing.delete(closed));
        closing.add(closed);
      }
      return agent;
    },
    async close() {
      await Promise.all([...[anonymous, ...certified.values()].map((agent) => agent.close()), ...closing]);
    },
  };
}

function openCertified(
  certificate: ClientCertificate,
  getContext: (certificate: ClientCertificate) => SecureContext,
  open: (secureContext: () => SecureContext) => Agent,
): Agent {
  let context: SecureContext;
  try {
    context = getContext(certificate);
  } catch (error) {
    throw new DriverError('TLS_FAILED', 'The client certificate cannot be used: it, its key and its passphrase must belong together', {
      cause: error,
    });
  }
  return open(() => context);
}

/** OpenSSL passes over what it cannot read, and then trusts less than the operator thinks. */
function readCertificates(pem: string): readonly string[] {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  if (certificates.length === 0) throw new Error('The certificates to trust hold none: give them in PEM');
  for (const certificate of certificates) {
    try {
      new X509Certificate(certificate);
    } catch (error) {
      throw new Error('One of the certificates to trust cannot be read: give them in PEM', { cause: error });
    }
  }
  return certificates;
}

/** What a caller shows of itself while the connection is made (mTLS); texts in PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  readonly passphrase?: string | undefined;
}
