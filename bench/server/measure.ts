// Races servers: each in its own process, over several numbers of connections.
import { join } from 'node:path';
import { inDirectory } from '../in-directory.ts';
import { reasonOf } from '../processes.ts';
import type { Progress } from '../progress.ts';
import { startDbosOrders } from './dbos.ts';
import { fastify } from './fastify.ts';
import { floor } from './floor.ts';
import { hilo, keptIn } from './hilo.ts';
import { minimalLean, minimalSame } from './minimal.ts';
import { nodeRed } from './node-red.ts';
import { type Raced, type RaceOptions, raceServers, startCallers } from './race.ts';
import { startRestateOrders } from './restate.ts';
import { type Program, type Server, startServer } from './start-server.ts';

/** Compares the servers over a number of connections: the floor first. */
export interface Race {
  readonly connections: number;
  readonly raced: readonly Raced[];
}

export interface Measured {
  readonly races: readonly Race[];
  /** Who is missing, and why. */
  readonly missing: readonly string[];
}

/** Each of them in a process and a directory of its own. */
const entrants: readonly { readonly name: string; readonly start: (directory: string) => Promise<readonly Server[]> }[] = [
  alone('floor', floor),
  alone('minimal-same', minimalSame),
  alone('minimal-lean', minimalLean),
  alone('hilo', hilo),
  alone('fastify', fastify),
  alone('node-red', nodeRed),
  { name: 'restate', start: startRestateOrders },
  { name: 'dbos', start: startDbosOrders },
];

function alone(name: string, program: Program) {
  return { name, start: async (directory: string) => [await startServer(program, directory)] };
}

/**
 * Starts the servers and races them over each number of connections. One that does not start or answers wrongly is missing
 * in what follows.
 *
 * @throws {Error} for an order that Hilo answered and did not keep
 */
export const measureServers = (
  connections: readonly number[],
  options: Omit<RaceOptions, 'connections'>,
  progress: Progress,
): Promise<Measured> =>
  inDirectory(async (directory) => {
    const callers = startCallers();
    const missing: string[] = [];
    const servers: Server[] = [];
    const races: Race[] = [];
    try {
      for (const { name, start } of entrants) {
        progress.say(`starting ${name}`);
        try {
          servers.push(...(await start(join(directory, name))));
        } catch (error) {
          missing.push(`${name} is missing: ${reasonOf(error)}`);
        }
      }
      for (const count of connections) {
        const raced = await raceServers(servers, callers, { ...options, connections: count }, progress);
        races.push({ connections: count, raced });
      }
    } finally {
      callers.stop();
      await Promise.all(servers.map((server) => server.kill()));
      progress.clear();
    }
    const failed = races.flatMap(({ raced }) => raced.flatMap((own) => (own.failed === undefined ? [] : [`${own.title}: ${own.failed}`])));
    const ours = servers.find(({ title }) => title === hilo.title);
    if (ours !== undefined && failed.length === 0) expectKept(join(directory, 'hilo'), callers.answered(ours));
    return { races, missing: [...missing, ...failed] };
  });

/** @throws {Error} unless the file of the server that was killed has an execution for each answer */
function expectKept(directory: string, answered: number): void {
  const kept = keptIn(directory, 'executions');
  if (kept !== answered) throw new Error(`Hilo answered ${answered} orders, and ${kept} executions are in its file after it was killed`);
}
