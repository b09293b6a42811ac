import { isHiloError } from '@hilo/engine/contract';
import { channelAdapters } from '@hilo/channels';
import { createEngine } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import { openSqliteStore } from '@hilo/stores';
import { createVirtualClock, seededRandom } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSeenSecrets } from '../../src/platform/secrets/seen-secrets.ts';
import { createVault } from '../../src/platform/secrets/vault.ts';
import { activateImported } from '../../src/conversations/activity.ts';
import { serviceTables } from '../../src/platform/database/tables.ts';
import { performedEffects } from '../../src/service/performed-effects.ts';
import { exportWorkspace } from '../../src/tenants/workspace/export-workspace.ts';
import { importWorkspace } from '../../src/tenants/workspace/import-workspace.ts';
import type { WorkspaceParts } from '../../src/tenants/workspace/prepare.ts';
import { workspaceSchema } from '../../src/tenants/workspace/schema.ts';
import { createCanvasWork } from '../../src/platform/canvas-work/canvas-work.ts';
import { arbitraryWorkspace } from './arbitrary-workspace.ts';
import { dumpTables } from './table-dump.ts';

async function emptyParts(): Promise<WorkspaceParts> {
  const store = await openSqliteStore({ path: ':memory:', extensions: [serviceTables] });
  const [clock, random] = [createVirtualClock(), seededRandom(1)];
  const engine = createEngine({ nodes: standardNodes, clock, random, store: { executions: store.executions, canvases: store.canvases } });
  const vault = createVault(random.bytes(32), random);
  const schema = workspaceSchema(channelAdapters);
  const effects = performedEffects({ drivers: [] });
  return {
    store,
    engine,
    nodes: standardNodes,
    effects,
    canvasWork: createCanvasWork({ nodes: standardNodes, clock }),
    clock,
    random,
    vault,
    schema,
    channels: channelAdapters,
    seen: createSeenSecrets(),
    activateImported,
    refresh: async () => undefined,
  };
}

describe('any workspace', () => {
  it(
    'is the same when it is imported twice, and when its export is imported',
    () =>
      fc.assert(
        fc.asyncProperty(arbitraryWorkspace(), async (workspace) => {
          const parts = await emptyParts();
          const first = await importWorkspace(parts, { workspace });
          expect(Object.entries(first.counts).filter(([, { given, written }]) => given !== written)).toEqual([]);
          const [rows, file] = [await dumpTables(parts.store), await exportWorkspace(parts)];
          for (const again of [workspace, file]) {
            const { counts } = await importWorkspace(parts, { workspace: again });
            expect(Object.entries(counts).filter(([, { written }]) => written > 0)).toEqual([]);
            expect(await dumpTables(parts.store)).toEqual(rows);
            expect(await exportWorkspace(parts)).toEqual(file);
          }
          await parts.store.close();
        }),
        { numRuns: 12 },
      ),
    120_000,
  );

  it(
    'carries everything but its secrets to another store',
    () =>
      fc.assert(
        fc.asyncProperty(arbitraryWorkspace(), async (workspace) => {
          const [here, there] = [await emptyParts(), await emptyParts()];
          await importWorkspace(here, { workspace });
          const file = await exportWorkspace(here);
          const moved = await importWorkspace(there, { workspace: file }).then(
            () => exportWorkspace(there),
            (error: unknown) => (isHiloError(error, 'WORKSPACE_REFUSED') ? error.details.problems.map(({ code }) => code) : error),
          );
          // Each item that is useless without its secret is reported.
          const keepers = workspace.companies.flatMap(({ clients, apiKeys, credentials }) => [clients, apiKeys, credentials].flat());
          const needed = keepers.flatMap((keeper) => (JSON.stringify(keeper).includes('"kind":"stripe"') ? [keeper, keeper] : [keeper]));
          expect(moved).toEqual(needed.length > 0 ? needed.map(() => 'MISSING_SECRET') : file);
          await Promise.all([here.store.close(), there.store.close()]);
        }),
        { numRuns: 8 },
      ),
    120_000,
  );
});
