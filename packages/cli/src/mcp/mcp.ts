// `hilo mcp`: the authoring server over standard input and output, for a coding agent that starts it. It works on the service of a data
// directory, on one that --url names, or on the canvases of a folder.
import { randomUUID } from 'node:crypto';
import { systemClock } from '@hilo/engine/node';
import { type AuthoringBackend, createAuthoringServer, createCallBudget, serveStdio } from '@hilo/mcp';
import { createSimulationWork, type SimulationWork } from '@hilo/server/kit';
import { type CompleteParts, loadConfig } from '@hilo/server/parts';
import type { Command } from 'commander';
import { printable } from '../paint.ts';
import { type AdminFlags, findRunning } from '../service/with-admin.ts';
import { askAdmin } from './admin-backend.ts';
import { openFolder } from './folder-backend.ts';

/** The flags of `hilo mcp`. */
export interface McpFlags extends AdminFlags {
  /** A folder of canvases in place of a service. */
  readonly folder?: string;
  /** What the client may do: `view`, `edit` and `publish`, with commas between. */
  readonly can: readonly string[];
  /** The company, where the service has several. */
  readonly company?: string;
}

/** A fault between the two ends in a sentence: the library names each part of a line that is no message, or what its parser read. */
function describeFault(error: Error): string {
  if (error instanceof RangeError) return `${error.message}, and is left out`;
  return error instanceof SyntaxError || error.message.startsWith('[')
    ? 'A line of the client is no message of the protocol (JSON-RPC 2.0, one a line), and is left out'
    : error.message;
}

/** Serves until the client closes its end. */
export async function mcp(command: Command, { folder, can, company, ...flags }: McpFlags): Promise<void> {
  const parts = await loadConfig(flags.config);
  const work = createSimulationWork({ nodes: parts.nodes, nodesFrom: parts.nodesFrom, clock: systemClock });
  const serve = (backend: AuthoringBackend): Promise<void> => serveClient(backend, { can, parts, work });
  try {
    const admin = folder === undefined ? await findRunning(command, flags) : undefined;
    if (admin !== undefined) {
      await serve(askAdmin(admin, company));
      await admin.close();
    } else if (flags.data === undefined && flags.databaseUrl === undefined) await serve(await openFolder(folder ?? '.', parts));
    else throw new Error('No service runs over this data: start one with "hilo serve", or name a folder of canvases with --folder');
  } finally {
    await work.close();
  }
}

interface Serving {
  readonly can: readonly string[];
  readonly parts: Pick<CompleteParts, 'nodes'>;
  readonly work: SimulationWork;
}

/** Resolves when the client has gone. What goes wrong is told on standard error: standard output is the protocol's. */
function serveClient(backend: AuthoringBackend, { can, parts, work }: Serving): Promise<void> {
  const tell = (text: string): void => void process.stderr.write(`${printable(text)}\n`);
  const budget = createCallBudget(() => performance.now());
  const gone = Promise.withResolvers<void>();
  const serving = serveStdio(
    () =>
      createAuthoringServer(backend, {
        can,
        nodes: parts.nodes,
        budget,
        simulate: (task) => work.simulate('', task),
        onError: (error, id) => tell(`${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
        createId: randomUUID,
      }),
    { onerror: (error) => tell(describeFault(error)) },
  );
  process.stdin.once('end', () => {
    void serving.close().finally(gone.resolve);
  });
  return gone.promise;
}
