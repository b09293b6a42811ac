import type { FunctionWorkers } from '@hilo/drivers';
import type { Clock } from '@hilo/engine/contract';
import { call, type DurableStore } from '@hilo/stores';
import type { Logger } from '../platform/logging/logger.ts';
import type { FoundFunction } from './functions.ts';
import { endRevoking, revoking } from './sql.ts';

interface RedeploymentParts {
  readonly runner: DurableStore['runner'];
  readonly workers: Pick<FunctionWorkers, 'redeploy'>;
  readonly find: (companyId: string, functionId: string) => Promise<FoundFunction | undefined>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** Brings revocations to their end: a token is refused once its function runs again (TOK-04). */
export interface Redeployments {
  /** Finishes open revocations in the background. Resolves at once; `whenIdle` resolves when none is left. */
  begin(): void;
  whenIdle(): Promise<void>;
  close(): Promise<void>;
}

/** A store that did not answer may do so then. */
const againMs = 1_000;

export function createRedeployments({ runner, workers, find, clock, log }: RedeploymentParts): Redeployments {
  let underWay: Promise<void> | undefined;
  let isWanted = false;
  let isClosed = false;
  let timer: unknown;

  const endAll = async (): Promise<void> => {
    while (isWanted && !isClosed) {
      isWanted = false;
      const open = Map.groupBy(await runner.read(call(revoking, {})), ({ function_id }) => function_id);
      await Promise.all([...open.values()].map(endOf));
    }
  };
  const endOf = async (tokens: readonly TokenPlace[]): Promise<void> => {
    const [{ company_id: companyId, function_id: functionId } = nowhere] = tokens;
    // Read after the tokens: the deployment found here began after they were revoked.
    const deployed = await find(companyId, functionId);
    if (deployed !== undefined) await workers.redeploy(deployed);
    const nowMs = clock.now();
    const ended = tokens.map(({ id }) => call(endRevoking, { companyId, functionId, id, nowMs }));
    await runner.write(ended);
  };
  const begin = (): void => {
    isWanted = true;
    if (isClosed || underWay !== undefined) return;
    clock.clearTimeout(timer);
    underWay = endAll()
      .catch((error: unknown) => {
        isWanted = false;
        log.warn({ error: String(error) }, 'A revocation could not be ended yet');
        if (!isClosed) timer = clock.setTimeout(begin, againMs);
      })
      .finally(() => {
        underWay = undefined;
        if (isWanted) begin();
      });
  };
  const whenIdle = async (): Promise<void> => {
    while (underWay !== undefined) await underWay;
  };
  return {
    begin,
    whenIdle,
    async close() {
      isClosed = true;
      clock.clearTimeout(timer);
      await whenIdle();
    },
  };
}

interface TokenPlace {
  readonly company_id: string;
  readonly function_id: string;
  readonly id: string;
}

const nowhere: TokenPlace = { company_id: '', function_id: '', id: '' };
