import { readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changed, inlineExample } from './inline-example.ts';
import { withPlace } from './open-for-test.ts';

const acme = '/companies/0';
const canary = (name: string): string => `canary-${name}-7f3a9c51`;

/** Every place of a workspace for a secret, each with another one. */
const everySecret = {
  [`${acme}/clients/0/clientSecret`]: canary('client'),
  [`${acme}/apiKeys/0/key`]: canary('api-key'),
  [`${acme}/bots/0/provider`]: {
    kind: 'whatsapp-cloud',
    phoneNumberId: '1',
    accessToken: canary('access-token'),
    appSecret: canary('app-secret'),
    verifyToken: canary('verify-token'),
  },
  [`${acme}/bots/2/provider`]: { kind: 'slack', botToken: canary('bot-token'), signingSecret: canary('signing-secret') },
  [`${acme}/bots/-`]: {
    id: 'bot_teams',
    name: 'Teams',
    channel: 'teams',
    connectedAt: '2026-01-01T00:00:00Z',
    provider: { kind: 'teams', appId: 'a', appPassword: canary('app-password') },
  },
  [`${acme}/functions/0/runtimeTokens/0/token`]: `hfn_rt_${canary('runtime-token')}`,
  [`${acme}/credentials`]: [
    { id: 'c1', kind: 'basic', username: 'hilo', password: canary('password') },
    { id: 'c2', kind: 'bearer', token: canary('bearer') },
    { id: 'c3', kind: 'api-key', name: 'x-key', value: canary('value') },
    { id: 'c4', kind: 'client-certificate', cert: 'public', key: canary('private-key'), passphrase: canary('passphrase') },
  ],
};

const names = JSON.stringify(everySecret).match(/canary-[a-z-]+-7f3a9c51/g) ?? [];

/** A secret as it may be written: as it is, and in the usual disguises. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
];

describe('a secret', () => {
  it(
    'is in no byte of the store, of an export or of the log (P31, T23, AUT-11)',
    withPlace(async ({ open, directory, log }) => {
      const { importWorkspace, exportWorkspace, close } = await open();
      await importWorkspace({ workspace: changed(await inlineExample(), everySecret) });
      const exported = JSON.stringify(await exportWorkspace());
      await close();
      expect(names).toHaveLength(14);
      const files = (await readdir(directory)).filter((name) => name !== 'secret.key');
      expect(files).toContain('hilo.db');
      const bytes = Buffer.concat(await Promise.all(files.map((name) => readFile(join(directory, name)))));
      expect(bytes.includes('Acme WhatsApp')).toBe(true);
      for (const secret of names) {
        for (const form of formsOf(secret)) expect(bytes.includes(form)).toBe(false);
        expect(exported).not.toContain(secret);
        expect(JSON.stringify(log.lines)).not.toContain(secret);
      }
    }),
  );

  it(
    'of a provider or a credential is readable by the process alone, which redacts all of them from its output',
    withPlace(async ({ open }) => {
      const { importWorkspace, companies } = await open();
      await importWorkspace({ workspace: changed(await inlineExample(), everySecret) });
      expect(companies.bot('bot_wa')?.provider.fields).toMatchObject({ accessToken: canary('access-token'), phoneNumberId: '1' });
      expect(await companies.credential('1', 'c1')).toEqual({ id: 'c1', kind: 'basic', username: 'hilo', password: canary('password') });
      expect(await companies.credential('2', 'c1')).toBeUndefined();
      // Also those stored as hashes alone: this process has read them.
      expect(names.filter((secret) => !companies.secrets().some((known) => known.includes(secret)))).toEqual([]);
    }),
  );

  it(
    'is lost with its key, and the store is then refused in one line',
    withPlace(async ({ open, directory }) => {
      const { importWorkspace, close } = await open();
      await importWorkspace({ workspace: await inlineExample() });
      await close();
      const path = join(directory, 'secret.key');
      const key = await readFile(path, 'utf8');
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      await unlink(path);
      await expect(open()).rejects.toMatchObject({ code: 'SECRET_KEY_REFUSED', message: expect.not.stringContaining('\n') as string });
      await writeFile(path, key);
      expect((await open()).companies.bot('bot_wa')?.provider.fields['appSecret']).toBe('inbound-secret-wa');
    }),
  );

  it(
    'may be encrypted with a key of the operator, which is 32 bytes and nothing less',
    withPlace(async ({ open }) => {
      for (const secretKey of ['', 'c2hvcnQ=', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64'), 'x'.repeat(44)])
        await expect(open({ secretKey })).rejects.toMatchObject({ code: 'SECRET_KEY_REFUSED' });
      const { close } = await open({ secretKey: Buffer.alloc(32, 7).toString('base64') });
      await close();
    }),
  );
});
