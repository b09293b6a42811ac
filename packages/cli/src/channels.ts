import type { Command } from 'commander';
import { z } from 'zod';
import { painter, printable, printJson } from './paint.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';

/** The flags of `hilo channels check`. */
export interface CheckFlags extends AdminFlags {
  readonly json?: true;
}

const Check = z.object({ botId: z.string(), kind: z.string(), isWorking: z.boolean().nullable(), message: z.string() });

/** Checks whether a bot's provider accepts its credentials, and describes the problem if not; the exit code is then 1. */
export async function check(command: Command, botId: string, { json, ...flags }: CheckFlags): Promise<void> {
  const answer = await withAdmin(command, flags, 'look', ({ ask }) => ask('POST', `/bots/${encodeURIComponent(botId)}/check`));
  const { kind, isWorking, message } = Check.parse(answer);
  if (isWorking === false) process.exitCode = 1;
  if (json === true) return printJson(answer);
  const paint = painter(process.stdout);
  const mark = isWorking === null ? paint('dim', '–') : isWorking ? paint('green', '✔') : paint('red', '✘');
  process.stdout.write(`${mark} ${printable(botId)} (${printable(kind)}): ${printable(message)}\n`);
}
