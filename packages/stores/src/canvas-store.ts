import type { Canvas, CanvasStore, PublishedVersion } from '@hilo/engine/contract';
import { call, type Call, condition, type Runner } from './statements/call.ts';
import {
  contentOf,
  draftOf,
  insertContent,
  insertVersion,
  latestVersionOf,
  publishedIn,
  saveDraft,
  versionOf,
  versionsOf,
} from './statements/canvases.ts';
import { read, written } from './text-encoding.ts';

/** Canvases that are kept parsed: every start asks for one, and what a hash names never changes. */
const mostKept = 500;

/** The engine's {@link CanvasStore} over a database. */
export function createCanvasStore(runner: Runner): CanvasStore {
  const parsed = new Map<string, Canvas>();
  const workflow = (companyId: string, workflowId: string) => ({ companyId: written(companyId), workflowId: written(workflowId) });
  const keep = (companyId: string, canvas: Canvas, hash: string): Call =>
    call(insertContent, { companyId: written(companyId), hash: written(hash), canvas: JSON.stringify(canvas) });

  const find = async (companyId: string, hash: string): Promise<Canvas | undefined> => {
    const key = `${companyId}\0${hash}`;
    const known = parsed.get(key);
    if (known !== undefined) return known;
    const row = await runner.readOne(call(contentOf, { companyId: written(companyId), hash: written(hash) }));
    if (row === undefined) return undefined;
    const canvas = JSON.parse(row.canvas) as Canvas;
    const [oldest] = parsed.keys();
    if (parsed.size >= mostKept && oldest !== undefined) parsed.delete(oldest);
    parsed.set(key, canvas);
    return canvas;
  };

  /** @throws {Error} when a draft or a version names a content that is not there: they are written together */
  const content = async (companyId: string, hash: string): Promise<Canvas> => {
    const canvas = await find(companyId, hash);
    if (canvas === undefined) throw new Error(`The canvas ${hash} of company "${companyId}" is gone`);
    return canvas;
  };

  const versionFrom = async (companyId: string, row: VersionRow): Promise<PublishedVersion> => {
    const hash = read(row.hash);
    const canvas = await content(companyId, hash);
    return { workflowId: read(row.workflow_id), version: row.version, hash, canvas, publishedAtMs: row.published_at_ms };
  };
  const versions = async (companyId: string, rows: Call<VersionRow>): Promise<readonly PublishedVersion[]> => {
    const found: PublishedVersion[] = [];
    for (const row of await runner.read(rows)) found.push(await versionFrom(companyId, row));
    return found;
  };

  return {
    async saveDraft(companyId, canvas, hash) {
      await runner.write([keep(companyId, canvas, hash), call(saveDraft, { ...workflow(companyId, canvas.id), hash: written(hash) })]);
    },
    async draft(companyId, workflowId) {
      const row = await runner.readOne(call(draftOf, workflow(companyId, workflowId)));
      if (row === undefined) return undefined;
      const hash = read(row.hash);
      return { canvas: await content(companyId, hash), hash };
    },
    async publish(companyId, canvas, hash, publishedAtMs) {
      const place = workflow(companyId, canvas.id);
      for (;;) {
        const latest = await runner.readOne(call(latestVersionOf, place));
        if (latest !== undefined && read(latest.hash) === hash) return versionFrom(companyId, latest);
        const version = (latest?.version ?? 0) + 1;
        const { failed } = await runner.write([
          condition(insertVersion, { ...place, version, hash: written(hash), publishedAtMs }),
          keep(companyId, canvas, hash),
        ]);
        // Where another writer took the number, the one after is tried.
        if (failed === undefined) return { workflowId: canvas.id, version, hash, canvas, publishedAtMs };
      }
    },
    version: async (companyId, workflowId, version) =>
      (await versions(companyId, call(versionOf, { ...workflow(companyId, workflowId), version })))[0],
    versions: (companyId, workflowId) => versions(companyId, call(versionsOf, workflow(companyId, workflowId))),
    latest: async (companyId, workflowId) => (await versions(companyId, call(latestVersionOf, workflow(companyId, workflowId))))[0],
    published: (companyId) => versions(companyId, call(publishedIn, { companyId: written(companyId) })),
    byHash: find,
  };
}

interface VersionRow {
  readonly workflow_id: string;
  readonly version: number;
  readonly hash: string;
  readonly published_at_ms: number;
}
