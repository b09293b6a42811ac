import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { getTableColumns, painter, printable, printJson } from './paint.ts';
import type { Admin } from './service/admin.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';
import { table } from './table.ts';

/** The flags of `hilo tokens`. */
export interface TokenFlags extends AdminFlags {
  readonly json?: true;
}

/** The flags of `hilo tokens revoke`. */
export interface RevokeFlags extends TokenFlags {
  /** The function of the token, where several have one of this id. */
  readonly function?: string;
}

/** Lists runtime tokens of one function, or of all. */
export async function list(command: Command, functionId: string | undefined, { json, ...flags }: TokenFlags): Promise<void> {
  const tokens = await withAdmin(command, flags, 'look', (admin) => listTokens(admin, functionId));
  if (json === true) return printJson(tokens);
  const room = { paint: painter(process.stdout), columns: getTableColumns(process.stdout) };
  const rows = tokens.map(({ functionId: ownerId, id, name, prefix, lastUsedAt, createdAt, state }) =>
    [ownerId, id, name, `${prefix}…`, lastUsedAt ?? 'never', createdAt ?? 'unknown', state].map(printable),
  );
  const drawn =
    rows.length === 0
      ? room.paint('dim', 'There are no runtime tokens: functions are called with an API key.')
      : table(['function', 'id', 'name', 'prefix', 'last used', 'created', 'state'], rows, room);
  process.stdout.write(`${drawn}\n`);
}

/** Revokes a runtime token, and waits until its function is deployed again. */
export async function revoke(command: Command, tokenId: string, { function: functionId, json, ...flags }: RevokeFlags): Promise<void> {
  const token = await withAdmin(command, flags, 'work', async (admin) => {
    const found = (await listTokens(admin, functionId)).filter(({ id }) => id === tokenId);
    const [only, another] = found;
    if (only === undefined) throw new Error(`There is no token ${printable(tokenId)}`);
    if (another !== undefined)
      throw new Error(`Several functions have a token ${printable(tokenId)}, so name one: --function ${printable(only.functionId)}`);
    return revokeToken(admin, only);
  });
  if (json === true) return printJson(token);
  const state = token.state === 'revoked' ? 'is revoked' : 'is being revoked: it is refused once its function is deployed again';
  process.stdout.write(`${painter(process.stdout)('green', '✔')} ${printable(tokenId)} ${state}\n`);
}

/** The tokens of one function, or of all. */
async function listTokens({ ask }: Admin, functionId: string | undefined): Promise<readonly ShownToken[]> {
  const functionIds =
    functionId === undefined
      ? Functions.parse(await ask('GET', '/functions')).results.map((deployed) => deployed.functionId)
      : [functionId];
  const tokens: ShownToken[] = [];
  for (const one of functionIds)
    tokens.push(...Tokens.parse(await ask('GET', formatTokensPath(one))).results.map((token) => ({ functionId: one, ...token })));
  return tokens;
}

/** How often the state of the redeploy is polled, and how many times. */
const [pollMs, maxPolls] = [250, 60];

/** Revokes, and waits for the redeploy to end: the request is idempotent, and is repeated until it reports the end. */
async function revokeToken({ ask }: Admin, { functionId, id }: ShownToken): Promise<ShownToken> {
  for (let polls = 1; ; polls += 1) {
    const token = Token.parse(await ask('POST', `${formatTokensPath(functionId)}/${encodeURIComponent(id)}/revoke`));
    if (token.state === 'revoked' || polls === maxPolls) return { functionId, ...token };
    await pause(pollMs);
  }
}

const Token = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  state: z.enum(['active', 'revoking', 'revoked']),
  lastUsedAt: z.string().nullable(),
  createdAt: z.string().nullable(),
});
type ShownToken = z.output<typeof Token> & { readonly functionId: string };

const Tokens = z.object({ results: z.array(Token) });
const Functions = z.object({ results: z.array(z.object({ functionId: z.string() })) });

const formatTokensPath = (functionId: string): string => `/functions/${encodeURIComponent(functionId)}/tokens`;
