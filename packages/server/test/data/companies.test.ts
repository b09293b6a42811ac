import { describe, expect, it } from 'vitest';
import { runtimeTokens } from '../../src/platform/tables/functions.ts';
import { changed, inlineExample } from './inline-example.ts';
import { exampleWorkspace, withPlace } from './open-for-test.ts';

const acme = '/companies/0';
const bot = (id: string, channel: string, connectedAt: string) => ({ id, name: id, channel, connectedAt, provider: { kind: 'log' } });

describe('companies', () => {
  it(
    'answer a channel with the bot that was connected last, of two with the higher id (VER-03)',
    withPlace(async ({ open }) => {
      const { companies, importWorkspace } = await open();
      const workspace = await inlineExample();
      await importWorkspace({ workspace });
      expect(companies.botOfChannel('1', 'whatsapp')?.id).toBe('bot_wa');
      expect(companies.botOfChannel('1', 'teams')).toBeUndefined();
      expect(companies.botOfChannel('2', 'web')).toBeUndefined();
      const more = [
        bot('bot_older', 'whatsapp', '2025-01-10T00:00:00Z'),
        bot('bot_zz', 'whatsapp', '2026-03-10T01:00:00+01:00'),
        bot('bot_aa', 'whatsapp', '2026-03-10T00:00:00Z'),
      ];
      await importWorkspace({ workspace: changed(workspace, { [`${acme}/bots`]: more }) });
      expect(companies.botOfChannel('1', 'whatsapp')?.id).toBe('bot_zz');
      expect(companies.bots('1').map(({ id }) => id)).toEqual([
        'bot_zz',
        'bot_aa',
        'bot_slack',
        'bot_web',
        'bot_wa',
        'bot_chat',
        'bot_older',
      ]);
    }),
  );

  it(
    'keep a bot as it is while others change: what its channel remembers lasts as long (P24)',
    withPlace(async ({ open }) => {
      const { companies, importWorkspace } = await open();
      const workspace = await inlineExample();
      await importWorkspace({ workspace });
      const before = companies.bots('1');
      await importWorkspace({ workspace: changed(workspace, { [`${acme}/bots/0/name`]: 'Renamed' }) });
      const isSame = companies.bots('1').map((one) => [one.name === 'Renamed', before.includes(one)]);
      expect(isSame.filter(([isRenamed]) => isRenamed)).toEqual([[true, false]]);
      expect(isSame.filter(([isRenamed]) => !isRenamed).map(([, isKept]) => isKept)).not.toContain(false);
    }),
  );

  it(
    'know the company of a key and of a client, and no other (AUT-01, AUT-02)',
    withPlace(async ({ open }) => {
      const { companies } = await open({ workspace: exampleWorkspace });
      expect(companies.companyOfApiKey('hk_acme_0123456789abcdef')).toBe('1');
      expect(companies.companyOfApiKey('hk_other_0123456789abcdef')).toBe('2');
      for (const key of ['', 'hk_acme', 'hk_acme_0123456789abcdeF', ' hk_acme_0123456789abcdef', 'acme-key'])
        expect(companies.companyOfApiKey(key)).toBeUndefined();
      expect(await companies.companyOfClient('acme-client', 's3c:ret-of-acme')).toBe('1');
      expect(await companies.companyOfClient('other-client', 'other-secret')).toBe('2');
      for (const [id, secret] of [
        ['acme-client', 'other-secret'],
        ['acme-client', ''],
        ['nobody', 's3c:ret-of-acme'],
        ['', ''],
      ] as const)
        expect(await companies.companyOfClient(id, secret)).toBeUndefined();
    }),
  );

  it(
    'know the secrets seen in plain text, and no others: of the import, and of requests (P31)',
    withPlace(async ({ open }) => {
      const [key, secret, token] = ['hk_acme_0123456789abcdef', 's3c:ret-of-acme', 'inbound-secret-wa'];
      const first = await open({ workspace: exampleWorkspace });
      expect(first.companies.secrets()).toEqual(expect.arrayContaining([key, secret, token]));
      await first.close();
      const { companies } = await open();
      expect(companies.secrets()).toEqual(expect.not.arrayContaining([key]));
      expect(companies.secrets()).toEqual(expect.arrayContaining([token]));
      companies.companyOfApiKey(key);
      companies.companyOfApiKey('hk_of_nobody');
      await companies.companyOfClient('acme-client', secret);
      await companies.companyOfClient('acme-client', 'wrong');
      expect(companies.secrets()).toEqual(expect.arrayContaining([key, secret]));
      expect(companies.secrets()).toEqual(expect.not.arrayContaining(['hk_of_nobody', 'wrong']));
    }),
  );

  it(
    'create no runtime token when a function is deployed: API keys call it (AUT-10, VER-06)',
    withPlace(async ({ open }) => {
      const { store, importWorkspace } = await open();
      const deployed = { id: 'fn_new', name: 'New', source: 'export default () => 1;' };
      await importWorkspace({ workspace: changed(await inlineExample(), { [`${acme}/functions/-`]: deployed }) });
      const tokens = await store.runner.read(runtimeTokens.all('1'));
      expect(tokens.map(({ functionId, id }) => [functionId, id])).toEqual([['fn_echo', 'rt_1']]);
    }),
  );

  it(
    'judge a client at once the second time, right or wrong',
    withPlace(async ({ open }) => {
      const { companies } = await open({ workspace: exampleWorkspace });
      for (const [secret, company] of [
        ['s3c:ret-of-acme', '1'],
        ['wrong', undefined],
      ] as const) {
        const first = companies.companyOfClient('acme-client', secret);
        expect(first).toBeInstanceOf(Promise);
        expect(await first).toBe(company);
        expect(companies.companyOfClient('acme-client', secret)).toBe(company);
      }
    }),
  );

  it(
    "never answer with another company's bot or template (P28)",
    withPlace(async ({ open }) => {
      const { companies } = await open({ workspace: exampleWorkspace });
      expect(companies.botOf('1', 'bot_wa')?.name).toBe('Acme WhatsApp');
      expect(companies.botOf('2', 'bot_wa')).toBeUndefined();
      expect(companies.bot('bot_wa')?.companyId).toBe('1');
      expect(companies.template('1', 'tpl1')?.elementName).toBe('payment_reminder');
      expect(companies.template('2', 'tpl1')).toBeUndefined();
      expect(companies.templates('2')).toEqual([]);
    }),
  );

  it(
    'give a bot the defaults of settings that it leaves out (UID-05, WIN-02, WIN-03)',
    withPlace(async ({ open }) => {
      const { companies, importWorkspace } = await open();
      const real = { kind: 'whatsapp-cloud', phoneNumberId: '1' };
      await importWorkspace({
        workspace: changed(await inlineExample(), {
          [`${acme}/bots/1/settings`]: { userIdFormat: 'open', enforceSessionWindow: false },
          '/companies/1/bots/0/provider': real,
        }),
      });
      expect(companies.bot('bot_wa')?.settings).toEqual({
        userIdFormat: 'strict',
        enforceSessionWindow: true,
        templateReopensWindow: 'onSend',
      });
      expect(companies.bot('bot_web')?.settings).toMatchObject({ userIdFormat: 'open', enforceSessionWindow: false });
      expect(companies.bot('bot_c2')?.settings.templateReopensWindow).toBe('onReply');
    }),
  );
});
