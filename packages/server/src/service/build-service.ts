// Builds a service of its parts, before anything runs.
import { boundDestinations, createCodeWorkers, createDialer, createFunctionWorkers } from '@hilo/drivers';
import { createDatabaseDriver, createStripeProvider, listMcpTools } from '@hilo/integrations';
import { createEngine } from '@hilo/engine';
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
import { createPublicUrl } from '../platform/public-url.ts';
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
  const {
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
  } = foundation;
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
  const wake = (atMs: number): void => runners.conversationJobs.wake(atMs);
  const messaging = buildMessaging({ settings, store, companies, clock, random, log, host, dialer, wake });
  const { streams, inbox, messages, channels, paces, outbox, conversations, executions, commitTimes } = messaging;
  const functions = createFunctions({
    store,
    workers: createFunctionWorkers({ clock, log, dialer, onLimit: limitReports.report }),
    clock,
    log,
  });
  const code = createCodeWorkers({ clock, onLimit: limitReports.report });
  const publicUrl = createPublicUrl(settings);
  const providers = new Map([['stripe', createStripeProvider({ dialer })]]);
  const wakeNotifier = (atMs: number): void => runners.paymentNotifier.wake(atMs);
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
  const runners = buildRunners(foundation, { messaging, engine, dialer, publicUrl });
  const parts: Omit<Service, 'isAccepting'> = {
    ...work,
    callbacks,
    fileSeals,
    telling,
    shares,
    jobs: runners.jobs,
    schedules: runners.scheduler,
    historyCounter: createHistoryCounter({ store, clock }),
    jobCounts: runners.jobCounts,
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
    ...runners,
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
