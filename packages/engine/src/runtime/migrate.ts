// Migrations of waiting executions, one at a time: each is judged in its lane, as it is then.
import { HiloError, isHiloError } from '../contract/errors.ts';
import { Migration, type MigratingKind } from '../contract/migration.ts';
import type { CanvasStore } from '../contract/store.ts';
import type { MigrateCall, Migrated } from '../lane/calls.ts';
import { checkMigration } from '../machine/migrate.ts';
import { nameOperator } from '../machine/name-operator.ts';
import { askLane } from './ask-lane.ts';
import type { EngineContext } from './context.ts';
import { readExecution } from './operate.ts';

/** Who migrates an execution, and what may become of it. */
export interface MigrateOptions {
  /** The verdicts by which it may change. `same` alone, when left out: every other is named. */
  readonly accept?: readonly MigratingKind[];
  /** The operator, for its history. */
  readonly by?: string;
  /** The job that migrates it with others: what one job did can be undone. */
  readonly job?: string;
}

/** A migration with the contents that it is between. */
export type PinnedMigration = Pick<MigrateCall, 'migration' | 'fromHash' | 'canvasHash'>;

/**
 * Reads a migration, and the contents of its versions.
 *
 * @param input - as of a file or a request
 * @param isPlan - whether the number that the draft would get stands for the draft: what waits is judged before that is published
 * @throws {HiloError} `INVALID_MIGRATION` for what is none, `VERSION_NOT_FOUND`
 */
export async function pinMigration(
  { canvases }: EngineContext,
  companyId: string,
  input: unknown,
  { isPlan = false }: { readonly isPlan?: boolean } = {},
): Promise<PinnedMigration> {
  const { success, data: migration, error } = Migration.safeParse(input);
  if (!success)
    throw new HiloError('INVALID_MIGRATION', {
      workflowId: nameWorkflow(input),
      reason: error.issues.slice(0, 5).map(describeIssue).join('; '),
    });
  const { workflowId, from, to } = migration;
  if (from === to) throw new HiloError('INVALID_MIGRATION', { workflowId, reason: `"from" and "to" are both version ${to}` });
  const hashOf = async (version: number): Promise<string> => {
    const published = await canvases.version(companyId, workflowId, version);
    const found = published ?? (isPlan ? await readNext(canvases, companyId, workflowId, version) : undefined);
    if (found === undefined) throw new HiloError('VERSION_NOT_FOUND', { workflowId, version });
    return found.hash;
  };
  return { migration, fromHash: from === 'any' ? null : await hashOf(from), canvasHash: await hashOf(to) };
}

/**
 * Checks that a migration names what its versions have, before anything is looked at or begun.
 *
 * @throws {HiloError} `INVALID_MIGRATION`; `INVALID_CANVAS` where the nodes of this release cannot run a version that it names
 */
export async function requireFitting({ library }: EngineContext, companyId: string, pinned: PinnedMigration): Promise<void> {
  const { migration, fromHash, canvasHash } = pinned;
  const before = fromHash === null ? undefined : await library.load(companyId, fromHash);
  checkMigration(migration, before, await library.load(companyId, canvasHash));
}

/** The draft, where publishing it would make that version. */
async function readNext(canvases: CanvasStore, companyId: string, workflowId: string, version: number) {
  const latest = await canvases.latest(companyId, workflowId);
  const draft = await canvases.draft(companyId, workflowId);
  return version === (latest?.version ?? 0) + 1 && draft?.hash !== latest?.hash ? draft : undefined;
}

const nameWorkflow = (input: unknown): string =>
  typeof input === 'object' && input !== null && 'workflowId' in input ? String(input.workflowId) : 'without an id';

const describeIssue = ({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }): string =>
  `${path.length === 0 ? '' : `"${path.join('.')}"${message.startsWith('is ') ? '' : ':'} `}${message}`;

/**
 * Takes an execution to another version of its workflow, where the verdict on it is accepted; else it stays as it is. The same call a second
 * time changes nothing.
 *
 * @returns the verdict, and the revision where it was migrated
 * @throws {HiloError} `EXECUTION_NOT_FOUND`, `VERSION_NOT_FOUND`, `INVALID_MIGRATION`; `INVALID_CANVAS` where the nodes of this release cannot
 *   run one of the versions
 */
export async function migrateExecution(
  context: EngineContext,
  companyId: string,
  executionId: string,
  input: Migration,
  options: MigrateOptions = {},
): Promise<Migrated> {
  return migratePinned(context, companyId, executionId, await pinMigration(context, companyId, input), options);
}

/**
 * The same for one of many, whose contents were read before.
 *
 * @param known - its lane, where that was read, too
 */
export async function migratePinned(
  context: EngineContext,
  companyId: string,
  executionId: string,
  pinned: PinnedMigration,
  { accept = ['same'], by, job }: MigrateOptions,
  known?: string,
): Promise<Migrated> {
  const lane = known ?? (await requireExecution(context, companyId, executionId)).lane;
  return askLane(context, lane, { type: 'migrate', companyId, executionId, ...pinned, accept, ...nameOperator({ by, job }) });
}

/**
 * Takes an execution back from where a job took it, unless anything has happened to it since.
 *
 * @param undoes - the job
 * @returns `same` with the revision where it was taken back, else `none`
 * @throws {HiloError} `EXECUTION_NOT_FOUND`
 */
export async function undoMigration(
  context: EngineContext,
  companyId: string,
  executionId: string,
  undoes: string,
  { by, job }: Pick<MigrateOptions, 'by' | 'job'> = {},
): Promise<Migrated> {
  const { lane } = await requireExecution(context, companyId, executionId);
  return askLane(context, lane, { type: 'undoMigration', companyId, executionId, undoes, ...nameOperator({ by, job }) });
}

/** The answer for one of many; undefined where it was removed since it was chosen. */
export async function unlessRemoved(asked: Promise<Migrated>): Promise<Migrated | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isHiloError(error, 'EXECUTION_NOT_FOUND')) return undefined;
    throw error;
  }
}

async function requireExecution(context: EngineContext, companyId: string, executionId: string) {
  const found = await readExecution(context, companyId, executionId);
  if (found === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  return found;
}
