// Opens a service: its store, its parts, its loops, and the order in which they stop.
import { hkdfSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, systemRandom } from '@hilo/engine/node';
import type { Cell, Company } from '@hilo/engine';
import type { Clock, JsonObject, Random } from '@hilo/engine/contract';
import type { CreateLaneRuntime } from '@hilo/engine/runtime-kit';
import type { DurableStore, OnUnreadable } from '@hilo/stores';
import { createCampaignRunner } from '../campaigns/campaigns.ts';
import { createBotDefaults } from '../tenants/bots.ts';
import { createTemplateAsker } from '../templates/templates.ts';
import { type LiveCompanies, openCompanies } from '../tenants/open-companies.ts';
import { createLoginCodes, type LoginCodes } from '../platform/http/auth/login.ts';
import { createLogger, type Logger } from '../platform/logging/logger.ts';
import { type AdminTokenFile, readKeysBefore, readMasterKey, readAdminToken } from '../platform/secrets/secret-file.ts';
import { type DeriveKey, openTokenKeys } from '../platform/secrets/token-keys.ts';
import { createSeenSecrets } from '../platform/secrets/seen-secrets.ts';
import { waitUpTo } from '../platform/waiting.ts';
import { createResumeTokens } from '../webhooks/resume-tokens.ts';
import { createFileSeals } from '../files/file-seals.ts';
import { openFileBucket, type OpenFileBucket } from '../files/s3-files.ts';
import { createVault } from '../platform/secrets/vault.ts';
import { deriveFileKey } from '../tenants/moving/company-file.ts';
import { type CompanyMoves, createMoves } from '../tenants/moving/moves.ts';
import { withHostTables } from '../tenants/moving/moved-tables.ts';
import { pruneEvents } from '../events/prune-events.ts';
import { createTelling } from '../events/telling-store.ts';
import { createSubscriptions, isAddressOf } from '../events/subscriptions.ts';
import { createKeyRotation } from '../keys/rotate-keys.ts';
import { createAccounts } from '../access/accounts.ts';
import { createOpenIdLogin } from '../access/openid-login.ts';
import { exportWorkspace } from '../tenants/workspace/export-workspace.ts';
import { createRecords } from '../tenants/workspace/records.ts';
import { type ImportProgress, type ImportSummary, importWorkspace } from '../tenants/workspace/import-workspace.ts';
import type { ImportOptions } from '../tenants/workspace/prepare.ts';
import type { WorkspaceParts } from '../tenants/workspace/prepare.ts';
import type { WorkspaceSource } from '../tenants/workspace/source.ts';
import { workspaceSchema } from '../tenants/workspace/schema.ts';
import { buildService } from './build-service.ts';
import { checkOptions } from './check-options.ts';
import { completeParts, type CompleteParts, type HostParts } from './host-parts.ts';
import { readCell } from '../platform/cells.ts';
import { absentRuntime, hasOpenWork, readKeeper, refuseOtherRuntime, writeKeeper } from '../platform/database/lane-keeping.ts';
import { openStore, prepareDataDirectory, readStoreMarker, storeName } from '../platform/database/open-store.ts';
import { collectKnownSecrets } from '../platform/secrets/known-secrets.ts';
import { createLimitReports } from '../platform/logging/limit-reports.ts';
import { keepPruning } from '../executions/prune-executions.ts';
import { pruneStarts } from '../schedules/schedules.ts';
import { keepCounting, pruneNumbers } from '../numbers/count-histories.ts';
import { keepExporting } from '../executions/history-outbox.ts';
import { type HistoryPlace, openHistoryPlace } from '../executions/history-place.ts';
import { findWidget } from '../chat/chat.ts';
import { createForwarding } from '../processes/forwarding.ts';
import type { Service } from './service.ts';
import { findStudio } from '../studio/application.ts';
import { defaultSettings, type OpenSettings, type Settings } from './settings.ts';
import { activateImported } from '../conversations/activity.ts';

/** How a service is set up, each setting with its default, and what its host adds. */
export interface ServiceOptions extends Partial<Settings>, HostParts {}

/** Time, randomness and the log, where they are not those of the machine. */
export interface ServiceSeams {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Logger;
  /**
   * False for commands that only read, import or export: no workspace of the settings is imported, no execution is recovered, no timer
   * fires and nothing is pruned. Default: true.
   */
  readonly runs?: boolean;
  /** True for a command: where other processes serve the store, those are asked, and nothing runs here. */
  readonly givesWay?: boolean;
}

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

/**
 * Opens the store, imports the workspace and runs the engine: everything but listening. What an earlier process left unfinished is
 * recovered after that: requests that need a lane wait until it is known, and the service is not ready until it has had its turn.
 *
 * @example
 * const service = await openService({ data: './data', nodes: [scoreLead], drivers: [leadScores], channels: [smsChannel] });
 *
 * @throws {HiloError} `INVALID_OPTIONS` for an option that there is not, or of another type
 * @throws {Error} for a duplicate name of a node, driver or channel
 * @throws {Error} when the configured lane runtime cannot be started, or not over this store
 * @throws {StoreError} when the store is missing, foreign, newer, damaged or in use
 * @throws {Error} when the admin token is too weak
 * @throws {HiloError} `SECRET_KEY_REFUSED` when the key is malformed, or not the one of the store
 * @throws {HiloError} `WORKSPACE_REFUSED` when the workspace has a problem
 */
export async function openService(
  options: ServiceOptions = {},
  { clock: givenClock, random = systemRandom, log: givenLog, runs: mayRun = true, givesWay = false }: ServiceSeams = {},
): Promise<RunningService> {
  checkOptions(options);
  const { nodes, nodesFrom, drivers, channels, jobs, resources, authorize, laneRuntime, ...others } = options;
  const host = completeParts({ nodes, nodesFrom, drivers, channels, jobs, resources, authorize, laneRuntime });
  const given: Settings = { ...defaultSettings, ...others };
  const ca = given.egressCa === undefined ? undefined : await readCertificates(given.egressCa);
  const cell = await readOwnCell(given);
  if (mayRun) await laneRuntime?.check({ isShared: given.databaseUrl !== undefined });
  if (given.advertiseUrl !== undefined && (given.databaseUrl === undefined || laneRuntime !== undefined)) throw new Error(nothingToForward);
  await prepareDataDirectory(given.data);
  const admin = await readAdminToken(given.adminToken, given.data, random);
  const settings = { ...given, adminToken: admin.token };
  const key = await readMasterKey(settings.secretKey, settings.data, random); // before a store is made that no key could decrypt
  const before = await readKeysBefore(settings, settings.data);
  let companies: LiveCompanies | undefined;
  let built: Built | undefined;
  const seen = createSeenSecrets();
  const log = givenLog ?? createLogger({ format: settings.log, secrets: collectKnownSecrets(settings, () => companies) });
  const onUnreadable: OnUnreadable = ({ companyId, executionId, reason }) =>
    log.error({ companyId, executionId, reason }, 'An execution is in quarantine, since its row cannot be read');
  const telling = createTelling({ random, now: () => clock.now() });
  const store = telling.over(
    await openStore({ ...settings, resources: host.resources }, givenClock ?? systemClock, { onUnreadable, around: telling.around }),
  );
  const clock = givenClock ?? store.clock(systemClock); // the database's, where processes share one (P12)
  const limitReports = createLimitReports({ log, clock });
  try {
    const runs = mayRun && !(givesWay && (await store.visit?.()) === true);
    const marker = await readStoreMarker(settings.data, storeName(settings));
    const keeper = await readKeeper(store, marker);
    await refuseOtherRuntime(store, keeper, { data: settings.data, asked: laneRuntime?.name, runs });
    const changesKeeper = runs && keeper !== laneRuntime?.name;
    const vault = createVault(key, random, before);
    const defaults = createBotDefaults(host.channels);
    companies = await openCompanies({ store, vault, clock, random, log, seen, onLimit: limitReports.report, defaults });
    const { historyOutbox } = settings;
    const place = historyOutbox === undefined || !runs ? undefined : await openHistoryPlace(historyOutbox, settings, { clock, ca });
    const bucket = settings.files === undefined ? undefined : openFileBucket(settings.files, settings, { clock, ca });
    const tokenKeys = await openTokenKeys(store, vault, [key, ...before]);
    const fileKey = deriveFileKey(key);
    const { tokenKeys: brought } = companies;
    const open = {
      settings,
      adminTokenFile: admin.file,
      store,
      companies,
      vault,
      tokenKeys,
      fileKey,
      clock,
      random,
      log,
      limitReports,
      host,
      ca,
      seen,
      place,
      bucket,
    };
    // After what could refuse this start, such as another key; before the runtime begins, since others may start now.
    if (changesKeeper && store.durability.database !== 'sqlite') await writeKeeper(store, marker, laneRuntime?.name);
    const sealKey = new Uint8Array(hkdfSync('sha256', key, '', 'hilo entries of lanes', 32));
    const createRuntime = chooseRuntime(host, { createdAt: marker.createdAt, keeper, store, sealKey }, settings.data, runs);
    const { advertiseUrl } = settings;
    const forwarding =
      advertiseUrl === undefined || !runs ? undefined : createForwarding({ address: advertiseUrl, masterKey: key, clock, ca });
    built = buildService({
      ...open,
      telling,
      createRuntime,
      forwarding,
      cell,
      callbacks: createResumeTokens(tokenKeys, brought),
      fileSeals: createFileSeals(tokenKeys, brought),
      bucket,
    });
    const service = await startService(built, { ...open, keeper: laneRuntime?.name ?? keeper }, runs);
    if (changesKeeper && store.durability.database === 'sqlite') await writeKeeper(store, marker, laneRuntime?.name);
    return service;
  } catch (error) {
    companies?.close();
    await built?.outbox.stop(); // it may have begun, and would go on reading a store that is closed
    await store.close();
    throw error;
  }
}

/** @throws {Error} when the settings name half of a cell, or the file does not say what it serves */
async function readOwnCell({ cell, cells }: Settings): Promise<Cell | undefined> {
  if ((cell === undefined) !== (cells === undefined))
    throw new Error('--cell (HILO_CELL) and --cells (HILO_CELLS) go together: the name of a cell, and the file that lists all of them');
  return cell === undefined || cells === undefined ? undefined : readCell(cell, cells);
}

const nothingToForward =
  '--advertise-url (HILO_ADVERTISE_URL) is for processes that share a PostgreSQL, and keep lanes themselves: give --database-url and no --runtime, or leave it out';

/** The lane runtime: the host's; for a command that only reads, a substitute that says which one is not running. */
function chooseRuntime(
  { laneRuntime }: CompleteParts,
  {
    createdAt = '',
    keeper,
    store,
    sealKey,
  }: {
    readonly createdAt: string | undefined;
    readonly keeper: string | undefined;
    readonly store: Pick<DurableStore, 'runner'>;
    readonly sealKey: Uint8Array;
  },
  data: string,
  runs: boolean,
): CreateLaneRuntime | undefined {
  if (runs)
    return laneRuntime?.create({
      directory: join(data, laneRuntime.name),
      store: createdAt,
      hasOpenWork: () => hasOpenWork(store),
      sealKey,
    });
  return keeper === undefined ? undefined : absentRuntime(keeper);
}

async function readCertificates(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Error(`The certificates of --egress-ca (HILO_EGRESS_CA) cannot be read from ${path}: name another file, or leave it out`, {
      cause,
    });
  }
}

type Built = ReturnType<typeof buildService>;
type Opened = Pick<WorkspaceParts, 'store' | 'vault' | 'clock' | 'random' | 'seen'> & {
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
  readonly place: HistoryPlace | undefined;
  readonly bucket: OpenFileBucket | undefined;
  /** What keeps lanes instead of the store. */
  readonly keeper: string | undefined;
};

/** Imports the workspace, starts the engine and the jobs, and returns how to stop them. */
async function startService(built: Built, opened: Opened, runs: boolean): Promise<RunningService> {
  const {
    parts,
    outbox,
    conversationJobs,
    paymentNotifier,
    jobRunner,
    eventRunner,
    scheduler,
    templatePoller,
    functions,
    publicUrl,
    streams,
    paces,
  } = built;
  const { settings, store, companies, vault, tokenKeys, fileKey, clock, random, log, host, seen, place } = opened;
  const { engine } = parts;
  let isAccepting = true;
  const refresh = async (): Promise<void> => {
    await companies.refresh();
    if (runs) functions.settle();
  };
  const { nodes, effects, canvasWork } = parts;
  const { channels } = host;
  const workspaceParts: WorkspaceParts = {
    store,
    engine,
    nodes,
    effects,
    canvasWork,
    channels,
    schema: workspaceSchema(channels),
    vault,
    clock,
    random,
    seen,
    keepDays: settings.keepDays,
    activateImported,
    refresh,
  };
  const imported =
    runs && settings.workspace !== undefined
      ? await importWorkspace(workspaceParts, settings.workspace, {
          overwrite: settings.overwrite ?? false,
          onProgress: logProgress(log),
        })
      : undefined;
  for (const { code, message } of imported?.warnings ?? []) log.warn({ code }, message);
  if (runs) await outbox.start(); // before executions go on, whose messages it takes
  const { recovered } = runs ? await engine.begin() : { recovered: Promise.resolve() };
  recovered.catch((error: unknown) => {
    if (isAccepting) log.error({ error }, 'What an earlier process left unfinished could not be recovered');
  });
  if (parts.forwarding !== undefined) await store.executions.leases?.advertise(parts.forwarding.address);
  if (runs) functions.settle();
  if (runs)
    companies.onArrival((companyId) => {
      engine
        .recoverCompany(companyId)
        .catch((error: unknown) => log.error({ companyId, error }, 'What a company that came left unfinished could not be recovered'));
    });
  const tables = withHostTables(host.resources.flatMap((resource) => resource.tables));
  const moves = createMoves({ store, vault, tokenKeys, fileKey, clock, random, refresh, tables, refusal: explainMoveRefusal(opened) });
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

  const accounts = createAccounts(opened);
  const openId = createOpenIdLogin(settings, { accounts, publicUrl, clock, log, ca: opened.ca });

  // At the start nobody waits for providers: their templates are asked for a moment later.
  const askTemplates = createTemplateAsker({ ...parts, companies });
  let releasing: unknown;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    isAccepting = false;
    streams.close();
    clock.clearTimeout(releasing);
    engine.releaseWaits();
    companies.close();
    await stopParts({
      built,
      opened,
      jobs: [
        campaigns.stop,
        scheduler.stop,
        templatePoller.stop,
        jobRunner.stop,
        conversationJobs.stop,
        paymentNotifier.stop,
        eventRunner.stop,
      ],
      others: [async () => openId?.close(), stopPruning, stopCounting, stopExporting],
    });
  };
  const service: RunningService = {
    ...parts,
    authorize: host.authorize,
    loginCodes: createLoginCodes(opened),
    accounts,
    openId,
    keys: createKeyRotation({ ...opened, refresh }),
    publicUrl,
    studio: await findStudio(),
    chat: { streams, publicUrl, widget: await findWidget() },
    adminTokenFile: opened.adminTokenFile,
    historyPlace: place,
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
      importWorkspace({ ...workspaceParts, askTemplates }, source, { ...options, onProgress }),
    exportWorkspace: (only) => exportWorkspace(workspaceParts, only),
    records: createRecords(workspaceParts),
    subscriptions: createSubscriptions({
      ...workspaceParts,
      egressAllow: settings.egressAllow ?? [],
      isOwn: (url) => isAddressOf(publicUrl.get(), url),
      wake: eventRunner.wake,
    }),
    moves,
    close: () => (closing ??= close()),
  };
  if (runs) await jobRunner.start(service);
  if (runs) scheduler.start();
  if (runs) templatePoller.start();
  return service;
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
