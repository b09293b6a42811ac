// Admin tokens: `hilo tokens add`, `hilo tokens list --admin`, and `hilo tokens revoke` for their ids.
import type { Command } from 'commander';
import { z } from 'zod';
import { getTableColumns, painter, printable, printJson } from './paint.ts';
import { withAdmin } from './service/with-admin.ts';
import { table } from './table.ts';
import type { TokenFlags } from './tokens.ts';
import { describeCompanies, type GrantFlags, readGrant } from './users.ts';

const Token = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  roles: z.array(z.string()),
  companies: z.union([z.literal('all'), z.array(z.string())]),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});
const Tokens = z.object({ results: z.array(Token) });

/** How the ids of admin tokens begin; those of functions are chosen by a workspace. */
const idPattern = /^tok_[\w-]{12}$/;

/** Whether an id is that of an admin token. */
export const isAdminTokenId = (id: string): boolean => idPattern.test(id);

/** Makes an admin token and prints it, this once. */
export async function add(command: Command, name: string, { json, ...flags }: TokenFlags & GrantFlags): Promise<void> {
  const body = { name, ...readGrant(command, flags) };
  const made = Token.extend({ token: z.string() }).parse(
    await withAdmin(command, flags, 'look', ({ ask }) => ask('POST', '/tokens', body)),
  );
  if (json === true) return printJson(made);
  const { id, roles, companies, token } = made;
  const paint = painter(process.stdout);
  process.stdout.write(
    `${paint('green', '✔')} ${printable(name)} (${id}) is ${printable(roles.join(', '))} of ${describeCompanies(companies)}\n${printable(token)}\n  is shown this once: send it as Authorization: Bearer\n`,
  );
}

/** Lists admin tokens. */
export async function list(command: Command, { json, ...flags }: TokenFlags): Promise<void> {
  const { results } = Tokens.parse(await withAdmin(command, flags, 'look', ({ ask }) => ask('GET', '/tokens')));
  if (json === true) return printJson(results);
  const room = { paint: painter(process.stdout), columns: getTableColumns(process.stdout) };
  const rows = results.map(({ id, name, prefix, roles, companies, lastUsedAt, revokedAt }) =>
    [id, name, `${prefix}…`, roles.join(', '), describeCompanies(companies), lastUsedAt ?? 'never', revokedAt ?? ''].map(printable),
  );
  const drawn =
    rows.length === 0
      ? room.paint('dim', 'There are no admin tokens beside that of the settings: hilo tokens add NAME --role publisher --company ID')
      : table(['id', 'name', 'prefix', 'roles', 'companies', 'last used', 'revoked'], rows, room);
  process.stdout.write(`${drawn}\n`);
}

/** Revokes an admin token. */
export async function revoke(command: Command, id: string, { json, ...flags }: TokenFlags): Promise<void> {
  const token = Token.parse(await withAdmin(command, flags, 'look', ({ ask }) => ask('POST', `/tokens/${encodeURIComponent(id)}/revoke`)));
  if (json === true) return printJson(token);
  process.stdout.write(`${painter(process.stdout)('green', '✔')} ${printable(token.name)} (${id}) is revoked\n`);
}
