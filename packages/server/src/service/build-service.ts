import { boundDestinations, createDialer, createFunctionWorkers, type Dialer } from '@hilo/drivers';
import { createEngine } from '@hilo/engine';
import type { Clock, Random } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import type { DurableStore } from '@hilo/stores';
import { type Attendant, createAttendant } from '../conversations/attendant.ts';
import { createConversations } from '../conversations/create-conversations.ts';
import { createGrouping } from '../conversations/grouping.ts';
import { engineDirectory } from '../directory/engine-directory.ts';
import { createCustomDelivery } from '../drivers/deliver-custom.ts';
import { deliverBy, type DueMessage } from '../drivers/delivery.ts';
import { createServiceDrivers } from '../drivers/service-drivers.ts';
import { createFunctions } from '../functions/create-functions.ts';
import type { Functions } from '../functions/functions.ts';
import { createMessageLog } from '../messages/message-log.ts';
import { recordingInbound } from '../messages/recording-inbound.ts';
import { createOutbox, type RunningOutbox } from '../outbox/create-outbox.ts';
import { createMediaCheck } from '../rest/media/create-media-check.ts';
import { measureCommits } from './commit-times.ts';
import type { Companies } from './companies.ts';
import { createWebhookResponses } from './create-webhook-responses.ts';
import type { Logger } from './logger.ts';
import type { Service } from './service.ts';
import type { Settings } from './settings.ts';

/** What a service is made of. */
interface Foundation {
  readonly settings: Settings;
  readonly store: DurableStore;
  readonly companies: Companies;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Certificates that outbound TLS trusts besides those of the platform, in PEM. */
  readonly ca: string | undefined;
}

/** Puts engine, drivers and log together over an open store. Nothing moves yet. */
export function buildService({ settings, store, companies, clock, random, log, ca }: Foundation): {
  readonly parts: Omit<Service, 'isAccepting'>;
  readonly dialer: Dialer;
  readonly outbox: RunningOutbox;
  readonly attendant: Attendant;
  readonly functions: Functions;
} {
  const dialer = boundDestinations(createDialer({ allow: settings.egressAllow, ca, log, clock }), { clock });
  const messages = createMessageLog(store, clock);
  const responses = createWebhookResponses(clock);
  const deliver = deliverBy<DueMessage>({
    log: async (_bot, { messageId }) => ({ kind: 'sent', messageId }),
    custom: createCustomDelivery(dialer),
  });
  const outbox = createOutbox({ store, companies, clock, random, log, deliver });
  const grouping = createGrouping({ runner: store.runner, companies, outbox, clock });
  const wake = (atMs: number): void => attendant.wake(atMs);
  const conversations = createConversations({ store, companies, outbox, grouping, clock, random, wake });
  const { store: executions, commitTimes } = measureCommits(recordingInbound(store));
  const functions = createFunctions({ store, workers: createFunctionWorkers({ clock, log }), clock, log });
  const engine = createEngine({
    nodes: standardNodes,
    drivers: createServiceDrivers({ companies, messages, outbox, conversations, responses, executions, store, dialer, functions, log }),
    clock,
    random,
    store: executions,
    canvases: store.canvases,
    directory: engineDirectory(companies, conversations),
  });
  engine.events.on('execution.ended', ({ executionId }, { status }) => responses.ended(executionId, status));
  engine.events.on('engine.fault', ({ error, while: doing }) => log.error({ error, while: doing }, 'The engine met a fault and went on'));
  engine.events.on('execution.quarantined', ({ companyId, executionId }, { reason }) =>
    log.error({ companyId, executionId, reason }, 'An execution is in quarantine until it is released'),
  );
  const attendant = createAttendant({ store, executions, grouping, signal: engine.sendSignal, clock, log });
  const media = createMediaCheck(dialer, clock);
  return {
    parts: { settings, engine, store, companies, messages, outbox, conversations, media, responses, functions, log, commitTimes, clock },
    dialer,
    outbox,
    attendant,
    functions,
  };
}
