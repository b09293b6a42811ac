import { join } from 'node:path';
import { inDirectory } from '../in-directory.ts';
import { installPeers } from '../peers.ts';
import type { Progress } from '../progress.ts';
import { floor } from './floor.ts';
import { hilo, keptIn } from './hilo.ts';
import { nodeRed } from './node-red.ts';
import { type Raced, type RaceOptions, raceServers, startCallers } from './race.ts';
import { type Server, startServer } from './start-server.ts';

/** The servers next to each other. */
export interface Race {
  readonly connections: number;
  readonly floor: Raced | undefined;
  readonly hilo: Raced | undefined;
  readonly nodeRed: Raced | undefined;
}

export interface Measured {
  readonly races: readonly Race[];
  /** Why Node-RED is missing; `undefined` where it is not. */
  readonly withoutNodeRed: string | undefined;
}

/**
 * Starts each server in a process and a directory of its own, and races them over each number of connections.
 *
 * @throws {Error} for a server that does not start, a wrong answer, and an order that Hilo answered and did not keep
 */
export const measureServers = (
  connections: readonly number[],
  options: Omit<RaceOptions, 'connections'>,
  progress: Progress,
): Promise<Measured> =>
  inDirectory(async (directory) => {
    const callers = startCallers();
    const red = await startNodeRed(join(directory, 'node-red'));
    const bare = await startServer(floor, join(directory, 'floor'));
    const ours = await startServer(hilo, join(directory, 'hilo'));
    const servers = [bare, ours, ...(red.kind === 'up' ? [red.server] : [])];
    const races: Race[] = [];
    for (const count of connections) {
      const [first, second, third] = await raceServers(servers, callers, { ...options, connections: count }, progress);
      races.push({ connections: count, floor: first, hilo: second, nodeRed: third });
    }
    callers.stop();
    await Promise.all(servers.map((server) => server.kill()));
    const [answered, kept] = [callers.answered(ours), keptIn(join(directory, 'hilo'), 'executions')];
    if (kept !== answered) throw new Error(`Hilo answered ${answered} orders, and ${kept} executions are in its file after it was killed`);
    progress.clear();
    return { races, withoutNodeRed: red.kind === 'missing' ? red.reason : undefined };
  });

type Started = { readonly kind: 'up'; readonly server: Server } | { readonly kind: 'missing'; readonly reason: string };

/** Where it cannot be installed, or does not run on this Node.js, the others are measured all the same. */
async function startNodeRed(directory: string): Promise<Started> {
  try {
    installPeers();
    return { kind: 'up', server: await startServer(nodeRed, directory) };
  } catch (error) {
    return { kind: 'missing', reason: error instanceof Error ? error.message : String(error) };
  }
}
