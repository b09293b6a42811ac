import { type HostParts, type Listening, openService, type RunningService, serve, type Settings } from '@hilo/server';
import { addressOf, createLocalManagement, type ListeningOnSocket, listenOnSocket } from '@hilo/server/kit';
import { takeInterrupts } from '../interrupt.ts';
import { outliveOutput } from '../output.ts';
import { painter } from '../paint.ts';
import { withProgress } from '../progress.ts';
import { exampleCurl } from './example-curl.ts';
import { drawGreeting, createGreeting } from './greeting.ts';

/** How long requests in progress have to end, and how long all of it may take (P25). */
const [requestsMs, stoppingMs] = [3_000, 9_500];

/** Serves until the process is signalled, and then ends it. */
export async function runService(options: Settings & HostParts, version: string): Promise<void> {
  outliveOutput();
  const stop = waitForSignal();
  const service = await withProgress('Opening the store', openService(options));
  const { settings } = service;
  let listening: Listening;
  try {
    listening = await serve(service, settings);
    service.listensAt(addressOf(listening));
  } catch (error) {
    await service.close();
    throw new Error(describeListenError(error, settings), { cause: error });
  }
  const socket = await listenForCommands(service);
  await greet(service, addressOf(listening), version);
  const signal = await stop;
  service.log.info({ signal }, 'Stopping: nothing new is accepted');
  // Unfinished work continues at the next start: a killed process loses nothing.
  setTimeout(() => process.exit(0), stoppingMs).unref();
  service.stopAccepting();
  await Promise.all([listening.close(requestsMs), socket?.close(requestsMs)]);
  await service.close();
  process.exit(0);
}

/** Resolves at a signal, which no longer ends the process by itself from this call on. */
const waitForSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    takeInterrupts();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve);
  });

/** Without a socket the service still serves: commands then ask it with `--url`. */
async function listenForCommands(service: RunningService): Promise<ListeningOnSocket | undefined> {
  try {
    return await listenOnSocket(createLocalManagement(service).fetch, service.settings.data);
  } catch (error) {
    service.log.warn({ error: String(error) }, 'Commands on this machine cannot reach the service by its data directory: give them --url');
    return undefined;
  }
}

async function greet(service: RunningService, address: string, version: string): Promise<void> {
  const greeting = createGreeting(service, address, await exampleCurl(service, address));
  if (service.settings.log === 'json') service.log.info(greeting, 'Hilo is up');
  else process.stdout.write(drawGreeting(greeting, version, painter(process.stdout)));
}

function describeListenError(error: unknown, { host, port }: Settings): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is in use: choose another with --port, or stop what has it`;
  if (code === 'EACCES') return `Port ${port} of ${host} is not for everyone: choose one above 1023 with --port`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${host} is no address of this machine: choose another with --host`;
  return `It cannot listen on port ${port} of ${host}: ${error instanceof Error ? error.message : String(error)}`;
}
