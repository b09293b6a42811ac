import { createFunctionDriver, createHttpDriver, type Dialer } from '@hilo/drivers';
import { type BoundDriver, drive, type ExecutionStore } from '@hilo/engine/contract';
import { logEvent, respondWebhook } from '@hilo/nodes/effects';
import type { DurableStore } from '@hilo/stores';
import type { Functions } from '../functions/functions.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Companies } from '../service/companies.ts';
import type { Logger } from '../service/logger.ts';
import type { MessageLog } from '../service/message-log.ts';
import type { WebhookResponse, WebhookResponses } from '../service/webhook-responses.ts';
import { createLogDelivery } from './deliver-log.ts';
import { deliverBy } from './delivery.ts';
import { createHandoffDriver } from './handoff.ts';
import { createSendingDrivers } from './send.ts';
import { createTagsDriver } from './tags.ts';

interface DriverParts {
  readonly companies: Companies;
  readonly messages: MessageLog;
  /** Keeps the order of what is sent to one user (P9). */
  readonly outbox: Pick<Outbox, 'send'>;
  readonly conversations: Pick<Conversations, 'open'>;
  readonly responses: WebhookResponses;
  readonly executions: Pick<ExecutionStore, 'load'>;
  readonly store: Pick<DurableStore, 'runner'>;
  /** The one way out (P30). */
  readonly dialer: Dialer;
  /** Deployed functions. */
  readonly functions: Pick<Functions, 'call' | 'find'>;
  readonly log: Logger;
}

/** Performs what the standard nodes ask of the world. */
export function createServiceDrivers({
  companies,
  messages,
  outbox,
  conversations,
  responses,
  executions,
  store,
  dialer,
  functions,
  log,
}: DriverParts): readonly BoundDriver[] {
  const deliver = deliverBy({ log: createLogDelivery(messages), custom: outbox.send });
  return [
    ...createSendingDrivers({ companies, deliver }),
    createTagsDriver(store),
    createHandoffDriver(conversations),
    createHttpDriver({ dialer, credential: companies.credential }),
    createFunctionDriver({ workers: functions, find: functions.find }),
    drive(logEvent, ({ name, level, data }, { executionId, nodeId, origin: { companyId } }) => {
      log[level]({ event: name, companyId, executionId, nodeId, data }, `Event ${name}`);
      return { kind: 'done' };
    }),
    drive(respondWebhook, async (response, { executionId, origin: { companyId } }) => {
      await respondAll(responses, executions, companyId, executionId, response);
      return { kind: 'done' };
    }),
  ];
}

/** Answers whoever waits for the execution or for one that called it: a child may answer the webhook of its parent. */
async function respondAll(
  responses: WebhookResponses,
  executions: Pick<ExecutionStore, 'load'>,
  companyId: string,
  executionId: string,
  response: WebhookResponse,
): Promise<void> {
  for (let id: string | undefined = executionId; id !== undefined; ) {
    responses.respond(id, response);
    id = (await executions.load(companyId, id))?.parent?.executionId;
  }
}
