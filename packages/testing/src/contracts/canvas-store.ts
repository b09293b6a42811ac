import { canvasHash } from '@hilo/engine/store-kit';
import { Canvas, type CanvasStore, type Gate } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Open, storeRuns, withStore } from './execution-records.ts';

/** A canvas that differs by its name alone. */
const createCanvas = (id: string, name: string): Canvas =>
  Canvas.parse({
    schemaVersion: 1,
    id,
    name,
    nodes: [
      { id: 'begin', type: 'start', data: {} },
      { id: 'done', type: 'end', data: { outputs: { text: `\0 \ud800 ${name}` } } },
    ],
    edges: [{ source: 'begin', target: 'done' }],
  });

const saveDraft = (store: CanvasStore, canvas: Canvas, companyId = 'c1') => store.saveDraft(companyId, canvas, canvasHash(canvas));

const publish = (store: CanvasStore, canvas: Canvas, atMs = 1_000, companyId = 'c1') =>
  store.publish(companyId, canvas, canvasHash(canvas), atMs);

/**
 * The promises of `CanvasStore`, as tests: every implementation runs them.
 *
 * @param open - opens a new, empty store
 */
export function describeCanvasStore(name: string, open: Open<CanvasStore>): void {
  describe(`${name} as a CanvasStore`, { timeout: 300_000 }, () => {
    it(
      'is empty at first',
      withStore(open, async (store) => {
        expect(await store.draft('c1', 'w1')).toBeUndefined();
        expect(await store.latest('c1', 'w1')).toBeUndefined();
        expect(await store.version('c1', 'w1', 1)).toBeUndefined();
        expect(await store.byHash('c1', 'none')).toBeUndefined();
        expect(await store.versions('c1', 'w1')).toEqual([]);
        expect(await store.published('c1')).toEqual([]);
      }),
    );

    it(
      'keeps one draft a workflow, the one saved last',
      withStore(open, async (store) => {
        const [first, second] = [createCanvas('w1', 'First'), createCanvas('w1', 'Second')];
        await saveDraft(store, first);
        await saveDraft(store, second);
        await saveDraft(store, createCanvas('w2', 'Other'));
        expect(await store.draft('c1', 'w1')).toEqual({ canvas: second, hash: canvasHash(second) });
        expect(await store.latest('c1', 'w1')).toBeUndefined();
      }),
    );

    it(
      'lists the drafts of a company by workflow id, each as it was saved last',
      withStore(open, async (store) => {
        expect(await store.drafts?.('c1')).toEqual([]);
        for (const id of ['w2', 'a-1', 'a1', 'W2', 'w1']) await saveDraft(store, createCanvas(id, 'First'));
        await publish(store, createCanvas('w3', 'Published alone'));
        await saveDraft(store, createCanvas('w1', 'Second'));
        await saveDraft(store, createCanvas('theirs', 'Theirs'), 'c2');
        const found = ((await store.drafts?.('c1')) ?? []).map(({ canvas: { id, name }, hash }) => [id, name, hash]);
        const kept = ['W2', 'a-1', 'a1', 'w1', 'w2'].map((id) => createCanvas(id, id === 'w1' ? 'Second' : 'First'));
        expect(found).toEqual(kept.map((canvas) => [canvas.id, canvas.name, canvasHash(canvas)]));
      }),
    );

    describeGatesOfWorkflows(open);

    describeVersions(open);

    it(
      'returns the latest version of each workflow, by workflow id',
      withStore(open, async (store) => {
        await publish(store, createCanvas('w2', 'Other'));
        await publish(store, createCanvas('a-1', 'Third'));
        await publish(store, createCanvas('a1', 'Second'));
        await publish(store, createCanvas('W2', 'Fourth'));
        await publish(store, createCanvas('w1', 'First'));
        await publish(store, createCanvas('w1', 'Second'));
        await saveDraft(store, createCanvas('w3', 'Draft'));
        expect(await store.latest('c1', 'w1')).toMatchObject({ version: 2, canvas: { name: 'Second' } });
        const found = (await store.published('c1')).map(({ workflowId, version }) => `${workflowId} ${version}`);
        expect(found).toEqual(['W2 1', 'a-1 1', 'a1 1', 'w1 2', 'w2 1']);
      }),
    );

    it(
      'finds a content by its hash as long as something may run it: drafts, versions, and drafts that were replaced',
      withStore(open, async (store) => {
        const [draft, newer, version] = [createCanvas('w1', 'Draft'), createCanvas('w1', 'Newer'), createCanvas('w1', 'Version')];
        await saveDraft(store, draft);
        await saveDraft(store, newer);
        await publish(store, version);
        for (const canvas of [draft, newer, version]) expect(await store.byHash('c1', canvasHash(canvas))).toEqual(canvas);
      }),
    );

    it(
      'keeps companies apart',
      withStore(open, async (store) => {
        const ours = createCanvas('w1', 'Ours');
        await saveDraft(store, ours);
        await publish(store, ours);
        await publish(store, createCanvas('w1', 'Theirs'), 1_000, 'c2');
        expect(await store.latest('c1', 'w1')).toMatchObject({ version: 1, canvas: { name: 'Ours' } });
        expect(await store.latest('c2', 'w1')).toMatchObject({ version: 1, canvas: { name: 'Theirs' } });
        expect(await store.draft('c2', 'w1')).toBeUndefined();
        expect(await store.byHash('c2', canvasHash(ours))).toBeUndefined();
        expect(await store.published('c3')).toEqual([]);
      }),
    );

    describeNumbersOfVersions(open);
  });
}

/** A workflow is closed and opened again. */
function describeGatesOfWorkflows(open: Open<CanvasStore>): void {
  it(
    'has a gate beside the latest version, until it is lifted or what was unpublished is published again',
    withStore(open, async (store) => {
      const [first, second] = [createCanvas('w1', 'First'), createCanvas('w1', 'Second')];
      const paused: Gate = {
        state: 'paused',
        says: { type: 'text', text: '\0 \ud800' },
        children: 'run',
        atMs: 5,
        by: 'ada',
        untilMs: 9,
      };
      const unpublished: Gate = { state: 'unpublished', children: 'refuse', atMs: 6 };
      const { gate: none, ...published } = await publish(store, first);
      const other = await publish(store, createCanvas('w2', 'Other'));
      expect(none).toBeUndefined();
      expect(await store.setGate('c1', 'w1', paused, 'unpublished')).toBe(true);
      expect(await store.setGate('c1', 'w1', paused, 'unpublished')).toBe(true);
      expect(await store.latest('c1', 'w1')).toEqual({ ...published, gate: paused });
      expect(await store.published('c1')).toEqual([{ ...published, gate: paused }, other]);
      expect(await store.versions('c1', 'w1')).toEqual([published]);
      expect(await store.latest('c2', 'w1')).toBeUndefined();
      expect((await publish(store, second)).version).toBe(2);
      expect((await store.latest('c1', 'w1'))?.gate).toEqual(paused);
      await store.setGate('c1', 'w1', undefined);
      expect(await store.latest('c1', 'w1')).not.toHaveProperty('gate');
      for (const again of [second, first]) {
        await store.setGate('c1', 'w1', unpublished);
        expect(await store.setGate('c1', 'w1', paused, 'unpublished')).toBe(false);
        await store.setGate('c1', 'w1', undefined, 'unpublished');
        expect((await store.latest('c1', 'w1'))?.gate).toEqual(unpublished);
        expect(await publish(store, again)).not.toHaveProperty('gate');
        expect(await store.latest('c1', 'w1')).not.toHaveProperty('gate');
      }
      await store.keep('c1', createCanvas('w1', 'Kept'), 'kept');
      await store.keep('c1', createCanvas('w1', 'Kept'), 'kept');
      expect((await store.byHash('c1', 'kept'))?.name).toBe('Kept');
      expect((await store.versions('c1', 'w1')).map(({ version }) => version)).toEqual([1, 2, 3]);
    }),
  );
}

/** A version is numbered, and never changes. */
function describeVersions(open: Open<CanvasStore>): void {
  it(
    'numbers versions from 1',
    withStore(open, async (store) => {
      const canvases = ['First', 'Second', 'Third'].map((canvasName) => createCanvas('w1', canvasName));
      for (const [index, canvas] of canvases.entries()) {
        expect(await publish(store, canvas, index)).toEqual({
          workflowId: 'w1',
          version: index + 1,
          hash: canvasHash(canvas),
          canvas,
          publishedAtMs: index,
        });
      }
      expect((await store.versions('c1', 'w1')).map(({ version, canvas }) => [version, canvas.name])).toEqual([
        [1, 'First'],
        [2, 'Second'],
        [3, 'Third'],
      ]);
      expect((await store.version('c1', 'w1', 2))?.canvas).toEqual(canvases[1]);
      expect(await store.version('c1', 'w1', 4)).toBeUndefined();
      expect(await store.version('c1', 'w1', 0)).toBeUndefined();
    }),
  );

  it(
    'publishes the content of the latest version as that version, and an earlier content as a new one',
    withStore(open, async (store) => {
      const [first, second] = [createCanvas('w1', 'First'), createCanvas('w1', 'Second')];
      const published = await publish(store, first, 1_000);
      expect(await publish(store, first, 2_000)).toEqual(published);
      await publish(store, second, 3_000);
      expect(await publish(store, first, 4_000)).toMatchObject({ version: 3, publishedAtMs: 4_000 });
      expect(await store.versions('c1', 'w1')).toHaveLength(3);
    }),
  );

  it(
    'never changes a version',
    withStore(open, async (store) => {
      const first = createCanvas('w1', 'First');
      await publish(store, first);
      const before = JSON.stringify(await store.version('c1', 'w1', 1));
      await saveDraft(store, createCanvas('w1', 'Second'));
      await publish(store, createCanvas('w1', 'Second'));
      expect(JSON.stringify(await store.version('c1', 'w1', 1))).toBe(before);
    }),
  );
}

/** Versions are numbered without gaps, whoever publishes at once. */
function describeNumbersOfVersions(open: Open<CanvasStore>): void {
  it(
    'numbers concurrently published contents differently',
    withStore(open, async (store) => {
      const published = await Promise.all(['A', 'B', 'C', 'D'].map((canvasName) => publish(store, createCanvas('w1', canvasName))));
      expect(new Set(published.map(({ version }) => version))).toEqual(new Set([1, 2, 3, 4]));
    }),
  );

  it('numbers any sequence of contents without a gap, and keeps each', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('A', 'B', 'C'), { minLength: 1, maxLength: 12 }), async (contents) => {
        const { store, close } = await open();
        try {
          for (const content of contents) await publish(store, createCanvas('w1', content));
          const changes = contents.filter((content, index) => content !== contents[index - 1]);
          const versions = await store.versions('c1', 'w1');
          expect(versions.map(({ version, canvas }) => `${version} ${canvas.name}`)).toEqual(
            changes.map((content, index) => `${index + 1} ${content}`),
          );
        } finally {
          await close();
        }
      }),
      storeRuns(),
    ));
}
