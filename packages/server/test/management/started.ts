import type { JsonObject } from '@hilo/engine/contract';
import { type FakeManagement, pausing } from './fake-management.ts';

const hook = { workflowId: 'pausing', nodeId: 'hook', channel: 'whatsapp', botId: 'bot_wa' } as const;

/** Publishes the canvas and starts it by its webhook. */
export async function started(
  { ask, service }: FakeManagement,
  user = '51999000111',
  companyId = '1',
  more: JsonObject = {},
): Promise<string> {
  await ask('PUT', `/workflows/pausing?companyId=${companyId}`, pausing());
  await ask('POST', `/workflows/pausing/publish?companyId=${companyId}`);
  const request = { method: 'POST', headers: {}, query: {}, body: { user, ...more } };
  const { executionId } = await service.engine.receiveWebhook({ ...hook, companyId, route: 'production', request });
  await service.engine.whenIdle();
  return executionId;
}
