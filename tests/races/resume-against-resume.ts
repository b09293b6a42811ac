// A race: several callers resume one execution.
import fc from 'fast-check';
import { expect } from 'vitest';
import { advancedBy, ascending, resumed } from './answers.ts';
import { canvasOf, hook, published } from './canvases.ts';
import type { Course } from './course.ts';
import { atRest } from './quiet.ts';
import type { Race } from './race.ts';
import type { Holdings } from './stores.ts';
import { callHook, createWorld, eventsOf, executionOf, started } from './world.ts';

/** Waits twice for a call. */
const waitsTwice = (id: string, oneTimeOnly: boolean) =>
  canvasOf(
    id,
    [hook({ oneTimeOnly }), ['first', 'wait-external'], ['second', 'wait-external'], ['done', 'end']],
    [
      ['hook', 'new', 'first'],
      ['first', 'resumed', 'second'],
      ['second', 'resumed', 'done'],
    ],
  );

const canvases = published(waitsTwice('once', true), waitsTwice('often', false));

interface Callers {
  readonly oneTimeOnly: boolean;
  /** For each caller, the process that it calls. */
  readonly callers: readonly number[];
}

/** Of concurrent resumes under `oneTimeOnly` one is applied; otherwise each finds its own wait, or none (P7). */
export const resumeAgainstResume = (hold: (course: Course) => Holdings): Race<Callers, 'ignored' | 'refused'> => ({
  drawn: fc.record({ oneTimeOnly: fc.boolean(), callers: fc.array(fc.nat({ max: 1 }), { minLength: 2, maxLength: 10 }) }),
  outcomes: ['ignored', 'refused'],
  async run(course, { oneTimeOnly, callers }) {
    const world = createWorld(course, { canvases, ...hold(course) });
    const workflowId = oneTimeOnly ? 'once' : 'often';
    const executionId = await started(world, workflowId);
    course.begin();
    const calls = callers.map((process, by) =>
      course.enter(`resume ${by}`, () => callHook(world.engines[process]!, workflowId, { executionId, by })),
    );
    await course.end();
    await atRest(world);

    const { applied, ignored, refused } = resumed(await Promise.all(calls));
    const counted = advancedBy(await eventsOf(world, executionId));
    expect(ascending(counted)).toEqual(ascending(applied));
    expect(applied).toHaveLength(oneTimeOnly ? 1 : 2);
    expect(oneTimeOnly ? ignored : refused).toHaveLength(callers.length - applied.length);
    const { status, variables } = (await executionOf(world, executionId)).state;
    expect(status).toBe(oneTimeOnly ? 'waiting' : 'completed');
    expect(variables).toHaveProperty('$webhook.call.body.by', counted.at(-1));
    return oneTimeOnly ? ['ignored'] : refused.length > 0 ? ['refused'] : [];
  },
});
