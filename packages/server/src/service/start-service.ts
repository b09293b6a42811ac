// Starts a service that is built: its workspace, its engine and its loops, and the order in which they stop.
import type { Company } from '@hilo/engine';
import type { JsonObject } from '@hilo/engine/contract';
import { createCampaignRunner } from '../campaigns/campaigns.ts';
import { explainSharedApp } from '../channels/shared-app.ts';
import { createTemplateAsker } from '../templates/templates.ts';
import type { LiveCompanies } from '../tenants/open-companies.ts';
import { createLoginCodes, type LoginCodes } from '../platform/http/auth/login.ts';
import type { Logger } from '../platform/logging/logger.ts';
import type { AdminTokenFile } from '../platform/secrets/secret-file.ts';
import type { DeriveKey } from '../platform/secrets/token-keys.ts';
import { waitUpTo } from '../platform/waiting.ts';
import type { OpenFileBucket } from '../files/s3-files.ts';
import { type CompanyMoves, createMoves } from '../tenants/moving/moves.ts';
import { withHostTables } from '../tenants/moving/moved-tables.ts';
import { pruneEvents } from '../events/prune-events.ts';
import { createSubscriptions, isAddressOf } from '../events/subscriptions.ts';
import { createKeyRotation } from '../keys/rotate-keys.ts';
import { createAccounts, endGrants } from '../access/accounts.ts';
import { createOpenIdLogin } from '../access/openid-login.ts';
import { exportWorkspace } from '../tenants/workspace/export-workspace.ts';
import { createRecords } from '../tenants/workspace/records.ts';
import { type ImportProgress, type ImportSummary, importWorkspace } from '../tenants/workspace/import-workspace.ts';
import type { ImportOptions } from '../tenants/workspace/prepare.ts';
import type { WorkspaceParts } from '../tenants/workspace/prepare.ts';
import type { WorkspaceSource } from '../tenants/workspace/source.ts';
import { workspaceSchema } from '../tenants/workspace/schema.ts';
import type { buildService } from './build-service.ts';
import type { CompleteParts } from './host-parts.ts';
import { keepPruning } from '../executions/prune-executions.ts';
import { pruneStarts } from '../schedules/schedules.ts';
import { keepCounting, pruneNumbers } from '../numbers/count-histories.ts';
import { keepExporting } from '../executions/history-outbox.ts';
import type { HistoryPlace } from '../executions/history-place.ts';
import { findWidget } from '../chat/chat.ts';
import type { Service } from './service.ts';
import { openStudio } from '../studio/application.ts';
import type { OpenSettings } from './settings.ts';
import { activateImported } from '../conversations/activity.ts';

/** A service that is open. */
export interface RunningService extends Service {
  readonly loginCodes: LoginCodes;
  /** The file with the admin token, where the settings gave none. */
  readonly adminTokenFile: AdminTokenFile | undefined;
  /** The result of importing the workspace of the settings; `undefined` without one. */
  readonly imported: ImportSummary | undefined;
  /** The functions of one company, as `company` of the engine has them. */
  company(companyId: string): Company;
  /** Brings in another workspace; again, it completes what was cut off. @throws {HiloError} `WORKSPACE_REFUSED` with every problem, with nothing written */
  importWorkspace(
    source: WorkspaceSource,
    onProgress?: (progress: ImportProgress) => void,
    options?: ImportOptions,
  ): Promise<ImportSummary>;
  /** All that is configured, as a workspace file has it, without a secret. @param only - the ids of the companies; all, when left out */
  exportWorkspace(only?: ReadonlySet<string>): Promise<JsonObject>;
  /** Moves companies to other stores and from them. */
  readonly moves: CompanyMoves;
  /** Sets the address that links to the service's own pages begin with, unless the settings have a `publicUrl`. */
  listensAt(address: string): void;
  /** Accepts nothing new from now on; within 2 s, requests that wait for their workflow are answered as accepted. */
  stopAccepting(): void;
  /** Stops accepting, finishes work in progress or hands it back within 10 s, and closes the store (P25). */
  close(): Promise<void>;
}

/** How long requests may still wait for their workflows: shorter than their connections stay open. */
const waitingMs = 2_000;
/** How long work in progress may take to finish; requests need a part of the 10 s before it (P25). */
const finishMs = 5_000;
/** How long outbound calls may take to abort; their results can no longer be stored. */
const releasingMs = 500;

export type Built = ReturnType<typeof buildService>;
export type Opened = Pick<WorkspaceParts, 'store' | 'vault' | 'clock' | 'random' | 'seen'> & {
  readonly settings: OpenSettings;
  readonly adminTokenFile: AdminTokenFile | undefined;
  readonly companies: LiveCompanies;
  readonly host: CompleteParts;
  readonly log: Logger;
  /** What the files of companies that move are authenticated with. */
  readonly fileKey: Uint8Array;
  /** Where histories go; nowhere, when undefined. */
  readonly tokenKeys: DeriveKey;
  /** Further certificates that connections trust. */
  readonly ca: string | undefined;
  readonly historyPlace: HistoryPlace | undefined;
  readonly bucket: OpenFileBucket | undefined;
  /** What keeps lanes instead of the store. */
  readonly keeper: string | undefined;
};

/** Imports the workspace, starts the engine and the jobs, and returns how to stop them. */
export async function startService(built: Built, opened: Opened, runs: boolean): Promise<RunningService> {
  const { parts, jobRunner, eventRunner, scheduler, templatePoller, functions, publicUrl, streams } = built;
  const { settings, companies, clock, log, host, historyPlace } = opened;
  const { engine } = parts;
  let isAccepting = true;
  const refresh = async (): Promise<void> => {
    await companies.refresh();
    if (runs) functions.settle();
  };
  const workspaceParts = workspacePartsOf(built, opened, refresh);
  const imported =
    runs && settings.workspace !== undefined
      ? await importWorkspace(workspaceParts, settings.workspace, {
          overwrite: settings.overwrite ?? false,
          onProgress: logProgress(log),
        })
      : undefined;
  for (const { code, message } of imported?.warnings ?? []) log.warn({ code }, message);
  await continueWork(built, opened, { runs, isAccepting: () => isAccepting });
  const stops = await startLoops(built, opened, runs);
  const accounts = createAccounts(opened);
  const openId = createOpenIdLogin(settings, { accounts, publicUrl, clock, log, ca: opened.ca });

  // At the start nobody waits for providers: their templates are asked for a moment later.
  const askTemplates = createTemplateAsker({ ...parts, companies });
  const explainBot = (companyId: string, botId: string): string | undefined => {
    const bot = companies.botOf(companyId, botId);
    return bot === undefined ? undefined : explainSharedApp({ ...parts, companies }, bot);
  };
  let releasing: unknown;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    isAccepting = false;
    streams.close();
    clock.clearTimeout(releasing);
    engine.releaseWaits();
    companies.close();
    await stopParts({ built, opened, jobs: stops.jobs, others: [async () => openId?.close(), ...stops.others] });
  };
  const service: RunningService = {
    ...parts,
    authorize: host.authorize,
    loginCodes: createLoginCodes(opened),
    accounts,
    openId,
    keys: createKeyRotation({ ...opened, refresh }),
    publicUrl,
    studio: openStudio(),
    chat: { streams, publicUrl, widget: await findWidget() },
    adminTokenFile: opened.adminTokenFile,
    historyPlace,
    imported,
    company: engine.company,
    isAccepting: () => isAccepting,
    listensAt: publicUrl.listensAt,
    stopAccepting() {
      isAccepting = false;
      streams.close();
      releasing ??= clock.setTimeout(engine.releaseWaits, waitingMs);
    },
    importWorkspace: (source, onProgress = logProgress(log), options = {}) =>
      importWorkspace({ ...workspaceParts, askTemplates, explainSharedApp: explainBot }, source, { ...options, onProgress }),
    exportWorkspace: (only) => exportWorkspace(workspaceParts, only),
    records: createRecords(workspaceParts),
    subscriptions: createSubscriptions({
      ...workspaceParts,
      egressAllow: settings.egressAllow ?? [],
      isOwn: (url) => isAddressOf(publicUrl.get(), url),
      wake: eventRunner.wake,
    }),
    moves: createMovesOf(opened, refresh),
    close: () => (closing ??= close()),
  };
  if (runs) await jobRunner.start(service);
  if (runs) scheduler.start();
  if (runs) templatePoller.start();
  return service;
}

/** The moves of companies to and from this store, with the tables of the host. */
const createMovesOf = (opened: Opened, refresh: () => Promise<void>) =>
  createMoves({
    ...opened,
    refresh,
    tables: withHostTables(opened.host.resources.flatMap((resource) => resource.tables)),
    endGrants: (companyId) => endGrants(opened.store, companyId),
    refusal: explainMoveRefusal(opened),
  });

/** What a workspace is read and written with. */
function workspacePartsOf(
  { parts: { engine, nodes, effects, canvasWork } }: Built,
  { settings, store, vault, clock, random, seen, host: { channels } }: Opened,
  refresh: () => Promise<void>,
): WorkspaceParts {
  const { keepDays } = settings;
  const schema = workspaceSchema(channels);
  return { store, engine, nodes, effects, canvasWork, channels, schema, vault, clock, random, seen, keepDays, activateImported, refresh };
}

/** Goes on with what an earlier process left, and with what a company brings that comes later. */
async function continueWork(
  { parts, outbox, functions }: Built,
  { store, companies, log }: Opened,
  { runs, isAccepting }: { readonly runs: boolean; readonly isAccepting: () => boolean },
): Promise<void> {
  const { engine } = parts;
  if (runs) await outbox.start(); // before executions go on, whose messages it takes
  const { recovered } = runs ? await engine.begin() : { recovered: Promise.resolve() };
  recovered.catch((error: unknown) => {
    if (isAccepting()) log.error({ error }, 'What an earlier process left unfinished could not be recovered');
  });
  if (parts.forwarding !== undefined) await store.executions.leases?.advertise(parts.forwarding.address);
  if (runs) functions.settle();
  if (runs)
    companies.onArrival((companyIds) => {
      engine.recoverCompanies(companyIds).catch((error: unknown) => {
        log.error({ companyIds: [...companyIds].slice(0, 10), error }, 'What companies that came left unfinished could not be recovered');
      });
    });
}

/** Begins what works in the background before the service is ready. @returns what stops it: `jobs` wait for the outbox, `others` do not */
async function startLoops(built: Built, opened: Opened, runs: boolean): Promise<Pick<Running, 'jobs' | 'others'>> {
  const { parts, outbox, conversationJobs, paymentNotifier, jobRunner, eventRunner, scheduler, templatePoller, paces } = built;
  const { settings, store, companies, clock, random, log, historyPlace: place } = opened;
  const campaigns = createCampaignRunner({ store, companies, deliver: outbox.send, paces, clock, random, log });
  if (runs) await campaigns.start();
  if (runs) for (const poller of [conversationJobs, paymentNotifier]) poller.start();
  if (runs) await eventRunner.start();
  const pruneOwnStarts: typeof pruneEvents = (from, nowMs) => pruneStarts(from, nowMs - settings.keepDays * 86_400_000);
  const stopPruning = runs
    ? keepPruning(store, settings, clock, log, [pruneEvents, pruneOwnStarts, pruneNumbers, built.files.prune])
    : async () => undefined;
  const stopCounting = runs ? keepCounting(parts.historyCounter, clock, log) : async () => undefined;
  const stopExporting = place === undefined ? async () => undefined : keepExporting({ store, place, clock, random, log });
  return {
    jobs: [
      campaigns.stop,
      scheduler.stop,
      templatePoller.stop,
      jobRunner.stop,
      conversationJobs.stop,
      paymentNotifier.stop,
      eventRunner.stop,
    ],
    others: [stopPruning, stopCounting, stopExporting],
  };
}

interface Running {
  readonly built: Built;
  readonly opened: Opened;
  /** Stop what waits for the outbox. */
  readonly jobs: readonly (() => Promise<void>)[];
  /** Stop the rest of what works in the background. */
  readonly others: readonly (() => Promise<void>)[];
}

/**
 * Stops what runs, each part after those that need it, and closes the store. A part that cannot stop, such as without its database, is
 * logged, and keeps none of the others open. What is not finished in time is durable, and continues at the next start (P25).
 */
async function stopParts({ built, opened: { store, clock, log, bucket }, jobs, others }: Running): Promise<void> {
  const { parts, outbox, paces, functions, code, canvasWork, simulations, databases, dialer } = built;
  const attempt = async (stop: () => unknown): Promise<void> => {
    try {
      await stop();
    } catch (error) {
      log.warn({ error: String(error) }, 'A part of the service could not be stopped as it should: what it holds is released in time');
    }
  };
  const attemptAll = (stops: readonly (() => unknown)[]): Promise<unknown> => Promise.all(stops.map(attempt));
  // Workflows and campaigns wait for the outbox: it stops last.
  const waiting = attemptAll([parts.engine.whenIdle, ...jobs]).then(() => attempt(outbox.stop));
  await waitUpTo(clock, finishMs, Promise.all([waiting, attemptAll(others)]));
  void attempt(outbox.stop); // a message in progress continues at the next start
  paces.stop();
  for (const stop of [parts.engine.stop, functions.close, code.close, canvasWork.close, simulations.close, databases.close, store.close])
    await attempt(() => stop());
  await waitUpTo(clock, releasingMs, attemptAll([dialer.close, () => bucket?.close(), () => parts.forwarding?.close()]));
}

/** Why no company can leave or come; `undefined` where it can. */
function explainMoveRefusal({ keeper, settings }: Pick<Opened, 'keeper' | 'settings'>): string | undefined {
  if (keeper !== undefined) return `The runtime "${keeper}" keeps what is under way here, and it cannot be moved from there or to it`;
  if (settings.cell !== undefined)
    return `Cell "${settings.cell}" has users by slots (--cells): a company is in all of those cells, and is not moved`;
  return undefined;
}

/** Users between two lines of the log. */
const usersPerLine = 50_000;

/** Logs how far an import of many users is. */
function logProgress(log: Logger): (progress: ImportProgress) => void {
  const reported = { reading: 0, writing: 0 };
  return ({ step, users }) => {
    if (users - reported[step] < usersPerLine) return;
    reported[step] = users;
    log.info({ step, users }, 'A workspace is being imported');
  };
}
