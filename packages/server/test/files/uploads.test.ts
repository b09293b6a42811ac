// Files that authors upload for their canvases: kept until they are removed, sent on by messages, and of one company alone.
import { setImmediate } from 'node:timers/promises';
import { getPath, type JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createManagement, createRest } from '../../src/service/app.ts';
import { maxFileBytes } from '../../src/files/files.ts';
import { presentFile } from '../../src/files/links.ts';
import { fileParts, files } from '../../src/platform/tables/files.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { png, quiet, withFiles } from './files-stage.ts';

const of = '/companies/1/files';

const Answer = z.looseObject({ id: z.string().default('') });

/** Asks at the management of a service. */
const asker = (service: RunningService) => {
  const management = createManagement(service);
  return async (method: string, path: string, body?: Buffer | string, headers: { readonly [name: string]: string } = {}) => {
    const answer = await management.request(path, {
      method,
      headers,
      ...(body !== undefined && { body: new Uint8Array(Buffer.from(body)) }),
    });
    return { status: answer.status, body: Answer.parse(await answer.json()) };
  };
};

const named = (name: string) => ({ 'x-filename': encodeURIComponent(name), 'content-type': 'image/png' });

describe('a file that an author uploads', () => {
  it(
    'is the same file again, outlasts the files of users, and is gone when it is removed',
    withFiles(quiet, async ({ service, get, image, held, place: { clock } }) => {
      const ask = asker(service);
      const first = await ask('POST', of, png, named('menú del día.png'));
      expect(first).toMatchObject({ status: 200, body: { name: 'menú del día.png', type: 'image/png', bytes: png.byteLength } });
      expect(first.body.id).toMatch(/^file_[\w-]{32}$/);
      const [again, other] = [await ask('POST', of, png, named('menú del día.png')), await ask('POST', of, png, named('../other.png'))];
      expect(again.body).toEqual(first.body);
      expect(other.body).toMatchObject({ name: '.._other.png' });
      expect(other.body.id).not.toBe(first.body.id);
      expect((await ask('GET', of)).body).toMatchObject({ results: [first.body, other.body], nextCursor: null });

      held.set('media-1', {});
      await image('media-1');
      clock.advanceTo(clock.now() + 400 * 86_400_000);
      expect(await service.files?.prune()).toBe(1); // that of the user
      const path = `/admin/v1/files/${first.body.id}`;
      expect(Buffer.from(await (await get(path)).arrayBuffer()).equals(png)).toBe(true);

      expect((await ask('DELETE', `${of}/${first.body.id}`)).status).toBe(200);
      expect((await ask('DELETE', `${of}/${first.body.id}`)).body).toMatchObject({ error: 'FILE_NOT_FOUND' });
      expect((await get(path)).status).toBe(404);
      expect((await ask('DELETE', `${of}/${other.body.id}`)).status).toBe(200);
      expect(await service.store.runner.read(files.all('1'))).toEqual([]);
      expect(await service.store.runner.read(fileParts.all('1'))).toEqual([]);
    }),
  );

  it(
    'is refused in words: nothing, a page, bytes of no type, too many bytes; and another company is unknown',
    withFiles(quiet, async ({ service, image, held, handleOf }) => {
      const ask = asker(service);
      const refusals: readonly (readonly [body: Buffer | string, status: number, error: string])[] = [
        ['', 400, 'INVALID_REQUEST'],
        ['<!doctype html><script>alert(1)</script>', 400, 'UNSUPPORTED_MEDIA_TYPE'],
        [Buffer.from([0, 1, 2, 3, 255]), 400, 'UNSUPPORTED_MEDIA_TYPE'],
        [Buffer.alloc(maxFileBytes + 1, 'a'), 413, 'INVALID_REQUEST'],
      ];
      for (const [body, status, error] of refusals)
        expect(await ask('POST', of, body, named('a.png'))).toMatchObject({ status, body: { error } });
      expect(await ask('POST', of, 'Tea: 2 euros', { 'x-filename': '%E0%A4%A' })).toMatchObject({
        body: { name: 'file.txt', type: 'text/plain' },
      });
      expect((await ask('POST', '/companies/2/files', png)).status).toBe(404);
      expect((await ask('GET', '/companies/2/files')).status).toBe(404);
      held.set('media-1', {});
      await image('media-1');
      expect((await ask('DELETE', `${of}/${await handleOf('media-1')}`)).status).toBe(404); // of a user, not of an author
    }),
  );

  const card = (index: number, link: string): JsonObject => ({
    card_index: index,
    type: 'cta_url',
    header: { image: { link } },
    body: { text: 'Shoe' },
    action: { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://shop.example' } },
  });

  it(
    'is sent by a message, alone and on the cards of a carousel, long after it was uploaded',
    withFiles(
      quiet,
      async ({ service, sent, get, image, place: { clock } }) => {
        const ask = asker(service);
        const { body } = await ask('POST', of, png, named('shoe.png'));
        const handle = body.id;
        clock.advanceTo(clock.now() + 100 * 86_400_000);
        await image('media-1'); // what opens the window of the user
        const send = async (message: JsonObject) => {
          const answer = await createRest(service).request('/v1/bots/bot_wa/messages', {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: `Basic ${btoa('acme:secret-of-acme')}` },
            body: JSON.stringify({ userId: '51999000111', ...message }),
          });
          return { status: answer.status, body: await answer.json() };
        };
        const left = async (count: number) => {
          await expect
            .poll(
              async () => {
                clock.advanceBy(50);
                await setImmediate();
                return sent.length;
              },
              { interval: 5, timeout: 60_000 },
            )
            .toBe(count);
          return sent[count - 1] ?? null;
        };
        expect(await send({ type: 'image', mediaUrl: handle })).toMatchObject({ status: 200 });
        const link = z.string().parse(getPath(await left(1), ['image', 'link']));
        expect(Buffer.from(await (await get(new URL(link).pathname)).arrayBuffer()).equals(png)).toBe(true);
        const { files: kept, fileSeals: seals, publicUrl } = service;
        if (kept === undefined || seals === undefined || publicUrl === undefined) throw new Error('The service keeps no files');
        const present = (message: JsonObject) =>
          presentFile({ files: kept, seals, publicUrl, clock }, message, {
            companyId: '1',
            channel: 'facebook',
            provider: { kind: 'messenger' },
          });
        const cards = [card(0, handle), card(1, 'https://shop.example/a.png')];
        const shown = JSON.stringify(await present({ type: 'carousel', text: 'New', parameters: { cards } }));
        expect(shown).toMatch(/"link":"https:\/\/bots\.example\/files\/[\w-]+"/);
        expect(shown).toContain('https://shop.example/a.png');
        expect(shown).not.toContain(handle);
        expect((await ask('DELETE', `${of}/${handle}`)).status).toBe(200);
        expect(await present({ type: 'carousel', parameters: { cards } })).toMatchObject({ kind: 'refused', code: 'INVALID_MEDIA_URL' });
        expect(await send({ type: 'image', mediaUrl: handle })).toMatchObject({ status: 400, body: { error: 'INVALID_MEDIA_URL' } });
      },
      { settings: { publicUrl: 'https://bots.example' }, more: { clients: [{ clientId: 'acme', clientSecret: 'secret-of-acme' }] } },
    ),
  );
});

describe('a file that an operator sends', () => {
  const operators = [{ id: 10, names: 'Olga', email: 'olga@acme.example', teamIds: [] }];
  it(
    'is one of the user for 30 days, is sent by its handle, and is of nobody else',
    withFiles(
      quiet,
      async ({ service, image, held, get, sent, place: { clock } }) => {
        const ask = asker(service);
        const json = { 'content-type': 'application/json' };
        held.set('media-1', {});
        await image('media-1');
        const opening = JSON.stringify({ botId: 'bot_wa', userId: '51999000111', operatorId: 10 });
        const { body: opened } = await ask('POST', '/conversations?companyId=1', opening, json);
        const path = `/conversations/${String(opened['_id'])}`;
        const kept = await ask('POST', `${path}/files?companyId=1`, png, named('your bill.png'));
        expect(kept).toMatchObject({ status: 200, body: { name: 'your bill.png', type: 'image/png', bytes: png.byteLength } });
        expect((await ask('POST', `${path}/files?companyId=1`, png, named('your bill.png'))).body).toEqual(kept.body);
        expect((await ask('GET', of)).body).toMatchObject({ results: [] }); // none of the canvases
        const message = JSON.stringify({ type: 'image', mediaUrl: kept.body.id });
        expect(await ask('POST', `${path}/messages?companyId=1`, message, json)).toMatchObject({ status: 200 });
        while (!sent.some((one) => one['type'] === 'image')) {
          clock.advanceBy(50); // the message may wait for the pace of its provider
          await setImmediate();
        }
        expect(z.string().parse(getPath(sent.at(-1) ?? {}, ['image', 'link']) ?? null)).toMatch(/\/files\//);
        for (const [body, status, error] of [
          ['', 400, 'INVALID_REQUEST'],
          ['<!doctype html><script>alert(1)</script>', 400, 'UNSUPPORTED_MEDIA_TYPE'],
          [Buffer.alloc(maxFileBytes + 1, 'a'), 413, 'INVALID_REQUEST'],
        ] as const)
          expect(await ask('POST', `${path}/files?companyId=1`, body, named('a.png'))).toMatchObject({ status, body: { error } });
        expect((await ask('POST', '/conversations/conv_none/files?companyId=1', png, named('a.png'))).status).toBe(404);
        const rows = await service.store.runner.read(files.all('1'));
        expect(rows.filter(({ id }) => id === kept.body.id)).toMatchObject([{ botId: 'bot_wa', userId: '51999000111' }]);
        clock.advanceTo(clock.now() + 31 * 86_400_000);
        await service.files?.prune();
        expect((await get(`/admin/v1/files/${kept.body.id}`)).status).toBe(404);
      },
      { settings: { publicUrl: 'https://bots.example' }, more: { operators } },
    ),
  );
});
