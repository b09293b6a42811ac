import { readFileSync } from 'node:fs';
import { createPool, type OnLimit } from '@hilo/drivers';
import { httpLimits } from './limits.ts';
import { type ClientAddresses, createClientAddresses } from './client-address.ts';
import { findNetwork } from './socket-address.ts';

/** Bounds the open connections for each network, so that none can use them all up (P22). */
export interface Connections {
  /**
   * Takes a new connection. Where there is no room, the longest idle one ends, of the same network if it has one; else that of who is furthest
   * behind in reading an answer.
   *
   * @returns false when every one is at work: this one has no place
   */
  admit(socket: Peer): boolean;
  /**
   * A request begins on a connection.
   *
   * @param forwardedFor - its `X-Forwarded-For`: among the connections of trusted proxies each caller's network has its share of those at work
   * @returns its end; `undefined` on a connection that has no place, and where a caller behind a proxy has its share
   */
  begin(socket: Peer, forwardedFor?: string): (() => void) | undefined;
}

/** The parts of a socket that are used. */
interface Peer {
  readonly remoteAddress?: string | undefined;
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** Ends the connection of a caller who does not read its answer: of a network, or if it has none and `ofAny` is set, of another. */
export type EndSlowest = (network: string, ofAny: boolean) => Peer | undefined;

interface Connection {
  /** The network that it counts to. Each trusted proxy is a network of its own, since its connections carry many callers. */
  readonly network: string;
  requests: number;
}

/**
 * One network may have half of all connections, or its share among the networks if that is less. A proxy that is not trusted counts as one
 * network: half is more than the requests that are read at once, and its longest idle connection ends first, which proxies expect. A
 * trusted one may have all of them: its callers share those at work.
 *
 * @param maxConnections - of all networks together
 */
export function createConnections(
  maxConnections: number,
  onLimit: OnLimit,
  addresses: ClientAddresses = createClientAddresses(),
  endSlowest: EndSlowest = () => undefined,
): Connections {
  const atWork = createPool({ connections: maxConnections }, httpLimits.connectionShare);
  let proxies = 0;
  const places = createPool({ connections: maxConnections }, httpLimits.connectionShare);
  const open = new Map<Peer, Connection>();
  /** Those without a request, the longest idle first: in all, and of each network. */
  const idle = new Set<Peer>();
  const idleByNetwork = new Map<string, Set<Peer>>();
  const counts = new Map<string, number>();
  const count = (network: string, more: 1 | -1): void => {
    const now = (counts.get(network) ?? 0) + more;
    if (now === 0) counts.delete(network);
    else counts.set(network, now);
  };

  const markIdle = (socket: Peer, network: string): void => {
    idle.add(socket);
    const theirs = idleByNetwork.get(network) ?? new Set();
    idleByNetwork.set(network, theirs.add(socket));
  };
  const markBusy = (socket: Peer, network: string): void => {
    idle.delete(socket);
    const theirs = idleByNetwork.get(network);
    theirs?.delete(socket);
    if (theirs?.size === 0) idleByNetwork.delete(network);
  };
  const leave = (socket: Peer): void => {
    const connection = open.get(socket);
    if (connection === undefined) return;
    open.delete(socket);
    markBusy(socket, connection.network);
    places.give(connection.network, one);
    count(connection.network, -1);
  };

  return {
    admit(socket) {
      const network = addresses.isProxy(socket.remoteAddress) ? `proxy ${(proxies += 1)}` : findNetwork(socket.remoteAddress);
      while (!places.take(network, one)) {
        // A network that has its share takes nothing from others: it would end all that they have, one by one, and still have no room.
        const isWithin = (counts.get(network) ?? 0) + 1 <= maxConnections * httpLimits.connectionShare;
        const [longest = endSlowest(network, isWithin)] = idleByNetwork.get(network) ?? (isWithin ? idle : []);
        const isFull = longest === undefined;
        const message = isFull ? 'A connection was refused: all are at work' : 'Connections at rest were closed to make room for new ones';
        onLimit({ limit: 'connections', holder: network, message });
        if (isFull) return false;
        leave(longest);
        longest.destroy();
      }
      open.set(socket, { network, requests: 0 });
      count(network, 1);
      markIdle(socket, network);
      socket.once('close', () => leave(socket));
      return true;
    },
    begin(socket, forwardedFor) {
      const connection = open.get(socket);
      if (connection === undefined) return undefined;
      const caller = addresses.isProxy(socket.remoteAddress) ? findNetwork(addresses.find(socket.remoteAddress, forwardedFor)) : undefined;
      if (caller !== undefined && !atWork.take(caller, one)) {
        onLimit({ limit: 'connections', holder: caller, message: 'A request was refused: its address has its share of those at work' });
        return undefined;
      }
      connection.requests += 1;
      markBusy(socket, connection.network);
      return () => {
        if (caller !== undefined) atWork.give(caller, one);
        connection.requests -= 1;
        if (connection.requests === 0 && open.has(socket)) markIdle(socket, connection.network);
      };
    },
  };
}

const one = { connections: 1 };

/** Half of the files that this process may open: the store, the log and calls to others need some too. */
export function countAllowedConnections(): number {
  const files = Number(/^Max open files +(\d+)/m.exec(readProcessLimits())?.[1] ?? Number.POSITIVE_INFINITY);
  return Math.max(2, Math.min(httpLimits.connections, Math.floor(files / 2)));
}

/** As Linux reports them; empty elsewhere. */
function readProcessLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
