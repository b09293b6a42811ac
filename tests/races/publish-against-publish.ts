// A race: several authors publish versions of one workflow.
import { createMemoryCanvases } from '@hilo/engine';
import { canvasHash } from '@hilo/engine/store-kit';
import fc from 'fast-check';
import { expect } from 'vitest';
import { canvasOf } from './canvases.ts';
import type { Run } from './race.ts';
import { withLeases } from './stores.ts';
import { companyId, createWorld } from './world.ts';

const edition = (number: number) =>
  canvasOf(
    'news',
    [
      ['begin', 'start'],
      ['done', 'end', { outputs: { number } }],
    ],
    [['begin', 'next', 'done']],
  );

const editions = [edition(0), edition(1), edition(2)] as const;
const hashes = editions.map((canvas) => canvasHash(canvas));

const author = fc.record({ process: fc.nat({ max: 1 }), edition: fc.nat({ max: 2 }) });

const drawn = fc.array(author, { minLength: 2, maxLength: 6 });

const outcomes = ['1 version', '2 versions', '3 versions or more'] as const;

const run: Run<typeof drawn, typeof outcomes> = async (course, authors) => {
  const canvases = createMemoryCanvases();
  let last = '';
  const publish: typeof canvases.publish = (company, canvas, hash, atMs) => {
    last = hash;
    return canvases.publish(company, canvas, hash, atMs);
  };
  const world = createWorld(course, { canvases: { ...canvases, publish }, isCanvasesAcross: true, ...withLeases(course) });
  course.begin();
  const publishing = authors.map(({ process, edition }, index) =>
    course.enter(`author ${index}`, async () => {
      const engine = world.engines[process]!;
      await engine.saveDraft(companyId, editions[edition]!);
      const seen = (await canvases.latest(companyId, 'news'))?.version ?? 0;
      return { seen, published: (await engine.publish(companyId, 'news')).version };
    }),
  );
  await course.end();

  const versions = await canvases.versions(companyId, 'news');
  expect(versions.map(({ version }) => version)).toEqual(versions.map((_version, index) => index + 1));
  for (const [index, { hash, canvas }] of versions.entries()) {
    expect(canvas).toBe(editions[hashes.indexOf(hash)]);
    // Publishing the current content again makes no new version.
    expect(hash).not.toBe(versions[index - 1]?.hash);
  }
  expect(await canvases.latest(companyId, 'news')).toBe(versions.at(-1));
  expect(versions.at(-1)?.hash).toBe(last);
  for (const answer of await Promise.all(publishing)) {
    if (answer.kind === 'refused') throw answer.error;
    const { seen, published } = answer.value;
    expect(published).toBe(versions[published.version - 1]);
    expect(published.version).toBeGreaterThanOrEqual(seen);
  }
  return [versions.length > 2 ? '3 versions or more' : versions.length === 2 ? '2 versions' : '1 version'];
};

/** Versions are numbered without a hole, each for good, and the last one published is the latest (P14, P15). */
export const publishAgainstPublish = { drawn, outcomes, run };
