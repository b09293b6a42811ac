// What an erasure of a person removes of the store's own tables, page by page, as statements for a transaction of the caller's.
import { type Call, call } from './statements/call.ts';
import {
  deleteExecution,
  deleteQueue,
  deleteSeenKey,
  deleteSetAside,
  deleteTakeUps,
  type ErasedExecution,
  executionsOfUser,
  seenAfter,
} from './statements/erasure.ts';
import { type EndedExecution, deleteExported, deleteHistory } from './statements/retention.ts';
import { encodeDeliveryKey, encodeKey, encodeText } from './text-encoding.ts';

export type { ErasedExecution } from './statements/erasure.ts';

/** A page of the executions of a user, open or not, the oldest first. */
export const findExecutionsOf = (companyId: string, userId: string, afterId: number, limit: number): Call<ErasedExecution> =>
  call(executionsOfUser, { companyId: encodeText(companyId), userKey: encodeKey(userId), afterId, limit });

/** Removes executions with their histories and what waits in lanes of their own. */
export const eraseExecutions = (executions: readonly EndedExecution[]): readonly Call[] => [
  ...executions.map((one) => call(deleteExecution, one)),
  ...executions.flatMap((one) => [call(deleteHistory, one), call(deleteExported, one)]),
];

/** Removes what waits in lanes, what was set aside of them, and how often they were recovered. */
export const eraseLanes = (companyId: string, lanes: readonly string[]): readonly Call[] =>
  lanes
    .map(encodeText)
    .flatMap((lane): readonly Call[] => [
      call(deleteQueue, { lane }),
      call(deleteSetAside, { companyId: encodeText(companyId), lane }),
      call(deleteTakeUps, { lane }),
    ]);

/** A page of the delivery ids of a company, with the answers that repetitions get, behind one of them. */
export const pageSeen = (companyId: string, after: string, limit: number): Call<{ readonly key: string; readonly answer: string }> => ({
  ...call(seenAfter, { after: after === '' ? `${companyId}:` : after, before: `${companyId};`, limit }),
});

/** Forgets delivery ids as they are stored. */
export const forgetSeenKeys = (keys: readonly string[]): readonly Call[] => keys.map((key) => call(deleteSeenKey, { key }));

/** The stored form of a delivery id. */
export const seenKeyOf = (key: string): string => encodeDeliveryKey(key);
