import { isIP, type LookupFunction, connect as openTcp, type Socket } from 'node:net';
import { connect as openTls, type SecureContext, type TLSSocket } from 'node:tls';
import type { Clock } from '@hilo/engine/contract';
import type { buildConnector } from 'undici';
import { type DialerError, DriverError, isDialerError } from '../driver-error.ts';
import { type AllowList, checkAddress, isListed, portOf } from './destination.ts';
import { isGlobalAddress } from './global-address.ts';
import type { Resolve } from './names.ts';

/** The time limit of connecting, where the time of the call is not over before. */
const connectTimeoutMs = 10_000;

export interface ConnectOptions {
  readonly allow: AllowList;
  /** Finds the addresses of a name. */
  readonly resolve: Resolve;
  readonly clock: Clock;
  readonly secureContext: () => SecureContext;
  /** Opens a TCP connection; `node:net` where left out. */
  readonly open?: typeof openTcp;
}

interface Target {
  readonly hostname: string;
  readonly port: number;
  readonly isListed: boolean;
}

/**
 * Connects to permitted addresses only: each address of a name is checked when it is resolved, a literal address before it is dialed, and
 * the remote address again before the first byte is sent, including those of TLS (P30).
 */
export function createConnector({ allow, resolve, clock, secureContext, open = openTcp }: ConnectOptions): buildConnector.connector {
  return ({ hostname, port: givenPort, protocol }, callback) => {
    const port = portOf({ port: givenPort, protocol });
    const inUrl = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
    const target: Target = { hostname, port, isListed: isListed({ hostname: inUrl, port }, allow) };
    let socket: Socket | undefined;
    const timer = clock.setTimeout(() => {
      end(new DriverError('CONNECT_FAILED', `${hostname}:${port} did not take the connection within ${connectTimeoutMs} ms`));
    }, connectTimeoutMs);
    let isOver = false;
    const waiting = new AbortController();
    const end = (error: DialerError | undefined): void => {
      if (isOver) return;
      isOver = true;
      clock.clearTimeout(timer);
      waiting.abort();
      if (error === undefined && socket !== undefined) {
        callback(null, socket);
        return;
      }
      socket?.destroy();
      callback(error ?? new DriverError('CONNECT_FAILED', `There is no connection to ${hostname}:${port}`), null);
    };

    try {
      if (isIP(hostname) !== 0 && !target.isListed) checkAddress(hostname, hostname);
      const tcp = open({ ...resolveAddress(target, resolve, waiting.signal), autoSelectFamily: true, noDelay: true, keepAlive: true });
      socket = tcp;
      tcp.on('error', (error) => end(connectError(target, error)));
      tcp.once('connect', () => {
        try {
          if (!target.isListed) checkAddress(tcp.remoteAddress ?? '', hostname);
          if (protocol !== 'https:') {
            end(undefined);
            return;
          }
          const tls = secure(tcp, target, secureContext());
          socket = tls;
          tls.on('error', (error) => end(tlsError(target, error)));
          tls.once('secureConnect', () => end(undefined));
        } catch (error) {
          end(isDialerError(error) ? error : tlsError(target, error));
        }
      });
    } catch (error) {
      end(connectError(target, error));
    }
  };
}

/** The options of a TCP connection: its host, its port, and a lookup that finds permitted addresses only. */
function resolveAddress(target: Target, resolve: Resolve, signal: AbortSignal): { host: string; port: number; lookup: LookupFunction } {
  const lookupPermitted: LookupFunction = (_hostname, { all }, answer) => {
    find(target, resolve, signal).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        if (all === true) answer(null, found);
        else answer(null, found[0]?.address ?? '', found[0]?.family);
      },
      (error: NodeJS.ErrnoException) => answer(error, []),
    );
  };
  return { host: target.hostname, port: target.port, lookup: lookupPermitted };
}

/**
 * The permitted addresses of a name.
 *
 * @throws {DriverError} when there is none
 */
async function find({ hostname, isListed: anyAddress }: Target, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
  const failed = (cause?: unknown): DialerError => new DriverError('DNS_FAILED', `The name ${hostname} has no address`, { cause });
  const addresses = await resolve(hostname, { isListed: anyAddress, signal }).catch((error: unknown) => Promise.reject(failed(error)));
  if (addresses.length === 0) throw failed();
  if (anyAddress) return addresses;
  const reachable = addresses.filter(isGlobalAddress);
  if (reachable.length === 0) for (const address of addresses) checkAddress(address, hostname);
  return reachable;
}

/** `rejectUnauthorized` is set explicitly: the environment could have turned it off. */
const secure = (socket: Socket, { hostname }: Target, secureContext: SecureContext): TLSSocket =>
  openTls({
    socket,
    host: hostname,
    servername: isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '',
    secureContext,
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
  });

const connectError = ({ hostname, port }: Target, error: unknown): DialerError =>
  isDialerError(error)
    ? error
    : new DriverError('CONNECT_FAILED', `${hostname}:${port} did not take the connection${readCode(error)}`, { cause: error });

const tlsError = ({ hostname, port }: Target, error: unknown): DialerError =>
  new DriverError('TLS_FAILED', `No connection with ${hostname}:${port} can be trusted${readCode(error)}`, { cause: error });

const readCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
