// The one way out to other systems by plain connections, such as those of databases.
import { BlockList, isIP, type Socket } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { AbortSignal as Signal, Clock } from '@hilo/engine/contract';
import { systemClock } from '@hilo/engine/node';
import { type DialerError, DriverError, isDialerError } from '../driver-error.ts';
import { createConnector } from './connect.ts';
import { isListed, readAllowList } from './destination.ts';
import { type Resolve, systemResolve } from './names.ts';
import { createRefusalLog, type RefusalLogOptions } from './refusal-log.ts';

/** Where sockets may go: databases, and other servers that do not speak HTTP. */
export interface SocketDialerOptions {
  /** `host:port` pairs that may be reached at any address and port; none when left out. */
  readonly allow?: readonly string[];
  /** `host:port` pairs that are never reached, by any name: the addresses of Hilo's own data. They override `allow`. */
  readonly deny?: readonly string[];
  /** Certificates, in PEM, trusted in addition to the platform's. */
  readonly ca?: string | undefined;
  /** Called for each refused connection. */
  readonly log?: RefusalLogOptions['log'];
  /** Finds the addresses of a name; the system's resolver where left out. */
  readonly resolve?: Resolve;
  readonly clock?: Clock;
}

/** Where a connection goes. */
export interface SocketDestination {
  /** A name, or an address without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Gives the connection up. */
  readonly signal: Signal;
  /** Whose it is. */
  readonly scope: string;
}

/** The same way out for what speaks no HTTP, such as databases (P30). */
export interface SocketDialer {
  /**
   * Connects to a public address on a port that databases have, or to what the operator listed. TLS is the caller's.
   *
   * @throws {DriverError}
   */
  connect(destination: SocketDestination): Promise<Socket>;
  /** Who is trusted to certify the other side, in PEM. */
  readonly authorities: readonly string[];
}

/** PostgreSQL and MySQL. Others are listed. */
const databasePorts: ReadonlySet<number> = new Set([3306, 5432]);

/**
 * Creates what opens sockets to servers, past the same fence as calls.
 *
 * @throws {Error} when `allow`, `deny` or `ca` cannot be read
 */
export function createSocketDialer({
  allow: allowed = [],
  deny: denied = [],
  ca,
  log,
  resolve = systemResolve,
  clock = systemClock,
}: SocketDialerOptions = {}): SocketDialer {
  const allow = readAllowList(allowed);
  const deny = readAllowList(denied);
  const refusals = createRefusalLog({ log, clock });
  const connector = createConnector({ allow, resolve, clock, secureContext: createSecureContext });

  const judge = ({ hostname, port }: SocketDestination): void => {
    const place = { hostname: formatHost(hostname), port };
    if (isListed(place, deny)) throw ownStore(hostname, port);
    if (isListed(place, allow) || databasePorts.has(port)) return;
    throw new DriverError(
      'EGRESS_REFUSED',
      `Connections to databases go to the ports 5432 and 3306, and ${hostname}:${port} is not listed`,
    );
  };

  const open = ({ hostname, port, signal }: SocketDestination): Promise<Socket> => {
    const { promise, resolve: give, reject } = Promise.withResolvers<Socket>();
    const giveUp = (): void => reject(new DriverError('TIMEOUT', `${hostname}:${port} did not take the connection in time`));
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp);
    connector({ hostname, host: hostname, port: String(port), protocol: 'http:' }, (error, socket) => {
      if (socket === null) reject(error);
      else if (signal.aborted) socket.destroy();
      else give(socket);
    });
    return promise.finally(() => signal.removeEventListener('abort', giveUp));
  };

  /** Another name of a denied host has the same address. */
  const judgeAddress = async (socket: Socket, { hostname, port, signal }: SocketDestination): Promise<void> => {
    for (const entry of deny) {
      const [, host = '', itsPort = ''] = /^\[?([^\]]*)\]?:(\d+)$/.exec(entry) ?? [];
      if (Number(itsPort) !== port) continue;
      const addresses = await resolve(host, { isListed: true, signal }).catch((): readonly string[] => []);
      if (isOneOf(socket.remoteAddress ?? '', addresses)) throw ownStore(hostname, port);
    }
  };

  return {
    async connect(destination) {
      let socket: Socket | undefined;
      try {
        judge(destination);
        socket = await open(destination);
        await judgeAddress(socket, destination);
        return socket;
      } catch (error) {
        socket?.destroy();
        if (isDialerError(error) && error.code === 'EGRESS_REFUSED') refusals.write(error, destination.scope);
        throw error;
      }
    },
    authorities: [...getCACertificates('default'), ...(ca === undefined ? [] : [ca])],
  };
}

/** Whether an address is one of these, in any notation: an IPv4 address can be mapped into IPv6. */
function isOneOf(address: string, addresses: readonly string[]): boolean {
  const listed = new BlockList();
  for (const one of addresses) listed.addAddress(one, getFamily(one));
  return isIP(address) !== 0 && listed.check(address, getFamily(address));
}

const getFamily = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

const formatHost = (hostname: string): string =>
  URL.parse(`http://${hostname.includes(':') ? `[${hostname}]` : hostname}`)?.hostname ?? hostname;

const ownStore = (hostname: string, port: number): DialerError =>
  new DriverError('EGRESS_REFUSED', `${hostname}:${port} is where Hilo keeps its own data, which no canvas reaches`);
