// The service's own accounts: admin tokens for programs, and users who log in by a link. Each has roles and companies. They are read with
// each request, so that what another process changes or revokes counts at once.
import type { Clock, Random } from '@hilo/engine/contract';
import { parseJsonText } from '@hilo/engine/contract';
import { asCondition, type Call, type DurableStore } from '@hilo/stores';
import { z } from 'zod';
import type { KnownAccount, OperatorAccounts } from '../platform/http/auth/admin-auth.ts';
import type { OperatorGrant } from '../platform/http/context.ts';
import { full } from '../platform/http/errors.ts';
import type { Logger } from '../platform/logging/logger.ts';
import { hashKey, isSameDigest } from '../platform/secrets/client-secret.ts';
import type { SeenSecrets } from '../platform/secrets/seen-secrets.ts';
import { listPermissions, type Role, roleNames } from './roles.ts';
import {
  changeUser,
  deleteLinksBeyond,
  deleteLinksOf,
  deleteOldLinks,
  deleteRevokedBeyond,
  deleteUser,
  hasRoom,
  insertAccount,
  insertLink,
  type KeptAccount,
  narrowAccount,
  revokeToken,
  selectAccount,
  selectAccounts,
  selectByHash,
  selectUser,
  takeLink,
  updateLastUse,
  updateUser,
} from './sql.ts';

/** What an account may do, and for which companies. */
export interface Grant {
  readonly roles: readonly Role[];
  readonly companies: readonly string[] | 'all';
  /** Where the roles are not the same in all companies: those of each. `roles` and `companies` are then all of these together. */
  readonly grants?: readonly Omit<Grant, 'grants'>[] | undefined;
}

/** An account as it is shown. */
export interface Account extends Grant {
  readonly id: string;
  readonly name: string;
  /** The first characters of a token. */
  readonly prefix: string | null;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** How its grant is kept: an act that was judged by it is done while it is still this one. */
  readonly kept: { readonly roles: string; readonly companies: string };
}

/** Admin tokens and users. */
export interface Accounts extends OperatorAccounts {
  list(kind: 'token' | 'user'): Promise<readonly Account[]>;
  /** Makes a token: its text is in this answer and nowhere else. @throws {HttpError} 409 at the most */
  addToken(name: string, grant: Grant): Promise<{ readonly account: Account; readonly token: string }>;
  token(id: string): Promise<Account | undefined>;
  revokeToken(id: string): Promise<Account | undefined>;
  user(name: string): Promise<Account | undefined>;
  /** Adds a user, or changes what one may do, whatever that was: their sessions go on with that. */
  saveUser(name: string, grant: Grant): Promise<Account | undefined>;
  /**
   * The same while the user is as they were read. Links of before end: who made them may have been allowed less than the user may do now.
   *
   * @param before - `undefined` for a new user
   * @returns `undefined` where somebody else was first
   * @throws {HttpError} 409 for a new one at the most
   */
  changeUser(name: string, grant: Grant, before: Account | undefined): Promise<Account | undefined>;
  /** Removes a user; their sessions and links end with it. @returns false where they are not as they were read */
  removeUser(user: Account): Promise<boolean>;
  /**
   * Makes a link that logs a user in, once.
   *
   * @returns the code, and until when it is good; `undefined` where the user is not as they were read
   */
  makeLink(user: Account): Promise<{ readonly code: string; readonly untilMs: number } | undefined>;
}

interface AccountsParts {
  readonly store: Pick<DurableStore, 'runner'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  readonly log: Pick<Logger, 'warn'>;
  /** Learns of every token that was made or was right. */
  readonly seen: Pick<SeenSecrets, 'note'>;
}

/** How many links of a user are good at once: a new one ends the oldest. */
export const mostLinks = 20;
/** So many accounts of each kind are good at once; processes that add one in the same moment may go over it by one each. */
export const mostAccounts = { token: 1_000, user: 10_000 } as const;
/** So many tokens are kept once they are revoked: those that were last. The record of acts has the others. */
export const mostRevoked = 1_000;
/** How long a login link is good for: it may be sent by mail. */
export const linkMs = 24 * 3_600_000;
/** The resolution of the last use: each update is a write to disk. */
const lastUsedMs = 60_000;
/** Of which a token shows the first characters. */
const prefixChars = 10;
/** Whose the secrets of accounts are. */
const ofService = 'the service';
/** What no text without it is looked up for. */
const tokenPattern = /^hilo_[\w-]{43}$/;

const Roles = z.array(z.enum(roleNames));
const OwnCompanies = z.union([z.literal('all'), z.array(z.string())]);
const OwnGrants = z.array(z.object({ roles: Roles, companies: OwnCompanies })).min(1);

/** Accounts in the store of the service. */
export function createAccounts({ store: { runner }, clock, random, log, seen }: AccountsParts): Accounts {
  const makeSecret = (): string => Buffer.from(random.bytes(32)).toString('base64url');
  const makeId = (prefix: string): string => `${prefix}_${Buffer.from(random.bytes(9)).toString('base64url')}`;
  const find = async (id: string): Promise<(Account & { readonly kind: string }) | undefined> => {
    const row = await runner.readOne(selectAccount({ id }));
    return row === undefined ? undefined : { ...readAccount(row), kind: row.kind };
  };
  const findUser = async (name: string): Promise<Account | undefined> => {
    const row = await runner.readOne(selectUser({ name }));
    return row === undefined ? undefined : readAccount(row);
  };
  const add = async (kind: 'token' | 'user', name: string, grant: Grant, token?: string) => {
    const id = makeId(kind === 'token' ? 'tok' : 'usr');
    const secret =
      token === undefined ? { prefix: undefined, hash: undefined } : { prefix: token.slice(0, prefixChars), hash: hashKey(token) };
    const inserting = insertAccount({ id, kind, name, ...writeGrant(grant), ...secret, nowMs: clock.now() });
    const written = await runner.write([asCondition(hasRoom({ kind, most: mostAccounts[kind] })), inserting]);
    if (written.failed !== undefined) throw tooManyAccounts[kind]();
    return written.rowsOf(inserting)[0];
  };
  const admit = createAdmission({ store: { runner }, clock, log });

  return {
    list: async (kind) => (await runner.read(selectAccounts({ kind }))).map(readAccount),
    async addToken(name, grant) {
      const token = `hilo_${makeSecret()}`;
      seen.note(token, ofService);
      const made = await add('token', name, grant, token);
      const account = made === undefined ? undefined : await find(made.id);
      if (account === undefined) throw new Error(`The token "${name}" was not kept`);
      return { account, token };
    },
    token: async (id) => {
      const account = await find(id);
      return account?.kind === 'token' ? account : undefined;
    },
    async revokeToken(id) {
      await runner.write([revokeToken({ id, nowMs: clock.now() }), deleteRevokedBeyond({ kept: mostRevoked })]);
      return find(id);
    },
    user: findUser,
    async saveUser(name, grant) {
      const changed = await runner.writeOne(updateUser({ name, ...writeGrant(grant) }));
      if (changed === undefined && (await add('user', name, grant)) === undefined)
        await runner.writeOne(updateUser({ name, ...writeGrant(grant) })); // another request added it meanwhile
      return findUser(name);
    },
    async changeUser(name, grant, before) {
      if (before === undefined) return (await add('user', name, grant)) === undefined ? undefined : findUser(name);
      const { id, kept } = before;
      const next = writeGrant(grant);
      const isSame = next.roles === kept.roles && next.companies === kept.companies;
      const changing = asCondition(changeUser({ id, ...next, rolesBefore: kept.roles, companiesBefore: kept.companies }));
      const { failed } = await runner.write([changing, ...(isSame ? [] : [deleteLinksOf({ accountId: id })])]);
      return failed === undefined ? find(id) : undefined;
    },
    removeUser: async ({ id, kept }) => {
      const { failed } = await runner.write([asCondition(deleteUser({ id, ...kept })), deleteLinksOf({ accountId: id })]);
      return failed === undefined;
    },
    async makeLink({ id, kept }) {
      const code = makeSecret();
      seen.note(code, ofService);
      const hash = hashKey(code);
      const nowMs = clock.now();
      const untilMs = nowMs + linkMs;
      const stillSo = asCondition(changeUser({ id, ...kept, rolesBefore: kept.roles, companiesBefore: kept.companies }));
      const { failed } = await runner.write([
        stillSo,
        deleteOldLinks({ nowMs }),
        insertLink({ hash, accountId: id, untilMs }),
        deleteLinksBeyond({ accountId: id, but: hash, others: mostLinks - 1 }),
      ]);
      return failed === undefined ? { code, untilMs } : undefined;
    },

    async ofToken(token) {
      if (!tokenPattern.test(token)) return undefined;
      const hash = hashKey(token);
      const row = await runner.readOne(selectByHash({ hash }));
      if (row === undefined || row.hash === undefined || !isSameDigest(row.hash, hash)) return undefined;
      seen.note(token, ofService);
      return admit(readAccount(row), row.kind);
    },
    async ofSession(id) {
      const account = await find(id);
      return account === undefined ? undefined : admit(account, account.kind);
    },
    async ofLink(code) {
      const taken = await runner.writeOne(takeLink({ hash: hashKey(code), nowMs: clock.now() }));
      const account = taken === undefined ? undefined : await find(taken.accountId);
      return account === undefined ? undefined : admit(account, account.kind);
    },
  };
}

const tooManyAccounts = {
  token: () =>
    full({ name: 'admin-tokens' }, 'TOO_MANY_TOKENS', `The service has at most ${mostAccounts.token} admin tokens: revoke one first`),
  user: () => full({ name: 'service-users' }, 'TOO_MANY_USERS', `The service has at most ${mostAccounts.user} users: remove one first`),
};

/** Admits accounts that may act, and notes when each was used last. @returns the operator behind the account */
const createAdmission =
  ({ store: { runner }, clock, log }: Pick<AccountsParts, 'store' | 'clock' | 'log'>) =>
  async (account: Account, kind: string): Promise<KnownAccount | undefined> => {
    const { id, name, grants, revokedAtMs, lastUsedAtMs } = account;
    if (revokedAtMs !== null) return undefined;
    const nowMs = clock.now();
    if (nowMs - (lastUsedAtMs ?? Number.NEGATIVE_INFINITY) >= lastUsedMs)
      await runner.write([updateLastUse({ id, nowMs })]).catch((error: unknown) => {
        log.warn({ id, error: String(error) }, 'When an account was used last could not be written');
      });
    return { id, name: `${kind} ${name}`, ...admitted(account), ...(grants !== undefined && { grants: grants.map(admitted) }) };
  };

/**
 * Takes a company that is gone out of what accounts may reach: its id may become that of another one, which would be theirs as well.
 *
 * @returns the statements
 */
export async function endGrants({ runner }: Pick<DurableStore, 'runner'>, companyId: string): Promise<readonly Call[]> {
  const isOther = (id: string): boolean => id !== companyId;
  const narrow = (grant: Omit<Grant, 'grants'>): Omit<Grant, 'grants'> =>
    grant.companies === 'all' ? grant : { ...grant, companies: grant.companies.filter(isOther) };
  const rows = [...(await runner.read(selectAccounts({ kind: 'token' }))), ...(await runner.read(selectAccounts({ kind: 'user' })))];
  return rows.flatMap((row) => {
    const { roles, companies, grants } = readAccount(row);
    if (companies === 'all' || companies.every(isOther)) return [];
    const grant = { ...narrow({ roles, companies }), ...(grants !== undefined && { grants: grants.map(narrow) }) };
    return [narrowAccount({ id: row.id, before: row.companies, ...writeGrant(grant) })];
  });
}

const admitted = ({ roles, companies }: Omit<Grant, 'grants'>): OperatorGrant => ({
  can: listPermissions(roles),
  reach: companies === 'all' ? companies : new Set(companies),
});

const writeGrant = ({ roles, companies, grants }: Grant): { readonly roles: string; readonly companies: string } => ({
  roles: JSON.stringify(grants ?? roles),
  companies: JSON.stringify(companies),
});

const readAccount = (row: KeptAccount): Account => ({
  id: row.id,
  name: row.name,
  ...readRoles(parseJsonText(row.roles)),
  companies: OwnCompanies.parse(parseJsonText(row.companies)),
  prefix: row.prefix ?? null,
  createdAtMs: row.createdAtMs,
  lastUsedAtMs: row.lastUsedAtMs ?? null,
  revokedAtMs: row.revokedAtMs ?? null,
  kept: { roles: row.roles, companies: row.companies },
});

/** Roles, or those of several lists of companies. */
function readRoles(stored: unknown): Pick<Grant, 'roles' | 'grants'> {
  const grants = OwnGrants.safeParse(stored).data;
  if (grants === undefined) return { roles: Roles.parse(stored) };
  return { grants, roles: roleNames.filter((role) => grants.some(({ roles }) => roles.includes(role))) };
}
