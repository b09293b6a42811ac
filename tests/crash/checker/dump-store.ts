// Reads a file after a crash for the checker.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { compileCanvas, type CompiledCanvas, nodeTypes, replayHistory } from '@hilo/engine/debug';
import type { InboxEvent, CanvasStore, ExecutionStore } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { openSqliteStore } from '../../../packages/stores/src/sqlite/open-sqlite-store.ts';
import { canvases } from '../load/canvases.ts';
import { companyId } from '../load/names.ts';
import { allExecutions } from './all-executions.ts';
import type { ReplayedExecution, StoreDump } from './evidence.ts';

/** Reads all that a SQLite file holds, in part past the store: what no verb shows must be right, too. */
export async function dumpStore(path: string): Promise<StoreDump> {
  const store = await openSqliteStore({ path, mustExist: true });
  const versions = (await Promise.all(canvases.map(({ id }) => store.canvases.versions(companyId, id)))).flat();
  const library = await compiledCanvases(
    store.canvases,
    versions.map(({ hash }) => hash),
  );
  const canvasOf = (hash: string): CompiledCanvas => {
    const canvas = library.get(hash);
    if (canvas === undefined) throw new Error(`No published canvas has the hash ${hash}`);
    return canvas;
  };
  const executions = await replayExecutions(store.executions, canvasOf);
  const unlisted = await findUnlisted(store.executions, executions);
  await store.close();
  return { executions, unlisted, versions, canvasOf, ...readRows(path), bytes: readBytes(path) };
}

/** The ids of executions that the list of their user leaves out, or gives to another. */
async function findUnlisted(store: ExecutionStore, executions: readonly ReplayedExecution[]): Promise<readonly string[]> {
  const byUser = Map.groupBy(executions, ({ record }) => record.state.origin.userId);
  const wrong: string[] = [];
  for (const [userId, own] of byUser) {
    if (userId === undefined) continue;
    const listed = (await allExecutions(store, { userId })).map(({ executionId }) => executionId);
    const kept = own.map(({ record }) => record.executionId);
    wrong.push(...kept.filter((id) => !listed.includes(id)), ...listed.filter((id) => !kept.includes(id)));
  }
  return wrong;
}

const types = nodeTypes(standardNodes);

async function compiledCanvases(store: CanvasStore, hashes: readonly string[]): Promise<ReadonlyMap<string, CompiledCanvas>> {
  const library = new Map<string, CompiledCanvas>();
  for (const hash of new Set(hashes)) {
    const canvas = await store.byHash(companyId, hash);
    if (canvas !== undefined) library.set(hash, compileCanvas(canvas, hash, types).compiled);
  }
  return library;
}

const replayExecutions = async (store: ExecutionStore, canvasOf: (hash: string) => CompiledCanvas): Promise<readonly ReplayedExecution[]> =>
  Promise.all(
    (await allExecutions(store)).map(async (record) => {
      const history = await store.history(companyId, record.executionId);
      return { record, history, states: replayHistory(history, canvasOf) };
    }),
  );

function readRows(path: string): Pick<StoreDump, 'queue' | 'orphanedHistories'> {
  const database = new DatabaseSync(path, { readOnly: true });
  const queue = database.prepare('select lane, accepted from queue order by seq').all();
  const orphaned = database.prepare('select count(*) as number from histories where execution not in (select id from executions)').get();
  database.close();
  return {
    queue: queue.map(({ lane, accepted }) => ({ lane: String(lane), accepted: JSON.parse(String(accepted)) as InboxEvent })),
    orphanedHistories: Number(orphaned?.['number']),
  };
}

/** All files of the store as one-byte characters, so that a text is found at any place. */
const readBytes = (path: string): string =>
  readdirSync(dirname(path))
    .map((file) => readFileSync(join(dirname(path), file), 'latin1'))
    .join('\n');
