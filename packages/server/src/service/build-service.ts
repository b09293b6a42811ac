// Builds a service of its parts, before anything runs.
import { boundDestinations, createCodeWorkers, createDialer, createFunctionWorkers } from '@hilo/drivers';
import { createDatabaseDriver, createStripeProvider, listMcpTools } from '@hilo/integrations';
import { type Cell, createEngine, type Directory } from '@hilo/engine';
import type { BoundDriver, Clock, JsonObject, Random } from '@hilo/engine/contract';
import type { CreateLaneRuntime } from '@hilo/engine/runtime-kit';
import { decodeText, type DurableStore } from '@hilo/stores';
import { createChatStreams } from '../chat/chat.ts';
import { createChannelRegistry, createDelivery } from '../channels/channels.ts';
import { findAnsweredCampaign } from '../campaigns/results.ts';
import { createConversationJobs } from '../conversations/conversation-jobs.ts';
import { type Conversations, createConversations } from '../conversations/conversations.ts';
import { createGrouping } from '../conversations/grouping.ts';
import { createInboxFeed } from '../conversations/inbox-feed.ts';
import { createEventRunner } from '../events/deliver-events.ts';
import { isAddressOf, pauseGone } from '../events/subscriptions.ts';
import type { Telling } from '../events/telling-store.ts';
import type { FileBucket } from '../files/file-bytes.ts';
import type { FileSeals } from '../files/file-seals.ts';
import { createFiles } from '../files/files.ts';
import { presentFile } from '../files/links.ts';
import type { PresentFile } from '../platform/name-files.ts';
import { exchangeTokens } from '../tenants/access-tokens.ts';
import { reportFailures } from '../executions/report-failures.ts';
import { createFunctions } from '../functions/functions.ts';
import type { CompleteParts } from './host-parts.ts';
import { createMediaCheck } from '../messages/media/media-check.ts';
import { createPaces } from '../messages/pace.ts';
import { createMessageLog, recordingInbound } from '../messages/message-log.ts';
import { createConsentGate } from '../messages/consent-gate.ts';
import { createTakeoverGate } from '../messages/takeover-gate.ts';
import { createOutbox } from '../messages/outbox.ts';
import { createPayments } from '../payments/payments.ts';
import { createPaymentNotifier } from '../payments/payment-notifier.ts';
import type { DriverParts } from '../platform/define-resource.ts';
import { createJobCounts } from '../platform/jobs/job-counts.ts';
import { createJobRunner } from '../platform/jobs/job-runner.ts';
import { createJobs } from '../platform/jobs/jobs.ts';
import { measureCommits } from '../platform/database/commit-times.ts';
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
import { createTemplatePoller, noteTemplateStatus } from '../templates/templates.ts';
import { refuseAway } from '../tenants/moving/refuse-away.ts';
import type { LiveCompanies } from '../tenants/open-companies.ts';
import type { Companies, Company } from '../tenants/companies.ts';
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
  const streams = createChatStreams({ runner: store.runner, durability: store.durability, clock });
  const inbox = createInboxFeed({ runner: store.runner, clock });
  const onKept: typeof streams.wake = (lane) => {
    streams.wake(lane);
    inbox.changed(decodeText(lane.companyId));
  };
  const messages = createMessageLog(store, clock, onKept);
  const channels = createChannelRegistry({ adapters: host.channels, dialer, clock, log });
  const noteStatus = noteTemplateStatus({ store, clock, log, settings, companies, channels });
  const deliver = createDelivery({ channels, companies, noteStatus });
  const paces = createPaces({ runner: store.runner, clock, rateOf: channels.rateOf });
  const consent = createConsentGate(companies);
  const outbox = createOutbox({
    store,
    companies,
    consent,
    takeover: createTakeoverGate(companies),
    clock,
    random,
    log,
    deliver,
    isRecordOnly: channels.isRecordOnly,
    onKept,
    paces,
  });
  const grouping = createGrouping({ runner: store.runner, companies, outbox, clock, random });
  const wake = (atMs: number): void => conversationJobs.wake(atMs);
  const conversations = createConversations({ store, companies, outbox, grouping, clock, random, wake, onChanged: inbox.changed });
  const { store: executions, commitTimes } = measureCommits(
    recordingInbound(host.laneRuntime === undefined ? store : host.laneRuntime.asReadModel(store), onKept),
  );
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
  const credential = exchangeTokens(companies.credential, { dialer, clock });
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
  reportFailures({ engine, log, clock });
  engine.on('message.unmatched', ({ companyId, botId, message: { id }, cause }) =>
    typeof id === 'string' ? messages.unmatched({ companyId, botId, messageId: id, cause }) : undefined,
  );
  engine.on('engine.fault', ({ error, while: doing }) => log.error({ error, while: doing }, 'The engine met a fault and continues'));
  engine.on('execution.nearLimit', ({ companyId, executionId }, used) =>
    log.warn({ companyId, executionId, ...used }, 'An execution has used a fifth of what it may visit and keep as history'),
  );
  engine.on('version.incompatible', ({ companyId, workflowId, version, executions, sinceMs, problems }) =>
    log.error(
      {
        companyId,
        workflowId,
        version,
        executions,
        since: new Date(sinceMs).toISOString(),
        problems: problems.map(({ message }) => message),
      },
      `${executions} executions of version ${version} of workflow "${workflowId}" are held: the nodes of this release cannot run it`,
    ),
  );
  engine.on('execution.quarantined', ({ companyId, executionId }, { reason }) =>
    log.error({ companyId, executionId, reason }, 'An execution is in quarantine until it is released'),
  );
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

/** What canvases know of the fields of contacts: a write is judged by it. */
const describeFields = (fields: NonNullable<Company['fields']>): JsonObject =>
  Object.fromEntries(fields.map(({ key, type, options }) => [key, { type, ...(options !== undefined && { options: [...options] }) }]));

/** What canvases see of their company and their bot: `$company` and `$bot`. No provider, no secret. */
const createEngineDirectory = (
  companies: Companies,
  conversations: Pick<Conversations, 'isActive' | 'questionPausedUntil'>,
  campaign: NonNullable<Directory['campaign']>,
): Directory => ({
  isArchived: companies.isArchived,
  isAttended: conversations.isActive,
  campaign,
  questionPausedUntil: conversations.questionPausedUntil,
  failureWorkflow: (companyId) => companies.company(companyId)?.failureWorkflowId,
  company(companyId) {
    const company = companies.company(companyId);
    if (company === undefined) return undefined;
    const { id, name, plan, kind, timeZone, locale, fields, settings } = company;
    return {
      id,
      name,
      plan,
      kind,
      settings,
      ...(timeZone !== undefined && { timeZone }),
      ...(locale !== undefined && { locale }),
      ...(fields !== undefined && { fields: describeFields(fields) }),
    };
  },
  bot(companyId, botId) {
    const bot = companies.botOf(companyId, botId);
    return bot === undefined ? undefined : { id: bot.id, name: bot.name, channel: bot.channel };
  },
});
