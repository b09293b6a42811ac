// The drivers of a service.
import { join } from 'node:path';
import {
  type CodeWorkers,
  createCodeDriver,
  createFunctionDriver,
  createHttpDriver,
  createSocketDialer,
  type Dialer,
  type SocketDialerOptions,
  type FindCredential,
} from '@hilo/drivers';
import { createMcpDriver, createModelDriver, createSoapDriver, type DatabaseDriverOptions } from '@hilo/integrations';
import { type BoundDriver, type Clock, drive, driveDetached, type ExecutionStore } from '@hilo/engine/contract';
import { logEvent, respondWebhook } from '@hilo/nodes/effects';
import type { DurableStore } from '@hilo/stores';
import type { Functions } from '../functions/functions.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { Payments } from '../payments/payments.ts';
import type { Deliver, MessageLog, Outbox } from '../messages/messages.ts';
import type { MediaCheck } from '../messages/media/media-check.ts';
import type { Companies } from '../tenants/companies.ts';
import type { Logger } from '../platform/logging/logger.ts';
import type { StorePlace } from '../platform/database/store-place.ts';
import { injectTraceHeaders } from '../platform/tracing.ts';
import type { ChannelRegistry } from '../channels/channels.ts';
import { createHandoffDriver } from '../conversations/driver.ts';
import { createPaymentDriver } from '../payments/driver.ts';
import type { Files } from '../files/files.ts';
import { type LinkParts, withLinks } from '../files/links.ts';
import type { PresentFile } from '../platform/name-files.ts';
import { createSendingDrivers } from '../messages/driver.ts';
import { createConsentDriver, createGroupDriver, createTagsDriver } from '../contacts/driver.ts';
import type { TellConsent } from '../contacts/contacts.ts';
import type { Settings } from './settings.ts';
import { withTestCredentials } from './test-credentials.ts';

interface DriverParts {
  readonly companies: Companies;
  readonly channels: Pick<ChannelRegistry, 'isRecordOnly'>;
  readonly messages: MessageLog;
  /** Keeps the order of what is sent to one user (P9). */
  readonly outbox: Pick<Outbox, 'send'>;
  readonly conversations: Pick<Conversations, 'open'>;
  /** Looks at files before they are sent. */
  readonly media: MediaCheck;
  readonly executions: Pick<ExecutionStore, 'load'>;
  readonly store: Pick<DurableStore, 'canvases' | 'runner'>;
  /** Canvases that wait for a change of consent hear of it. */
  readonly tellConsent: TellConsent;
  /** Every outbound call goes through it (P30). */
  readonly dialer: Dialer;
  readonly databases: BoundDriver;
  /** Deployed functions. */
  readonly functions: Pick<Functions, 'call' | 'find'>;
  readonly payments: Pick<Payments, 'open'>;
  /** Files by their handles. */
  readonly files: Files;
  /** Make links to them. */
  readonly links: Omit<LinkParts, 'files'>;
  /** Gives the file of a message an address where it has a handle. */
  readonly present: PresentFile;
  /** Credentials as drivers use them. */
  readonly credential: FindCredential;
  /** Runs the code of canvases. */
  readonly code: Pick<CodeWorkers, 'run'>;
  readonly log: Logger;
  readonly clock: Clock;
}

/** The drivers of the standard nodes' effects. */
export function createServiceDrivers({
  companies,
  credential,
  channels: { isRecordOnly },
  messages,
  outbox,
  conversations,
  media,
  executions,
  store,
  dialer,
  databases,
  functions,
  payments,
  files,
  links,
  tellConsent,
  present,
  code,
  log,
  clock,
}: DriverParts): readonly BoundDriver[] {
  const deliver: Deliver = async (bot, message, signal) =>
    isRecordOnly(bot) ? { kind: 'sent', messageId: await messages.sent(message) } : outbox.send(bot, message, signal);
  const linking: LinkParts = { ...links, files };
  const drivers = [
    ...createSendingDrivers({ companies, deliver, isRecordOnly, media, present }),
    createTagsDriver(store),
    createGroupDriver(store),
    createConsentDriver(store, clock, tellConsent),
    createHandoffDriver(conversations),
    createHttpDriver({ dialer: withTrace(dialer), credential, files }),
    createSoapDriver({ dialer: withTrace(dialer), credential }),
    databases,
    withLinks(createFunctionDriver({ workers: functions, find: functions.find }), linking, ['body']),
    withLinks(createCodeDriver({ workers: code }), linking, ['input']),
    withLinks(createModelDriver({ dialer, credential, clock }), linking, ['messages']),
    createMcpDriver({ dialer, credential }),
    createPaymentDriver({ payments, executions, canvases: store.canvases }),
    drive(logEvent, ({ name, level, data }, { executionId, nodeId, origin: { companyId } }) => {
      log[level]({ event: name, companyId, executionId, nodeId, data }, `Event ${name}`);
      return { kind: 'done' };
    }),
    driveDetached(respondWebhook, { kind: 'done' }, async () => undefined), // the engine gives the answer to whoever waits for it
  ];
  return drivers.map((driver) => withTestCredentials(driver, companies));
}

/** A dialer whose calls carry the trace headers, unless the canvas's author sets them. */
const withTrace = (dialer: Dialer): Dialer => ({
  ...dialer,
  request: (call) => dialer.request({ ...call, headers: { ...injectTraceHeaders(), ...call.headers } }),
});

/**
 * The access of canvases to databases (T13): to servers under the same rules as any outbound call, and never to the server that keeps
 * Hilo's own data; to SQLite files in `databases/{companyId}` of the data directory.
 */
export const configureDatabaseAccess = (
  { data, egressAllow }: Pick<Settings, 'data' | 'egressAllow'>,
  place: Pick<StorePlace, 'listAddresses'>,
  options: Pick<SocketDialerOptions, 'ca' | 'log' | 'clock'>,
): Pick<DatabaseDriverOptions, 'sockets' | 'sqliteDirectory'> => ({
  sockets: createSocketDialer({ ...options, allow: egressAllow, deny: place.listAddresses() }),
  sqliteDirectory: (companyId) => join(data, 'databases', companyId),
});
