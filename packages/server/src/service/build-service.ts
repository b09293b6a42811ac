// Builds a service of its parts, before anything runs.
import { boundDestinations, createCodeWorkers, createDialer, createFunctionWorkers } from '@hilo/drivers';
import { createDatabaseDriver, createStripeProvider, listMcpTools } from '@hilo/integrations';
import { type Cell, createEngine } from '@hilo/engine';
import type { BoundDriver, Clock, Random } from '@hilo/engine/contract';
import type { CreateLaneRuntime } from '@hilo/engine/runtime-kit';
import type { DurableStore } from '@hilo/stores';
import { findAnsweredCampaign } from '../campaigns/results.ts';
import { createConversationJobs } from '../conversations/conversation-jobs.ts';
import { createEventRunner } from '../events/deliver-events.ts';
import { isAddressOf, pauseGone } from '../events/subscriptions.ts';
import type { Telling } from '../events/telling-store.ts';
import type { FileBucket } from '../files/file-bytes.ts';
import type { FileSeals } from '../files/file-seals.ts';
import { createFiles } from '../files/files.ts';
import { presentFile } from '../files/links.ts';
import type { PresentFile } from '../platform/name-files.ts';
import { exchangeTokens, type KeepRefreshToken } from '../tenants/access-tokens.ts';
import { credentialSecretId } from '../tenants/bots.ts';
import { createCredentialLogins } from '../tenants/credential-login.ts';
import { keepSecret } from '../tenants/keep-secret.ts';
import { createFunctions } from '../functions/functions.ts';
import { buildMessaging } from './build-messaging.ts';
import { createEngineDirectory } from './engine-directory.ts';
import type { CompleteParts } from './host-parts.ts';
import { reportEngine } from './report-engine.ts';
import { createMediaCheck } from '../messages/media/media-check.ts';
import { createPayments } from '../payments/payments.ts';
import { createPaymentNotifier } from '../payments/payment-notifier.ts';
import type { DriverParts } from '../platform/define-resource.ts';
import { createJobCounts } from '../platform/jobs/job-counts.ts';
import { createJobRunner } from '../platform/jobs/job-runner.ts';
import { createJobs } from '../platform/jobs/jobs.ts';
import { httpLimits } from '../platform/http/limits.ts';
import type { LimitReports } from '../platform/logging/limit-reports.ts';
import type { Logger } from '../platform/logging/logger.ts';
import { createPublicUrl } from '../platform/public-url.ts';
import { traceEngine } from '../platform/tracing.ts';
import type { Forwarding } from '../processes/forwarding.ts';
import { type TellConsent, tellConsent } from '../contacts/contacts.ts';
import { createHistoryCounter } from '../numbers/count-histories.ts';
import { createScheduler } from '../schedules/schedules.ts';
import { serviceJobs } from './resources.ts';
import { createServiceDrivers, configureDatabaseAccess } from './service-drivers.ts';
import type { Service } from './service.ts';
import { createRequests } from '../workflows/request-routes.ts';
import type { OpenSettings } from './settings.ts';
import { createTemplatePoller } from '../templates/templates.ts';
import { refuseAway } from '../tenants/moving/refuse-away.ts';
import type { LiveCompanies } from '../tenants/open-companies.ts';
import type { Companies } from '../tenants/companies.ts';
import type { Vault } from '../platform/secrets/vault.ts';
import type { ResumeTokens } from '../webhooks/resume-tokens.ts';
import { createShares } from '../tenants/company-limits.ts';
import { createSimulationWork } from '../platform/canvas-work/simulation-work.ts';
import { createCanvasWork } from '../platform/canvas-work/canvas-work.ts';

/** The parts from which a service is built. */
interface Foundation {
  readonly settings: OpenSettings;
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

/** Connects engine, drivers and log over an open store, and starts nothing. `parts` is for routes; the others are stopped with the service. */
export function buildService({
  settings,
  store,
  companies,
  clock,
  random,
  log,
  limitReports,
  host,
  ca,
  createRuntime,
  forwarding,
  cell,
  callbacks,
  fileSeals,
  bucket,
  telling,
  vault,
}: Foundation) {
  // Calls queue for their destination instead of failing: a burst must not fail accepted work (P22).
  const dialer = boundDestinations(createDialer({ allow: settings.egressAllow, ca, log, clock }), {
    clock,
    maxQueued: httpLimits.lanesAtWork,
  });
  const databases = createDatabaseDriver({
    ...configureDatabaseAccess(settings, { ca, log, clock }),
    credential: companies.credential,
    clock,
  });
  const wake = (atMs: number): void => conversationJobs.wake(atMs);
  const messaging = buildMessaging({ settings, store, companies, clock, random, log, host, dialer, wake });
  const { streams, inbox, messages, channels, paces, outbox, grouping, conversations, executions, commitTimes } = messaging;
  const functions = createFunctions({
    store,
    workers: createFunctionWorkers({ clock, log, dialer, onLimit: limitReports.report }),
    clock,
    log,
  });
  const code = createCodeWorkers({ clock, onLimit: limitReports.report });
  const publicUrl = createPublicUrl(settings);
  const providers = new Map([['stripe', createStripeProvider({ dialer })]]);
  const wakeNotifier = (atMs: number): void => paymentNotifier.wake(atMs);
  const payments = createPayments({ store, companies, providers, publicUrl, clock, random, log, wake: wakeNotifier });
  const media = createMediaCheck(dialer, clock);
  const shares = createShares({ store, companies, clock, onLimit: limitReports.report });
  const files = createFiles({ store, companies, channels, clock, seals: fileSeals, bucket });
  const links = { seals: fileSeals, publicUrl, clock };
  const present: PresentFile = (message, bot) => presentFile({ ...links, files }, message, bot);
  const work = { channels, outbox, conversations, inbox, functions, payments, messages, media, files, present };
  const { refresh } = companies;
  const keep: KeepRefreshToken = ({ companyId, id }, token) =>
    keepSecret({ store, vault, refresh }, { companyId, secretId: credentialSecretId(id, 'refreshToken') }, token);
  const credential = exchangeTokens(companies.credential, { dialer, clock, keep, refresh });
  const credentialLogins = createCredentialLogins({ companies, dialer, vault, publicUrl, clock, random, keep });
  const tell: TellConsent = (change) => tellConsent({ store, engine }, change);
  // A host's driver for a standard effect comes after Hilo's and replaces it.
  const drivers = [
    ...createServiceDrivers({
      ...work,
      credential,
      code,
      companies,
      executions,
      store,
      dialer,
      databases,
      log,
      clock,
      links,
      tellConsent: tell,
    }),
    ...host.drivers,
    ...bindDrivers(host, { store, clock, random, log }),
  ];
  const { nodes, nodesFrom } = host;
  const canvasWork = createCanvasWork({
    nodes,
    nodesFrom,
    clock,
    onLimit: limitReports.report,
    onRefused: (reason) =>
      log.warn({ reason }, 'No thread can check canvases with the nodes of this host: large ones are refused, smaller ones hold up others'),
  });
  const simulations = createSimulationWork({ nodes, nodesFrom, clock, onLimit: limitReports.report });
  const engine = createEngine({
    nodes,
    drivers,
    clock,
    random,
    store: { executions, canvases: store.canvases },
    directory: createEngineDirectory(companies, conversations, (companyId, botId, userId) =>
      findAnsweredCampaign({ runner: store.runner, clock }, { companyId, botId, userId }),
    ),
    trace: traceEngine,
    resumeUrl: (claim) => `${publicUrl.get()}/workflows/v2/resume/${callbacks.seal(claim)}`,
    ...(createRuntime !== undefined && { runtime: createRuntime }),
    ...(forwarding !== undefined && { reach: forwarding.reach }),
    ...(cell !== undefined && { cell }),
  });
  streams.follow(engine);
  reportEngine(engine, { log, clock, messages });
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
  const isBusy = (): boolean => engine.activity().working > httpLimits.lanesAtWork / 2;
  const jobRunner = createJobRunner(kinds, { store, clock, random, log, isBusy, onCounted: jobCounts.count });
  const jobs = createJobs(kinds, { store, clock, random, wake: jobRunner.wake });
  const scheduler = createScheduler({ store, companies: keepHere(companies), jobs, clock, random, log, cell });
  const here = { ...keepHere(companies), all: companies.all };
  const templatePoller = createTemplatePoller({ companies: here, channels, jobs, clock, log });
  const parts: Omit<Service, 'isAccepting'> = {
    ...work,
    callbacks,
    fileSeals,
    telling,
    shares,
    jobs,
    schedules: scheduler,
    historyCounter: createHistoryCounter({ store, clock }),
    jobCounts,
    canvasWork,
    simulations,
    nodes,
    effects: new Set(drivers.map(({ effect }) => effect.type)),
    settings,
    engine,
    store,
    companies: refuseAway(companies),
    log,
    commitTimes,
    limitReports,
    clock,
    forwarding,
    resources: host.resources,
    requests: createRequests(drivers, () => Buffer.from(random.bytes(16)).toString('hex'), clock.now),
    credentialLogins,
    toolServers: {
      list: (companyId, server) => listMcpTools({ dialer, credential, clock }, { companyId, ...server }),
    },
  };
  return {
    parts,
    files,
    dialer,
    outbox,
    conversationJobs,
    paymentNotifier,
    jobRunner,
    eventRunner,
    scheduler,
    templatePoller,
    functions,
    code,
    canvasWork,
    simulations,
    databases,
    publicUrl,
    streams,
    paces,
  };
}

/** The drivers of the host's resources, which work with the store. */
const bindDrivers = ({ resources }: CompleteParts, parts: DriverParts): readonly BoundDriver[] =>
  resources.flatMap(({ drivers }) => drivers.map(({ bind }) => bind(parts)));

/** Companies as the clock sees them: one that is leaving, or has left, is not there. */
const keepHere = (companies: LiveCompanies): Pick<Companies, 'company' | 'isArchived' | 'bots'> => ({
  company: (companyId) => (companies.awayOf(companyId) === undefined ? companies.company(companyId) : undefined),
  isArchived: companies.isArchived,
  bots: companies.bots,
});
