// A race: old executions are removed while one of them is resumed.
import { type Commit, isHiloError } from '@hilo/engine/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { DurableStore } from '../../packages/stores/src/index.ts';
import { canvasOf, hook, published } from './canvases.ts';
import { createCourse, type Outcome } from './course.ts';
import { atRest } from './quiet.ts';
import type { Race } from './race.ts';
import { across } from './seam.ts';
import { callHook, companyId, createWorld, started } from './world.ts';

const hourMs = 3_600_000;

const canvases = published(
  canvasOf('short', [hook(), ['done', 'end']], [['hook', 'new', 'done']]),
  canvasOf(
    'order',
    [hook(), ['wait', 'wait-external'], ['call', 'api', { url: 'https://shop.example' }], ['done', 'end']],
    [
      ['hook', 'new', 'wait'],
      ['wait', 'resumed', 'call'],
      ['call', 'success', 'done'],
    ],
  ),
);

/** The callers' answers. */
const told = async (calls: readonly Promise<Outcome<unknown>>[]): Promise<readonly string[]> =>
  (await Promise.all(calls)).map((answer) => {
    if (answer.kind === 'answered') return 'taken';
    if (isHiloError(answer.error, 'EXECUTION_NOT_FOUND')) return 'not found';
    if (isHiloError(answer.error, 'EXECUTION_NOT_WAITING')) return 'not waiting';
    throw answer.error;
  });

/** An ended and a waiting execution, each accepted and committed at once. */
async function accepted() {
  const world = createWorld(createCourse(fc.schedulerFor([])), { canvases });
  const [old, living] = [await started(world, 'short'), await started(world, 'order')];
  const { committed } = world;
  const commit: Commit = {
    saves: committed.flatMap(({ saves }) => saves),
    history: committed.flatMap(({ history }) => history),
    contacts: [],
    enqueue: [],
    dequeue: [],
  };
  return { old, living, commit };
}

const beforehand = accepted();

interface Retained {
  readonly keptForMs: number;
  readonly lateResumes: number;
  readonly resumes: number;
  readonly isCancelled: boolean;
}

/** Retention removes no open execution, and none partly (P2). @param store - empty, and left empty */
export const retentionAgainstResume = ({
  executions: contents,
  prune,
}: DurableStore): Race<Retained, 'not found' | 'not waiting' | 'removed at once' | 'kept'> => ({
  drawn: fc.record({
    keptForMs: fc.constantFrom(0, hourMs / 2),
    lateResumes: fc.integer({ min: 1, max: 2 }),
    resumes: fc.integer({ min: 0, max: 2 }),
    isCancelled: fc.boolean(),
  }),
  outcomes: ['not found', 'not waiting', 'removed at once', 'kept'],
  async run(course, { keptForMs, lateResumes, resumes, isCancelled }) {
    const { old, living, commit } = await beforehand;
    const world = createWorld(course, { canvases, stores: [contents] });
    const engine = world.engines[0]!;
    await contents.commit(commit);
    course.clock.advanceBy(hourMs);
    course.begin();

    const retention = across(course, 'retention', { prune, load: contents.load, history: contents.history });
    const enter = (count: number, label: string, call: () => Promise<unknown>) =>
      Array.from({ length: count }, (_, index) => course.enter(`${label} ${index}`, call));
    const pruning = enter(1, 'prune', () =>
      retention.prune({ nowMs: course.clock.now(), completedForMs: keptForMs, failedForMs: keptForMs }),
    );
    const tooLate = enter(lateResumes, 'resume of the old', () => callHook(engine, 'short', { executionId: old }));
    const inTime = enter(resumes, 'resume of the living', () => callHook(engine, 'order', { executionId: living }));
    const cancelling = enter(isCancelled ? 1 : 0, 'cancel of the living', () => engine.cancel(companyId, living));
    const looks = [old, living].flatMap((id) =>
      enter(1, 'look', async () => {
        const before = await retention.history(companyId, id);
        const record = await retention.load(companyId, id);
        const after = await retention.history(companyId, id);
        // An existing execution has a history, and a removed one has none.
        expect(record === undefined ? after.length === 0 : before.length > 0).toBe(true);
      }),
    );
    await course.end();
    await atRest(world);

    for (const done of await Promise.all([...pruning, ...looks])) if (done.kind === 'refused') throw done.error;
    expect([await contents.load(companyId, old), await contents.history(companyId, old)]).toEqual([undefined, []]);
    const [late, early, cancelled] = [await told(tooLate), await told(inTime), await told(cancelling)];
    for (const answer of late) expect(['not found', 'not waiting']).toContain(answer);
    const record = await contents.load(companyId, living);
    const mayBeGone = keptForMs === 0 && early.length + cancelled.length > 0;
    if (!mayBeGone) expect([...early, ...cancelled]).not.toContain('not found');
    const taken = early.filter((answer) => answer === 'taken').length;
    expect(taken).toBeLessThanOrEqual(1);
    if (early.length > 0 && !isCancelled) expect(taken).toBe(1);
    if (record === undefined) expect(mayBeGone).toBe(true);
    else expect(record.state.status === 'waiting').toBe(early.length + cancelled.length === 0);

    // Open executions are ended, and then all can be removed.
    void course.enter('last cancel', () => engine.cancel(companyId, living));
    await course.end();
    await prune({ nowMs: course.clock.now(), completedForMs: 0, failedForMs: 0 });
    expect(await contents.list(companyId, { limit: 1 })).toEqual({ results: [], nextCursor: null });
    expect(await contents.history(companyId, living)).toEqual([]);
    return [
      ...(late.includes('not found') ? (['not found'] as const) : []),
      ...(late.includes('not waiting') ? (['not waiting'] as const) : []),
      record === undefined ? 'removed at once' : 'kept',
    ];
  },
});
