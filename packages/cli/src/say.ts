import type { Command } from 'commander';
import { z } from 'zod';
import { painter, printable, printJson } from './paint.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';

/** The flags of `hilo say`. */
export interface SayFlags extends AdminFlags {
  readonly json?: true;
}

const Answer = z.object({ outcome: z.string().optional() });

/** The outcomes of a message, described. */
const meanings: { readonly [outcome: string]: string } = {
  started: 'a workflow has started',
  resumed: 'the workflow that waited for it went on',
  queued: 'it has its turn behind another message of the user',
  held: 'a person or a node has the user, and no workflow gets it',
  unmatched: 'no workflow takes it',
};

/** Delivers a text of a user to a bot of the service that runs, as the bot's channel would. */
export async function say(
  command: Command,
  botId: string,
  userId: string,
  words: readonly string[],
  { json, ...flags }: SayFlags,
): Promise<void> {
  const text = words.join(' ');
  if (userId.trim() === '') return command.error('error: the user is empty: give an id, such as 5215512345678');
  if (text.trim() === '') return command.error('error: the text is empty: give what the user writes');
  const answer = await withAdmin(command, flags, 'look', async (admin) => {
    if (admin.say === undefined) throw new Error('No service runs over this data: start one with hilo serve, or name one with --url');
    return admin.say({ botId, userId, text });
  });
  if (json === true) return printJson(answer);
  const outcome = Answer.parse(answer).outcome ?? 'taken';
  const isTaken = outcome !== 'unmatched';
  const mark = painter(process.stdout)(isTaken ? 'green' : 'yellow', isTaken ? '✔' : '•');
  const meaning = meanings[outcome] === undefined ? '' : `: ${meanings[outcome]}`;
  process.stdout.write(`${mark} ${printable(outcome)}${meaning}\n`);
}
