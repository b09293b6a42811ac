import { decodeText } from '@hilo/stores';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import { invalidFields, invalidInput, notFound, type HttpError } from '../platform/http/errors.ts';
import { jsonBody, jsonResponse } from '../platform/http/openapi.ts';
import { createResource, restBodyErrorResponses, restErrorResponses, Succeeded, succeeded, withBody } from '../platform/http/rest.ts';
import type { Traffic } from '../platform/http/traffic.ts';
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
const security = [{ basic: [] }];

const room = createRoute({
  method: 'get',
  path: '/v1/rooms/{roomId}',
  operationId: 'getRoom',
  tags,
  security,
  summary: 'A room: whose it is, and its tags',
  description: 'A room is the conversation that a user has with a bot.',
  request: { params: z.object({ roomId: z.string() }) },
  responses: {
    200: jsonResponse(
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
    ...restErrorResponses('No such room'),
  },
});

const tagIds = { type: 'array', items: { type: 'integer' } };
const assign = createRoute({
  method: 'post',
  path: '/v1/bots/{botId}/rooms/tags',
  operationId: 'setRoomTags',
  tags,
  security,
  summary: 'Replaces all tags of a room; an empty list removes them',
  description: 'The list is the whole of the new tags, by id: what it does not name is removed.',
  request: {
    params: z.object({ botId: z.string() }),
    body: jsonBody('The tags to be; with "ifTags" only if those are the present ones', {
      type: 'object',
      required: ['roomId', 'tags'],
      properties: { roomId: { type: 'string' }, tags: tagIds, ifTags: tagIds },
    }),
  },
  responses: {
    200: jsonResponse('The ids of its current tags', Succeeded.extend({ data: z.object({ roomId: z.string(), tags: z.array(z.int()) }) })),
    ...restBodyErrorResponses('No such bot, or it has no such room'),
  },
});

/** Rooms, the conversations that users have with bots, and their tags (TAG-02 to TAG-08). */
export function createRooms(service: ContactParts, traffic: Traffic): OpenAPIHono<HttpEnv> {
  const { runner } = service.store;
  const app = createResource(service);

  app.openapi(room, async (c) => {
    const companyId = c.get('companyId');
    const { roomId } = c.req.valid('param');
    const found = await readRoom(runner, companyId, roomId);
    if (found === undefined) throw roomNotFound(roomId);
    const { botId, userId, names, tags: ids } = found;
    const all = ids.length === 0 ? [] : await runner.read(catalogue.all(companyId));
    const data = {
      id: roomId,
      botId: decodeText(botId),
      user: { id: decodeText(userId), names: names === null ? null : decodeText(names) },
      tags: all.filter(({ id }) => ids.includes(id)).map(describeTag),
    };
    return c.json({ ...succeeded(), data }, 200);
  });

  app.openapi(assign, async (c) => {
    const companyId = c.get('companyId');
    const { botId } = c.req.valid('param');
    if (service.companies.botOf(companyId, botId) === undefined) throw notFound('BOT_NOT_FOUND', `There is no bot "${botId}"`);
    return withBody(c, traffic, async (body) => {
      const { data: assignment, error } = TagAssignment.safeParse(body);
      if (error !== undefined) throw invalidInput(error);
      const { roomId, ifTags } = assignment;
      const before = await readRoom(runner, companyId, roomId);
      if (before === undefined || decodeText(before.botId) !== botId) throw roomNotFound(roomId);
      const changed = await changeTags(runner, {
        companyId,
        roomId,
        tags: () => assignment.tags,
        ...(ifTags !== undefined && { ifTags }),
      });
      if (changed.kind !== 'changed') throw explainRefusal(changed, roomId);
      return c.json({ ...succeeded('The tags are replaced'), data: { roomId, tags: [...changed.tags] } }, 200);
    });
  });
  return app;
}

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
