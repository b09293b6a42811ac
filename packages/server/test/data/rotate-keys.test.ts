// Rotation of the master key: nothing is lost at any moment of it, and what was sealed with the key until now is gone afterwards.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call, type DurableStore } from '@hilo/stores';
import { seededRandom } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import { statement } from '../../src/platform/database/schema.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { makeKeyText } from '../../src/platform/secrets/secret-file.ts';
import { createVault } from '../../src/platform/secrets/vault.ts';
import { inlineExample } from './inline-example.ts';
import { withPlace } from './open-for-test.ts';

const selectSealed = statement()((db) => db.selectFrom('secrets').select('sealed'));
const keyIdsOf = async ({ store: { runner } }: { readonly store: Pick<DurableStore, 'runner'> }): Promise<ReadonlySet<string>> =>
  new Set((await runner.read(call(selectSealed, {}))).map(({ sealed }) => sealed.split('.')[1] ?? ''));
const secretOf = ({ companies }: RunningService): unknown => companies.bot('bot_wa')?.provider.fields['appSecret'];
const rotate = async (service: RunningService) => {
  const answer = await createApp(service).request('/admin/v1/keys/rotate', {
    method: 'POST',
    headers: { authorization: `Bearer ${service.settings.adminToken}` },
  });
  return {
    status: answer.status,
    body: (await answer.json()) as { readonly keyId?: string; readonly reencrypted?: number; readonly message?: string },
  };
};
const keyId = (text: string): string => createVault(Buffer.from(text, 'base64'), seededRandom(1)).keyId;

describe('the key of the file', () => {
  it(
    'is made anew while the service runs: every secret is encrypted with it, and read with it after a restart',
    withPlace(async ({ open, directory }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const file = join(directory, 'secret.key');
      const before = (await readFile(file, 'utf8')).trim();
      const secret = secretOf(service);
      expect(secret).toBe('inbound-secret-wa');
      const { status, body } = await rotate(service);
      expect(status).toBe(200);
      expect(body.reencrypted).toBeGreaterThan(3);
      const text = await readFile(file, 'utf8');
      expect(text.trim()).not.toBe(before);
      expect(keyId(text.trim())).toBe(body.keyId);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await keyIdsOf(service)).toEqual(new Set([body.keyId]));
      expect(secretOf(service)).toBe(secret);
      await service.importWorkspace({ workspace: await inlineExample() }); // sealed with the new one
      expect(await keyIdsOf(service)).toEqual(new Set([body.keyId]));
      await service.close();
      const again = await open();
      expect(secretOf(again)).toBe(secret);
      await again.close();
      await writeFile(file, before);
      await expect(open()).rejects.toMatchObject({ code: 'SECRET_KEY_REFUSED' });
    }),
  );

  it(
    'is completed by the next rotation after one that was cut off, with the new key in the file and nothing encrypted with it yet',
    withPlace(async ({ open, directory }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      await service.close();
      const file = join(directory, 'secret.key');
      const [old, next] = [(await readFile(file, 'utf8')).trim(), makeKeyText(seededRandom(9))];
      await writeFile(file, `${next}\n${old}\n`);
      const cut = await open();
      expect(secretOf(cut)).toBe('inbound-secret-wa');
      expect(await keyIdsOf(cut)).toEqual(new Set([keyId(old)]));
      expect((await rotate(cut)).body).toMatchObject({ keyId: keyId(next) });
      expect(await keyIdsOf(cut)).toEqual(new Set([keyId(next)]));
      expect(await readFile(file, 'utf8')).toBe(`${next}\n`);
    }),
  );

  it(
    'is rotated one after the other by requests at once',
    withPlace(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const answers = await Promise.all([rotate(service), rotate(service)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(await keyIdsOf(service)).toEqual(new Set([answers[1]?.body.keyId]));
      expect(secretOf(service)).toBe('inbound-secret-wa');
    }),
  );
});

describe('addresses that were given away', () => {
  const claim = { companyId: '1', executionId: 'e1', nodeId: 'wait', visit: 1, oneTimeOnly: true, expiresAtMs: 4_000_000_000_000 };
  const link = { companyId: '1', fileId: 'file_x', expiresAtMs: 4_000_000_000_000 };
  /** What a service gives for the same. */
  const given = ({ callbacks, fileSeals }: RunningService) => ({
    callback: callbacks?.seal(claim),
    link: fileSeals?.seal(link),
    handle: fileSeals?.handleOf('1', 'message', 'bot_wa', 'wamid.1'),
  });

  it(
    'last through rotations, restarts, and a rotation that was cut off, and are written again alike by a replay',
    withPlace(async ({ open, directory }) => {
      const file = join(directory, 'secret.key');
      const first = await open();
      const before = given(first);
      expect(before.callback).toMatch(/^[\w-]{40,}$/);
      await first.close();
      const [old, next] = [(await readFile(file, 'utf8')).trim(), makeKeyText(seededRandom(9))];
      await writeFile(file, `${next}\n${old}\n`); // a rotation that went no further
      const cut = await open();
      expect(given(cut)).toEqual(before);
      for (const _times of [1, 2]) {
        expect((await rotate(cut)).status).toBe(200);
        expect(given(cut)).toEqual(before);
      }
      await cut.close();
      const again = await open();
      expect(given(again)).toEqual(before);
      expect(again.callbacks?.open(before.callback ?? '')).toEqual(claim);
      expect(again.fileSeals?.open(before.link ?? '')).toEqual(link);
    }),
  );
});

describe('the key of the settings', () => {
  it(
    'is replaced by another one, with that until now beside it',
    withPlace(async ({ open }) => {
      const [old, next] = [makeKeyText(seededRandom(1)), makeKeyText(seededRandom(2))];
      const first = await open({ secretKey: old });
      await first.importWorkspace({ workspace: await inlineExample() });
      expect(await rotate(first)).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('HILO_SECRET_KEY_BEFORE') as string },
      });
      await first.close();
      const both = await open({ secretKey: next, secretKeyBefore: old });
      expect(secretOf(both)).toBe('inbound-secret-wa');
      const handle = both.fileSeals?.handleOf('1', 'answer', 'a');
      expect((await rotate(both)).body).toMatchObject({ keyId: keyId(next) });
      expect((await rotate(both)).body).toEqual({ keyId: keyId(next), reencrypted: 0 });
      await both.close();
      const alone = await open({ secretKey: next });
      expect(secretOf(alone)).toBe('inbound-secret-wa');
      expect(alone.fileSeals?.handleOf('1', 'answer', 'a')).toBe(handle);
    }),
  );
});
