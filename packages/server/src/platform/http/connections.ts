import { readFileSync } from 'node:fs';
import { createPool, type OnLimit } from '@hilo/drivers';
import { httpLimits } from './limits.ts';
import { findNetwork } from './socket-address.ts';

/** Bounds the open connections for each network, so that none can use them all up (P22). */
export interface Connections {
  /**
   * Takes a new connection. Where there is no room, the longest idle one ends, of the same network if it has one.
   *
   * @returns false when every one is at work: this one has no place
   */
  admit(socket: Peer): boolean;
  /** A request begins on a connection. @returns its end; `undefined` on a connection that has no place */
  begin(socket: Peer): (() => void) | undefined;
}

/** The parts of a socket that are used. */
interface Peer {
  readonly remoteAddress?: string | undefined;
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

interface Connection {
  readonly network: string;
  requests: number;
}

/**
 * One network may have half of all connections, or its share among the networks if that is less. A proxy counts as one network: half is
 * more than the requests that are read at once, and its longest idle connection ends first, which proxies expect. No header is
 * trusted to identify the clients of a proxy, since any caller can write one.
 *
 * @param maxConnections - of all networks together
 */
export function createConnections(maxConnections: number, onLimit: OnLimit): Connections {
  const places = createPool({ connections: maxConnections }, httpLimits.connectionShare);
  const open = new Map<Peer, Connection>();
  /** Those without a request, the longest idle first: in all, and of each network. */
  const idle = new Set<Peer>();
  const idleByNetwork = new Map<string, Set<Peer>>();

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
  };

  return {
    admit(socket) {
      const network = findNetwork(socket.remoteAddress);
      while (!places.take(network, one)) {
        const [longest] = idleByNetwork.get(network) ?? idle;
        const isFull = longest === undefined;
        const message = isFull ? 'A connection was refused: all are at work' : 'Idle connections were closed to make room for new ones';
        onLimit({ limit: 'connections', holder: network, message });
        if (isFull) return false;
        leave(longest);
        longest.destroy();
      }
      open.set(socket, { network, requests: 0 });
      markIdle(socket, network);
      socket.once('close', () => leave(socket));
      return true;
    },
    begin(socket) {
      const connection = open.get(socket);
      if (connection === undefined) return undefined;
      connection.requests += 1;
      markBusy(socket, connection.network);
      return () => {
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
