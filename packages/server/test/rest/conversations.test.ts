import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@hilo/engine/contract';
import { keepLinks, writeLinks } from '../../src/conversations/links.ts';
import { createApp } from '../../src/service/app.ts';
import { exampleWorkspace } from '../data/open-for-test.ts';
import { type Call, callOf } from './campaigns-stage.ts';
import { type ConversationRow, conversationRow, instantMs, keep } from './conversations-rows.ts';
import { helpDesk } from './conversations-stage.ts';
import { describeOverEachStore } from './each-store.ts';

interface List {
  readonly pagination: {
    readonly limit: number;
    readonly page: number;
    readonly total: number;
    readonly offset: number;
    readonly totalPages: number;
  };
  readonly _metadata: JsonObject;
  readonly results: readonly (JsonObject & { readonly _id: string })[];
  readonly links: readonly { readonly number: number; readonly url: string }[];
}

const path = '/v1/external/conversations';
const listOf = async (call: Call, address: string): Promise<List> => {
  const { status, body } = await call(`GET ${address}`);
  if (status !== 200) throw new Error(`${address}: ${status} ${JSON.stringify(body)}`);
  return body as List;
};

const filters = fc.record(
  {
    botId: fc.constantFrom('bot_wa', 'bot_web', 'bot_slack'),
    userId: fc.constantFrom('5215512345678', 'MX.onlyBsuid9', 'a&b=c d/é'),
    operatorId: fc.constantFrom('10', '11', '12'),
    conversationId: fc.constantFrom('c0000', 'c0003', 'of-another'),
    state: fc.constantFrom('active', 'closed', 'expired'),
  },
  { requiredKeys: [] },
);

describeOverEachStore('GET /v1/external/conversations', (on) => {
  it(
    'shows records as they are specified (CON-07, CON-11 to CON-16)',
    on(async ({ open }) => {
      const call = callOf(await open({ workspace: exampleWorkspace }));
      const { results, pagination, _metadata, links } = await listOf(
        call,
        `${path}?startAt=2026-01-01T00:00:00Z&endAt=2026-01-31T00:00:00Z`,
      );
      expect(pagination).toEqual({ limit: 10, page: 1, total: 3, offset: 0, totalPages: 1 });
      expect(_metadata).toEqual({
        generatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
        filters: { startAt: '2026-01-01T00:00:00Z', endAt: '2026-01-31T00:00:00Z' },
      });
      expect(links).toEqual([
        { number: 1, url: `${path}?startAt=2026-01-01T00%3A00%3A00Z&endAt=2026-01-31T00%3A00%3A00Z&limit=10&page=1` },
      ]);
      expect(
        results.map(({ _id, state, parentConversation, childConversation, endAt }) => ({
          _id,
          state,
          parentConversation,
          childConversation,
          endAt,
        })),
      ).toEqual([
        { _id: 'conv3', state: 'active', parentConversation: 'conv2', childConversation: null, endAt: null },
        { _id: 'conv2', state: 'transferred', parentConversation: null, childConversation: 'conv3', endAt: '2026-01-06 10:05:00' },
        { _id: 'conv1', state: 'closed', parentConversation: null, childConversation: null, endAt: '2026-01-05 10:20:00' },
      ]);
      expect(results[2]).toEqual({
        _id: 'conv1',
        operator: { id: 10, names: 'Olga', email: 'olga@acme.test' },
        user: { id: '5215512345678', names: 'Ana' },
        bot: { id: 'bot_wa', name: 'Acme WhatsApp' },
        company: { name: 'Acme' },
        assignationMethod: { teamName: 'Support' },
        state: 'closed',
        wasReplied: true,
        childConversation: null,
        parentConversation: null,
        endedReason: 'closed_by_operator',
        startAt: '2026-01-05 10:00:00',
        endAt: '2026-01-05 10:20:00',
        firstRepliedAtOperator: '2026-01-05 10:01:30',
        origin: 'organic',
        timeRepliedOperator: 90_000,
        conversationDuration: 1_200_000,
        avgOperatorResponseTime: 60_000,
      });
      expect(results[0]?.['conversationDuration']).toBe(Date.parse(generatedIn(_metadata)) - Date.parse('2026-01-06T10:05:00Z'));
    }),
    120_000,
  );

  it(
    'reaches every conversation by its links, once, in order, with the filters kept (CON-02 to CON-09, CON-19)',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await helpDesk() });
      const call = callOf(service);
      const rows = await keep(service, fc.sample(conversationRow, { numRuns: 150, seed: 5 }));
      await fc.assert(
        fc.asyncProperty(instantMs, instantMs, fc.constantFrom(1, 7, 10, 50), filters, async (one, other, limit, given) => {
          const [fromMs, toMs] = [Math.min(one, other), Math.max(one, other)];
          const expected = rows.filter((row) => passes(row, fromMs, toMs, given)).toSorted(newestFirst);
          const range = { startAt: new Date(fromMs).toISOString(), endAt: new Date(toMs).toISOString() };
          const query = new URLSearchParams({ ...given, ...range, limit: String(limit) });
          const first = await listOf(call, `${path}?${query.toString()}`);
          expect(first.pagination).toEqual({
            limit,
            page: 1,
            total: expected.length,
            offset: 0,
            totalPages: Math.ceil(expected.length / limit),
          });
          expect(first.links.map(({ number }) => number)).toEqual(
            Array.from({ length: first.pagination.totalPages }, (_, index) => index + 1),
          );
          const ids: string[] = [];
          for (const { number, url } of first.links) {
            expect(url.startsWith(`${path}?startAt=`)).toBe(true);
            const page = await listOf(call, url);
            expect(page.pagination).toMatchObject({ page: number, limit, total: expected.length, offset: (number - 1) * limit });
            expect(page._metadata).toMatchObject({ filters: { ...range, ...given } });
            expect(page.links).toEqual(first.links);
            ids.push(...page.results.map(({ _id }) => _id));
          }
          expect(ids).toEqual(expected.map(({ id }) => id));
          expect((await listOf(call, `${path}?${query.toString()}&page=${first.links.length + 1}`)).results).toEqual([]);
        }),
        { numRuns: 25 },
      );
    }),
    120_000,
  );

  it(
    'is empty for whole numbers that no operator has, and for an instant between two milliseconds (CON-02, CON-05)',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await helpDesk() });
      const call = callOf(service);
      const rows = await keep(service, fc.sample(conversationRow, { numRuns: 20, seed: 5 }));
      expect(rows.some(({ operator_id }) => operator_id === null)).toBe(true);
      const days = 'startAt=2026-01-01T00:00:00Z&endAt=2026-01-31T00:00:00Z';
      const between = 'startAt=2026-01-02T00:00:00.0001Z&endAt=2026-01-02T00:00:00.0001Z';
      const nobody = ['0', '-1', '-10', '9007199254740992', '99999999999999999999'].map((id) => `${days}&operatorId=${id}`);
      for (const query of [...nobody, between])
        expect(await listOf(call, `${path}?${query}`)).toMatchObject({ pagination: { total: 0, totalPages: 0 }, results: [], links: [] });
    }),
    120_000,
  );

  it(
    'warns of ranges of more than 31 days, and answers them (CON-10)',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await helpDesk() });

      const warningOf = async (endAt: string) => {
        const headers = { authorization: `Basic ${btoa('acme-client:s3c:ret-of-acme')}` };
        return (await createApp(service).request(`${path}?startAt=2026-01-01T00:00:00Z&endAt=${endAt}`, { headers })).headers.get(
          'warning',
        );
      };
      expect(await warningOf('2026-02-01T00:00:00Z')).toBeNull();
      expect(await warningOf('2026-02-01T00:00:01Z')).toMatch(/^299 - "The range is longer than 31 days/);
    }),
    120_000,
  );
});

const generatedIn = ({ generatedAt }: JsonObject): string => (typeof generatedAt === 'string' ? generatedAt : '');

describe('keepLinks', () => {
  it('returns the links of a list again, and those of another list separately', () => {
    const links = keepLinks();
    const [all, ofOne] = [links('/v1/x', [], 10, 5_000), links('/v1/x', [['userId', 'a']], 10, 5_000)];
    expect(links('/v1/x', [], 10, 5_000)).toBe(all);
    expect(Buffer.from(all).equals(writeLinks('/v1/x', [], 10, 5_000))).toBe(true);
    expect(Buffer.from(ofOne).equals(writeLinks('/v1/x', [['userId', 'a']], 10, 5_000))).toBe(true);
  });

  it('forgets the least recently used, before they take too much', () => {
    const links = keepLinks();
    const ask = (name: string) => links('/v1/x', [['userId', name]], 10, 100_000); // some 6 MB
    const [first, second] = [ask('first'), ask('second')];
    for (const name of ['third', 'fourth', 'fifth', 'sixth']) {
      ask(name);
      expect(ask('first') === first).toBe(true);
    }
    expect(ask('second') === second).toBe(false);
  });
});

describe('linksJson', () => {
  it.each([0, 1, 9, 10, 11, 99, 100, 101, 12_345])('has %d entries, each with its own page (CON-09)', (totalPages) => {
    const links = JSON.parse(Buffer.from(writeLinks('/v1/x', [['userId', 'a&b "é"\ud800']], 7, totalPages)).toString()) as unknown;
    const url = (page: number) => `/v1/x?userId=a%26b%20%22%C3%A9%22%EF%BF%BD&limit=7&page=${page}`;
    expect(links).toEqual(Array.from({ length: totalPages }, (_, index) => ({ number: index + 1, url: url(index + 1) })));
  });
});

function passes(row: ConversationRow, fromMs: number, toMs: number, given: { readonly [name: string]: string | undefined }): boolean {
  if (row.start_at_ms < fromMs || row.start_at_ms > toMs) return false;
  const values: { readonly [name: string]: string } = {
    botId: row.bot_id,
    userId: row.user_id,
    operatorId: String(row.operator_id),
    conversationId: row.id,
    state: row.state,
  };
  return Object.entries(given).every(([name, value]) => value === undefined || values[name] === value);
}

const newestFirst = (left: ConversationRow, right: ConversationRow): number =>
  right.start_at_ms - left.start_at_ms || (left.id < right.id ? -1 : 1);
