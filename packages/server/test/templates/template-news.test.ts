// What WhatsApp delivers about templates: their status, quality and category, what is none of it, and what it stops.
import type { JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { createRest } from '../../src/service/app.ts';
import { bot, pass, textAt, template, type TemplatesStage, withTemplates } from './templates-stage.ts';

const users = ['51999000111', '51999000222', '51999000333'] as const;
const account = { businessAccountId: 'waba-1' };
const companies = (url: string): readonly JsonObject[] => [
  {
    id: 1,
    name: 'Acme',
    plan: 'growth',
    clients: [{ clientId: 'acme', clientSecret: 'secret-of-acme' }],
    bots: [bot('bot_wa', url, account), bot('bot_two', url, account), bot('bot_far', url, { businessAccountId: 'waba-9' })],
    templates: [
      template('promo'),
      template('promo-en', { elementName: 'promo', language: 'en' }),
      template('promo-two', { elementName: 'promo', botId: 'bot_two' }),
      template('promo-far', { elementName: 'promo', botId: 'bot_far' }),
    ],
    users: users.map((id) => ({ id })),
  },
  {
    id: 2,
    name: 'Bond',
    plan: 'growth',
    bots: [bot('bot_b', url, account)],
    templates: [template('theirs', { elementName: 'promo', botId: 'bot_b' })],
  },
];
const promo = { message_template_id: 77, message_template_name: 'promo', message_template_language: 'es_MX' } as const;
const status = (event: string, more: JsonObject = {}): JsonObject => ({ event, ...promo, reason: 'NONE', ...more });

const statusOf = ({ service }: TemplatesStage, id: string, companyId = '1') => service.companies.template(companyId, id)?.status;
const auditOf = async ({ admin }: TemplatesStage) =>
  (await admin('GET /audit?action=reportTemplate')).body['results'] as readonly JsonObject[];

describe('a delivery about templates', () => {
  it(
    'changes that template, in that language, at every bot of the account, and is on record',
    withTemplates(companies, async (stage) => {
      const reason = { reason: 'PROMOTIONAL', other_info: { title: 'FIRST_PAUSE', description: 'for 3 hours' } };
      expect(await stage.deliver('message_template_status_update', status('PAUSED', reason))).toBe(200);
      expect(['promo', 'promo-en', 'promo-two', 'promo-far'].map((id) => statusOf(stage, id))).toEqual([
        'PAUSED',
        'APPROVED',
        'PAUSED',
        'APPROVED',
      ]);
      expect(statusOf(stage, 'theirs', '2')).toBe('APPROVED');
      expect(await auditOf(stage)).toMatchObject(
        ['promo-two', 'promo'].map((id) => ({
          companyId: '1',
          actor: 'provider whatsapp-cloud',
          via: 'provider',
          object: { kind: 'template', id },
          before: { status: 'APPROVED' },
          after: { status: 'PAUSED', reason: 'PROMOTIONAL: FIRST_PAUSE: for 3 hours' },
          outcome: 'reported',
        })),
      );

      // Again, and then an older one: nothing more is known, and nothing more on record.
      await stage.deliver('message_template_status_update', status('PAUSED', reason));
      await stage.deliver('message_template_status_update', status('APPROVED'), { time: Math.floor(stage.place.clock.now() / 1_000) - 1 });
      expect([statusOf(stage, 'promo'), (await auditOf(stage)).length]).toEqual(['PAUSED', 2]);

      stage.place.clock.advanceBy(1_000);
      await stage.deliver('message_template_status_update', status('REINSTATED', { message_template_language: 'es-MX' }));
      expect(statusOf(stage, 'promo')).toBe('APPROVED');

      // The file claims what it did: the provider's word stays, also in the next process.
      await stage.service.importWorkspace({ workspace: { companies: companies(stage.graph.url) } });
      await stage.deliver('template_category_update', { ...promo, previous_category: 'UTILITY', new_category: 'MARKETING' });
      await stage.service.importWorkspace({ workspace: { companies: companies(stage.graph.url) } });
      expect(stage.service.companies.template('1', 'promo')).toMatchObject({ status: 'APPROVED', category: 'MARKETING' });
      await stage.service.close();
      const next = await stage.place.open();
      expect(next.companies.template('1', 'promo')).toMatchObject({ category: 'MARKETING', reported: { providerId: '77' } });
    }),
  );

  it(
    'changes nothing where it is about nothing here, and is taken all the same',
    withTemplates(companies, async (stage) => {
      const neighbours: readonly (readonly [string, JsonObject, object?])[] = [
        ['message_template_status_update', status('EXPLODED')],
        ['message_template_status_update', status('__proto__')],
        ['message_template_status_update', { ...status('PAUSED'), event: 7 }],
        ['message_template_status_update', status('PAUSED', { message_template_name: 'nothing' })],
        ['message_template_status_update', status('PAUSED', { message_template_language: 'pt_BR' })],
        ['message_template_status_update', { event: 'PAUSED' }],
        ['message_template_status_update', status('PAUSED'), { account: 'waba-2' }],
        ['message_template_status_update', status('PAUSED'), { account: 'waba-9' }],
        ['message_template_status_updates', status('PAUSED')],
        ['constructor', status('PAUSED')],
        ['message_template_quality_update', { ...promo, previous_quality_score: 'GREEN' }],
        ['message_template_quality_update', { ...promo, new_quality_score: { score: 'RED' } }],
        ['template_category_update', { ...promo, previous_category: 'UTILITY' }],
        ['template_category_update', { ...promo, previous_category: 'UTILITY', new_category: 'free text' }],
      ];
      for (const [field, value, more] of neighbours)
        expect([field, value, await stage.deliver(field, value, more)]).toEqual([field, value, 200]);
      expect(stage.service.companies.templates('1').flatMap(({ reported }) => reported ?? [])).toEqual([]);
      expect(await auditOf(stage)).toEqual([]);
      expect(statusOf(stage, 'theirs', '2')).toBe('APPROVED');
    }),
  );

  it(
    'tells of quality, of a category to come, and of a warning, which leave it as it is',
    withTemplates(companies, async (stage) => {
      await stage.deliver('message_template_status_update', status('FLAGGED', { reason: 'ABUSIVE_CONTENT' }));
      await stage.deliver('message_template_quality_update', { ...promo, previous_quality_score: 'GREEN', new_quality_score: 'RED' });
      await stage.deliver('template_category_update', { ...promo, new_category: 'UTILITY', correct_category: 'MARKETING' });
      expect(stage.service.companies.template('1', 'promo')).toMatchObject({
        status: 'APPROVED',
        category: 'UTILITY',
        reported: {
          notice: { reason: 'FLAGGED: ABUSIVE_CONTENT' },
          quality: { quality: 'RED' },
          categoryToCome: { category: 'MARKETING' },
        },
      });
    }),
  );
});

describe('a template that its provider has stopped', () => {
  const make = async ({ admin }: TemplatesStage, more: JsonObject = {}): Promise<string> => {
    const made = await admin('POST /companies/1/campaigns', {
      name: 'c',
      botId: 'bot_wa',
      templateId: 'promo',
      audience: { users: [...users] },
      perSecond: 1,
      ...more,
    });
    return textAt(made.body, 'id');
  };
  const pausedOf = async ({ admin }: TemplatesStage, id: string) =>
    ((await admin('GET /companies/1/campaigns')).body['results'] as readonly JsonObject[]).find((one) => one['id'] === id)?.['paused'];
  const recipients = (stage: TemplatesStage) => stage.graph.sent().map(({ to }) => to);

  it(
    'pauses the campaigns that send it, and those go on for whoever is left once it is back',
    withTemplates(companies, async (stage) => {
      const { clock } = stage.place;
      const id = await make(stage);
      const later = await make(stage, { scheduledAt: '2040-01-01T00:00:00Z' });
      await pass(stage, 10_000, () => stage.graph.sent().length > 0);
      await stage.deliver('message_template_status_update', status('PAUSED'));
      await pass(stage, 5_000);
      expect(recipients(stage)).toEqual([users[0]]);
      const reason = 'template "promo" is PAUSED: its provider has stopped it';
      expect(await pausedOf(stage, id)).toMatchObject({ reason });
      expect(await pausedOf(stage, later)).toMatchObject({ reason });
      expect(await stage.admin(`POST /companies/1/campaigns/${id}/resume`)).toMatchObject({
        status: 409,
        body: { error: 'TEMPLATE_STOPPED' },
      });

      await stage.deliver('message_template_status_update', status('APPROVED'));
      expect((await stage.admin(`POST /companies/1/campaigns/${id}/resume`)).status).toBe(200);
      await pass(stage, 10_000, () => stage.graph.sent().length === 3);
      expect(recipients(stage)).toEqual([...users]);

      // Another category costs more, and may need consent: somebody looks first.
      await stage.deliver('template_category_update', { ...promo, previous_category: 'UTILITY', new_category: 'MARKETING' });
      expect((await stage.admin(`POST /companies/1/campaigns/${later}/resume`)).status).toBe(200);
      const third = await make(stage, { scheduledAt: '2040-01-01T00:00:00Z' });
      expect(await pausedOf(stage, third)).toBeUndefined();
      clock.advanceBy(1_000);
      await stage.deliver('template_category_update', { ...promo, previous_category: 'MARKETING', new_category: 'UTILITY' });
      expect(await pausedOf(stage, third)).toMatchObject({ reason: 'template "promo" is UTILITY for its provider now, and was MARKETING' });
    }),
  );

  it.each([
    [132_015, 'PAUSED'],
    [132_016, 'DISABLED'],
  ])('that its provider refuses with %i while a campaign sends it is %s: the campaign waits with its people', (code, held) =>
    withTemplates(companies, async (stage) => {
      stage.graph.answer = () => ({ status: 400, body: { error: { code, message: 'Template is stopped' } } });
      const id = await make(stage);
      await pass(stage, 60_000, async () => statusOf(stage, 'promo') === held);
      const find = async () => (await stage.admin(`GET /companies/1/campaigns/${id}`)).body;
      await pass(stage, 60_000, async () => (await find())['paused'] !== undefined);
      expect(await find()).toMatchObject({ failedMessages: 0, paused: { reason: expect.stringContaining(held) as string } });
      expect(await auditOf(stage)).toMatchObject([{ actor: 'provider whatsapp-cloud' }, { after: { status: held } }]);
      const tried = stage.graph.sent().length;
      stage.place.clock.advanceBy(1_000);
      stage.graph.answer = () => undefined;
      await stage.deliver('message_template_status_update', status('APPROVED'));
      expect((await stage.admin(`POST /companies/1/campaigns/${id}/resume`)).status).toBe(200);
      await pass(stage, 60_000, async () => (await find())['status'] === 'COMPLETED');
      expect(stage.graph.sent().length - tried).toBe(users.length);
      expect(await find()).toMatchObject({ failedMessages: 0 });
    })(),
  );

  it(
    'is not sent by the outbox at the moment of sending, nor by a request',
    withTemplates(companies, async (stage) => {
      const { service } = stage;
      const id = await make(stage, { scheduledAt: '2040-01-01T00:00:00Z' });
      const rest = createRest(service);
      const post = async () => {
        const answer = await rest.request(`/v1/bots/bot_wa/campaigns/${id}/template-messages`, {
          method: 'POST',
          body: JSON.stringify({ type: 'template', templateId: 'promo', userId: users[0] }),
          headers: { 'content-type': 'application/json', authorization: `Basic ${btoa('acme:secret-of-acme')}` },
        });
        return { status: answer.status, body: (await answer.json()) as JsonObject };
      };
      // The provider is away, so that the message waits.
      stage.graph.answer = () => ({ status: 503, body: { error: { code: 2, message: 'busy' } } });
      const messageId = textAt((await post()).body, 'messageId');
      await pass(stage, 500);
      await stage.deliver('message_template_status_update', status('DISABLED', { reason: 'SCAM' }));
      stage.graph.answer = () => undefined;
      const before = stage.graph.sent().length;
      const find = async () => service.outbox.find('1', 'bot_wa', messageId);
      await pass(stage, 60_000, async () => (await find())?.status !== 'queued');
      expect([stage.graph.sent().length, await find()]).toMatchObject([before, { status: 'failed' }]);
      const { results } = await service.messages.list('1', 'bot_wa', { userId: users[0], limit: 10 });
      expect(results).toMatchObject([{ status: 'failed', cause: 'TEMPLATE_STOPPED' }]);
      expect(await post()).toMatchObject({
        status: 400,
        body: { error: 'INVALID_TEMPLATE', message: expect.stringContaining('it is DISABLED (SCAM)') as string },
      });
    }),
  );
});
