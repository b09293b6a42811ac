// The company of a command that names none: the only one that there is.
import type { Command } from 'commander';
import { z } from 'zod';
import { printable } from '../paint.ts';
import { type AdminFlags, withAdmin } from './with-admin.ts';

const Account = z.object({ companies: z.array(z.object({ id: z.string(), name: z.string() })) });

/** As many companies are named to who has to choose. */
const mostNamed = 10;

/** Gives a command its `--company`. @throws {CommanderError} where there are several, or none */
export async function takeOnlyCompany(command: Command): Promise<void> {
  const answer = await withAdmin(command, command.optsWithGlobals<AdminFlags>(), 'look', ({ ask }) => ask('GET', '/me'));
  const { companies } = Account.parse(answer);
  const [only, ...others] = companies;
  if (only === undefined) return command.error('error: there is no company: hilo import FILE brings a workspace in');
  if (others.length === 0) return void command.setOptionValue('company', only.id);
  const named = companies.slice(0, mostNamed).map(({ id, name }) => `${printable(id)} (${printable(name)})`);
  const more = companies.length > mostNamed ? ` and ${companies.length - mostNamed} more` : '';
  return command.error(`error: there are several companies: choose one by --company: ${named.join(', ')}${more}`);
}
