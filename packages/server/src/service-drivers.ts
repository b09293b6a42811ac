import {
  type CodeWorkers,
  createCodeDriver,
  createFunctionDriver,
  createHttpDriver,
  createModelDriver,
  createSoapDriver,
  type Dialer,
} from '@hilo/drivers';
import { type BoundDriver, drive, driveDetached, type DriverContext, type ExecutionStore } from '@hilo/engine/contract';
import { logEvent, respondWebhook } from '@hilo/nodes/effects';
import type { DurableStore } from '@hilo/stores';
import type { Functions } from './functions/functions.ts';
import type { Conversations } from './conversations/conversations.ts';
import type { Payments } from './payments/payments.ts';
import type { Deliver, MessageLog, Outbox } from './messages/messages.ts';
import type { MediaCheck } from './messages/media/media-check.ts';
import type { Companies } from './tenants/companies.ts';
import type { Logger } from './platform/logging/logger.ts';
import { traceHeaders } from './platform/tracing.ts';
import type { WebhookResponse, WebhookResponses } from './webhooks/webhook-responses.ts';
import type { ChannelRegistry } from './channels/channels.ts';
import { createHandoffDriver } from './conversations/driver.ts';
import { createPaymentDriver } from './payments/driver.ts';
import { createSendingDrivers } from './messages/driver.ts';
import { createTagsDriver } from './contacts/driver.ts';

interface DriverParts {
  readonly companies: Companies;
  readonly channels: Pick<ChannelRegistry, 'isRecordOnly'>;
  readonly messages: MessageLog;
  /** Keeps the order of what is sent to one user (P9). */
  readonly outbox: Pick<Outbox, 'send'>;
  readonly conversations: Pick<Conversations, 'open'>;
  /** Looks at files before they are sent. */
  readonly media: MediaCheck;
  readonly responses: WebhookResponses;
  readonly executions: Pick<ExecutionStore, 'load'>;
  readonly store: Pick<DurableStore, 'canvases' | 'runner'>;
  /** The one way out (P30). */
  readonly dialer: Dialer;
  readonly databases: BoundDriver;
  /** Deployed functions. */
  readonly functions: Pick<Functions, 'call' | 'find'>;
  readonly payments: Pick<Payments, 'open'>;
  /** Runs the code of canvases. */
  readonly code: Pick<CodeWorkers, 'run'>;
  readonly log: Logger;
}

/** Performs what the standard nodes ask of the world. */
export function createServiceDrivers({
  companies,
  channels: { isRecordOnly },
  messages,
  outbox,
  conversations,
  media,
  responses,
  executions,
  store,
  dialer,
  databases,
  functions,
  payments,
  code,
  log,
}: DriverParts): readonly BoundDriver[] {
  const deliver: Deliver = async (bot, message, signal) =>
    isRecordOnly(bot) ? { kind: 'sent', messageId: await messages.sent(message) } : outbox.send(bot, message, signal);
  return [
    ...createSendingDrivers({ companies, deliver, isRecordOnly, media }),
    createTagsDriver(store),
    createHandoffDriver(conversations),
    createHttpDriver({ dialer: withTrace(dialer), credential: companies.credential }),
    createSoapDriver({ dialer: withTrace(dialer), credential: companies.credential }),
    databases,
    createFunctionDriver({ workers: functions, find: functions.find }),
    createCodeDriver({ workers: code }),
    createModelDriver({ dialer, credential: companies.credential }),
    createPaymentDriver({ payments, executions, canvases: store.canvases }),
    drive(logEvent, ({ name, level, data }, { executionId, nodeId, origin: { companyId } }) => {
      log[level]({ event: name, companyId, executionId, nodeId, data }, `Event ${name}`);
      return { kind: 'done' };
    }),
    driveDetached(respondWebhook, { kind: 'done' }, (response, context) => respondAll(responses, executions, context, response)),
  ];
}

/** A dialer whose calls carry the trace headers, unless the canvas's author sets them. */
const withTrace = (dialer: Dialer): Dialer => ({
  ...dialer,
  request: (call) => dialer.request({ ...call, headers: { ...traceHeaders(), ...call.headers } }),
});

/** Answers the webhook request that waits for the execution or for one of its callers: a child may answer for its parent. */
async function respondAll(
  responses: WebhookResponses,
  executions: Pick<ExecutionStore, 'load'>,
  { executionId, parentId, origin: { companyId } }: DriverContext,
  response: WebhookResponse,
): Promise<void> {
  responses.respond(executionId, response);
  for (let id = parentId; id !== undefined; id = (await executions.load(companyId, id))?.parent?.executionId)
    responses.respond(id, response);
}
