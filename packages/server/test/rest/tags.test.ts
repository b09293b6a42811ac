import { headersOfOperator } from '../hilo-process.ts';
import { describe, expect, it } from 'vitest';
import type { Json } from '@hilo/engine/contract';
import { createApp } from '../../src/service/app.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';
import { invalid, simple } from '../refusals.ts';
import { type Answer, type Call, callOf, clients } from './campaigns-stage.ts';

const vip = { id: 1, name: 'VIP', color: '#7c3aed', textColor: '#ffffff', language: 'en', teams: [5], channels: ['whatsapp'] };
const reclamo = {
  id: 2,
  name: 'Reclamo',
  color: '#dc2626',
  textColor: '#ffffff',
  language: 'es',
  teams: [],
  channels: ['whatsapp', 'web'],
};
const catalogue = 'GET /v1/company/1/tags';

async function stage({ open }: Place, changes: { readonly [pointer: string]: Json } = {}): Promise<Call> {
  const service = await open();
  await service.importWorkspace({ workspace: changed(await inlineExample(), changes) });
  return callOf(service);
}

describe('GET /v1/company/{companyId}/tags', () => {
  it(
    'finds a part of a name in any case, and teams by any number (TAG-01)',
    withPlace(async (place) => {
      const team = 9_007_199_254_740_991;
      const greek = { ...vip, id: 3, name: 'ΠΕΛΑΤΗΣΑ', teams: [team] };
      const call = await stage(place, { '/companies/0/teams/-': { id: team, name: 'Far' }, '/companies/0/tags/-': greek });
      const found = async (query: string) => ((await call(`${catalogue}?${query}`)).body as { readonly data: unknown }).data;
      expect(await found(`name=${encodeURIComponent('ΠΕΛΑΤΗΣ')}`)).toEqual([greek]); // a sigma has another lower case at the end of a word
      expect(await found(`name=${encodeURIComponent('πελατης')}`)).toEqual([greek]);
      expect(await found(`teams=${team}`)).toEqual([greek]);
      expect(await found('teams=99999999999999999999')).toEqual([]);
    }),
  );

  it(
    'lists the tags of the company, with ids and colors, and filters them (TAG-01, TAG-06)',
    withPlace(async (place) => {
      const call = await stage(place);
      const found = async (query: string) => ((await call(`${catalogue}${query}`)).body as { readonly data: unknown }).data;
      expect(await call(catalogue)).toEqual({
        status: 200,
        body: { message: [], statusMessage: 'success', status: 1, data: [vip, reclamo] },
      });
      expect(await found('?name=vi')).toEqual([vip]);
      expect(await found('?name=CLAM')).toEqual([reclamo]);
      expect(await found('?name=%25')).toEqual([]);
      expect(await found('?language=ES')).toEqual([reclamo]);
      expect(await found('?language=e')).toEqual([]);
      expect(await found('?teams=5')).toEqual([vip]);
      expect(await found('?teams=9,5')).toEqual([vip]);
      expect(await found('?teams=9')).toEqual([]);
      expect(await found('?channels=web')).toEqual([reclamo]);
      expect(await found('?channels=web&channels=whatsapp')).toEqual([vip, reclamo]);
      expect(await found('?channels=web,whatsapp&language=en')).toEqual([vip]);
      expect(await found('?unknown=1')).toEqual([vip, reclamo]);
      expect(await call('GET /v1/company/2/tags', { client: clients.other })).toMatchObject({ status: 200, body: { data: [] } });
    }),
  );
});

const noClient: Answer = { status: 401, body: { message: 'Send a valid client id and client secret with Basic authentication' } };
const noCompany = (id: string) => simple(404, 'COMPANY_NOT_FOUND', `There is no company "${id}"`);
const noRoom = (id: string) => simple(404, 'ROOM_NOT_FOUND', `There is no room "${id}"`);
const noBot = (id: string) => simple(404, 'BOT_NOT_FOUND', `There is no bot "${id}"`);
const badTeam = invalid({ teams: 'a team is a whole number' });
const badChannel = invalid({ channels: 'a channel is one of whatsapp, web, instagram, facebook, slack, teams, twitter, custom' });
const nothingThere = simple(404, 'NOT_FOUND', 'There is nothing at this address; the routes are in /openapi.json'); // GEN-06
const noObject = simple(400, 'INVALID_REQUEST', 'The body is not a JSON object');
const noJson = (place: string) => simple(400, 'INVALID_REQUEST', `The body is not valid JSON: correct it at ${place}`);
const noList = invalid({ tags: 'tags is a list of tag ids' });
const noId = invalid({ tags: 'a tag id is a whole number' });
const post = 'POST /v1/bots/bot_wa/rooms/tags';

const table: readonly (readonly [request: string, answer: Answer, body?: unknown, client?: string])[] = [
  [catalogue, noClient, undefined, ''],
  ['GET /v1/rooms/room_ana', noClient, undefined, ''],
  [post, noClient, { roomId: 'room_ana', tags: [] }, ''],
  [post, noClient, '{', 'acme-client:s3c'],
  // Whose company, bot or room (GEN-08, GEN-09)
  ['GET /v1/company/2/tags', noCompany('2')],
  ['GET /v1/company/3/tags', noCompany('3')],
  ['GET /v1/company/01/tags', noCompany('01')],
  ['GET /v1/company/__proto__/tags?teams=x', noCompany('__proto__')],
  ['GET /v1/company/1/tags', noCompany('1'), undefined, clients.other],
  ['GET /v1/rooms/nobody', noRoom('nobody')],
  ['GET /v1/rooms/room_ana', noRoom('room_ana'), undefined, clients.other],
  ['GET /v1/rooms/ROOM_ANA', noRoom('ROOM_ANA')],
  ['GET /v1/rooms/%00', noRoom('\0')],
  ['POST /v1/bots/nobody/rooms/tags', noBot('nobody'), '{'],
  ['POST /v1/bots/bot_c2/rooms/tags', noBot('bot_c2'), { roomId: 'room_ana', tags: [] }],
  [post, noBot('bot_wa'), { roomId: 'room_ana', tags: [] }, clients.other],
  // Filters
  [`${catalogue}?teams=support`, badTeam],
  [`${catalogue}?teams=5,-1`, badTeam],
  [`${catalogue}?teams=5&teams=1.5`, badTeam],
  [`${catalogue}?teams=`, invalid({ teams: 'teams has an empty entry' })],
  [`${catalogue}?teams=5,,6`, invalid({ teams: 'teams has an empty entry' })],
  [`${catalogue}?channels=sms`, badChannel],
  [`${catalogue}?channels=web,WhatsApp`, badChannel],
  [`${catalogue}?channels=`, invalid({ channels: 'channels has an empty entry' })],
  [`${catalogue}?name=`, invalid({ name: 'name is empty' })],
  [`${catalogue}?language=`, invalid({ language: 'language is empty' })],
  [`${catalogue}?name=a&name=b`, invalid({ name: 'name may be in the query once' })],
  [`${catalogue}?name=${'a'.repeat(501)}`, invalid({ name: 'name is longer than 500 characters' })],
  [`${catalogue}?language=a&language=b`, invalid({ language: 'language may be in the query once' })],
  // Bodies
  [post, noJson('line 1, column 2'), '{'],
  [post, noJson('line 1, column 1'), ''],
  [post, noObject, '[1]'],
  [post, noObject, 'null'],
  [post, noList, { roomId: 'room_ana' }], // absent is not empty (TAG-05)
  [post, noList, { roomId: 'room_ana', tags: null }],
  [post, noList, { roomId: 'room_ana', tags: '1,2' }],
  [post, noList, { roomId: 'room_ana', tags: { 0: 1 } }],
  [post, noId, { roomId: 'room_ana', tags: ['1'] }],
  [post, noId, { roomId: 'room_ana', tags: [1, null] }],
  [post, noId, { roomId: 'room_ana', tags: [1.5] }],
  [post, noId, { roomId: 'room_ana', tags: [[1]] }],
  [post, invalid({ roomId: 'roomId is a text' }), { tags: [1] }],
  [post, invalid({ roomId: 'roomId is a text' }), { roomId: 7, tags: [1] }],
  [post, invalid({ roomId: 'roomId is empty' }), { roomId: '', tags: [1] }],
  [post, invalid({ roomId: 'roomId is a text', tags: 'tags is a list of tag ids' }), {}],
  [post, invalid({ ifTags: 'ifTags is a list of tag ids' }), { roomId: 'room_ana', tags: [1], ifTags: 1 }],
  [post, invalid({ ifTags: 'a tag id is a whole number' }), { roomId: 'room_ana', tags: [1], ifTags: ['1'] }],
  // What the body names
  [post, noRoom('nobody'), { roomId: 'nobody', tags: [99] }],
  ['POST /v1/bots/bot_web/rooms/tags', noRoom('room_ana'), { roomId: 'room_ana', tags: [1] }], // another bot's
  [post, invalid({ tags: 'there is no tag 99' }), { roomId: 'room_ana', tags: [1, 99] }],
  [post, invalid({ tags: 'there is no tag -1, 0, 3' }), { roomId: 'room_ana', tags: [3, 0, 2, -1] }],
  [post, invalid({ ifTags: 'the tags are 1 by now: read them again' }), { roomId: 'room_ana', tags: [2], ifTags: [] }],
  [post, invalid({ ifTags: 'the tags are 1 by now: read them again' }), { roomId: 'room_ana', tags: [2], ifTags: [1, 2] }],
  ['GET /v1/bots/bot_wa/rooms/tags', nothingThere],
];

describe('the routes of campaigns, tags and rooms', () => {
  it(
    'are in the description of the interface, with their credential (VER-01, AUT-01)',
    withPlace(async (place) => {
      const app = createApp(await place.open());
      const document = (await (await app.request('/openapi.json', { headers: headersOfOperator('/openapi.json') })).json()) as {
        readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly security?: unknown } } };
      };
      const routes = [
        ['/v1/campaigns', 'get'],
        ['/v1/campaigns/{campaignId}', 'delete'],
        ['/v1/campaigns/{campaignId}', 'put'],
        ['/v1/company/{companyId}/tags', 'get'],
        ['/v1/rooms/{roomId}', 'get'],
        ['/v1/bots/{botId}/rooms/tags', 'post'],
      ] as const;
      for (const [path, method] of routes) expect(document.paths[path]?.[method]).toMatchObject({ security: [{ basic: [] }] });
    }),
  );
});

describe('requests that tags and rooms do not take', () => {
  it(
    `are each answered exactly, and change nothing: ${table.length} of them (TAG-01, TAG-05, TAG-07, TAG-08, GEN-08, GEN-09, ERR-01)`,
    withPlace(async (place) => {
      const call = await stage(place);
      const before = await call('GET /v1/rooms/room_ana');
      for (const [request, answer, body, client] of table) {
        const given = await call(request, { ...(body !== undefined && { body }), ...(client !== undefined && { client }) });
        expect({ request, sent: body, given }).toEqual({ request, sent: body, given: answer });
      }
      expect(await call('GET /v1/rooms/room_ana')).toEqual(before);
    }),
  );
});
