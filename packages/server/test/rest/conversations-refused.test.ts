import { describe, expect, it } from 'vitest';
import { invalid, simple } from '../refusals.ts';
import { type Answer, clients } from './campaigns-stage.ts';
import { ana, deskOf, helpDesk, idIn } from './conversations-stage.ts';
import { withPlace } from '../data/open-for-test.ts';

const noClient: Answer = { status: 401, body: { message: 'Send a valid client id and client secret with Basic authentication' } };
const list = 'GET /v1/external/conversations';
const range = 'startAt=2026-01-01T00:00:00Z&endAt=2026-01-31T23:59:59Z';
const stats = 'GET /v1/metrics/conversations/external/stats';
const dates = 'startAt=2026-01-01&endAt=2026-01-31';
const utc = (field: string) => invalid({ [field]: `${field} is ISO 8601 in UTC, such as 2026-01-31T23:59:59Z` });
const date = (field: string) => invalid({ [field]: `${field} is a date, such as 2026-01-31, or ISO 8601 with a time zone` });
const limit = (text: string) => invalid({ limit: text });
const state = invalid({ state: 'state is active, closed, resolved, expired, transferred' });
const operator = invalid({ operatorId: 'operatorId is a whole number' });
const order = invalid({ endAt: 'endAt is before startAt' });
const none = invalid({ startAt: 'startAt is required', endAt: 'endAt is required' });

/** Errors in a query are a 422 by field (ERR-05); credentials are checked first (GEN-09). */
const queries: readonly (readonly [request: string, answer: Answer, client?: string])[] = [
  // Credentials (AUT-08, P27)
  [list, noClient, ''],
  [`${list}?${range}`, noClient, 'acme-client:wrong'],
  [`${list}?startAt=x`, noClient, 'nobody:s3c:ret-of-acme'],
  [stats, noClient, ''],
  [`${stats}?${dates}&operatorId=10`, noClient, 'acme-client'],
  // The range of the list (CON-02)
  [list, none],
  [`${list}?startAt=2026-01-01T00:00:00Z`, invalid({ endAt: 'endAt is required' })],
  [`${list}?endAt=2026-01-01T00:00:00Z`, invalid({ startAt: 'startAt is required' })],
  [`${list}?startAt=&endAt=2026-01-01T00:00:00Z`, utc('startAt')],
  [`${list}?startAt=yesterday&endAt=2026-01-01T00:00:00Z`, utc('startAt')],
  [`${list}?startAt=2026-01-01&endAt=2026-01-02T00:00:00Z`, utc('startAt')],
  [`${list}?startAt=2026-01-01T00:00:00&endAt=2026-01-02T00:00:00Z`, utc('startAt')],
  [`${list}?startAt=2026-01-01T00:00:00-05:00&endAt=2026-01-02T00:00:00Z`, utc('startAt')],
  [`${list}?startAt=2026-13-01T00:00:00Z&endAt=2026-01-02T00:00:00Z`, utc('startAt')],
  [`${list}?startAt=2026-02-30T00:00:00Z&endAt=2026-03-02T00:00:00Z`, utc('startAt')],
  [`${list}?startAt=1767225600000&endAt=2026-01-02T00:00:00Z`, utc('startAt')],
  [`${list}?startAt=2026-01-02T00:00:00Z&endAt=2026-01-32T00:00:00Z`, utc('endAt')],
  [`${list}?startAt=2026-01-02T00:00:00Z&endAt=2026-01-03%2000:00:00Z`, utc('endAt')],
  [`${list}?startAt=2026-01-02T00:00:00Z&endAt=2026-01-01T00:00:00Z`, order],
  [`${list}?startAt=2026-01-02T00:00:00.001Z&endAt=2026-01-02T00:00:00.0009Z`, order],
  [
    `${list}?startAt=2026-01-02T00:00:00Z&endAt=2026-01-01T00:00:00Z&limit=0&state=open`,
    invalid({
      limit: 'limit is 1 to 50',
      state: 'state is active, closed, resolved, expired, transferred',
      endAt: 'endAt is before startAt',
    }),
  ],
  [`${list}?${range}&startAt=2026-01-01T00:00:00Z`, invalid({ startAt: 'startAt may be in the query once' })],
  [`${list}?STARTAT=2026-01-01T00:00:00Z&EndAt=2026-01-31T00:00:00Z`, none],
  // The page (CON-03, CON-04)
  [`${list}?${range}&limit=0`, limit('limit is 1 to 50')],
  [`${list}?${range}&limit=51`, limit('limit is 1 to 50')],
  [`${list}?${range}&limit=-1`, limit('limit is a whole number')],
  [`${list}?${range}&limit=1.5`, limit('limit is a whole number')],
  [`${list}?${range}&limit=ten`, limit('limit is a whole number')],
  [`${list}?${range}&limit=`, limit('limit is a whole number')],
  [`${list}?${range}&limit=9999999999`, limit('limit is 1 to 50')],
  [`${list}?${range}&page=0`, invalid({ page: 'page is 1 or more' })],
  [`${list}?${range}&page=-1`, invalid({ page: 'page is a whole number' })],
  [`${list}?${range}&page=1e3`, invalid({ page: 'page is a whole number' })],
  [`${list}?${range}&page=0&limit=99`, invalid({ limit: 'limit is 1 to 50', page: 'page is 1 or more' })],
  // The filters (CON-05, CON-06)
  [`${list}?${range}&state=open`, state],
  [`${list}?${range}&state=ACTIVE`, state],
  [`${list}?${range}&state=`, state],
  [`${list}?${range}&state=active,closed`, state],
  [`${list}?${range}&state=active&state=closed`, invalid({ state: 'state may be in the query once' })],
  [`${list}?${range}&state=__proto__`, state],
  [`${list}?${range}&operatorId=ten`, operator],
  [`${list}?${range}&operatorId=10.5`, operator],
  [`${list}?${range}&operatorId=--1`, operator],
  [`${list}?${range}&operatorId=1e1`, operator],
  [`${list}?${range}&operatorId=`, operator],
  [`${list}?${range}&operatorId=1%20or%201=1`, operator],
  [`${list}?${range}&operatorId=10&operatorId=11`, invalid({ operatorId: 'operatorId may be in the query once' })],
  [`${list}?${range}&botId=`, invalid({ botId: 'botId is empty' })],
  [`${list}?${range}&userId=`, invalid({ userId: 'userId is empty' })],
  [`${list}?${range}&conversationId=`, invalid({ conversationId: 'conversationId is empty' })],
  [`${list}?${range}&botId=a&botId=b`, invalid({ botId: 'botId may be in the query once' })],
  [`${list}?${range}&userId=${'9'.repeat(257)}`, invalid({ userId: 'userId is longer than 256 characters' })],
  // Statistics (STA-02, STA-03, STA-08, STA-10)
  [stats, none],
  [`${stats}?endAt=2026-01-31`, invalid({ startAt: 'startAt is required' })],
  [`${stats}?startAt=2026-01-31`, invalid({ endAt: 'endAt is required' })],
  [`${stats}?startAt=2026-02-30&endAt=2026-03-31`, date('startAt')],
  [`${stats}?startAt=01/02/2026&endAt=2026-03-31`, date('startAt')],
  [`${stats}?startAt=2026-01-01T00:00:00&endAt=2026-03-31`, date('startAt')],
  [`${stats}?startAt=2026-01-01&endAt=20260331`, date('endAt')],
  [`${stats}?startAt=2026-01-02&endAt=2026-01-01`, order],
  [`${stats}?${dates}&startAt=2026-01-02`, invalid({ startAt: 'startAt may be in the query once' })],
  [`${stats}?${dates}&operatorId=Olga`, operator],
  [`${stats}?${dates}&operatorId=1.0`, operator],
  [`${stats}?${dates}&operatorId=`, operator],
  [
    `${stats}?startAt=2026-01-02&endAt=2026-01-01&operatorId=x`,
    invalid({ operatorId: 'operatorId is a whole number', endAt: 'endAt is before startAt' }),
  ],
  [`${stats}?${dates}&operatorId=999`, simple(404, 'OPERATOR_NOT_FOUND', 'There is no operator 999')],
  [`${stats}?${dates}&operatorId=0`, simple(404, 'OPERATOR_NOT_FOUND', 'There is no operator 0')],
  [`${stats}?${dates}&operatorId=-1`, simple(404, 'OPERATOR_NOT_FOUND', 'There is no operator -1')],
  [`${stats}?${dates}&operatorId=9007199254740991`, simple(404, 'OPERATOR_NOT_FOUND', 'There is no operator 9007199254740991')],
  [`${stats}?${dates}&operatorId=10`, simple(404, 'OPERATOR_NOT_FOUND', 'There is no operator 10'), clients.other],
];

const unknown = (id: string) => simple(404, 'CONVERSATION_NOT_FOUND', `There is no conversation "${id}"`);
const noObject = simple(400, 'INVALID_REQUEST', 'The body is not a JSON object');
const noJson = (place: string) => simple(400, 'INVALID_REQUEST', `The body is not valid JSON: correct it at ${place}`);
const nobody = invalid({ body: 'give "operatorId", "teamId" or both' });
const noOperator = simple(404, 'OPERATOR_NOT_FOUND', 'There is no operator 99');
const elsewhere = invalid({ operatorId: 'operator 12 is not in team 5' });
const noUser = (id: string) =>
  simple(
    400,
    'INVALID_USER_ID',
    `User id "${id}" is not valid: give a phone number of 2 to 15 digits without "+", or a business-scoped id such as "US.13491208655302741918"`,
  );
const noTeam = simple(404, 'TEAM_NOT_FOUND', 'There is no team 99');

/** What operators may not do. `{id}` is an active conversation. */
const acts: readonly (readonly [request: string, body: unknown, answer: Answer])[] = [
  // Unknown ids come before the body (GEN-08, GEN-09)
  ['GET /conversations/nobody', undefined, unknown('nobody')],
  ['POST /conversations/nobody/messages', '{', unknown('nobody')],
  ['POST /conversations/nobody/close', '[]', unknown('nobody')],
  ['POST /conversations/nobody/resolve', undefined, unknown('nobody')],
  ['POST /conversations/nobody/transfer', '{', unknown('nobody')],
  ['POST /conversations/__proto__/assign', {}, unknown('__proto__')],
  // Bodies that are none
  ['POST /conversations/{id}/messages', '{', noJson('line 1, column 2')],
  ['POST /conversations/{id}/messages', '[]', noObject],
  ['POST /conversations/{id}/close', 'null', noObject],
  ['POST /conversations/{id}/transfer', '"x"', noObject],
  ['POST /conversations/{id}/assign', '{"operatorId":', noJson('line 1, column 15')],
  ['POST /conversations', '7', noObject],
  // The recipient
  ['POST /conversations/{id}/transfer', {}, nobody],
  ['POST /conversations/{id}/assign', undefined, nobody],
  ['POST /conversations/{id}/transfer', { operatorId: 99 }, noOperator],
  ['POST /conversations/{id}/assign', { operatorId: 99 }, noOperator],
  ['POST /conversations/{id}/transfer', { teamId: 99 }, noTeam],
  ['POST /conversations/{id}/transfer', { operatorId: 12, teamId: 5 }, elsewhere],
  ['POST /conversations/{id}/assign', { operatorId: 12, teamId: 5 }, elsewhere],
  ['POST /conversations', { botId: 'bot_web', userId: ana, operatorId: 12, teamId: 5 }, elsewhere],
  ['POST /conversations/{id}/transfer', { operatorId: '10' }, invalid({ operatorId: 'operatorId is a whole number' })],
  ['POST /conversations/{id}/transfer', { teamId: 0 }, invalid({ teamId: 'teamId is above zero' })],
  ['POST /conversations/{id}/assign', { operatorId: 1.5 }, invalid({ operatorId: 'operatorId is a whole number' })],
  ['POST /conversations', { userId: ana }, invalid({ botId: 'botId is a text' })],
  ['POST /conversations', { botId: 'bot_wa', userId: '' }, invalid({ userId: 'userId is empty' })],
  // As where a message is sent (UID-03, UID-05)
  ['POST /conversations', { botId: 'bot_wa', userId: ' ' }, noUser(' ')],
  ['POST /conversations', { botId: 'bot_wa', userId: '+++ not a user' }, noUser('+++ not a user')],
  ['POST /conversations', { botId: 'bot_wa', userId: ` ${ana}` }, noUser(` ${ana}`)],
  ['POST /conversations', { botId: 'bot_web', userId: 'abc def', operatorId: 10 }, noUser('abc def')],
  ['POST /conversations', { botId: 'bot_wa', userId: 5 }, invalid({ userId: 'userId is a text' })],
  ['POST /conversations', { botId: 'bot_x', userId: ana }, simple(404, 'BOT_NOT_FOUND', 'There is no bot "bot_x"')],
  ['POST /conversations', { botId: 'bot_c2', userId: ana }, simple(404, 'BOT_NOT_FOUND', 'There is no bot "bot_c2"')],
  ['POST /conversations', { botId: 'bot_web', userId: ana, operatorId: 99 }, noOperator],
  // Why it ends
  ['POST /conversations/{id}/close', { reason: '' }, invalid({ reason: 'reason is empty' })],
  ['POST /conversations/{id}/close', { reason: 7 }, invalid({ reason: 'reason is a text' })],
  ['POST /conversations/{id}/resolve', { reason: 'x'.repeat(501) }, invalid({ reason: 'reason is longer than 500 characters' })],
];

describe('refusals of conversations and statistics', () => {
  it('has at least 50 bad requests', () => expect(queries.length + acts.length).toBeGreaterThanOrEqual(50));

  it(
    'is answered exactly, and changes nothing (P32, UID-03)',
    withPlace(async ({ open }) => {
      const service = await open();
      const omar = { id: 12, names: 'Omar', email: 'omar@acme.test', teamIds: [] };
      await service.importWorkspace({ workspace: await helpDesk({}, { '/companies/0/operators/-': omar }) });
      const desk = deskOf(service);
      const opened = await desk.does('POST /conversations', { botId: 'bot_wa', userId: ana });
      const id = idIn(opened);
      const before = await desk.record(id);
      for (const [request, answer, client] of queries)
        expect({ request, ...(await desk.call(request, client === undefined ? {} : { client })) }).toEqual({ request, ...answer });
      for (const [request, body, answer] of acts)
        expect({ request, body, answer: await desk.admin(request.replace('{id}', id), body) }).toEqual({ request, body, answer });
      expect(await desk.record(id)).toEqual(before);
      expect(await desk.sent()).toEqual([]);
    }),
    120_000,
  );

  it(
    'is a message that the provider of the bot can never send, as on the route of the API',
    withPlace(async ({ open }) => {
      const service = await open();
      const provider = { kind: 'whatsapp-cloud', phoneNumberId: '1', accessToken: 'a', appSecret: 'b', verifyToken: 'c' };
      await service.importWorkspace({ workspace: await helpDesk({}, { '/companies/0/bots/0/provider': provider }) });
      const desk = deskOf(service);
      const opened = await desk.does('POST /conversations', { botId: 'bot_wa', userId: ana });
      expect(await desk.admin(`POST /conversations/${idIn(opened)}/messages`, { type: 'contacts', contacts: [{}] })).toEqual(
        simple(400, 'INVALID_REQUEST', 'A contact has no name, phone or e-mail address: give one'),
      );
      expect(await desk.admin(`POST /conversations/${idIn(opened)}/messages`, { type: 'text', text: 'Hi', at: 'noon' })).toEqual(
        invalid({ at: 'The message has no field "at": remove it, or use one of type, text, previewUrl, buttons' }),
      );
      expect(await desk.sent()).toEqual([]);
    }),
    120_000,
  );

  it(
    'is a message that cannot be sent, with the codes of sending (MSG-03, WIN-03, LIM-05); a file of ours can, also over http',
    withPlace(async ({ open, clock }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await helpDesk() });
      const desk = deskOf(service);
      const opened = await desk.does('POST /conversations', { botId: 'bot_wa', userId: ana });
      const says = async (body: unknown) =>
        (await desk.admin(`POST /conversations/${idIn(opened)}/messages`, body)) as { status: number; body: { error: string } };
      for (const body of [
        {},
        { type: 'fax', text: 'x' },
        { type: 'text' },
        { type: 'text', text: ' ' },
        { type: 'text', text: 'x'.repeat(4_097) },
        { type: 'location', coordinates: { lat: 91, long: 0 } },
        { type: 'quick_reply', text: 'x', quick_replies: [] },
      ])
        expect({ sent: body, ...(await says(body)) }).toMatchObject({ sent: body, status: 400, body: { error: 'INVALID_REQUEST' } });
      expect(await says({ type: 'image', mediaUrl: 'http://a.test/x.png' })).toMatchObject({
        status: 400,
        body: { error: 'INVALID_MEDIA_URL' },
      });
      const content = Buffer.from('%PDF-1.4');
      const bill = await service.files?.keepFor(
        { companyId: '1', botId: 'bot_wa', userId: ana },
        { content, contentType: undefined, name: 'a.pdf' },
      );
      expect(await says({ type: 'file', mediaUrl: bill?.id })).toMatchObject({ status: 200 });
      const { results } = await service.messages.list('1', 'bot_wa', { userId: ana, limit: 9 });
      expect(results).toMatchObject([{ message: { type: 'file', filename: 'a.pdf' } }]);
      expect(results[0]?.message['mediaUrl']).toMatch(/^http:.*\/files\//);
      clock.advanceBy(86_400_000);
      expect((await says({ type: 'text', text: 'Still there?' })).status).not.toBe(200);
      expect(await desk.sent()).toEqual(['file']);
    }),
    120_000,
  );
});
