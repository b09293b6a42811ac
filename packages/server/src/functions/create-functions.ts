import type { FunctionWorkers } from '@hilo/drivers';
import type { Clock } from '@hilo/engine/contract';
import { call, condition, type DurableStore } from '@hilo/stores';
import { keyDigest, sameDigest } from '../platform/secrets/client-secret.ts';
import type { Logger } from '../platform/logging/logger.ts';
import type { FoundFunction, Functions, FunctionTool, RuntimeToken } from './functions.ts';
import { createRedeployments } from './redeployments.ts';
import { beginRevoking, deployAgain, everyFunction, functionById, openTokenByHash, ownerOf, tokensOf, useToken } from './sql.ts';

interface FunctionsParts {
  readonly store: Pick<DurableStore, 'runner'>;
  readonly workers: FunctionWorkers;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The resolution of the last use of a token: each update is a write to disk. */
const lastUsedMs = 60_000;

/** Functions are read with each call, so that deployments and revocations of other processes count at once. */
export function createFunctions({ store: { runner }, workers, clock, log }: FunctionsParts): Functions {
  const find = async (companyId: string, functionId: string): Promise<FoundFunction | undefined> => {
    const row = await runner.readOne(call(functionById, { functionId }));
    if (row?.company_id !== companyId) return undefined;
    const { name, source, tools, deployment } = row;
    return { companyId, functionId, name, source, deployment, tools: JSON.parse(tools) as readonly FunctionTool[] };
  };
  const owner = async (functionId: string): Promise<string | undefined> =>
    (await runner.readOne(call(ownerOf, { functionId })))?.company_id;
  const tokens = async (companyId: string, functionId: string): Promise<readonly RuntimeToken[] | undefined> => {
    if ((await owner(functionId)) !== companyId) return undefined;
    return (await runner.read(call(tokensOf, { companyId, functionId }))).map(tokenOf);
  };
  const redeployments = createRedeployments({ runner, workers, find, clock, log });

  return {
    find,
    tokens,
    call: workers.call,
    owner,
    async list(companyId) {
      const rows = await runner.read(call(everyFunction, {}));
      return rows
        .filter((row) => companyId === undefined || row.company_id === companyId)
        .map((row) => ({ companyId: row.company_id, functionId: row.function_id, name: row.name }));
    },
    async companyOfToken(functionId, token) {
      const hash = keyDigest(token);
      const row = await runner.readOne(call(openTokenByHash, { hash }));
      if (row === undefined || !sameDigest(row.hash, hash) || row.function_id !== functionId) return undefined;
      const { company_id: companyId, id } = row;
      const nowMs = clock.now();
      if (nowMs - (row.last_used_at_ms ?? Number.NEGATIVE_INFINITY) >= lastUsedMs)
        await runner.write([call(useToken, { companyId, functionId, id, nowMs })]);
      return companyId;
    },
    async revoke(companyId, functionId, id) {
      const given = { companyId, functionId, id, nowMs: clock.now() };
      const { failed } = await runner.write([condition(beginRevoking, given), call(deployAgain, given)]);
      if (failed === undefined) redeployments.begin();
      return (await tokens(companyId, functionId))?.find((token) => token.id === id);
    },
    settle: async () => redeployments.begin(),
    whenIdle: redeployments.whenIdle,
    async close() {
      await workers.close();
      await redeployments.close();
    },
  };
}

interface TokenColumns {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly created_at_ms: number | null;
  readonly last_used_at_ms: number | null;
  readonly revoked_at_ms: number | null;
  readonly redeployed_at_ms: number | null;
}

const tokenOf = (row: TokenColumns): RuntimeToken => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  state: row.revoked_at_ms === null ? 'active' : row.redeployed_at_ms === null ? 'revoking' : 'revoked',
  createdAtMs: row.created_at_ms,
  lastUsedAtMs: row.last_used_at_ms,
});
