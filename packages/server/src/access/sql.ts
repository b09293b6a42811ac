// Statements over the service's own accounts and their login links. They are of the service and not of a company: an account has a list.
import { statement } from '../platform/database/schema.ts';

const columns = ['id', 'kind', 'name', 'roles', 'companies', 'prefix', 'created_at_ms', 'last_used_at_ms', 'revoked_at_ms'] as const;

/** Tokens in the order of their making, or users by name. */
export const selectAccounts = statement<{ readonly kind: string }>()((db, { kind }) =>
  db.selectFrom('accounts').select(columns).where('kind', '=', kind).orderBy('created_at_ms').orderBy('id'),
);

export const selectAccount = statement<{ readonly id: string }>()((db, { id }) =>
  db.selectFrom('accounts').select(columns).where('id', '=', id),
);

export const selectUser = statement<{ readonly name: string }>()((db, { name }) =>
  db.selectFrom('accounts').select(columns).where('kind', '=', 'user').where('name', '=', name),
);

export const selectByHash = statement<{ readonly hash: string }>()((db, { hash }) =>
  db
    .selectFrom('accounts')
    .select([...columns, 'hash'])
    .where('hash', '=', hash),
);

/** A new account, as it is written. */
export type WrittenAccount = {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly roles: string;
  readonly companies: string;
  readonly prefix: string | null;
  readonly hash: string | null;
  readonly nowMs: number;
};

/** Gives a row unless there is a user of this name. */
export const insertAccount = statement<WrittenAccount>()((db, { id, kind, name, roles, companies, prefix, hash, nowMs }) =>
  db
    .insertInto('accounts')
    .values({ id, kind, name, roles, companies, prefix, hash, created_at_ms: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
);

/** Gives a row when there is a user of this name. */
export const updateUser = statement<{ readonly name: string; readonly roles: string; readonly companies: string }>()(
  (db, { name, roles, companies }) =>
    db.updateTable('accounts').set({ roles, companies }).where('kind', '=', 'user').where('name', '=', name).returning('id'),
);

export const deleteUser = statement<{ readonly name: string }>()((db, { name }) =>
  db.deleteFrom('accounts').where('kind', '=', 'user').where('name', '=', name).returning('id'),
);

/** A token that is revoked already keeps the instant of the first time. */
export const revokeToken = statement<{ readonly id: string; readonly nowMs: number }>()((db, { id, nowMs }) =>
  db
    .updateTable('accounts')
    .set({ revoked_at_ms: nowMs })
    .where('id', '=', id)
    .where('kind', '=', 'token')
    .where('revoked_at_ms', 'is', null),
);

export const updateLastUse = statement<{ readonly id: string; readonly nowMs: number }>()((db, { id, nowMs }) =>
  db.updateTable('accounts').set({ last_used_at_ms: nowMs }).where('id', '=', id),
);

export const insertLink = statement<{ readonly hash: string; readonly accountId: string; readonly untilMs: number }>()(
  (db, { hash, accountId, untilMs }) => db.insertInto('login_links').values({ hash, account_id: accountId, until_ms: untilMs }),
);

/** Redeems a link: it gives a row once. */
export const takeLink = statement<{ readonly hash: string; readonly nowMs: number }>()((db, { hash, nowMs }) =>
  db.deleteFrom('login_links').where('hash', '=', hash).where('until_ms', '>', nowMs).returning('account_id'),
);

export const deleteOldLinks = statement<{ readonly nowMs: number }>()((db, { nowMs }) =>
  db.deleteFrom('login_links').where('until_ms', '<=', nowMs),
);
