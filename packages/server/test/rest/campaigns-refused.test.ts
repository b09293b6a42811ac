import { describe, expect, it } from 'vitest';
import { inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';
import { invalid, simple } from '../refusals.ts';
import { type Answer, callOf, clients } from './campaigns-stage.ts';

const noCampaign = (id: string): Answer => simple(404, 'CAMPAIGN_NOT_FOUND', `There is no campaign "${id}"`);
const noClient: Answer = { status: 401, body: { message: 'Send a valid client id and client secret with Basic authentication' } };
const nothingThere = simple(404, 'NOT_FOUND', 'There is nothing at this address; the routes are in /openapi.json'); // GEN-06
const noObject = simple(400, 'INVALID_REQUEST', 'The body is not a JSON object');
const noJson = (place: string) => simple(400, 'INVALID_REQUEST', `The body is not valid JSON: correct it at ${place}`);
const badStatus = invalid({ status: 'status is COMPLETED, PENDING, IN_PROGRESS, SCHEDULED' });
const badLimit = invalid({ limit: 'limit is a whole number' });
const outside = invalid({ limit: 'limit is 1 to 50' });
const badPage = invalid({ page: 'page is a whole number' });
const zoned = invalid({ scheduledAt: 'scheduledAt is ISO 8601 with a time zone, such as 2031-03-01T09:00:00-05:00' });
const past = invalid({ scheduledAt: 'scheduledAt is not later than now' });
const nothing = invalid({ body: 'give "name", "scheduledAt" or both' });
const noText = invalid({ name: 'name is a text' });
const emptyName = invalid({ name: 'name is empty' });
const over = invalid({ status: 'the campaign is COMPLETED: only one that is SCHEDULED can be changed' });

const list = 'GET /v1/campaigns';
const put = 'PUT /v1/campaigns/camp_s';

const table: readonly (readonly [request: string, answer: Answer, body?: unknown, client?: string])[] = [
  // Credentials come first (P27, AUT-08)
  [list, noClient, undefined, ''],
  [list, noClient, undefined, 'acme-client:wrong'],
  [list, noClient, undefined, 'nobody:s3c:ret-of-acme'],
  [`${list}?status=CANCELLED`, noClient, undefined, ''],
  ['DELETE /v1/campaigns/nobody', noClient, undefined, ''],
  [put, noClient, '{', ''],
  // The page
  [`${list}?limit=0`, outside],
  [`${list}?limit=51`, outside],
  [`${list}?limit=999999999`, outside],
  [`${list}?limit=`, badLimit],
  [`${list}?limit=-1`, badLimit],
  [`${list}?limit=+1`, badLimit],
  [`${list}?limit=1.5`, badLimit],
  [`${list}?limit=1e1`, badLimit],
  [`${list}?limit=0x10`, badLimit],
  [`${list}?limit=ten`, badLimit],
  [`${list}?limit=9999999999`, outside],
  [`${list}?limit=%31%20`, badLimit],
  [`${list}?limit=1&limit=2`, invalid({ limit: 'limit may be in the query once' })],
  [`${list}?page=0`, invalid({ page: 'page is 1 or more' })],
  [`${list}?page=-1`, badPage],
  [`${list}?page=one`, badPage],
  [`${list}?page=180143985094820`, invalid({ page: 'page is at most 180143985094819' })],
  [`${list}?page=${'9'.repeat(400)}`, invalid({ page: 'page is at most 180143985094819' })],
  [`${list}?page=`, badPage],
  [`${list}?limit=51&page=x`, invalid({ limit: 'limit is 1 to 50', page: 'page is a whole number' })],
  // The filter has no CANCELLED (CAM-05)
  [`${list}?status=CANCELLED`, badStatus],
  [`${list}?status=completed`, badStatus],
  [`${list}?status=`, badStatus],
  [`${list}?status=COMPLETED,PENDING`, badStatus],
  [`${list}?status=__proto__`, badStatus],
  [`${list}?status=PENDING&status=COMPLETED`, invalid({ status: 'status may be in the query once' })],
  // Unknown ids, and those of another company (GEN-08), come before the body (GEN-09)
  ['DELETE /v1/campaigns/nobody', noCampaign('nobody')],
  ['DELETE /v1/campaigns/camp_s', noCampaign('camp_s'), undefined, clients.other],
  ['PUT /v1/campaigns/nobody', noCampaign('nobody'), '{'],
  ['PUT /v1/campaigns/camp_s', noCampaign('camp_s'), { name: 'Mine' }, clients.other],
  ['DELETE /v1/campaigns/CAMP_S', noCampaign('CAMP_S')],
  ['DELETE /v1/campaigns/camp_s%20', noCampaign('camp_s ')],
  ['DELETE /v1/campaigns/%00', noCampaign('\0')],
  ["DELETE /v1/campaigns/'%20or%201=1--", noCampaign("' or 1=1--")],
  ['DELETE /v1/campaigns/__proto__', noCampaign('__proto__')],
  // Bodies that are none
  [put, noJson('line 1, column 2'), '{'],
  [put, noJson('line 1, column 1'), ''],
  [put, noJson('line 1, column 2'), "{'name':'x'}"],
  [put, noObject, '[]'],
  [put, noObject, '"Summer"'],
  [put, noObject, 'null'],
  [put, simple(400, 'INVALID_REQUEST', 'The body is nested more than 64 levels deep'), `{"name":${'['.repeat(65)}${']'.repeat(65)}}`],
  // What may be changed
  [put, nothing, {}],
  [put, nothing, { Name: 'x', scheduled_at: 'x' }],
  [put, nothing, '{"__proto__":{"name":"x"}}'],
  [put, noText, { name: null }],
  [put, noText, { name: 7 }],
  [put, noText, { name: ['x'] }],
  [put, emptyName, { name: '' }],
  [put, emptyName, { name: ' \t' }],
  [put, invalid({ name: 'name has at most 500 characters' }), { name: 'x'.repeat(501) }],
  [put, zoned, { scheduledAt: '2031-03-01T09:00:00' }],
  [put, zoned, { scheduledAt: '2031-03-01' }],
  [put, zoned, { scheduledAt: '2031-01-01T00:00:00+24:00' }],
  [put, zoned, { scheduledAt: '2031-01-01T00:00:00+05:60' }],
  [put, zoned, { scheduledAt: '+010000-01-01T00:00:00Z' }],
  [put, zoned, { scheduledAt: '9999-12-31T23:59:59-05:00' }],
  [put, invalid({ name: 'name holds NUL or half a character' }), { name: 'Spring\0' }],
  [put, invalid({ name: 'name holds NUL or half a character' }), { name: 'Spring \ud83d' }],
  [put, zoned, { scheduledAt: '2031-13-01T09:00:00Z' }],
  [put, zoned, { scheduledAt: '2031-02-30T09:00:00Z' }],
  [put, zoned, { scheduledAt: 'tomorrow' }],
  [put, zoned, { scheduledAt: '' }],
  [put, zoned, { scheduledAt: null }],
  [put, zoned, { scheduledAt: 1_930_000_000_000 }],
  [put, zoned, { name: 'Summer', scheduledAt: '2031-03-01T09:00:00' }],
  [put, past, { scheduledAt: '2031-03-03T09:00:00Z' }], // now
  [put, past, { scheduledAt: '2031-03-03T08:59:59.999Z' }],
  [put, past, { scheduledAt: '2031-03-03T10:00:00+01:00' }],
  [put, past, { scheduledAt: '1970-01-01T00:00:00Z' }],
  // Campaigns that are no longer scheduled (CAM-10, CAM-12); errors in the body come first
  ['PUT /v1/campaigns/camp_d', over, { name: 'Summer' }],
  ['PUT /v1/campaigns/camp_d', nothing, {}],
  ['DELETE /v1/campaigns/camp_d', invalid({ status: 'the campaign is COMPLETED: only one that is SCHEDULED can be cancelled' })],
  // Other methods
  ['PATCH /v1/campaigns', nothingThere, {}],
  ['GET /v1/campaigns/camp_s', nothingThere],
];

describe('requests that the campaigns do not take', () => {
  it(
    `are each answered exactly, and change nothing: ${table.length} of them (CAM-05, CAM-06, CAM-10 to CAM-13, GEN-07 to GEN-09, ERR-01 to ERR-08)`,
    withPlace(async (place) => {
      const service = await place.open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const call = callOf(service);
      const before = await call('GET /v1/campaigns');
      for (const [request, answer, body, client] of table) {
        const given = await call(request, { ...(body !== undefined && { body }), ...(client !== undefined && { client }) });
        expect({ request, sent: body, given }).toEqual({ request, sent: body, given: answer });
      }
      expect(await call('GET /v1/campaigns')).toEqual(before);
    }),
  );
});
