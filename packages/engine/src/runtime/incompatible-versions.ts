import type { ExecutionRecord } from '../contract/store.ts';
import type { Problem } from '../contract/problem.ts';
import { compileInTurns } from './compile-in-turns.ts';
import type { EngineContext } from './context.ts';
import type { IncompatibleVersion } from './events.ts';

/** How many open executions of a company, in each status, are looked at: their states are read one by one. */
const maxRead = 5_000;
const pageSize = 200;

/**
 * Compiles every version that open executions are in with the nodes of this engine: what was published with the nodes of an earlier release
 * may no longer run. Such executions are held: what users write to them is kept, and continues with a release that can run them.
 *
 * @returns those that cannot be run, with how many executions are in each
 */
export async function findIncompatibleVersions(context: EngineContext): Promise<readonly IncompatibleVersion[]> {
  const found: IncompatibleVersion[] = [];
  for (const companyId of (await context.canvases.companyIds?.()) ?? []) {
    const versions = new Map<string, { readonly first: ExecutionRecord; executions: number; sinceMs: number }>();
    for await (const record of openExecutions(context, companyId)) {
      const key = JSON.stringify([record.workflowId, record.version, record.state.canvasHash]);
      const counted = versions.get(key) ?? { first: record, executions: 0, sinceMs: record.createdAtMs };
      versions.set(key, counted);
      counted.executions += 1;
      counted.sinceMs = Math.min(counted.sinceMs, record.createdAtMs);
    }
    for (const { first, executions, sinceMs } of versions.values()) {
      await context.turns.take(companyId);
      const problems = await problemsOf(context, companyId, first.state.canvasHash);
      if (problems.length > 0)
        found.push({ companyId, workflowId: first.workflowId, version: first.version, executions, sinceMs, problems });
    }
  }
  return found;
}

async function* openExecutions({ store, turns }: EngineContext, companyId: string): AsyncGenerator<ExecutionRecord> {
  for (const status of ['waiting', 'running'] as const) {
    let read = 0;
    for (let cursor: string | null | undefined; cursor !== null && read < maxRead; ) {
      await turns.take(companyId);
      const page = await store.list(companyId, { status, limit: pageSize, ...(cursor !== undefined && { cursor }) });
      yield* page.results;
      read += page.results.length;
      cursor = page.nextCursor;
    }
  }
}

async function problemsOf(
  { canvases, library, types, digest, clock }: EngineContext,
  companyId: string,
  hash: string,
): Promise<readonly Problem[]> {
  if (library.get(companyId, hash) !== undefined) return [];
  const canvas = await canvases.byHash(companyId, hash);
  return canvas === undefined ? [] : (await compileInTurns(canvas, hash, { types, digest, clock })).problems;
}
