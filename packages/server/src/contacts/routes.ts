// The routes of rooms and their tags.
import { z } from '@hono/zod-openapi';
import { boundIssues } from '../platform/bound-issues.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { invalidFields, invalidInput, notFound, type HttpError } from '../platform/http/errors.ts';
import { jsonBody, jsonResponse } from '../platform/http/openapi.ts';
import { type RestTraffic, restBodyErrorResponses, restErrorResponses, Succeeded, succeeded, withBody } from '../platform/http/rest.ts';
import { tags as catalogue } from '../platform/tables/tags.ts';
import { Tag, describeTag } from '../tags/tags.ts';
import { changeTags, readRoom, type TagsChanged } from './contacts.ts';
import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenants/companies.ts';

/** What these routes work with. */
export type ContactParts = Pick<Platform, 'store' | 'clock' | 'log'> & Tenancy;

const TagIds = (field: string) => z.array(z.int('a tag id is a whole number'), `${field} is a list of tag ids`);

/**
 * The body that replaces the tags of a room (TAG-03 to TAG-05). `tags` is required: only an empty list removes all. Unknown fields
 * are ignored (GEN-07).
 */
const TagAssignment = z.object({
  roomId: z.string('roomId is a text').min(1, 'roomId is empty'),
  tags: TagIds('tags'),
  ifTags: TagIds('ifTags').optional(),
});

const tags = ['Tags'];

const room = defineRoute({
  get: '/v1/rooms/{roomId}',
  operationId: 'getRoom',
  tags,
  auth: 'basic',
  summary: 'A room: whose it is, and its tags',
  description: 'A room is the conversation that a user has with a bot.',
  params: z.object({ roomId: z.string() }),
  answer: jsonResponse(
    'The room',
    Succeeded.extend({
      data: z
        .object({
          id: z.string(),
          botId: z.string(),
          user: z.object({ id: z.string(), names: z.string().nullable() }),
          tags: z.array(Tag),
        })
        .openapi('Room'),
    }),
  ),
  refusals: restErrorResponses('No such room'),
  example: { path: { roomId: 'room_ana' } },
  async handle({ companyId, params: { roomId } }, service: ContactParts) {
    const { runner } = service.store;
    const found = await readRoom(runner, companyId, roomId);
    if (found === undefined) throw roomNotFound(roomId);
    const { botId, userId, names, tags: ids } = found;
    const all = ids.length === 0 ? [] : await runner.read(catalogue.all(companyId));
    const data = {
      id: roomId,
      botId,
      user: { id: userId, names: names ?? null },
      tags: all.filter(({ id }) => ids.includes(id)).map(describeTag),
    };
    return { ...succeeded(), data };
  },
});

const tagIds = { type: 'array', items: { type: 'integer' } };
const assign = defineRoute({
  post: '/v1/bots/{botId}/rooms/tags',
  operationId: 'setRoomTags',
  tags,
  auth: 'basic',
  summary: 'Replaces all tags of a room; an empty list removes them',
  description: 'The list is the whole of the new tags, by id: what it does not name is removed.',
  params: z.object({ botId: z.string() }),
  body: jsonBody('The tags to be; with "ifTags" only if those are the present ones', {
    type: 'object',
    required: ['roomId', 'tags'],
    properties: { roomId: { type: 'string' }, tags: tagIds, ifTags: tagIds },
  }),
  answer: jsonResponse('The ids of its current tags', Succeeded.extend({ data: z.object({ roomId: z.string(), tags: z.array(z.int()) }) })),
  refusals: restBodyErrorResponses('No such bot, or it has no such room'),
  example: { path: { botId: 'bot_wa' }, body: { roomId: 'room_ana', tags: [1, 2] } },
  async handle({ c, companyId, params: { botId } }, service: ContactParts & RestTraffic) {
    const { runner } = service.store;
    if (service.companies.botOf(companyId, botId) === undefined) throw notFound('BOT_NOT_FOUND', `There is no bot "${botId}"`);
    return withBody(c, service.traffic, async (body) => {
      const { data: assignment, error } = boundIssues(TagAssignment).safeParse(body);
      if (error !== undefined) throw invalidInput(error);
      const { roomId, ifTags } = assignment;
      const before = await readRoom(runner, companyId, roomId);
      if (before === undefined || before.botId !== botId) throw roomNotFound(roomId);
      const changed = await changeTags(runner, {
        companyId,
        roomId,
        tags: () => assignment.tags,
        ...(ifTags !== undefined && { ifTags }),
      });
      if (changed.kind !== 'changed') throw explainRefusal(changed, roomId);
      return { ...succeeded('The tags are replaced'), data: { roomId, tags: [...changed.tags] } };
    });
  },
});

/** Rooms, the conversations that users have with bots, and their tags (TAG-02 to TAG-08). */
export const roomRoutes: readonly Route<ContactParts & RestTraffic>[] = [room, assign];

const roomNotFound = (roomId: string): HttpError => notFound('ROOM_NOT_FOUND', `There is no room "${roomId}"`);

/** Ids that a sentence names, at most. */
const maxNamed = 10;

function explainRefusal(changed: Exclude<TagsChanged, { readonly kind: 'changed' }>, roomId: string): HttpError {
  switch (changed.kind) {
    case 'unknown-room':
      return roomNotFound(roomId);
    case 'unknown-tags':
      return invalidFields({ tags: [`there is no tag ${nameIds(changed.ids)}`] });
    case 'others':
      return invalidFields({ ifTags: [`the tags are ${nameIds(changed.tags)} by now: read them again`] });
  }
}

const nameIds = (ids: readonly number[]): string =>
  ids.length === 0 ? 'none' : `${ids.slice(0, maxNamed).join(', ')}${ids.length > maxNamed ? ' and more' : ''}`;
