// `hilo users`: people who log in to the service by a link, with roles and companies.
import type { Command } from 'commander';
import { z } from 'zod';
import { getTableColumns, painter, printable, printJson } from './paint.ts';
import type { Admin } from './service/admin.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';
import { table } from './table.ts';

/** Who may do what: flags of users and of admin tokens. */
export interface GrantFlags {
  readonly role: readonly string[];
  readonly company?: readonly string[];
  readonly allCompanies?: true;
}

/** The flags of all of them. */
export interface UserFlags extends AdminFlags {
  readonly json?: true;
}

/** The body that flags ask for. Wrong use is told before anything is opened. */
export function readGrant(
  command: Command,
  { role, company = [], allCompanies }: GrantFlags,
): { readonly roles: object; readonly companies: object | 'all' } {
  if (allCompanies === true ? company.length > 0 : company.length === 0)
    return command.error('error: say for which companies: --company ID, once for each, or --all-companies');
  return { roles: role, companies: allCompanies === true ? 'all' : company };
}

const Companies = z.union([z.literal('all'), z.array(z.string())]);
const User = z.object({ name: z.string(), roles: z.array(z.string()), companies: Companies, lastUsedAt: z.string().nullable() });
const Users = z.object({ results: z.array(User) });
const Link = z.object({ url: z.string(), expiresAt: z.string() });

const pathOf = (name: string): string => `/users/${encodeURIComponent(name)}`;

/** Adds a user and prints the link by which they log in. */
export async function add(command: Command, name: string, { json, ...flags }: UserFlags & GrantFlags): Promise<void> {
  const grant = readGrant(command, flags);
  const { user, login } = await withAdmin(command, flags, 'look', async (admin) => ({
    user: User.parse(await admin.ask('PUT', pathOf(name), grant)),
    login: await askLink(admin, name),
  }));
  if (json === true) return printJson({ ...user, login });
  const paint = painter(process.stdout);
  process.stdout.write(
    `${paint('green', '✔')} ${printable(name)} is ${printable(user.roles.join(', '))} of ${describeCompanies(user.companies)}\n`,
  );
  writeLink(name, login);
}

/** Prints another link. */
export async function link(command: Command, name: string, { json, ...flags }: UserFlags): Promise<void> {
  const login = await withAdmin(command, flags, 'look', (admin) => askLink(admin, name));
  if (json === true) return printJson(login);
  writeLink(name, login);
}

/** Lists users. */
export async function list(command: Command, { json, ...flags }: UserFlags): Promise<void> {
  const { results } = Users.parse(await withAdmin(command, flags, 'look', ({ ask }) => ask('GET', '/users')));
  if (json === true) return printJson(results);
  const room = { paint: painter(process.stdout), columns: getTableColumns(process.stdout) };
  const rows = results.map(({ name, roles, companies, lastUsedAt }) =>
    [name, roles.join(', '), describeCompanies(companies), lastUsedAt ?? 'never'].map(printable),
  );
  const drawn =
    rows.length === 0
      ? room.paint('dim', 'There are no users: hilo users add NAME --role editor --company ID')
      : table(['name', 'roles', 'companies', 'last seen'], rows, room);
  process.stdout.write(`${drawn}\n`);
}

/** Removes a user, whose sessions end with it. */
export async function remove(command: Command, name: string, { json, ...flags }: UserFlags): Promise<void> {
  const removed = await withAdmin(command, flags, 'look', ({ ask }) => ask('DELETE', pathOf(name)));
  if (json === true) return printJson(removed);
  process.stdout.write(`${painter(process.stdout)('green', '✔')} ${printable(name)} is removed, and what they had open is closed\n`);
}

const askLink = async ({ ask }: Admin, name: string): Promise<z.output<typeof Link>> =>
  Link.parse(await ask('POST', `${pathOf(name)}/login-link`));

const writeLink = (name: string, { url, expiresAt }: z.output<typeof Link>): void =>
  void process.stdout.write(`${printable(url)}\n  logs ${printable(name)} in, once, until ${printable(expiresAt)}\n`);

/** Companies in words. */
export const describeCompanies = (companies: z.output<typeof Companies>): string =>
  companies === 'all' ? 'all companies' : `${companies.length === 1 ? 'company' : 'companies'} ${companies.join(', ')}`;
