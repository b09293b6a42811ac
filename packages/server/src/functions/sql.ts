import { isNotAway } from '../platform/database/not-away.ts';
import { statement } from '../platform/database/schema.ts';

type Place = { readonly companyId: string; readonly functionId: string };

/** A function with its source and the number of its deployment. */
export const selectFunction = statement<{ readonly functionId: string }>()((db, { functionId }) =>
  db
    .selectFrom('functions')
    .select(['function_id', 'company_id', 'name', 'source', 'tools', 'deployment'])
    .where('function_id', '=', functionId),
);

/** The company of a function, without its source. */
export const selectOwner = statement<{ readonly functionId: string }>()((db, { functionId }) =>
  db.selectFrom('functions').select('company_id').where('function_id', '=', functionId),
);

/** Every function without its source, by id. */
export const selectFunctions = statement()((db) =>
  db.selectFrom('functions').select(['company_id', 'function_id', 'name']).orderBy('function_id'),
);

const tokenColumns = ['id', 'name', 'prefix', 'created_at_ms', 'last_used_at_ms', 'revoked_at_ms', 'redeployed_at_ms'] as const;

/** The tokens of a function by id, without their hashes. */
export const selectTokens = statement<Place>()((db, { companyId, functionId }) =>
  db
    .selectFrom('runtime_tokens')
    .select(tokenColumns)
    .where('company_id', '=', companyId)
    .where('function_id', '=', functionId)
    .orderBy('id'),
);

/** A token that still opens its function: one that is being revoked does until the end of the redeploy. */
export const selectOpenToken = statement<{ readonly hash: string }>()((db, { hash }) =>
  db
    .selectFrom('runtime_tokens')
    .select(['company_id', 'function_id', 'id', 'hash', 'last_used_at_ms'])
    .where('hash', '=', hash)
    .where('redeployed_at_ms', 'is', null),
);

/** Notes when a token was used last. */
export const updateLastUse = statement<Place & { readonly id: string; readonly nowMs: number }>()((db, given) =>
  db
    .updateTable('runtime_tokens')
    .set({ last_used_at_ms: given.nowMs })
    .where('company_id', '=', given.companyId)
    .where('function_id', '=', given.functionId)
    .where('id', '=', given.id),
);

/** Gives a row when the token was there and active. */
export const markRevoked = statement<Place & { readonly id: string; readonly nowMs: number }>()((db, given) =>
  db
    .updateTable('runtime_tokens')
    .set({ revoked_at_ms: given.nowMs })
    .where('company_id', '=', given.companyId)
    .where('function_id', '=', given.functionId)
    .where('id', '=', given.id)
    .where('revoked_at_ms', 'is', null)
    .returning('id'),
);

/** From here on every process starts the function again before it calls it. */
export const countDeployment = statement<{ readonly functionId: string }>()((db, { functionId }) =>
  db
    .updateTable('functions')
    .set((eb) => ({ deployment: eb('deployment', '+', 1) }))
    .where('function_id', '=', functionId),
);

/** Tokens that are revoked and whose functions have not been deployed again. */
export const selectRevoking = statement()((db) =>
  db
    .selectFrom('runtime_tokens')
    .select(['company_id', 'function_id', 'id'])
    .where('revoked_at_ms', 'is not', null)
    .where('redeployed_at_ms', 'is', null)
    .where(isNotAway(db, 'runtime_tokens')),
);

/** Ends a revocation: the token is refused from now on (TOK-04). */
export const markRedeployed = statement<Place & { readonly id: string; readonly nowMs: number }>()((db, given) =>
  db
    .updateTable('runtime_tokens')
    .set({ redeployed_at_ms: given.nowMs })
    .where('company_id', '=', given.companyId)
    .where('function_id', '=', given.functionId)
    .where('id', '=', given.id),
);
