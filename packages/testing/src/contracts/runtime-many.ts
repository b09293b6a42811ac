// The part of the contract of runtimes that acts on many executions, and replays what was said, through the front door alone.
import { describe, expect, it } from 'vitest';
import { changed } from './runtime-migrations.ts';
import { type RuntimeStage, type RuntimeWorld, withWorld } from './runtime-stage.ts';

const isWaiting = ({ state }: { readonly state: { readonly status: string } }): boolean => state.status === 'waiting';
const hasEnded = ({ state }: { readonly state: { readonly status: string } }): boolean => state.status === 'completed';

/** Waits for an event that does not come, whatever time passes. */
const patient = (label: string): object => ({
  schemaVersion: 1,
  id: 'patient',
  name: 'Patient',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'wait', type: 'wait-event', data: { name: 'never', label } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'wait' },
    { source: 'wait', sourceHandle: 'received', target: 'done' },
  ],
});

/** So many executions that wait. */
async function begin({ acme, until }: Pick<RuntimeWorld, 'acme' | 'until'>, count: number): Promise<readonly string[]> {
  await acme.publish(patient('Wait'));
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await acme.start('patient')).executionId);
  for (const executionId of ids) await until(executionId, isWaiting);
  return ids;
}

/** What a filter names is acted on as often as was planned, each once. */
export function describeActsOnManyOfRuntime(open: () => Promise<RuntimeStage>): void {
  describe('an act on many', () => {
    it(
      'is done to no more than were planned, each once, and continues each once',
      withWorld(open, async (world) => {
        const { acme } = world;
        const ids = await begin(world, 5);
        const filter = { workflowId: 'patient' };
        expect(await acme.bulk.plan(filter)).toMatchObject({ total: 5, byStatus: { waiting: 5 }, byVersion: { 1: 5 } });
        const cancel = { type: 'cancel', reason: 'Enough' } as const;
        const pages: number[] = [];
        expect(await acme.bulk.apply(filter, cancel, { atMost: 2, by: 'ada', onPage: ({ read }) => void pages.push(read) })).toEqual({
          read: 2,
          counts: { cancelled: 2 },
        });
        expect(pages.at(-1)).toBe(2);
        expect(await acme.bulk.plan(filter)).toMatchObject({ byStatus: { waiting: 3, cancelled: 2 } });
        expect(await acme.bulk.apply(filter, cancel, { atMost: 9 })).toEqual({ read: 5, counts: { cancelled: 3, unchanged: 2 } });
        const failed = { ...filter, status: 'cancelled' } as const;
        const retry = { type: 'retry', version: 'latest' } as const;
        expect(await acme.bulk.apply(failed, retry, { atMost: 5 })).toEqual({ read: 5, counts: { retried: 5 } });
        expect(await acme.bulk.apply(failed, retry, { atMost: 5 })).toEqual({ read: 5, counts: { unchanged: 5 } });
        const made = await Promise.all(ids.map(async (id) => (await acme.execution(id))?.state.ending?.continuedAs));
        expect(new Set(made).size).toBe(5);
        expect(await acme.bulk.plan(filter)).toMatchObject({ total: 10, byStatus: { waiting: 5, cancelled: 5 } });
      }),
    );

    it(
      'migrates what is accepted, and says what it refused',
      withWorld(open, async (world) => {
        const { acme } = world;
        await begin(world, 3);
        await acme.publish(patient('Wait longer'));
        const migrate = { type: 'migrate', migration: { workflowId: 'patient', from: 1, to: 2 } } as const;
        const filter = { workflowId: 'patient', status: 'waiting' } as const;
        expect(await acme.bulk.apply(filter, migrate, { atMost: 3, job: 'j1' })).toEqual({ read: 3, counts: { same: 3 } });
        expect(await acme.bulk.plan(filter)).toMatchObject({ byVersion: { 2: 3 } });
        expect(await acme.bulk.apply(filter, migrate, { atMost: 3, job: 'j1' })).toEqual({ read: 3, counts: { none: 3 } });
        expect(await acme.migrations.undo('patient', 'j1')).toEqual({ read: 3, undone: 3, alreadyUndone: 0, goneOn: 0 });
        expect(await acme.migrations.undo('patient', 'j1')).toEqual({ read: 3, undone: 0, alreadyUndone: 3, goneOn: 0 });
        const refused: unknown[] = [];
        const retry = { type: 'retry', version: 'latest' } as const;
        const onOutcome = (_id: string, outcome: string, failure?: object): void => void refused.push([outcome, failure]);
        expect(await acme.bulk.apply(filter, retry, { atMost: 1, onOutcome })).toEqual({ read: 1, counts: { refused: 1 } });
        expect(refused).toMatchObject([['refused', { code: 'NOT_ENDED_BADLY' }]]);
      }),
    );

    it(
      'is refused where it names everything, or has no bound',
      withWorld(open, async ({ acme }) => {
        const cancel = { type: 'cancel' } as const;
        await expect(acme.bulk.plan({ status: 'waiting' })).rejects.toMatchObject({ code: 'FILTER_EMPTY', status: 422 });
        await expect(acme.bulk.apply({}, cancel, { atMost: 1 })).rejects.toMatchObject({ code: 'FILTER_EMPTY' });
        for (const atMost of [0, 1.5, Number.NaN])
          await expect(acme.bulk.apply({ workflowId: 'patient' }, cancel, { atMost })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      }),
    );
  });

  describeReplaysOfRuntime(open);
}

/** What a workflow would do is tried on what was recorded. */
function describeReplaysOfRuntime(open: () => Promise<RuntimeStage>): void {
  describe('a replay', () => {
    it(
      'finds a conversation equal on its own content, and names the node that a draft has otherwise (R1)',
      withWorld(open, async (world) => {
        const { acme, say, until } = world;
        await say('5215512345678', 'hi');
        const [begun] = (await acme.executions({ workflowId: 'talk' })).results;
        const executionId = begun?.executionId ?? '';
        await until(executionId, isWaiting);
        await say('5215512345678', 'well');
        await until(executionId, hasEnded);
        expect(await acme.replay('talk', { against: 1 })).toMatchObject({
          read: 1,
          version: 1,
          counts: { equal: 1, differs: 0 },
          groups: [],
        });
        await acme.saveDraft(changed('talk', { echo: { message: { type: 'text', text: 'You wrote {{$context.said}}' } } }));
        const report = await acme.replay('talk');
        expect(report).toMatchObject({
          counts: { equal: 0, differs: 1 },
          groups: [{ how: 'request', nodeId: 'echo', count: 1, newest: executionId }],
        });
        const ignore = report.groups.map(({ group }) => group);
        expect(await acme.replay('talk', { ignore })).toMatchObject({ counts: { equal: 1, differs: 0 } });
      }),
    );
  });
}
