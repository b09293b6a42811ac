// The sending of messages by the REST API, beside a bare server that stores nothing.
import { join } from 'node:path';
import type { Progress } from '../progress.ts';
import { client } from '../server/credentials.ts';
import { floor } from '../server/floor.ts';
import { keptIn, served } from '../server/hilo.ts';
import { type Raced, type RaceOptions, raceServers, startCallers } from '../server/race.ts';
import { startServer } from '../server/start-server.ts';
import { bot, workspaceWith } from '../server/workspace.ts';

const workspace = workspaceWith({ clients: [client], bots: [bot('bot', 'whatsapp', { enforceSessionWindow: false })] });

const hilo = served({
  title: 'Hilo, each message durable',
  files: { 'workspace.json': workspace },
  path: '/v1/bots/bot/messages',
  calls: 'messages',
});

/**
 * Races the sending of messages against a bare server that accepts the same and stores nothing.
 *
 * @throws {Error} for a wrong answer, and for a message that Hilo accepted and did not store
 */
export async function raceMessages(
  directory: string,
  options: RaceOptions,
  progress: Progress,
): Promise<{ readonly floor: Raced; readonly hilo: Raced }> {
  const callers = startCallers();
  const bare = await startServer({ ...floor, path: '/messages', calls: 'messages' }, join(directory, 'floor'));
  const ours = await startServer(hilo, join(directory, 'hilo'));
  const [first, second] = await raceServers([bare, ours], callers, options, progress);
  callers.stop();
  await Promise.all([bare.kill(), ours.kill()]);
  const [answered, kept] = [callers.answered(ours), keptIn(join(directory, 'hilo'), 'messages')];
  if (kept !== answered) throw new Error(`Hilo answered ${answered} messages, and ${kept} are in its file after it was killed`);
  if (first === undefined || second === undefined) throw new Error('A server was not raced');
  return { floor: first, hilo: second };
}
