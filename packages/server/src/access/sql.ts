// Statements over the service's own accounts and their login links. They are of the service and not of a company: an account has a list.
import { integer, optional, pick, plain, type ReadOf, selected, text } from '@hilo/stores';
import { query } from '../platform/database/schema.ts';

const columns = {
  id: plain(),
  kind: plain(),
  name: text(),
  /** JSON. */
  roles: text(),
  /** JSON. */
  companies: text(),
  prefix: optional(plain()),
  createdAtMs: integer(),
  lastUsedAtMs: optional(integer()),
  revokedAtMs: optional(integer()),
};
/** An account as it is kept. */
export type KeptAccount = ReadOf<typeof columns>;
const shown = selected('accounts', columns);
const hashed = { ...columns, hash: optional(plain()) };
const name = pick(columns, 'name');

/** Tokens in the order of their making, or users by name. */
export const selectAccounts = query(pick(columns, 'kind'), columns, (db, { kind }) =>
  db.selectFrom('accounts').select(shown).where('kind', '=', kind).orderBy('created_at_ms').orderBy('id'),
);

export const selectAccount = query(pick(columns, 'id'), columns, (db, { id }) =>
  db.selectFrom('accounts').select(shown).where('id', '=', id),
);

export const selectUser = query(name, columns, (db, given) =>
  db.selectFrom('accounts').select(shown).where('kind', '=', 'user').where('name', '=', given.name),
);

export const selectByHash = query({ hash: plain() }, hashed, (db, { hash }) =>
  db.selectFrom('accounts').select(shown).select('hash').where('hash', '=', hash),
);

/** Gives a row while there are fewer than so many, revoked ones aside. */
export const hasRoom = query({ ...pick(columns, 'kind'), most: integer() }, { room: integer() }, (db, { kind, most }) =>
  db
    .selectNoFrom(({ lit }) => lit(1).as('room'))
    .where(({ eb, selectFrom }) =>
      eb(
        selectFrom('accounts')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('kind', '=', kind)
          .where('revoked_at_ms', 'is', null),
        '<',
        most,
      ),
    ),
);

/** Gives a row unless there is a user of this name. */
export const insertAccount = query(
  { ...pick(hashed, 'id', 'kind', 'name', 'roles', 'companies', 'prefix', 'hash'), nowMs: integer() },
  pick(columns, 'id'),
  (db, given) =>
    db
      .insertInto('accounts')
      .values({
        id: given.id,
        kind: given.kind,
        name: given.name,
        roles: given.roles,
        companies: given.companies,
        prefix: given.prefix,
        hash: given.hash,
        created_at_ms: given.nowMs,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
);

/** Gives a row when there is a user of this name, whatever they may do. */
export const updateUser = query(pick(columns, 'name', 'roles', 'companies'), pick(columns, 'id'), (db, { name: user, roles, companies }) =>
  db.updateTable('accounts').set({ roles, companies }).where('kind', '=', 'user').where('name', '=', user).returning('id'),
);

/** Gives a row when the user may still do what was read. */
export const changeUser = query(
  { ...pick(columns, 'id', 'roles', 'companies'), rolesBefore: text(), companiesBefore: text() },
  pick(columns, 'id'),
  (db, given) =>
    db
      .updateTable('accounts')
      .set({ roles: given.roles, companies: given.companies })
      .where('id', '=', given.id)
      .where('roles', '=', given.rolesBefore)
      .where('companies', '=', given.companiesBefore)
      .returning('id'),
);

/** Of either kind, where it is still as it was read. */
export const narrowAccount = query(
  { ...pick(columns, 'id', 'roles', 'companies'), before: text() },
  pick(columns, 'id'),
  (db, { id, before, roles, companies }) =>
    db.updateTable('accounts').set({ roles, companies }).where('id', '=', id).where('companies', '=', before).returning('id'),
);

/** Gives a row when the user may still do what was read. */
export const deleteUser = query(pick(columns, 'id', 'roles', 'companies'), pick(columns, 'id'), (db, { id, roles, companies }) =>
  db.deleteFrom('accounts').where('id', '=', id).where('roles', '=', roles).where('companies', '=', companies).returning('id'),
);

/** A token that is revoked already keeps the instant of the first time. */
export const revokeToken = query({ id: plain(), nowMs: integer() }, {}, (db, { id, nowMs }) =>
  db
    .updateTable('accounts')
    .set({ revoked_at_ms: nowMs })
    .where('id', '=', id)
    .where('kind', '=', 'token')
    .where('revoked_at_ms', 'is', null),
);

/** Removes the revoked tokens but for the latest. */
export const deleteRevokedBeyond = query({ kept: integer() }, {}, (db, { kept }) =>
  db
    .deleteFrom('accounts')
    .where('kind', '=', 'token')
    .where('revoked_at_ms', 'is not', null)
    .where('id', 'not in', (tokens) =>
      tokens
        .selectFrom('accounts')
        .select('id')
        .where('kind', '=', 'token')
        .where('revoked_at_ms', 'is not', null)
        .orderBy('revoked_at_ms', 'desc')
        .orderBy('id')
        .limit(kept),
    ),
);

export const updateLastUse = query({ id: plain(), nowMs: integer() }, {}, (db, { id, nowMs }) =>
  db.updateTable('accounts').set({ last_used_at_ms: nowMs }).where('id', '=', id),
);

export const insertLink = query({ hash: plain(), accountId: plain(), untilMs: integer() }, {}, (db, { hash, accountId, untilMs }) =>
  db.insertInto('login_links').values({ hash, account_id: accountId, until_ms: untilMs }),
);

/** Ends the links of an account that nobody has used. */
export const deleteLinksOf = query({ accountId: plain() }, {}, (db, { accountId }) =>
  db.deleteFrom('login_links').where('account_id', '=', accountId),
);

/** Ends the links of an account but for one and the latest others. */
export const deleteLinksBeyond = query({ accountId: plain(), but: plain(), others: integer() }, {}, (db, { accountId, but, others }) =>
  db
    .deleteFrom('login_links')
    .where('account_id', '=', accountId)
    .where('hash', '!=', but)
    .where('hash', 'not in', (links) =>
      links
        .selectFrom('login_links')
        .select('hash')
        .where('account_id', '=', accountId)
        .where('hash', '!=', but)
        .orderBy('until_ms', 'desc')
        .orderBy('hash')
        .limit(others),
    ),
);

/** Redeems a link: it gives a row once. */
export const takeLink = query({ hash: plain(), nowMs: integer() }, { accountId: plain() }, (db, { hash, nowMs }) =>
  db.deleteFrom('login_links').where('hash', '=', hash).where('until_ms', '>', nowMs).returning('account_id'),
);

export const deleteOldLinks = query({ nowMs: integer() }, {}, (db, { nowMs }) =>
  db.deleteFrom('login_links').where('until_ms', '<=', nowMs),
);
