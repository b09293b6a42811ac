// Opens a service: its store, its keys and what they belong to, and its parts.
import { hkdfSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, systemRandom } from '@hilo/engine/node';
import type { Cell } from '@hilo/engine';
import type { Clock, Random } from '@hilo/engine/contract';
import type { CreateLaneRuntime } from '@hilo/engine/runtime-kit';
import type { DurableStore, OnUnreadable } from '@hilo/stores';
import { createBotDefaults } from '../tenants/bots.ts';
import { type LiveCompanies, openCompanies } from '../tenants/open-companies.ts';
import { createLogger, type Logger } from '../platform/logging/logger.ts';
import { readKeysBefore, readMasterKey, readAdminToken } from '../platform/secrets/secret-file.ts';
import { openTokenKeys } from '../platform/secrets/token-keys.ts';
import { createSeenSecrets } from '../platform/secrets/seen-secrets.ts';
import { createResumeTokens } from '../webhooks/resume-tokens.ts';
import { createFileSeals } from '../files/file-seals.ts';
import { openFileBucket } from '../files/s3-files.ts';
import { createVault } from '../platform/secrets/vault.ts';
import { deriveFileKey } from '../tenants/moving/company-file.ts';
import { createTelling } from '../events/telling-store.ts';
import { buildService } from './build-service.ts';
import { checkOptions } from './check-options.ts';
import { completeParts, type CompleteParts, type HostParts } from './host-parts.ts';
import { readCell } from '../platform/cells.ts';
import { absentRuntime, hasOpenWork, readKeeper, refuseOtherRuntime, writeKeeper } from '../platform/database/lane-keeping.ts';
import { openStore, prepareDataDirectory, readStoreMarker } from '../platform/database/open-store.ts';
import { placeStore } from '../platform/database/store-place.ts';
import { collectKnownSecrets } from '../platform/secrets/known-secrets.ts';
import { createLimitReports } from '../platform/logging/limit-reports.ts';
import { openHistoryPlace } from '../executions/history-place.ts';
import { createForwarding } from '../processes/forwarding.ts';
import { defaultSettings, type Settings } from './settings.ts';
import { type Built, type RunningService, startService } from './start-service.ts';

export type { RunningService } from './start-service.ts';

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
  const place = placeStore(given);
  if (mayRun) await laneRuntime?.check({ hasOthers: place.hasOthers });
  if (given.advertiseUrl !== undefined && (!place.hasOthers || laneRuntime !== undefined)) throw new Error(nothingToForward);
  await prepareDataDirectory(given.data);
  const { admin, key, before } = await readOwnSecrets(given, random); // before a store is made that no key could decrypt
  const settings = { ...given, adminToken: admin.token };
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
    const marker = await readStoreMarker(settings.data, place.name);
    const keeper = await readKeeper(store, marker);
    await refuseOtherRuntime(store, keeper, { data: settings.data, asked: laneRuntime?.name, runs });
    const changesKeeper = runs && keeper !== laneRuntime?.name;
    const vault = createVault(key, random, before);
    const [defaults, onLimit] = [createBotDefaults(host.channels), limitReports.report];
    companies = await openCompanies({ store, vault, clock, random, log, seen, onLimit, defaults });
    const buckets = await openBuckets(settings, { clock, ca }, runs);
    const tokenKeys = await openTokenKeys(store, vault, [key, ...before]);
    const open = {
      settings,
      place,
      adminTokenFile: admin.file,
      store,
      companies,
      vault,
      tokenKeys,
      fileKey: deriveFileKey(key),
      clock,
      random,
      log,
      limitReports,
      host,
      ca,
      seen,
      ...buckets,
    };
    // After what could refuse this start, such as another key; before the runtime begins, since others may start now.
    if (changesKeeper && store.durability.database !== 'sqlite') await writeKeeper(store, marker, laneRuntime?.name);
    const lanes = { createdAt: marker.createdAt, keeper, store, sealKey: deriveSealKey(key) };
    const createRuntime = chooseRuntime(host, lanes, settings.data, runs);
    const address = runs ? settings.advertiseUrl : undefined;
    const forwarding = address === undefined ? undefined : createForwarding({ address, masterKey: key, clock, ca });
    built = buildService({
      ...open,
      telling,
      createRuntime,
      forwarding,
      cell,
      callbacks: createResumeTokens(tokenKeys, companies.tokenKeys),
      fileSeals: createFileSeals(tokenKeys, companies.tokenKeys),
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

/** The key that entries of lanes are sealed with where a lane runtime keeps them. */
const deriveSealKey = (key: Uint8Array): Uint8Array => new Uint8Array(hkdfSync('sha256', key, '', 'hilo entries of lanes', 32));

/** @throws {Error} for an admin token that is too weak, or a key that is none */
async function readOwnSecrets(settings: Settings, random: Random) {
  const { adminToken, secretKey, data } = settings;
  return {
    admin: await readAdminToken(adminToken, data, random),
    key: await readMasterKey(secretKey, data, random),
    before: await readKeysBefore(settings, data),
  };
}

/** Where histories go that leave the store, and where files are kept: elsewhere, where the settings say so. */
async function openBuckets(settings: Settings, outside: { readonly clock: Clock; readonly ca: string | undefined }, runs: boolean) {
  const { historyOutbox, files } = settings;
  return {
    historyPlace: historyOutbox === undefined || !runs ? undefined : await openHistoryPlace(historyOutbox, settings, outside),
    bucket: files === undefined ? undefined : openFileBucket(files, settings, outside),
  };
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
