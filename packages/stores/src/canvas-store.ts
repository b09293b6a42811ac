// Canvases over a database, with a cache of what never changes.
import type { Canvas, CanvasStore, Gate, PublishedVersion } from '@hilo/engine/contract';
import { call, type Call, condition, type Runner } from './statements/call.ts';
import {
  selectContent,
  selectDraft,
  selectDrafts,
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
import { deleteGate, gatesOf, guardStarts, saveGate } from './statements/gates.ts';
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
export function createCanvasStore(runner: Runner, options: CanvasStoreOptions): DurableCanvases {
  const contents = createContents(runner);
  const { keepContent } = contents;
  const latest = new Map<string, PublishedVersion>();
  const forget = (companyId: string, workflowId: string): void => void latest.delete(formatName(companyId, workflowId));

  return {
    keepContent,
    ...createReplacements(runner, contents),
    ...createVersionReads(runner, contents, latest, options),
    async saveDraft(companyId, canvas, hash) {
      await runner.write([
        keepContent(companyId, canvas, hash),
        call(saveDraft, { ...encodeWorkflow(companyId, canvas.id), hash: encodeText(hash) }),
      ]);
    },
    async draft(companyId, workflowId) {
      const row = await runner.readOne(call(selectDraft, encodeWorkflow(companyId, workflowId)));
      if (row === undefined) return undefined;
      const hash = decodeText(row.hash);
      return { canvas: await contents.require(companyId, hash), hash };
    },
    async drafts(companyId) {
      const hashes = (await runner.read(call(selectDrafts, { companyId: encodeText(companyId) }))).map(({ hash }) => decodeText(hash));
      const found = [];
      for (const hash of hashes) found.push({ canvas: contents.known(companyId, hash) ?? (await contents.require(companyId, hash)), hash });
      return found.toSorted((one, other) => (one.canvas.id < other.canvas.id ? -1 : 1));
    },
    async publish(companyId, canvas, hash, publishedAtMs) {
      const place = encodeWorkflow(companyId, canvas.id);
      for (;;) {
        const last = await runner.readOne(call(selectLatest, place));
        // What was taken out of publication is published again; what is paused stays so.
        const opening =
          typeof last?.gate === 'string' && parseGate(last.gate).state === 'unpublished'
            ? [call(deleteGate, { ...place, kept: gatesOf('paused') })]
            : [];
        if (last !== undefined && decodeText(last.hash) === hash) {
          if (opening.length > 0) await runner.write(opening).finally(() => forget(companyId, canvas.id));
          return versionOfRow({ ...last, gate: null }, hash, await contents.require(companyId, hash));
        }
        const version = (last?.version ?? 0) + 1;
        const inserting = condition(insertVersion, { ...place, version, hash: encodeText(hash), publishedAtMs });
        // A value that was read during this write is dropped from the cache, even when the outcome is unknown (P2).
        const { failed } = await runner
          .write([inserting, keepContent(companyId, canvas, hash), ...opening])
          .finally(() => forget(companyId, canvas.id));
        // Where another writer took the number, the one after is tried.
        if (failed === undefined) return { workflowId: canvas.id, version, hash, canvas, publishedAtMs };
      }
    },
    async setGate(companyId, workflowId, gate, unless) {
      const place = { ...encodeWorkflow(companyId, workflowId), kept: gatesOf(unless) };
      const writing =
        gate === undefined
          ? [call(deleteGate, place)]
          : [...guardStarts[options.database], condition(saveGate, { ...place, gate: writeGate(gate), untilMs: gate.untilMs ?? null })];
      const { failed } = await runner.write(writing).finally(() => forget(companyId, workflowId));
      return failed === undefined;
    },
    async keep(companyId, canvas, hash) {
      await runner.write([keepContent(companyId, canvas, hash)]);
    },
    companyIds: async () => (await runner.read(call(selectCompanies, {}))).map(({ company_id: id }) => decodeText(id)),
    byHash: contents.find,
    forget,
  };
}

type Contents = ReturnType<typeof createContents>;

/** Canvases by the hash of their content, those that are parsed already in memory. */
function createContents(runner: Runner) {
  const parsed = new Map<string, Canvas>();
  const known = (companyId: string, hash: string): Canvas | undefined => parsed.get(formatName(companyId, hash));

  const find = async (companyId: string, hash: string): Promise<Canvas | undefined> => {
    const canvas = known(companyId, hash);
    if (canvas !== undefined) return canvas;
    const row = await runner.readOne(call(selectContent, { companyId: encodeText(companyId), hash: encodeText(hash) }));
    return row === undefined ? undefined : remember(parsed, formatName(companyId, hash), JSON.parse(row.canvas) as Canvas);
  };
  return {
    known,
    find,
    /** @throws {Error} when a draft or a version names a content that is not there: they are written together */
    async require(companyId: string, hash: string): Promise<Canvas> {
      const canvas = await find(companyId, hash);
      if (canvas === undefined) throw new Error(`The canvas ${hash} of company "${companyId}" is gone`);
      return canvas;
    },
    keepContent: (companyId: string, canvas: Canvas, hash: string): Call =>
      call(insertContent, { companyId: encodeText(companyId), hash: encodeText(hash), canvas: JSON.stringify(canvas) }),
  };
}

/** How a workflow is replaced as a whole, where it is still what was read. */
const createReplacements = (runner: Runner, { keepContent }: Contents): Pick<DurableCanvases, 'stored' | 'replace'> => ({
  async stored(companyId, workflowId) {
    const place = encodeWorkflow(companyId, workflowId);
    const [draft, last] = [await runner.readOne(call(selectDraft, place)), await runner.readOne(call(selectLatest, place))];
    return {
      draftHash: draft === undefined ? undefined : decodeText(draft.hash),
      latest: last === undefined ? undefined : { version: last.version, hash: decodeText(last.hash) },
    };
  },
  replace(companyId, { published, draft }, { draftHash, latest: last }, publishedAtMs) {
    const place = encodeWorkflow(companyId, draft.canvas.id);
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
});

type VersionReads = Pick<DurableCanvases, 'version' | 'versions' | 'latest' | 'published'>;

/** Versions as they were published, the latest ones and those of companies in memory where nobody else writes them. */
function createVersionReads(
  runner: Runner,
  contents: Contents,
  latest: Map<string, PublishedVersion>,
  { isAlone = false, versionWrites }: CanvasStoreOptions,
): VersionReads {
  const listed = new Map<string, { readonly writes: number; readonly versions: readonly PublishedVersion[] }>();

  /** Makes no promise for a canvas in the cache: every message that may begin a workflow goes through all of its company. */
  const versions = async (companyId: string, rows: Call<VersionRow>): Promise<readonly PublishedVersion[]> => {
    const found: PublishedVersion[] = [];
    for (const row of await runner.read(rows)) {
      const hash = decodeText(row.hash);
      found.push(versionOfRow(row, hash, contents.known(companyId, hash) ?? (await contents.require(companyId, hash))));
    }
    return found;
  };

  const readLatest = async (companyId: string, workflowId: string): Promise<PublishedVersion | undefined> => {
    const [found] = await versions(companyId, call(selectLatest, encodeWorkflow(companyId, workflowId)));
    return isAlone && found !== undefined ? remember(latest, formatName(companyId, workflowId), found) : found;
  };

  /** Sorted here: collations of databases differ. */
  const readPublished = async (companyId: string): Promise<readonly PublishedVersion[]> =>
    (await versions(companyId, call(selectPublished, { companyId: encodeText(companyId) }))).toSorted((one, other) =>
      one.workflowId < other.workflowId ? -1 : 1,
    );

  return {
    version: async (companyId, workflowId, version) =>
      (await versions(companyId, call(findVersion, { ...encodeWorkflow(companyId, workflowId), version })))[0],
    versions: (companyId, workflowId) => versions(companyId, call(selectVersions, encodeWorkflow(companyId, workflowId))),
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
  };
}

const encodeWorkflow = (companyId: string, workflowId: string) => ({
  companyId: encodeText(companyId),
  workflowId: encodeText(workflowId),
});

const formatName = (companyId: string, id: string): string => `${companyId}\0${id}`;

/** Begins with the state, by which `gatesOf` finds it. */
const writeGate = ({ state, ...gate }: Gate): string => encodeText(JSON.stringify({ state, ...gate }));
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
