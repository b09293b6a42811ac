import type { Command } from 'commander';
import { z } from 'zod';
import { painter, printable, printJson } from './paint.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';

/** The flags of `hilo channels check`. */
export interface CheckFlags extends AdminFlags {
  readonly json?: true;
}

const Check = z.object({ botId: z.string(), kind: z.string(), isWorking: z.boolean().nullable(), message: z.string() });

/** The flags of `hilo channels flow-key`. */
export interface FlowKeyFlags extends CheckFlags {
  readonly rotate?: true;
  readonly print?: true;
}

const FlowKey = z.object({ fingerprint: z.string(), publicKey: z.string(), isRegistered: z.boolean(), status: z.string() });

/** Makes and registers the key of a bot's forms; the exit code is 1 where the provider does not have it. */
export async function flowKey(command: Command, botId: string, { json, rotate, print, ...flags }: FlowKeyFlags): Promise<void> {
  const answer = await withAdmin(command, flags, 'work', ({ ask }) =>
    ask('POST', `/bots/${encodeURIComponent(botId)}/flow-key`, { rotate: rotate === true }),
  );
  const { fingerprint, publicKey, isRegistered, status } = FlowKey.parse(answer);
  if (!isRegistered) process.exitCode = 1;
  if (json === true) return printJson(answer);
  const paint = painter(process.stdout);
  const mark = isRegistered ? paint('green', '✔') : paint('red', '✘');
  process.stdout.write(`${mark} ${printable(botId)}: key ${fingerprint}, ${printable(status)} at the provider\n`);
  if (print === true) process.stdout.write(publicKey);
}

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

const HandedIn = z.object({ messageId: z.string(), outcome: z.string() });

/** The flags of `hilo channels again`. */
export interface AgainFlags extends CheckFlags {
  readonly company?: string;
}

/** Hands a message of a user in again that was set aside. */
export async function again(command: Command, botId: string, messageId: string, { company, json, ...flags }: AgainFlags): Promise<void> {
  const query = company === undefined ? '' : `?companyId=${encodeURIComponent(company)}`;
  const path = `/bots/${encodeURIComponent(botId)}/messages/${encodeURIComponent(messageId)}/again${query}`;
  const answer = await withAdmin(command, flags, 'work', ({ ask }) => ask('POST', path));
  if (json === true) return printJson(answer);
  const { outcome } = HandedIn.parse(answer);
  const isTaken = outcome !== 'unmatched';
  const paint = painter(process.stdout);
  process.stdout.write(`${isTaken ? paint('green', '✔') : paint('red', '✘')} ${printable(messageId)}: ${printable(outcome)}\n`);
  if (!isTaken) process.exitCode = 1;
}
