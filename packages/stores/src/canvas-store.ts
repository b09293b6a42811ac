// Canvases over a database, with a cache of what never changes.
import type { Canvas, CanvasStore, Gate, PublishedVersion } from '@hilo/engine/contract';
import { call, type Call, condition, type Runner } from './statements/call.ts';
import {
  selectContent,
  selectDraft,
  insertContent,
  insertDraft,
  insertVersion,
  selectLatest,
  selectPublished,
  replaceDraft,
  saveDraft,
  findVersion,
  selectVersions,
} from './statements/canvases.ts';
import { deleteGate, guardStarts, saveGate } from './statements/gates.ts';
import type { Tables } from './schema/row-types.ts';
import { selectCompanies } from './statements/companies.ts';
import { decodeText, encodeText } from './text-encoding.ts';

/** Most canvases, and most latest versions, in the cache: every start reads one, and the canvas of a hash never changes. */
const maxKept = 500;

type VersionRow = Omit<Tables['versions'], 'company_id'> & { readonly gate?: string | null };

/** A workflow as it was stored when something was decided about it. */
export interface StoredWorkflow {
  /** Of its draft; `undefined` where there is no such workflow. */
  readonly draftHash: string | undefined;
  /** `undefined` before its first version. */
  readonly latest: Pick<PublishedVersion, 'version' | 'hash'> | undefined;
}

/** What a workflow is replaced by. */
interface Replacement {
  readonly published: Content | undefined;
  readonly draft: Content;
}

interface Content {
  readonly canvas: Canvas;
  readonly hash: string;
}

/** Canvases in a database, where other code may remove rows. */
export interface DurableCanvases extends CanvasStore {
  /** Stores the content of a hash, as part of a write that names it. */
  keepContent(companyId: string, canvas: Canvas, hash: string): Call;
  /** A workflow as it is stored now. */
  stored(companyId: string, workflowId: string): Promise<StoredWorkflow>;
  /**
   * Replaces a workflow as part of a write, which fails as a whole where another writer has saved or published since it was stored so. The
   * cache is told by `forget`, once the write is over.
   */
  replace(companyId: string, replacement: Replacement, stored: StoredWorkflow, atMs: number): readonly Call[];
  /** Drops a workflow from the cache, when its rows are removed elsewhere. */
  forget(companyId: string, workflowId: string): void;
}

interface CanvasStoreOptions {
  /** Whether no other process publishes into it: then the latest versions are cached, since every start reads one. */
  readonly isAlone?: boolean;
  /** Another number after each write of versions, whoever writes: then those of a company are kept, since every message goes through them. */
  readonly versionWrites?: () => number;
  readonly database: keyof typeof guardStarts;
}

/** The engine's {@link CanvasStore} over a database: a method each, which share what is parsed already. */
export function createCanvasStore(runner: Runner, { isAlone = false, versionWrites, database }: CanvasStoreOptions): DurableCanvases {
  const parsed = new Map<string, Canvas>();
  const latest = new Map<string, PublishedVersion>();
  const listed = new Map<string, { readonly writes: number; readonly versions: readonly PublishedVersion[] }>();
  const workflow = (companyId: string, workflowId: string) => ({ companyId: encodeText(companyId), workflowId: encodeText(workflowId) });
  const keepContent: DurableCanvases['keepContent'] = (companyId, canvas, hash) =>
    call(insertContent, { companyId: encodeText(companyId), hash: encodeText(hash), canvas: JSON.stringify(canvas) });

  const find = async (companyId: string, hash: string): Promise<Canvas | undefined> => {
    const key = formatName(companyId, hash);
    const known = parsed.get(key);
    if (known !== undefined) return known;
    const row = await runner.readOne(call(selectContent, { companyId: encodeText(companyId), hash: encodeText(hash) }));
    return row === undefined ? undefined : remember(parsed, key, JSON.parse(row.canvas) as Canvas);
  };

  /** @throws {Error} when a draft or a version names a content that is not there: they are written together */
  const content = async (companyId: string, hash: string): Promise<Canvas> => {
    const canvas = await find(companyId, hash);
    if (canvas === undefined) throw new Error(`The canvas ${hash} of company "${companyId}" is gone`);
    return canvas;
  };

  /** Makes no promise for a canvas in the cache: every message that may begin a workflow goes through all of its company. */
  const versions = async (companyId: string, rows: Call<VersionRow>): Promise<readonly PublishedVersion[]> => {
    const found: PublishedVersion[] = [];
    for (const row of await runner.read(rows)) {
      const hash = decodeText(row.hash);
      found.push(versionOfRow(row, hash, parsed.get(formatName(companyId, hash)) ?? (await content(companyId, hash))));
    }
    return found;
  };

  const readLatest = async (companyId: string, workflowId: string): Promise<PublishedVersion | undefined> => {
    const [found] = await versions(companyId, call(selectLatest, workflow(companyId, workflowId)));
    return isAlone && found !== undefined ? remember(latest, formatName(companyId, workflowId), found) : found;
  };

  /** Sorted here: collations of databases differ. */
  const readPublished = async (companyId: string): Promise<readonly PublishedVersion[]> =>
    (await versions(companyId, call(selectPublished, { companyId: encodeText(companyId) }))).toSorted((one, other) =>
      one.workflowId < other.workflowId ? -1 : 1,
    );

  return {
    keepContent,
    async stored(companyId, workflowId) {
      const place = workflow(companyId, workflowId);
      const [draft, last] = [await runner.readOne(call(selectDraft, place)), await runner.readOne(call(selectLatest, place))];
      return {
        draftHash: draft === undefined ? undefined : decodeText(draft.hash),
        latest: last === undefined ? undefined : { version: last.version, hash: decodeText(last.hash) },
      };
    },
    replace(companyId, { published, draft }, { draftHash, latest: last }, publishedAtMs) {
      const place = workflow(companyId, draft.canvas.id);
      const hash = encodeText(draft.hash);
      const isNew = published !== undefined && published.hash !== last?.hash;
      return [
        draftHash === undefined
          ? condition(insertDraft, { ...place, hash })
          : condition(replaceDraft, { ...place, hash, before: encodeText(draftHash) }),
        ...(isNew
          ? [condition(insertVersion, { ...place, version: (last?.version ?? 0) + 1, hash: encodeText(published.hash), publishedAtMs })]
          : []),
        keepContent(companyId, draft.canvas, draft.hash),
        ...(isNew ? [keepContent(companyId, published.canvas, published.hash)] : []),
      ];
    },
    async saveDraft(companyId, canvas, hash) {
      await runner.write([
        keepContent(companyId, canvas, hash),
        call(saveDraft, { ...workflow(companyId, canvas.id), hash: encodeText(hash) }),
      ]);
    },
    async draft(companyId, workflowId) {
      const row = await runner.readOne(call(selectDraft, workflow(companyId, workflowId)));
      if (row === undefined) return undefined;
      const hash = decodeText(row.hash);
      return { canvas: await content(companyId, hash), hash };
    },
    async publish(companyId, canvas, hash, publishedAtMs) {
      const place = workflow(companyId, canvas.id);
      for (;;) {
        const last = await runner.readOne(call(selectLatest, place));
        // What was taken out of publication is published again; what is paused stays so.
        const opening = typeof last?.gate === 'string' && parseGate(last.gate).state === 'unpublished' ? [call(deleteGate, place)] : [];
        if (last !== undefined && decodeText(last.hash) === hash) {
          if (opening.length > 0) await runner.write(opening).finally(() => latest.delete(formatName(companyId, canvas.id)));
          return versionOfRow({ ...last, gate: null }, hash, await content(companyId, hash));
        }
        const version = (last?.version ?? 0) + 1;
        const inserting = condition(insertVersion, { ...place, version, hash: encodeText(hash), publishedAtMs });
        // A value that was read during this write is dropped from the cache, even when the outcome is unknown (P2).
        const { failed } = await runner
          .write([inserting, keepContent(companyId, canvas, hash), ...opening])
          .finally(() => latest.delete(formatName(companyId, canvas.id)));
        // Where another writer took the number, the one after is tried.
        if (failed === undefined) return { workflowId: canvas.id, version, hash, canvas, publishedAtMs };
      }
    },
    version: async (companyId, workflowId, version) =>
      (await versions(companyId, call(findVersion, { ...workflow(companyId, workflowId), version })))[0],
    versions: (companyId, workflowId) => versions(companyId, call(selectVersions, workflow(companyId, workflowId))),
    latest: (companyId, workflowId) => latest.get(formatName(companyId, workflowId)) ?? readLatest(companyId, workflowId),
    async published(companyId) {
      if (versionWrites === undefined) return readPublished(companyId);
      const writes = versionWrites();
      const known = listed.get(companyId);
      if (known?.writes === writes) return known.versions;
      const found = await readPublished(companyId);
      if (versionWrites() === writes) remember(listed, companyId, { writes, versions: found });
      return found;
    },
    async setGate(companyId, workflowId, gate) {
      const place = workflow(companyId, workflowId);
      const writing =
        gate === undefined
          ? [call(deleteGate, place)]
          : [...guardStarts[database], call(saveGate, { ...place, gate: encodeText(JSON.stringify(gate)), untilMs: gate.untilMs ?? null })];
      await runner.write(writing).finally(() => latest.delete(formatName(companyId, workflowId)));
    },
    async keep(companyId, canvas, hash) {
      await runner.write([keepContent(companyId, canvas, hash)]);
    },
    companyIds: async () => (await runner.read(call(selectCompanies, {}))).map(({ company_id: id }) => decodeText(id)),
    byHash: find,
    forget: (companyId, workflowId) => void latest.delete(formatName(companyId, workflowId)),
  };
}

const formatName = (companyId: string, id: string): string => `${companyId}\0${id}`;

const parseGate = (gate: string): Gate => JSON.parse(decodeText(gate)) as Gate;

function versionOfRow(row: VersionRow, hash: string, canvas: Canvas): PublishedVersion {
  const version = { workflowId: decodeText(row.workflow_id), version: row.version, hash, canvas, publishedAtMs: row.published_at_ms };
  return typeof row.gate === 'string' ? { ...version, gate: parseGate(row.gate) } : version;
}

/** Adds to the cache, in place of the oldest entry when it is full. */
function remember<Kept>(kept: Map<string, Kept>, name: string, one: Kept): Kept {
  const [oldest] = kept.keys();
  if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
  kept.set(name, one);
  return one;
}
