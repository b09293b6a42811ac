// Statements over functions and their tokens: those that are found by a token or an id are of any company.
import { integer, pick } from '@hilo/stores';
import { isNotAway } from '../platform/database/not-away.ts';
import { query } from '../platform/database/schema.ts';
import { functions, runtimeTokens } from '../platform/tables/functions.ts';

const ofOne = pick(functions.columns, 'functionId');

/** A function with its source and the number of its deployment. */
export const selectFunction = query(
  ofOne,
  pick(functions.columns, 'companyId', 'name', 'source', 'tools', 'deployment'),
  (db, { functionId }) =>
    db.selectFrom('functions').select(['company_id', 'name', 'source', 'tools', 'deployment']).where('function_id', '=', functionId),
);

/** The company of a function, without its source. */
export const selectOwner = query(ofOne, pick(functions.columns, 'companyId'), (db, { functionId }) =>
  db.selectFrom('functions').select('company_id').where('function_id', '=', functionId),
);

/** Every function without its source, by id. */
export const selectFunctions = query({}, pick(functions.columns, 'companyId', 'functionId', 'name'), (db) =>
  db.selectFrom('functions').select(['company_id', 'function_id', 'name']).orderBy('function_id'),
);

/** What the functions of a company offer as tools, without their sources, by id. */
export const selectOffers = query(
  pick(functions.columns, 'companyId'),
  pick(functions.columns, 'functionId', 'name', 'tools'),
  (db, { companyId }) =>
    db.selectFrom('functions').select(['function_id', 'name', 'tools']).where('company_id', '=', companyId).orderBy('function_id'),
);

const { id: ofId, functionId: ofFunction } = runtimeTokens.columns;
const oneOfFunction = { functionId: ofFunction, id: ofId, nowMs: integer() };

/** The tokens of a function by id, without their hashes. */
export const selectTokens = runtimeTokens.read(
  ['id', 'name', 'prefix', 'createdAtMs', 'lastUsedAtMs', 'revokedAtMs', 'redeployedAtMs'],
  { functionId: ofFunction },
  (rows, given) => rows.where('function_id', '=', given.functionId).orderBy('id'),
);

/** A token that still opens its function: one that is being revoked does until the end of the redeploy. */
export const selectOpenToken = query(
  pick(runtimeTokens.columns, 'hash'),
  pick(runtimeTokens.columns, 'companyId', 'functionId', 'id', 'hash', 'lastUsedAtMs'),
  (db, { hash }) =>
    db
      .selectFrom('runtime_tokens')
      .select(['company_id', 'function_id', 'id', 'hash', 'last_used_at_ms'])
      .where('hash', '=', hash)
      .where('redeployed_at_ms', 'is', null),
);

/** Notes when a token was used last. */
export const updateLastUse = runtimeTokens.change(oneOfFunction, (rows, given) =>
  rows.set({ last_used_at_ms: given.nowMs }).where('function_id', '=', given.functionId).where('id', '=', given.id),
);

/** Gives a row when the token was there and active. */
export const markRevoked = runtimeTokens.change(oneOfFunction, (rows, given) =>
  rows
    .set({ revoked_at_ms: given.nowMs })
    .where('function_id', '=', given.functionId)
    .where('id', '=', given.id)
    .where('revoked_at_ms', 'is', null),
);

/** From here on every process starts the function again before it calls it. */
export const countDeployment = query(ofOne, {}, (db, { functionId }) =>
  db
    .updateTable('functions')
    .set((eb) => ({ deployment: eb('deployment', '+', 1) }))
    .where('function_id', '=', functionId),
);

/** Tokens that are revoked and whose functions have not been deployed again. */
export const selectRevoking = query({}, pick(runtimeTokens.columns, 'companyId', 'functionId', 'id'), (db) =>
  db
    .selectFrom('runtime_tokens')
    .select(['company_id', 'function_id', 'id'])
    .where('revoked_at_ms', 'is not', null)
    .where('redeployed_at_ms', 'is', null)
    .where(isNotAway(db, 'runtime_tokens')),
);

/** Ends a revocation: the token is refused from now on (TOK-04). */
export const markRedeployed = runtimeTokens.change(oneOfFunction, (rows, given) =>
  rows.set({ redeployed_at_ms: given.nowMs }).where('function_id', '=', given.functionId).where('id', '=', given.id),
);
