// Templates at the management API of WhatsApp: listed, synchronised, made and deleted over a double of it, by hand and each hour.
import { setImmediate } from 'node:timers/promises';
import type { JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { createTemplatePoller } from '../../src/templates/templates.ts';
import { bot, type GraphCall, pass, template, type TemplatesStage, withTemplates } from './templates-stage.ts';

const companies = (url: string): readonly JsonObject[] => [
  {
    id: 1,
    name: 'Acme',
    plan: 'growth',
    bots: [
      bot('bot_wa', url, { businessAccountId: 'waba-1' }),
      bot('bot_bare', url),
      { id: 'bot_log', name: 'L', channel: 'whatsapp', connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } },
    ],
    templates: [
      template('promo'),
      template('draft', { status: 'PENDING', body: 'Hola {{name}}' }),
      template('local', { botId: 'bot_log' }),
    ],
    campaigns: [
      {
        id: 'camp',
        name: 'c',
        elementName: 'promo',
        templateId: 'promo',
        botId: 'bot_wa',
        status: 'SCHEDULED',
        scheduledAt: '2040-01-01T00:00:00Z',
        createdAt: '2026-01-01T00:00:00Z',
        recipients: [{ userId: '51999000111' }],
      },
    ],
  },
  {
    id: 2,
    name: 'Bond',
    plan: 'growth',
    bots: [bot('bot_b', url)],
    templates: [template('theirs', { elementName: 'promo', botId: 'bot_b' })],
  },
];

/** A template as the Graph API lists it. */
const listed = (name: string, id: string, more: JsonObject = {}): JsonObject => ({
  id,
  name,
  language: 'es_MX',
  status: 'APPROVED',
  category: 'UTILITY',
  quality_score: { score: 'GREEN' },
  rejected_reason: 'NONE',
  components: [{ type: 'BODY', text: 'Hola {{1}}', example: { body_text: [['Ana']] } }],
  ...more,
});

/** An account with templates, two a page. */
function serveTemplates(stage: TemplatesStage, kept: JsonObject[]): void {
  const path = '/v23.0/waba-1/message_templates';
  stage.graph.answer = (call: GraphCall) => {
    if (call.path !== path) return undefined;
    if (call.token !== 'Bearer token-bot_wa') return { status: 401, body: { error: { code: 190, message: 'expired' } } };
    if (call.method === 'GET') {
      const named = kept.filter(({ name }) => call.query.get('name') === null || name === call.query.get('name'));
      const from = Number(call.query.get('after') ?? 0);
      const isLast = from + 2 >= named.length;
      const paging = { cursors: { after: String(from + 2) }, ...(!isLast && { next: 'https://evil.example/next' }) };
      return { status: 200, body: { data: named.slice(from, from + 2), paging } };
    }
    if (call.method === 'DELETE') {
      const at = kept.findIndex(({ id }) => id === call.query.get('hsm_id'));
      if (at >= 0) kept.splice(at, 1);
      return { status: 200, body: { success: at >= 0 } };
    }
    const { name = '', language = '', category = '' } = call.body ?? {};
    if (name === 'refused')
      return {
        status: 400,
        body: { error: { code: 100, message: 'Invalid parameter', error_user_msg: 'Write more words around the place' } },
      };
    const id = String(900 + kept.length);
    kept.push({ id, name, language, category, status: 'PENDING', components: [] });
    return { status: 200, body: { id, status: 'PENDING', category } };
  };
}

const view = async ({ admin }: TemplatesStage, query = '') =>
  (await admin(`GET /companies/1/templates${query}`)).body['results'] as readonly JsonObject[];
const syncBot = ({ admin }: TemplatesStage, id = 'bot_wa') => admin(`POST /bots/${id}/templates/sync`);

describe('the templates of an account', () => {
  it(
    'are brought up to date, page by page, and those that are new are added',
    withTemplates(companies, async (stage) => {
      const kept = [
        listed('promo', '1', { status: 'PAUSED', category: 'MARKETING', quality_score: { score: 'RED' }, correct_category: 'MARKETING' }),
        listed('welcome', '2', { language: 'en', correct_category: 'MARKETING' }),
        listed('odd', '3', { category: 'SURPRISE' }),
      ];
      serveTemplates(stage, kept);
      expect(await syncBot(stage)).toEqual({
        status: 200,
        body: { botId: 'bot_wa', listed: 3, added: ['welcome.en'], changed: ['promo'], missing: ['draft'], leftOut: 1 },
      });
      expect(await view(stage)).toMatchObject([
        { id: 'draft', status: 'PENDING', quality: null, statusAt: null, parameters: ['name'] },
        { id: 'local', status: 'APPROVED', botId: 'bot_log' },
        { id: 'promo', status: 'PAUSED', category: 'MARKETING', quality: 'RED', categoryToCome: null, providerId: '1' },
        { id: 'welcome.en', status: 'APPROVED', language: 'en', quality: 'GREEN', categoryToCome: 'MARKETING', parameters: ['1'] },
      ]);
      expect(await view(stage, '?status=PAUSED&botId=bot_wa')).toHaveLength(1);
      const first = await stage.admin('GET /companies/1/templates?limit=3');
      expect(first.body).toMatchObject({ nextCursor: 'templates-3' });
      expect(await view(stage, '?limit=3&cursor=templates-3')).toMatchObject([{ id: 'welcome.en' }]);
      expect(stage.service.companies.template('2', 'theirs')?.status).toBe('APPROVED');
      expect((await stage.admin('GET /companies/1/campaigns')).body['results']).toMatchObject([
        { paused: { reason: expect.any(String) as string } },
      ]);

      // Again it changes nothing. One that is deleted is DELETED; one that came back under another id is as it is now.
      expect((await syncBot(stage)).body).toMatchObject({ added: [], changed: [] });
      kept.splice(0, 2, listed('promo', '7'));
      stage.place.clock.advanceBy(1_000);
      expect((await syncBot(stage)).body).toMatchObject({ changed: ['promo', 'welcome.en'], missing: ['draft', 'welcome.en'] });
      expect(await view(stage)).toMatchObject([
        {},
        {},
        { id: 'promo', status: 'APPROVED', providerId: '7' },
        { id: 'welcome.en', status: 'DELETED' },
      ]);

      // What was added is of the workspace: its export is imported again.
      const exported = (await stage.admin('GET /workspace')).body;
      expect((await stage.admin('POST /workspace', exported)).status).toBe(200);
    }),
  );

  it(
    'stay as they are where the provider cannot be asked, and it is said why',
    withTemplates(companies, async (stage) => {
      const [before, calls] = [await view(stage), stage.graph.calls.length];
      expect(await syncBot(stage, 'bot_log')).toMatchObject({ status: 409, body: { error: 'PROVIDER_UNSUPPORTED' } });
      expect(await syncBot(stage, 'bot_bare')).toMatchObject({
        status: 409,
        body: { error: 'PROVIDER_INCOMPLETE', message: expect.stringContaining('"businessAccountId"') as string },
      });
      expect(await syncBot(stage, 'nobody')).toMatchObject({ status: 404, body: { error: 'BOT_NOT_FOUND' } });
      expect(stage.graph.calls).toHaveLength(calls);
      const answers: readonly (readonly [number, JsonObject, string])[] = [
        [401, { error: { code: 190, message: 'expired' } }, 'PROVIDER_UNAUTHORIZED'],
        [400, { error: { code: 100, message: 'no such account' } }, 'INVALID_REQUEST'],
        [429, { error: { code: 80_007, message: 'slow down' } }, 'PROVIDER_RATE_LIMITED'],
        [404, { error: { code: 33, message: 'gone' } }, 'PROVIDER_REFUSED'],
        [200, { data: 'x' }, 'PROVIDER_ANSWER_UNREADABLE'],
        [200, {}, 'PROVIDER_ANSWER_UNREADABLE'],
        [502, { html: 'x' }, 'PROVIDER_UNAVAILABLE'],
        [302, {}, 'PROVIDER_REFUSED'],
        [
          200,
          { data: [listed('promo', '1', { status: 'DISABLED' })], paging: { next: 'x', cursors: { after: 'same' } } },
          'PROVIDER_REFUSED',
        ],
      ];
      for (const [status, body, code] of answers) {
        stage.graph.answer = () => ({ status, body });
        expect([status, body, await syncBot(stage)]).toMatchObject([status, body, { status: 409, body: { error: code } }]);
      }
      expect(await view(stage)).toEqual(before);
      // Rows that are none are passed over.
      stage.graph.answer = () => ({
        status: 200,
        body: { data: [7, {}, listed('promo', '1', { status: 9 }), listed('promo', '1', { status: 'free text' })] },
      });
      expect((await syncBot(stage)).body).toMatchObject({ listed: 0, changed: [] });
    }),
  );

  it(
    'are asked for each hour, and none is added',
    withTemplates(companies, async (stage) => {
      const kept = [listed('promo', '1', { status: 'DISABLED' }), listed('welcome', '2')];
      serveTemplates(stage, kept);
      const jobs = async () => (await stage.admin('GET /jobs?kind=sync-templates')).body['results'] as readonly JsonObject[];
      const ended = async (count: number) => {
        const all = await jobs();
        return all.length === count && all.every(({ status }) => status === 'done');
      };
      const { clock } = stage.place;
      // It is looked at every five minutes, and again from when it was looked at last.
      const passAnHour = async () => {
        clock.advanceBy(3_600_000);
        await pass(stage, 500);
        clock.advanceBy(300_000);
      };
      clock.advanceBy(300_000);
      await pass(stage, 30_000, () => ended(1), 1_000);
      expect(await view(stage, '?status=DISABLED')).toMatchObject([{ id: 'promo' }]);
      expect(await view(stage)).toHaveLength(3);
      kept[0] = listed('promo', '1');
      await passAnHour();
      await pass(stage, 30_000, () => ended(2), 1_000);
      expect(await view(stage, '?status=DISABLED')).toEqual([]);
      stage.graph.answer = () => ({ status: 401, body: { error: { code: 190, message: 'expired' } } });
      await passAnHour();
      await pass(stage, 30_000, () => ended(3), 1_000);
      expect((await jobs())[0]).toMatchObject({ companyId: '1', counts: { refused: 1 } });
      expect(stage.place.log.lines).toContainEqual(
        expect.objectContaining({ level: 'warn', fields: { companyId: '1', botId: 'bot_wa', code: 'PROVIDER_UNAUTHORIZED' } }),
      );
    }),
  );

  it(
    'are asked for once an hour, however many processes look whether it is time, and begin anew',
    withTemplates(companies, async (stage) => {
      serveTemplates(stage, [listed('promo', '1'), listed('welcome', '2')]);
      const { jobs: asking, channels, companies: known } = stage.service;
      const { clock, log } = stage.place;
      const others = [0, 1].map(() => createTemplatePoller({ companies: known, channels, jobs: asking, clock, log }));
      const asked = () => stage.graph.calls.filter(({ method, path }) => method === 'GET' && path.endsWith('/message_templates')).length;
      const before = asked(); // an import compares what the workspace claims
      const listJobs = async () => (await stage.admin('GET /jobs?kind=sync-templates')).body['results'] as readonly JsonObject[];
      const isDone = async () => (await listJobs()).every(({ status }) => status === 'done');
      /** Time goes on for a job that waits for it, and slowly beside a call: one that time passes over has no answer, and is made again. */
      const finish = async (): Promise<void> => {
        for (let look = 1; !(await isDone()); look += 1) {
          await setImmediate();
          if (look % 50 === 0) clock.advanceBy(1_000);
        }
      };
      try {
        for (let look = 0; look < 36; look += 1) {
          for (const poller of others) {
            await poller.stop();
            poller.start(); // as a process that starts: it looks at once
          }
          await pass(stage, 2_000, undefined, 1_000);
          await finish();
          clock.advanceBy(300_000);
          await pass(stage, 2_000, undefined, 1_000);
          await finish();
        }
        const jobs = await listJobs();
        expect(jobs.map(({ status }) => status)).toEqual(jobs.map(() => 'done'));
        expect([3, 4]).toContain(jobs.length); // three hours, from somewhere within the first
        expect(asked() - before).toBe(jobs.length);
      } finally {
        for (const poller of others) await poller.stop();
      }
    }),
  );
});

describe('a template', () => {
  const create = (stage: TemplatesStage, more: JsonObject) =>
    stage.admin('POST /companies/1/templates', {
      botId: 'bot_wa',
      elementName: 'news',
      language: 'es',
      category: 'MARKETING',
      body: 'Hola {{1}} y {{2}}',
      ...more,
    });

  it(
    'is made at the provider, with samples for its review',
    withTemplates(companies, async (stage) => {
      serveTemplates(stage, []);
      expect(await create(stage, {})).toMatchObject({
        status: 201,
        body: { id: 'news.es', status: 'PENDING', category: 'MARKETING', providerId: '900' },
      });
      expect(stage.graph.calls.at(-1)?.body).toEqual({
        name: 'news',
        language: 'es',
        category: 'MARKETING',
        components: [{ type: 'BODY', text: 'Hola {{1}} y {{2}}', example: { body_text: [['Sample 1', 'Sample 2']] } }],
      });
      const components = {
        header: { format: 'text', text: 'Para {{who}}' },
        body: 'Hola {{who}}',
        footer: 'Acme',
        buttons: [{ type: 'quick_reply', text: 'OK' }],
      };
      expect((await create(stage, { id: 'n2', elementName: 'news_2', body: '', components })).status).toBe(201);
      expect(stage.graph.calls.at(-1)?.body).toMatchObject({
        parameter_format: 'NAMED',
        components: [
          {
            type: 'HEADER',
            format: 'TEXT',
            text: 'Para {{who}}',
            example: { header_text_named_params: [{ param_name: 'who', example: 'who' }] },
          },
          { type: 'BODY', text: 'Hola {{who}}', example: { body_text_named_params: [{ param_name: 'who', example: 'who' }] } },
          { type: 'FOOTER', text: 'Acme' },
          { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'OK' }] },
        ],
      });
      // A review ends in the second of the submission, by a clock that is behind.
      const told = { message_template_id: 900, message_template_name: 'news', message_template_language: 'es' };
      await stage.deliver(
        'message_template_status_update',
        { ...told, event: 'APPROVED' },
        { time: Math.floor(stage.place.clock.now() / 1_000) - 5 },
      );
      expect(await view(stage, '?status=APPROVED&botId=bot_wa')).toMatchObject([{ id: 'news.es' }, { id: 'promo' }]);

      const calls = stage.graph.calls.length;
      const refusals: readonly (readonly [JsonObject, number, string])[] = [
        [{}, 409, 'TEMPLATE_EXISTS'],
        [{ elementName: 'other', id: 'promo' }, 409, 'TEMPLATE_EXISTS'],
        [{ elementName: 'other', botId: 'bot_bare' }, 409, 'PROVIDER_INCOMPLETE'],
        [{ elementName: 'other', botId: 'bot_b' }, 404, 'BOT_NOT_FOUND'],
        [{ elementName: 'Other Name' }, 422, 'elementName'],
        [{ elementName: 'other', status: 'APPROVED' }, 422, 'status'],
        [{ elementName: 'other', category: 'SURPRISE' }, 422, 'category'],
        [{ elementName: 'other', surprise: 1 }, 422, 'surprise'],
      ];
      for (const [more, status, what] of refusals) {
        const answer = await create(stage, more);
        expect([more, answer.status, JSON.stringify(answer.body).includes(what)]).toEqual([more, status, true]);
      }
      expect(stage.graph.calls).toHaveLength(calls);
      expect(await create(stage, { elementName: 'refused' })).toMatchObject({
        status: 409,
        body: { error: 'INVALID_REQUEST', message: expect.stringContaining('Write more words around the place') as string },
      });
      expect(stage.service.companies.template('1', 'refused.es')).toBeUndefined();
    }),
  );

  it(
    'is submitted where the workspace has it, and deleted in one language',
    withTemplates(companies, async (stage) => {
      const kept: JsonObject[] = [listed('draft', '5', { language: 'en' })];
      serveTemplates(stage, kept);
      expect(await stage.admin('POST /companies/1/templates/draft/submit')).toMatchObject({
        status: 200,
        body: { id: 'draft', status: 'PENDING', providerId: '901' },
      });
      expect(await stage.admin('POST /companies/1/templates/draft/submit')).toMatchObject({
        status: 409,
        body: { error: 'TEMPLATE_EXISTS' },
      });
      expect(await stage.admin('POST /companies/1/templates/theirs/submit')).toMatchObject({
        status: 404,
        body: { error: 'RECORD_NOT_FOUND' },
      });

      expect(await stage.admin('DELETE /companies/1/templates/draft')).toEqual({
        status: 200,
        body: { id: 'draft', isDeletedAtProvider: true },
      });
      expect(kept.map(({ id }) => id)).toEqual(['5']);
      expect(stage.service.companies.template('1', 'draft')).toBeUndefined();

      // A campaign waits for it: nothing is asked of the provider. What nobody uses is looked up first.
      const calls = stage.graph.calls.length;
      expect(await stage.admin('DELETE /companies/1/templates/promo')).toMatchObject({ status: 409, body: { error: 'RECORD_IN_USE' } });
      expect(await stage.admin('DELETE /companies/1/templates/nothing')).toMatchObject({
        status: 404,
        body: { error: 'RECORD_NOT_FOUND' },
      });
      expect(await stage.admin('DELETE /companies/1/templates/local')).toEqual({
        status: 200,
        body: { id: 'local' },
      });
      expect(stage.graph.calls).toHaveLength(calls);
      kept.push(listed('tmp', '6'), listed('tmp', '8', { language: 'en' }));
      await stage.admin('PUT /companies/1/templates/tmp', template('tmp'));
      expect((await stage.admin('DELETE /companies/1/templates/tmp?atProvider=keep')).body).toEqual({ id: 'tmp' });
      await stage.admin('PUT /companies/1/templates/tmp', template('tmp'));
      expect((await stage.admin('DELETE /companies/1/templates/tmp')).body).toMatchObject({ isDeletedAtProvider: true });
      expect(kept.map(({ id }) => id)).toEqual(['5', '8']);
    }),
  );
});
