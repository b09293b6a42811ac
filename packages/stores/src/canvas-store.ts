import type { Canvas, CanvasStore, PublishedVersion } from '@hilo/engine/contract';
import { type CanvasContents, createCanvasContents } from './canvas-contents.ts';
import { draftOf, insertVersion, latestVersionOf, publishedIn, saveDraft, versionOf, versionsOf } from './statements/canvases.ts';
import { ask, askOne, type Runner, type Steps } from './statements/steps.ts';
import { read, written } from './texts.ts';

/** The engine's {@link CanvasStore} over a database. */
export function createCanvasStore(runner: Runner): CanvasStore {
  const contents = createCanvasContents();
  const workflow = (companyId: string, workflowId: string) => ({ companyId: written(companyId), workflowId: written(workflowId) });
  const versions = (companyId: string, rows: () => Steps<readonly VersionRow[]>): Promise<readonly PublishedVersion[]> =>
    runner.read(function* () {
      const found: PublishedVersion[] = [];
      for (const row of yield* rows()) found.push(yield* versionFrom(contents, companyId, row));
      return found;
    });

  return {
    saveDraft: (companyId, canvas, hash) =>
      runner.write(function* () {
        yield* contents.keep(companyId, canvas, hash);
        yield* ask(saveDraft, { ...workflow(companyId, canvas.id), hash: written(hash) });
      }),
    draft: (companyId, workflowId) =>
      runner.read(function* () {
        const row = yield* askOne(draftOf, workflow(companyId, workflowId));
        if (row === undefined) return undefined;
        const hash = read(row.hash);
        return { canvas: yield* contentOf(contents, companyId, hash), hash };
      }),
    publish: (companyId, canvas, hash, atMs) => runner.write(() => publishSteps(contents, companyId, canvas, hash, atMs)),
    version: async (companyId, workflowId, version) =>
      (await versions(companyId, () => ask(versionOf, { ...workflow(companyId, workflowId), version })))[0],
    versions: (companyId, workflowId) => versions(companyId, () => ask(versionsOf, workflow(companyId, workflowId))),
    latest: async (companyId, workflowId) => (await versions(companyId, () => ask(latestVersionOf, workflow(companyId, workflowId))))[0],
    published: (companyId) => versions(companyId, () => ask(publishedIn, { companyId: written(companyId) })),
    byHash: (companyId, hash) => runner.read(() => contents.find(companyId, hash)),
  };
}

/** Takes the next number; where another writer took it, looks again and takes the one after. */
function* publishSteps(contents: CanvasContents, companyId: string, canvas: Canvas, hash: string, atMs: number): Steps<PublishedVersion> {
  yield* contents.keep(companyId, canvas, hash);
  const workflow = { companyId: written(companyId), workflowId: written(canvas.id) };
  for (;;) {
    const latest = yield* askOne(latestVersionOf, workflow);
    if (latest !== undefined && read(latest.hash) === hash) return yield* versionFrom(contents, companyId, latest);
    const version = (latest?.version ?? 0) + 1;
    const inserted = yield* askOne(insertVersion, { ...workflow, version, hash: written(hash), publishedAtMs: atMs });
    if (inserted !== undefined) return { workflowId: canvas.id, version, hash, canvas, publishedAtMs: atMs };
  }
}

interface VersionRow {
  readonly workflow_id: string;
  readonly version: number;
  readonly hash: string;
  readonly published_at_ms: number;
}

function* versionFrom(contents: CanvasContents, companyId: string, row: VersionRow): Steps<PublishedVersion> {
  const hash = read(row.hash);
  const canvas = yield* contentOf(contents, companyId, hash);
  return { workflowId: read(row.workflow_id), version: row.version, hash, canvas, publishedAtMs: row.published_at_ms };
}

/** @throws {Error} when a draft or a version names a content that is not there: they are written together */
function* contentOf(contents: CanvasContents, companyId: string, hash: string): Steps<Canvas> {
  const canvas = yield* contents.find(companyId, hash);
  if (canvas === undefined) throw new Error(`The canvas ${hash} of company "${companyId}" is gone`);
  return canvas;
}
