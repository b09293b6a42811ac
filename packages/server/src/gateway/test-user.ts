import { HiloError, isJsonObject, type WebhookRequest } from '@hilo/engine/contract';
import { userIdProblem } from '@hilo/nodes';
import type { Bot } from '../service/companies.ts';

/**
 * On the test route the user comes from the tester: the query `testUserId`, which the canvas does not see. A `userId` is
 * data like any other there (WEB-13).
 *
 * @throws {HiloError} `INVALID_USER_ID`
 */
export function takeTestUser(
  { query, ...request }: WebhookRequest,
  { channel, settings }: Bot,
): { readonly request: WebhookRequest; readonly testUserId?: string } {
  const { testUserId, ...rest } = isJsonObject(query) ? query : {};
  if (testUserId === undefined) return { request: { ...request, query } };
  if (typeof testUserId !== 'string' || userIdProblem(testUserId, channel, settings.userIdFormat) !== undefined)
    throw new HiloError('INVALID_USER_ID', { userId: typeof testUserId === 'string' ? testUserId : JSON.stringify(testUserId) });
  return { request: { ...request, query: rest }, testUserId };
}
