import { createRoute, z } from '@hono/zod-openapi';
import { describedBody, said } from '../platform/http/openapi.ts';
import { Conversation } from './conversation-view.ts';
import { CompanyQuery } from '../platform/http/admin-queries.ts';
import { bodyRefusals, refusals } from '../platform/http/admin-responses.ts';

export const params = z.object({ conversationId: z.string() });
export const tags = ['Conversations'];
/** Of one conversation. */
export const path = '/conversations/{conversationId}';

const wantedBody = describedBody('Who goes on', {
  type: 'object',
  properties: { operatorId: { type: 'integer' }, teamId: { type: 'integer' } },
});
const endBody = describedBody('May be left out', { type: 'object', properties: { reason: { type: 'string', maxLength: 500 } } });

export const open = createRoute({
  method: 'post',
  path: '/conversations',
  tags,
  summary: 'An operator begins a conversation with a user',
  request: {
    query: CompanyQuery,
    body: describedBody('With whom, and who attends: without "operatorId" whoever attends the fewest', {
      type: 'object',
      required: ['botId', 'userId'],
      properties: {
        botId: { type: 'string' },
        userId: { type: 'string' },
        operatorId: { type: 'integer' },
        teamId: { type: 'integer' },
        origin: { type: 'string', default: 'induced_by_operator' },
      },
    }),
  },
  responses: { 200: said('The conversation', Conversation), ...bodyRefusals },
});

export const get = createRoute({
  method: 'get',
  path,
  tags,
  summary: 'A conversation as it stands now',
  request: { params, query: CompanyQuery },
  responses: { 200: said('The conversation', Conversation), ...refusals },
});

export const ending = (verb: 'close' | 'resolve') =>
  createRoute({
    method: 'post',
    path: `${path}/${verb}`,
    tags,
    summary: verb === 'close' ? 'Closes a conversation' : 'Closes a conversation whose matter is settled',
    request: { params, query: CompanyQuery, body: endBody },
    responses: { 200: said('As it ended', Conversation), ...bodyRefusals },
  });

export const transfer = createRoute({
  method: 'post',
  path: `${path}/transfer`,
  tags,
  summary: 'Hands the user over to another operator or team, in a conversation of their own',
  request: { params, query: CompanyQuery, body: wantedBody },
  responses: { 200: said('The child, which goes on', Conversation), ...bodyRefusals },
});

export const assign = createRoute({
  method: 'post',
  path: `${path}/assign`,
  tags,
  summary: 'Lets another operator go on with the same conversation',
  request: { params, query: CompanyQuery, body: wantedBody },
  responses: { 200: said('As it stands now', Conversation), ...bodyRefusals },
});
