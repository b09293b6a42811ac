import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ana, eva, messageIdOf, type RestStage, restStage } from './rest-stage.ts';

const address = (campaignId = 'camp_s', botId = 'bot_wa') => `/v1/bots/${botId}/campaigns/${campaignId}/template-messages`;
const reminder = (more: object = {}) => ({
  type: 'template',
  templateId: 'tpl1',
  userId: ana,
  parameters: { name: 'Ana', code: 'A-1' },
  ...more,
});
const plain = {
  id: 'tpl3',
  botId: 'bot_wa',
  elementName: 'plain',
  language: 'en',
  category: 'UTILITY',
  status: 'APPROVED',
  body: 'Hello.',
};
const ofWeb = { ...plain, id: 'tpl4', botId: 'bot_web' };
const onCloud = { ...plain, id: 'tpl5', botId: 'bot_cloud' };
const unsendable = { ...onCloud, id: 'tpl6', components: [{ type: 'HEADER', format: 'PRODUCT' }] };
const cloud = {
  id: 'bot_cloud',
  name: 'Cloud',
  channel: 'whatsapp',
  connectedAt: '2026-01-20T00:00:00Z',
  provider: { kind: 'whatsapp-cloud', phoneNumberId: '1', accessToken: 'a', appSecret: 'b', verifyToken: 'c' },
};
const campaignOnCloud = {
  id: 'camp_cloud',
  name: 'Cloud',
  elementName: 'plain',
  templateId: 'tpl5',
  botId: 'bot_cloud',
  status: 'SCHEDULED',
  scheduledAt: '2040-01-01T00:00:00Z',
  createdAt: '2026-02-01T00:00:00Z',
  recipients: [{ userId: ana, parameters: {} }],
};
const changes = { '/companies/0/templates/-': plain };

describe('POST …/template-messages, refusing', () => {
  let stage: RestStage;
  beforeAll(async () => {
    stage = await restStage({
      moreBots: [cloud],
      changes: {
        '/companies/0/templates/2': plain,
        '/companies/0/templates/3': ofWeb,
        '/companies/0/templates/4': onCloud,
        '/companies/0/templates/5': unsendable,
        '/companies/0/campaigns/2': campaignOnCloud,
      },
    });
  }, 120_000);
  afterAll(() => stage[Symbol.asyncDispose]());

  it.for<readonly [rules: string, body: unknown, status: number, code: string, says: string, path?: string]>([
    ['GEN-02: no JSON', '{', 400, 'INVALID_REQUEST', 'not valid JSON'],
    ['TPL-02: no type', reminder({ type: undefined }), 400, 'INVALID_REQUEST', '"type" must be "template"'],
    ['TPL-02: another type', reminder({ type: 'text' }), 400, 'INVALID_REQUEST', '"type" must be "template"'],
    ['TPL-03: no template', reminder({ templateId: undefined }), 400, 'INVALID_REQUEST', '"templateId"'],
    ['TPL-03: a blank template', reminder({ templateId: ' ' }), 400, 'INVALID_REQUEST', '"templateId"'],
    ['TPL-03: a number', reminder({ templateId: 1 }), 400, 'INVALID_REQUEST', '"templateId"'],
    ['TPL-03: unknown', reminder({ templateId: 'none' }), 400, 'INVALID_TEMPLATE', 'missing'],
    ['TPL-03: __proto__', reminder({ templateId: '__proto__' }), 400, 'INVALID_TEMPLATE', 'missing'],
    ['TPL-03: not approved', reminder({ templateId: 'tpl2', parameters: {} }), 400, 'INVALID_TEMPLATE', 'not approved'],
    ['TPL-03: of another bot', reminder({ templateId: 'tpl4', parameters: {} }), 400, 'INVALID_TEMPLATE', 'of another bot'],
    [
      'TPL-03: which the provider can never send',
      reminder({ templateId: 'tpl6', parameters: {} }),
      400,
      'INVALID_TEMPLATE',
      'can never be sent by bot "bot_cloud"',
      address('camp_cloud', 'bot_cloud'),
    ],
    ['TPL-04: no user', reminder({ userId: undefined }), 400, 'INVALID_REQUEST', '"userId" is missing'],
    ['TPL-04: the form before the campaign', reminder({ userId: `+${ana}` }), 400, 'INVALID_USER_ID', 'not valid'],
    ['TPL-04: a number', reminder({ userId: 7 }), 400, 'INVALID_USER_ID', 'must be a text'],
    ['TPL-04: not in the campaign', reminder({ userId: 'MX.onlyBsuid9' }), 404, 'USER_NOT_FOUND', 'no recipient'],
    ['GEN-09: the user before the template', reminder({ userId: '4915', templateId: 'none' }), 404, 'USER_NOT_FOUND', 'no recipient'],
    ['TPL-05: a parameter is missing', reminder({ parameters: { name: 'Ana' } }), 400, 'INVALID_PARAMETERS', 'code missing'],
    ['TPL-05: none at all', reminder({ parameters: undefined }), 400, 'INVALID_PARAMETERS', 'name, code missing'],
    ['TPL-05: one too many', reminder({ parameters: { name: 'A', code: 'B', x: 'C' } }), 400, 'INVALID_PARAMETERS', 'x not known'],
    ['TPL-05: for a template without', reminder({ templateId: 'tpl3' }), 400, 'INVALID_PARAMETERS', 'not known'],
    ['TPL-05: in capitals', reminder({ parameters: { Name: 'A', code: 'B' } }), 400, 'INVALID_PARAMETERS', 'Name not known'],
    ['TPL-05: a list', reminder({ parameters: ['Ana'] }), 400, 'INVALID_REQUEST', '"parameters" must be an object'],
    ['TPL-05: null', reminder({ parameters: null }), 400, 'INVALID_REQUEST', '"parameters" must be an object'],
    ['TPL-05: a value that is an object', reminder({ parameters: { name: {}, code: 'x' } }), 400, 'INVALID_REQUEST', 'text or a number'],
    ['TPL-06: another bot', reminder({ botId: 'bot_web' }), 400, 'INVALID_REQUEST', '"botId" is "bot_web"'],
    ['TPL-08: no campaign, whatever the body', '{', 404, 'CAMPAIGN_NOT_FOUND', 'no campaign "none"', address('none')],
    ['TPL-08: it is over, whoever is in it', reminder(), 400, 'INVALID_REQUEST', 'camp_d" is over', address('camp_d')],
    ['TPL-09: of another bot', reminder(), 404, 'CAMPAIGN_NOT_FOUND', 'no campaign', address('camp_s', 'bot_web')],
    ['GEN-09: the bot before the campaign', '{', 404, 'BOT_NOT_FOUND', 'no bot', address('none', 'nobody')],
    ['P28: another company’s bot', reminder(), 404, 'BOT_NOT_FOUND', 'no bot', address('camp_s', 'bot_c2')],
  ])('%s', async ([, body, status, code, says, path = address()]) => {
    const answer = { status, body: { error: code, message: expect.stringContaining(says) as string } };
    expect(await stage.ask('POST', path, { body })).toEqual(answer);
    for (const botId of ['bot_wa', 'bot_cloud']) expect((await stage.service.messages.list('1', botId, { limit: 1 })).results).toEqual([]);
  });
});

describe('POST …/template-messages', () => {
  it('sends a template, placeholders filled, to a recipient (TPL-01, TPL-05, TPL-07)', async () => {
    await using stage = await restStage({ changes });
    const answer = await stage.ask('POST', address(), { body: reminder({ botId: 'bot_wa', parameters: { name: '{{code}}', code: 7 } }) });
    const messageId = messageIdOf(answer);
    expect(answer.body).toEqual({ success: true, messageId });
    await expect.poll(async () => (await stage.service.outbox.find('1', 'bot_wa', messageId))?.status).toBe('sent');
    expect((await stage.service.messages.list('1', 'bot_wa', { limit: 9 })).results).toMatchObject([
      {
        messageId,
        userId: ana,
        message: { type: 'template', templateId: 'tpl1', elementName: 'payment_reminder', text: 'Hi {{code}}, your reference is 7.' },
      },
    ]);
    for (const parameters of [undefined, {}])
      messageIdOf(await stage.ask('POST', address(), { body: reminder({ templateId: 'tpl3', parameters }) }));
  });

  it('has placeholders of any name, and keeps blanks (TPL-05)', async () => {
    const body = '{{año}}, {{ first name }}: {{1}} {{ }}';
    await using stage = await restStage({ changes: { '/companies/0/templates/2': { ...plain, body } } });
    const send = (parameters: object) => stage.ask('POST', address(), { body: reminder({ templateId: 'tpl3', parameters }) });
    expect(await send({ 'first name': 'Ana', 1: 'x' })).toMatchObject({ status: 400, body: { error: 'INVALID_PARAMETERS' } });
    messageIdOf(await send({ año: '2031', 'first name': 'Ana', 1: '{{1}}' }));
    const { results } = await stage.service.messages.list('1', 'bot_wa', { limit: 9 });
    expect(results.map(({ message }) => message['text'])).toEqual(['2031, Ana: {{1}} {{ }}']);
  });

  it('finds a recipient by their business-scoped id (UID-04)', async () => {
    await using stage = await restStage();
    expect(await stage.ask('POST', address(), { body: reminder({ userId: 'MX.a1B2c3' }) })).toMatchObject({ status: 200 });
  });

  it('needs no open window, and opens it under onSend alone (TPL-10, WIN-02)', async () => {
    for (const [templateReopensWindow, opens] of [
      ['onSend', true],
      ['onReply', false],
    ] as const) {
      await using stage = await restStage({ changes: { '/companies/0/bots/0/settings': { templateReopensWindow } } });
      const text = { type: 'text', userId: eva, text: 'Hi' };
      expect(await stage.send(text)).toMatchObject({ body: { error: 'OUTSIDE_SESSION_WINDOW' } });
      const messageId = messageIdOf(await stage.ask('POST', address(), { body: reminder({ userId: eva }) }));
      // A message sent right after is queued behind the template.
      for (const when of ['at once', 'later']) {
        expect([templateReopensWindow, when, (await stage.send(text)).status]).toEqual([templateReopensWindow, when, opens ? 200 : 400]);
        await expect.poll(async () => (await stage.service.outbox.find('1', 'bot_wa', messageId))?.status).toBe('sent');
      }
      const { results } = await stage.service.messages.list('1', 'bot_wa', { limit: 9 });
      expect(results.map(({ message }) => message['type'])).toEqual(['template', ...(opens ? ['text', 'text'] : [])]);
    }
  });

  it('sends twice without a key, and once with one (TPL-11, MSG-43)', async () => {
    await using stage = await restStage();
    const send = (headers = {}, more = {}) => stage.ask('POST', address(), { body: reminder(more), headers });
    expect(messageIdOf(await send())).not.toBe(messageIdOf(await send()));
    const key = { 'idempotency-key': 'k1' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(key)));
    expect(new Set(answers.map(messageIdOf)).size).toBe(1);
    expect(await send(key, { userId: eva })).toMatchObject({ status: 400, body: { error: 'INVALID_REQUEST' } });
    expect(await stage.send({ type: 'text', userId: ana, text: 'Hi' }, 'bot_wa', key)).toMatchObject({ status: 400 });
    expect((await stage.service.messages.list('1', 'bot_wa', { limit: 9 })).results).toHaveLength(3);
  });

  it.each(['COMPLETED', 'CANCELLED'])('sends nothing in a campaign that is %s (TPL-08)', async (status) => {
    await using stage = await restStage({ changes: { '/companies/0/campaigns/0/status': status } });
    expect(await stage.ask('POST', address(), { body: reminder() })).toEqual({
      status: 400,
      body: { error: 'INVALID_REQUEST', message: 'Campaign "camp_s" is over: nothing can be sent in it' },
    });
  });

  it('sends nothing once a campaign is cancelled, however close together (P6)', async () => {
    await using stage = await restStage();
    const sends = Array.from({ length: 20 }, () => stage.ask('POST', address(), { body: reminder() }));
    const cancelled = await stage.ask('DELETE', '/v1/campaigns/camp_s');
    expect(cancelled.status).toBe(200);
    const before = (await Promise.all(sends)).filter(({ status }) => status === 200).length;
    expect(await stage.ask('POST', address(), { body: reminder() })).toMatchObject({ status: 400 });
    expect((await stage.service.messages.list('1', 'bot_wa', { limit: 50 })).results).toHaveLength(before);
  });
});
