// Builds what works in the background of a service: its jobs, its pollers and the clock of its schedules.
import type { Cell, Engine } from '@hilo/engine';
import type { Dialer } from '@hilo/drivers';
import type { PublicUrl } from '../platform/public-url.ts';
import type { Clock, Random } from '@hilo/engine/contract';
import type { CreateLaneRuntime } from '@hilo/engine/runtime-kit';
import type { DurableStore } from '@hilo/stores';
import { createConversationJobs } from '../conversations/conversation-jobs.ts';
import { createEventRunner } from '../events/deliver-events.ts';
import { isAddressOf, pauseGone } from '../events/subscriptions.ts';
import type { Telling } from '../events/telling-store.ts';
import type { FileBucket } from '../files/file-bytes.ts';
import type { FileSeals } from '../files/file-seals.ts';
import type { buildMessaging } from './build-messaging.ts';
import type { CompleteParts } from './host-parts.ts';
import { createPaymentNotifier } from '../payments/payment-notifier.ts';
import { createJobCounts } from '../platform/jobs/job-counts.ts';
import { createJobRunner } from '../platform/jobs/job-runner.ts';
import { createJobs } from '../platform/jobs/jobs.ts';
import { httpLimits } from '../platform/http/limits.ts';
import type { LimitReports } from '../platform/logging/limit-reports.ts';
import type { StorePlace } from '../platform/database/store-place.ts';
import type { Logger } from '../platform/logging/logger.ts';
import type { Forwarding } from '../processes/forwarding.ts';
import { createScheduler } from '../schedules/schedules.ts';
import { serviceJobs } from './resources.ts';
import type { OpenSettings } from './settings.ts';
import { createTemplatePoller } from '../templates/templates.ts';
import type { LiveCompanies } from '../tenants/open-companies.ts';
import type { Companies } from '../tenants/companies.ts';
import type { Vault } from '../platform/secrets/vault.ts';
import type { ResumeTokens } from '../webhooks/resume-tokens.ts';

/** The parts from which a service is built. */
export interface Foundation {
  readonly settings: OpenSettings;
  /** Where the store is. */
  readonly place: StorePlace;
  readonly store: DurableStore;
  readonly companies: LiveCompanies;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly limitReports: LimitReports;
  readonly host: CompleteParts;
  /** Certificates, in PEM, that outbound TLS trusts in addition to the platform's. */
  readonly ca: string | undefined;
  /** Creates the runtime that keeps lanes in place of this process and the store. */
  readonly createRuntime: CreateLaneRuntime | undefined;
  /** Forwards calls to other processes of the store; without it they are left in the store. */
  readonly forwarding: Forwarding | undefined;
  /** The cell whose users this process serves; every user, when undefined. */
  readonly cell: Cell | undefined;
  /** Seals the addresses of callbacks. */
  readonly callbacks: ResumeTokens;
  /** Makes the handles of files, and the links to them. */
  readonly fileSeals: FileSeals;
  /** Where the bytes of files are kept; in the store, when undefined. */
  readonly bucket: FileBucket | undefined;
  /** Writes events beside what they tell of. */
  readonly telling: Telling;
  /** Seals secrets. */
  readonly vault: Vault;
}

interface RunnerParts {
  readonly messaging: ReturnType<typeof buildMessaging>;
  readonly engine: Engine;
  readonly dialer: Dialer;
  readonly publicUrl: PublicUrl;
}

/** Makes what works in the background, and starts none of it. */
export function buildRunners(
  { store, companies, clock, random, log, host, cell, telling }: Foundation,
  { messaging: { executions, grouping, channels }, engine, dialer, publicUrl }: RunnerParts,
) {
  const { signal } = engine;
  const conversationJobs = createConversationJobs({ store, executions, grouping, signal, clock, log });
  const paymentNotifier = createPaymentNotifier({ store, executions, signal, clock, log });
  const eventRunner = createEventRunner({
    store,
    subscriptions: companies.subscriptions,
    dialer,
    isOwn: (url) => isAddressOf(publicUrl.get(), url),
    onGone: (subscription) => pauseGone({ store, refresh: companies.refresh }, subscription),
    clock,
    random,
    log,
  });
  telling.follow(companies.subscriptions, eventRunner.wake);
  const kinds = [...serviceJobs, ...host.jobs];
  const jobCounts = createJobCounts();
  const atWork = (): number => engine.activity().working;
  const isBusy = (): boolean => atWork() > httpLimits.lanesAtWork / 2;
  const jobRunner = createJobRunner(kinds, { store, clock, random, log, isBusy, atWork, onCounted: jobCounts.count });
  const jobs = createJobs(kinds, { store, clock, random, wake: jobRunner.wake });
  const scheduler = createScheduler({ store, companies: keepHere(companies), jobs, clock, random, log, cell });
  const here = { ...keepHere(companies), all: companies.all };
  const templatePoller = createTemplatePoller({ companies: here, channels, jobs, clock, log });
  return { conversationJobs, paymentNotifier, eventRunner, jobRunner, jobs, jobCounts, scheduler, templatePoller };
}

/** Companies as the clock sees them: one that is leaving, or has left, is not there. */
const keepHere = (companies: LiveCompanies): Pick<Companies, 'company' | 'isArchived' | 'bots'> => ({
  company: (companyId) => (companies.awayOf(companyId) === undefined ? companies.company(companyId) : undefined),
  isArchived: companies.isArchived,
  bots: companies.bots,
});
