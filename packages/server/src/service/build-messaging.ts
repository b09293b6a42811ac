// How messages come and go: channels, the outbox and its gates, conversations with operators, and who sees it at once.
import type { Clock, Random } from '@hilo/engine/contract';
import type { Dialer } from '@hilo/drivers';
import type { DurableStore } from '@hilo/stores';
import { createChannelRegistry, createDelivery } from '../channels/channels.ts';
import { createChatStreams } from '../chat/chat.ts';
import { createConversations } from '../conversations/conversations.ts';
import { createGrouping } from '../conversations/grouping.ts';
import { createInboxFeed } from '../conversations/inbox-feed.ts';
import { createConsentGate } from '../messages/consent-gate.ts';
import { createMessageLog, recordingInbound } from '../messages/message-log.ts';
import { createOutbox } from '../messages/outbox.ts';
import { createPaces } from '../messages/pace.ts';
import { createTakeoverGate } from '../messages/takeover-gate.ts';
import { measureCommits } from '../platform/database/commit-times.ts';
import type { Logger } from '../platform/logging/logger.ts';
import { noteTemplateStatus } from '../templates/templates.ts';
import type { LiveCompanies } from '../tenants/open-companies.ts';
import type { CompleteParts } from './host-parts.ts';
import type { OpenSettings } from './settings.ts';

interface MessagingParts {
  readonly settings: OpenSettings;
  readonly store: DurableStore;
  readonly companies: LiveCompanies;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly host: Pick<CompleteParts, 'channels' | 'laneRuntime'>;
  readonly dialer: Dialer;
  /** Told when the next change of a conversation is due. */
  readonly wake: (atMs: number) => void;
}

/** Connects what sends and receives, and starts nothing. */
export function buildMessaging({ settings, store, companies, clock, random, log, host, dialer, wake }: MessagingParts) {
  const { runner } = store;
  const streams = createChatStreams({ runner, durability: store.durability, clock });
  const inbox = createInboxFeed({ runner, clock });
  const onKept: typeof streams.wake = (lane) => {
    streams.wake(lane);
    inbox.changed(lane.companyId);
  };
  const channels = createChannelRegistry({ adapters: host.channels, dialer, clock, log });
  const noteStatus = noteTemplateStatus({ store, clock, log, settings, companies, channels });
  const paces = createPaces({ runner, clock, rateOf: channels.rateOf });
  const outbox = createOutbox({
    store,
    companies,
    consent: createConsentGate(companies),
    takeover: createTakeoverGate(companies),
    clock,
    random,
    log,
    deliver: createDelivery({ channels, companies, noteStatus }),
    isRecordOnly: channels.isRecordOnly,
    onKept,
    paces,
  });
  const grouping = createGrouping({ runner, companies, outbox, clock, random });
  const conversations = createConversations({ store, companies, outbox, grouping, clock, random, wake, onChanged: inbox.changed });
  const { store: executions, commitTimes } = measureCommits(
    recordingInbound(host.laneRuntime === undefined ? store : host.laneRuntime.asReadModel(store), onKept),
  );
  const messages = createMessageLog(store, clock, onKept);
  return { streams, inbox, messages, channels, paces, outbox, grouping, conversations, executions, commitTimes };
}
