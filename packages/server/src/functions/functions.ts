// Deployed functions of companies, and how they are called.
import type { DeployedFunction, FunctionCall, FunctionResult, FunctionWorkers } from '@hilo/drivers';
import type { Clock, JsonObject } from '@hilo/engine/contract';
import { asCondition, type DurableStore } from '@hilo/stores';
import type { Logger } from '../platform/logging/logger.ts';
import type { Platform } from '../platform/platform.ts';
import { createPoller, type Poller } from '../platform/poller.ts';
import { hashKey, isSameDigest } from '../platform/secrets/client-secret.ts';
import type { Tenancy } from '../tenants/companies.ts';
import {
  markRevoked,
  countDeployment,
  markRedeployed,
  selectFunctions,
  selectFunction,
  selectOffers,
  selectOpenToken,
  selectOwner,
  selectRevoking,
  selectTokens,
  updateLastUse,
} from './sql.ts';

/** What the surface of functions works with. */
export type FunctionParts = Pick<Platform, 'settings' | 'engine' | 'clock' | 'isAccepting' | 'log'> &
  Tenancy & { readonly functions: Functions };

/** A tool of a function, as a client of its tool server sees it. */
export interface FunctionTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly inputSchema: JsonObject;
}

/** A function as it is deployed, with its tools. */
export interface FoundFunction extends DeployedFunction {
  readonly name: string;
  readonly tools: readonly FunctionTool[];
}

/** A function with what a model can call of it. */
export type FunctionOffer = Pick<FoundFunction, 'name' | 'tools'> & Pick<FunctionSummary, 'functionId'>;

/** A function as lists show it. */
export interface FunctionSummary {
  readonly companyId: string;
  readonly functionId: string;
  readonly name: string;
}

/** A runtime token as lists show it: never the token itself (TOK-01). */
export interface RuntimeToken {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  /** `revoking` until the redeploy has finished; the token is refused from then on (TOK-04). */
  readonly state: 'active' | 'revoking' | 'revoked';
  readonly createdAtMs: number | null;
  readonly lastUsedAtMs: number | null;
}

/** The deployed functions of all companies, and the tokens of the older kind that open them. */
export interface Functions {
  /** Every function, or those of a company, by id. */
  list(companyId?: string): Promise<readonly FunctionSummary[]>;
  /** The functions of a company with their tools, by id. */
  offers(companyId: string): Promise<readonly FunctionOffer[]>;
  /** The company of a function; function ids are unique across companies. */
  owner(functionId: string): Promise<string | undefined>;
  /** A function of this company; another company's is unknown (P28). */
  find(companyId: string, functionId: string): Promise<FoundFunction | undefined>;
  /** The company whose function this token opens; it opens no other function (AUT-04). */
  companyOfToken(functionId: string, token: string): Promise<string | undefined>;
  call(deployed: DeployedFunction, call: FunctionCall): Promise<FunctionResult>;
  /** `undefined` when the company has no such function. */
  tokens(companyId: string, functionId: string): Promise<readonly RuntimeToken[] | undefined>;
  /**
   * Revokes a token and deploys its function again (TOK-03). Resolves when that is durable; the redeploy continues.
   *
   * @returns the token in its current state; `undefined` when there is none
   */
  revoke(companyId: string, functionId: string, tokenId: string): Promise<RuntimeToken | undefined>;
  /** Continues revocations that have not ended: after a start, and after an import. */
  settle(): void;
  /** Resolves when no revocation is under way. */
  whenIdle(): Promise<void>;
  /** Ends every function. */
  close(): Promise<void>;
}

interface FunctionsParts {
  readonly store: Pick<DurableStore, 'runner'>;
  readonly workers: FunctionWorkers;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Tools as they were checked when they were kept. */
const asTools = (kept: unknown): readonly FunctionTool[] => kept as readonly FunctionTool[];

/** The resolution of the last use of a token: each update is a write to disk. */
const lastUsedMs = 60_000;

/** Functions are read with each call, so that deployments and revocations of other processes count at once. */
export function createFunctions({ store: { runner }, workers, clock, log }: FunctionsParts): Functions {
  const find = async (companyId: string, functionId: string): Promise<FoundFunction | undefined> => {
    const row = await runner.readOne(selectFunction({ functionId }));
    if (row?.companyId !== companyId) return undefined;
    const { name, source, tools, deployment } = row;
    return { companyId, functionId, name, source, deployment, tools: asTools(tools) };
  };
  const owner = async (functionId: string): Promise<string | undefined> => (await runner.readOne(selectOwner({ functionId })))?.companyId;
  const tokens = async (companyId: string, functionId: string): Promise<readonly RuntimeToken[] | undefined> => {
    if ((await owner(functionId)) !== companyId) return undefined;
    const rows = await runner.read(selectTokens({ companyId, functionId }));
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      prefix: row.prefix,
      state: row.revokedAtMs === undefined ? 'active' : row.redeployedAtMs === undefined ? 'revoking' : 'revoked',
      createdAtMs: row.createdAtMs ?? null,
      lastUsedAtMs: row.lastUsedAtMs ?? null,
    }));
  };
  const redeployments = createRedeployments({ runner, workers, find, clock, log });

  return {
    find,
    tokens,
    call: workers.call,
    owner,
    async list(companyId) {
      const all = await runner.read(selectFunctions({}));
      return all.filter((one) => companyId === undefined || one.companyId === companyId);
    },
    async offers(companyId) {
      const rows = await runner.read(selectOffers({ companyId }));
      return rows.map(({ tools, ...row }) => ({ ...row, tools: asTools(tools) }));
    },
    async companyOfToken(functionId, token) {
      const hash = hashKey(token);
      const row = await runner.readOne(selectOpenToken({ hash }));
      if (row === undefined || !isSameDigest(row.hash, hash) || row.functionId !== functionId) return undefined;
      const { companyId, id } = row;
      const nowMs = clock.now();
      if (nowMs - (row.lastUsedAtMs ?? Number.NEGATIVE_INFINITY) >= lastUsedMs)
        await runner.write([updateLastUse({ companyId, functionId, id, nowMs })]);
      return companyId;
    },
    async revoke(companyId, functionId, id) {
      const nowMs = clock.now();
      const given = { companyId, functionId, id, nowMs };
      const { failed } = await runner.write([asCondition(markRevoked(given)), countDeployment(given)]);
      if (failed === undefined) redeployments.wake(nowMs);
      return (await tokens(companyId, functionId))?.find((token) => token.id === id);
    },
    settle() {
      redeployments.start();
      redeployments.wake(clock.now());
    },
    whenIdle: redeployments.whenIdle,
    async close() {
      await workers.close();
      await redeployments.stop();
    },
  };
}

interface RedeploymentParts {
  readonly runner: DurableStore['runner'];
  readonly workers: Pick<FunctionWorkers, 'redeploy'>;
  readonly find: (companyId: string, functionId: string) => Promise<FoundFunction | undefined>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** How often the store is asked for revocations of another process, or of one that died. */
const pollMs = 30_000;
/** After an error of the store. */
const retryMs = 1_000;

/**
 * Deploys functions again whose tokens are being revoked: a token is refused once its function runs again (TOK-04). Revocations of the same
 * function by several processes are harmless: each starts the function again.
 */
function createRedeployments({ runner, workers, find, clock, log }: RedeploymentParts): Poller {
  let waitMs = pollMs;

  const redeploy = async (functionId: string, tokens: readonly { readonly companyId: string; readonly id: string }[]): Promise<void> => {
    const companyId = tokens[0]?.companyId ?? '';
    // Read after the tokens: the deployment found here began after they were revoked.
    const deployed = await find(companyId, functionId);
    if (deployed !== undefined) await workers.redeploy(deployed);
    const nowMs = clock.now();
    const ended = tokens.map(({ id }) => markRedeployed({ companyId, functionId, id, nowMs }));
    await runner.write(ended);
  };
  return createPoller({
    clock,
    log,
    everyMs: pollMs,
    waitMs: () => waitMs,
    async poll() {
      waitMs = retryMs;
      const open = Map.groupBy(await runner.read(selectRevoking({})), ({ functionId }) => functionId);
      await Promise.all([...open].map(([functionId, tokens]) => redeploy(functionId, tokens)));
      waitMs = pollMs;
    },
    failure: 'A revocation could not be ended',
  });
}
