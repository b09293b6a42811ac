// Builds a service of its parts, before anything runs.
import { boundDestinations, createCodeWorkers, createDialer, createFunctionWorkers, type Dialer } from '@hilo/drivers';
import { createDatabaseDriver, createStripeProvider, listMcpTools } from '@hilo/integrations';
import { createEngine, type Engine } from '@hilo/engine';
import type { BoundDriver } from '@hilo/engine/contract';
import { findAnsweredCampaign } from '../campaigns/results.ts';
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
import type { DriverParts } from '../platform/define-resource.ts';
import { httpLimits } from '../platform/http/limits.ts';
import { createPublicUrl, type PublicUrl } from '../platform/public-url.ts';
import { traceEngine } from '../platform/tracing.ts';
import { type TellConsent, tellConsent } from '../contacts/contacts.ts';
import { createHistoryCounter } from '../numbers/count-histories.ts';
import { createServiceDrivers, configureDatabaseAccess } from './service-drivers.ts';
import type { Service } from './service.ts';
import { createRequests } from '../workflows/request-routes.ts';
import { refuseAway } from '../tenants/moving/refuse-away.ts';
import { createShares } from '../tenants/company-limits.ts';
import { createSimulationWork } from '../platform/canvas-work/simulation-work.ts';
import { createCanvasWork } from '../platform/canvas-work/canvas-work.ts';
import { buildRunners, type Foundation } from './build-runners.ts';

/** Connects engine, drivers and log over an open store, and starts nothing. `parts` is for routes; the others are stopped with the service. */
export function buildService(foundation: Foundation) {
  const { settings, store, companies, clock, random, log, limitReports, host, fileSeals, bucket } = foundation;
  const { report: onLimit } = limitReports;
  const { dialer, databases } = buildOutbound(foundation);
  const wake = (atMs: number): void => runners.conversationJobs.wake(atMs);
  const messaging = buildMessaging({ settings, store, companies, clock, random, log, host, dialer, wake });
  const { streams, inbox, messages, channels, paces, outbox, conversations, commitTimes } = messaging;
  const functions = createFunctions({ store, workers: createFunctionWorkers({ clock, log, dialer, onLimit }), clock, log });
  const code = createCodeWorkers({ clock, onLimit });
  const publicUrl = createPublicUrl(settings);
  const providers = new Map([['stripe', createStripeProvider({ dialer })]]);
  const wakeNotifier = (atMs: number): void => runners.paymentNotifier.wake(atMs);
  const payments = createPayments({ store, companies, providers, publicUrl, clock, random, log, wake: wakeNotifier });
  const media = createMediaCheck(dialer, clock);
  const files = createFiles({ store, companies, channels, clock, seals: fileSeals, bucket });
  const links = { seals: fileSeals, publicUrl, clock };
  const present: PresentFile = (message, bot) => presentFile({ ...links, files }, message, bot);
  const work = { channels, outbox, conversations, inbox, functions, payments, messages, media, files, present };
  const { credential, credentialLogins } = buildCredentials(foundation, { dialer, publicUrl });
  const { engine, drivers } = buildEngine(foundation, { messaging, work, credential, code, dialer, databases, links });
  streams.follow(engine);
  reportEngine(engine, { log, clock, messages });
  const runners = buildRunners(foundation, { messaging, engine, dialer, publicUrl });
  const threads = buildThreads(foundation);
  const parts: Omit<Service, 'isAccepting'> = {
    ...work,
    ...threads,
    callbacks: foundation.callbacks,
    fileSeals,
    telling: foundation.telling,
    shares: createShares({ store, companies, clock, onLimit }),
    jobs: runners.jobs,
    schedules: runners.scheduler,
    historyCounter: createHistoryCounter({ store, clock }),
    jobCounts: runners.jobCounts,
    nodes: host.nodes,
    effects: new Set(drivers.map(({ effect }) => effect.type)),
    settings,
    engine,
    store,
    companies: refuseAway(companies),
    log,
    commitTimes,
    limitReports,
    clock,
    forwarding: foundation.forwarding,
    resources: host.resources,
    requests: createRequests(drivers, () => Buffer.from(random.bytes(16)).toString('hex'), clock.now),
    credentialLogins,
    toolServers: {
      list: (companyId, server) => listMcpTools({ dialer, credential, clock }, { companyId, ...server }),
    },
  };
  return { parts, files, dialer, outbox, ...runners, functions, code, ...threads, databases, publicUrl, streams, paces };
}

/** What calls go out by: HTTP, and the protocols of databases. */
function buildOutbound({ settings, place, companies, clock, log, ca }: Foundation) {
  // Calls queue for their destination instead of failing: a burst must not fail accepted work (P22).
  const dialer = boundDestinations(createDialer({ allow: settings.egressAllow, ca, log, clock }), {
    clock,
    maxQueued: httpLimits.lanesAtWork,
  });
  const databases = createDatabaseDriver({
    ...configureDatabaseAccess(settings, place, { ca, log, clock }),
    credential: companies.credential,
    clock,
  });
  return { dialer, databases };
}

/** Credentials whose tokens are exchanged and kept, and the logins by which they are given. */
function buildCredentials(
  { store, vault, companies, clock, random }: Foundation,
  { dialer, publicUrl }: { readonly dialer: Dialer; readonly publicUrl: PublicUrl },
) {
  const { refresh } = companies;
  const keep: KeepRefreshToken = ({ companyId, id }, token) =>
    keepSecret({ store, vault, refresh }, { companyId, secretId: credentialSecretId(id, 'refreshToken') }, token);
  return {
    credential: exchangeTokens(companies.credential, { dialer, clock, keep, refresh }),
    credentialLogins: createCredentialLogins({ companies, dialer, vault, publicUrl, clock, random, keep }),
  };
}

/** Threads that work on canvases beside the event loop. */
function buildThreads({ clock, log, limitReports: { report: onLimit }, host: { nodes, nodesFrom } }: Foundation) {
  const canvasWork = createCanvasWork({
    nodes,
    nodesFrom,
    clock,
    onLimit,
    onRefused: (reason) =>
      log.warn({ reason }, 'No thread can check canvases with the nodes of this host: large ones are refused, smaller ones hold up others'),
  });
  return { canvasWork, simulations: createSimulationWork({ nodes, nodesFrom, clock, onLimit }) };
}

type ServiceWork = Parameters<typeof createServiceDrivers>[0];

interface EngineParts extends Pick<ServiceWork, 'credential' | 'code' | 'dialer' | 'databases' | 'links'> {
  readonly messaging: ReturnType<typeof buildMessaging>;
  readonly work: Omit<
    ServiceWork,
    'credential' | 'code' | 'companies' | 'executions' | 'store' | 'dialer' | 'databases' | 'log' | 'clock' | 'links' | 'tellConsent'
  >;
}

/** The engine with the drivers of its effects: Hilo's, the host's, and those of the host's resources. */
function buildEngine(
  { store, companies, clock, random, log, host, callbacks, createRuntime, forwarding, cell }: Foundation,
  { messaging: { conversations, executions }, work, credential, code, dialer, databases, links }: EngineParts,
) {
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
  const engine: Engine = createEngine({
    nodes: host.nodes,
    drivers,
    clock,
    random,
    store: { executions, canvases: store.canvases },
    directory: createEngineDirectory(companies, conversations, (companyId, botId, userId) =>
      findAnsweredCampaign({ runner: store.runner, clock }, { companyId, botId, userId }),
    ),
    trace: traceEngine,
    resumeUrl: (claim) => `${links.publicUrl.get()}/workflows/v2/resume/${callbacks.seal(claim)}`,
    ...(createRuntime !== undefined && { runtime: createRuntime }),
    ...(forwarding !== undefined && { reach: forwarding.reach }),
    ...(cell !== undefined && { cell }),
  });
  return { engine, drivers };
}

/** The drivers of the host's resources, which work with the store. */
const bindDrivers = ({ resources }: CompleteParts, parts: DriverParts): readonly BoundDriver[] =>
  resources.flatMap(({ drivers }) => drivers.map(({ bind }) => bind(parts)));
