import type { Json } from '@hilo/engine/contract';
import { call } from '@hilo/stores';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunningService } from '../../src/service/open-service.ts';
import { statement } from '../../src/platform/database/schema.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';
import { type Call, callOf } from './campaigns-stage.ts';
import { describeOverEachStore } from './each-store.ts';

const tag = (id: number): Json => ({ id, name: `Tag ${id}`, color: '#000000', textColor: '#ffffff', language: 'en' });
const post = 'POST /v1/bots/bot_wa/rooms/tags';
const ana = '5215512345678';
const eva = '593987654321';

const removeTag = statement<{ readonly id: number }>()((db, { id }) => db.deleteFrom('tags').where('id', '=', id));

interface Stage {
  readonly service: RunningService;
  readonly call: Call;
  tags(): Promise<readonly number[]>;
}

/** A room of Ana, and tags 1 to 8. */
async function stage({ open }: Pick<Place, 'open'>, workflows: readonly Json[] = []): Promise<Stage> {
  const service = await open();
  const more = Object.fromEntries(workflows.map((workflow) => ['/companies/0/workflows/-', workflow]));
  const workspace = changed(await inlineExample(), { '/companies/0/tags': [1, 2, 3, 4, 5, 6, 7, 8].map(tag), ...more });
  await service.importWorkspace({ workspace });
  const call = callOf(service);
  return { service, call, tags: () => tagsOf(call, 'room_ana') };
}

async function tagsOf(call: Call, roomId: string): Promise<readonly number[]> {
  const { body } = await call(`GET /v1/rooms/${roomId}`);
  return (body as { readonly data: { readonly tags: readonly { readonly id: number }[] } }).data.tags.map(({ id }) => id);
}

describe('GET /v1/rooms/{roomId}', () => {
  it(
    'shows the user of the room, and its tags in data.tags (TAG-02)',
    withPlace(async (place) => {
      const { call } = await stage(place);
      expect(await call('GET /v1/rooms/room_ana')).toEqual({
        status: 200,
        body: {
          message: [],
          statusMessage: 'success',
          status: 1,
          data: {
            id: 'room_ana',
            botId: 'bot_wa',
            user: { id: ana, names: 'Ana' },
            tags: [{ id: 1, name: 'Tag 1', color: '#000000', textColor: '#ffffff', language: 'en', teams: [], channels: [] }],
          },
        },
      });
    }),
  );
});

describeOverEachStore('the tags of a room', (on) => {
  it(
    'are a set that each assignment replaces as a whole, provided the expected tags match (TAG-03 to TAG-08)',
    on(async (place) => {
      const { call, tags } = await stage(place);
      let current: readonly number[] = await tags();
      const ids = fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 12 });
      const expected = fc.oneof(fc.constant(undefined), fc.constant('current' as const), ids);
      await fc.assert(
        fc.asyncProperty(ids, expected, async (given, ifTags) => {
          const condition = ifTags === 'current' ? current.toReversed() : ifTags;
          const { status, body } = await call(post, {
            body: { roomId: 'room_ana', tags: given, ...(condition !== undefined && { ifTags: condition }) },
          });
          const asSet = (list: readonly number[]) => [...new Set(list)].toSorted((a, b) => a - b);
          const isKnown = given.every((id) => id <= 8);
          const isExpected = condition === undefined || asSet(condition).join() === current.join();
          if (isKnown && isExpected) current = asSet(given);
          const replaced = {
            message: ['The tags are replaced'],
            statusMessage: 'success',
            status: 1,
            data: { roomId: 'room_ana', tags: current },
          };
          expect(body).toMatchObject(isKnown && isExpected ? replaced : { statusMessage: 'failed', status: 0 });
          expect(status).toBe(isKnown && isExpected ? 200 : 422);
          expect(await tags()).toEqual(current);
        }),
        { numRuns: 60, endOnFailure: true },
      );
    }),
    120_000,
  );

  it(
    'lose nothing when many writers add one each with ifTags (TAG-08)',
    on(async ({ open }) => {
      const { service, call, tags } = await stage({ open });
      const calls = service.store.durability.database === 'postgres' ? [call, callOf(await open())] : [call];
      const add = async (id: number): Promise<void> => {
        const mine = calls[id % calls.length] ?? call;
        for (;;) {
          const before = await tagsOf(mine, 'room_ana');
          const { status } = await mine(post, { body: { roomId: 'room_ana', tags: [...before, id], ifTags: before } });
          if (status === 200) return;
          expect(status).toBe(422);
        }
      };
      await call(post, { body: { roomId: 'room_ana', tags: [] } });
      await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(add));
      expect(await tags()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    }),
    120_000,
  );
});

/** A workflow that changes tags and reports the result. */
const tagging = (...actions: readonly Json[]): Json => ({
  canvas: {
    schemaVersion: 1,
    id: 'tagging',
    name: 'Tagging',
    nodes: [
      { id: 'begin', type: 'start', data: {} },
      ...actions.map((data, index) => ({ id: `t${index}`, type: 'tags', data })),
      { id: 'done', type: 'end' },
      { id: 'not', type: 'end', data: { outcome: 'failed' } },
    ],
    edges: [
      { source: 'begin', target: 't0' },
      ...actions.map((_, index) => ({
        source: `t${index}`,
        sourceHandle: 'next',
        target: index + 1 < actions.length ? `t${index + 1}` : 'done',
      })),
      ...actions.map((_, index) => ({ source: `t${index}`, sourceHandle: 'error', target: 'not' })),
    ],
  } as Json,
  publish: true,
});

async function run({ service }: Stage, userId: string): Promise<{ readonly status: unknown; readonly cause: unknown }> {
  const origin = { companyId: '1', botId: 'bot_wa', userId, channel: 'whatsapp', route: 'production' };
  const { executionId } = await service.engine.startWorkflow({ workflowId: 'tagging', origin } as never);
  await service.engine.whenIdle();
  const state = (await service.engine.execution('1', executionId))?.state;
  return { status: state?.status, cause: (state?.variables['$error'] as { readonly cause?: string } | undefined)?.cause };
}

describe('the node tags', () => {
  it.each([
    [[{ action: 'add', tags: [3, 1] }], [1, 3]],
    [[{ action: 'remove', tags: [1, 7] }], []],
    [[{ action: 'replace', tags: [5, 4, 5] }], [4, 5]],
    [[{ action: 'clear' }], []],
    [[{ action: 'clear' }, { action: 'add', tags: [8] }, { action: 'add', tags: [2] }, { action: 'remove', tags: [8] }], [2]],
  ] as readonly (readonly [readonly Json[], readonly number[]])[])('does %j (TAG-04, TAG-05, TAG-08)', (actions, tags) =>
    withPlace(async (place) => {
      const there = await stage(place, [tagging(...actions)]);
      expect(await run(there, ana)).toEqual({ status: 'completed', cause: null });
      expect(await there.tags()).toEqual(tags);
      expect(await run(there, ana)).toMatchObject({ status: 'completed' }); // done twice, it is as if it was done once
      expect(await there.tags()).toEqual(tags);
    })(),
  );

  it(
    'leaves by error for a tag that the company has removed, and changes nothing (TAG-07)',
    withPlace(async (place) => {
      const there = await stage(place, [tagging({ action: 'add', tags: [2, 8] })]);
      await there.service.store.runner.write([call(removeTag, { id: 8 })]);
      expect(await run(there, ana)).toEqual({ status: 'failed', cause: 'TAG_NOT_FOUND' });
      expect(await there.tags()).toEqual([1]);
    }),
  );

  it(
    'finds the room of a user by any id, and makes the first one (UID-04)',
    withPlace(async (place) => {
      const there = await stage(place, [tagging({ action: 'add', tags: [6] })]);
      await run(there, 'MX.a1B2c3');
      expect(await there.tags()).toEqual([1, 6]);
      const rooms = async () =>
        (
          (await there.service.exportWorkspace())['companies'] as {
            readonly rooms: readonly { readonly id: string; readonly userId: string; readonly tags: readonly number[] }[];
          }[]
        )[0]?.rooms ?? [];
      expect(await rooms()).toHaveLength(1);
      await run(there, eva);
      await run(there, eva);
      const [room, ...none] = (await rooms()).filter(({ userId }) => userId === eva);
      expect(none).toEqual([]);
      expect(await tagsOf(there.call, room?.id ?? '')).toEqual([6]);
    }),
  );

  it(
    'keeps what others change at the same time (TAG-08)',
    withPlace(async (place) => {
      const there = await stage(place, [tagging({ action: 'add', tags: [2] }, { action: 'add', tags: [3] }, { action: 'add', tags: [4] })]);
      const others = [5, 6, 7, 8].map(async (id) => {
        for (;;) {
          const before = await there.tags();
          const { status } = await there.call(post, { body: { roomId: 'room_ana', tags: [...before, id], ifTags: before } });
          if (status === 200) return;
        }
      });
      await Promise.all([run(there, ana), ...others]);
      expect(await there.tags()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    }),
  );
});
