// Links to files: functions, code and models get them in place of handles, for an hour; a message that sends a file on has one that lasts as
// long as the file.
import { setImmediate } from 'node:timers/promises';
import { getPath } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRest } from '../../src/service/app.ts';
import { canvasOf, type FilesStage, png, quiet, withFiles } from './files-stage.ts';

const code = canvasOf('code', 'code', {
  source: 'return { whole: input.file, within: `see ${input.file}`, other: input.other };',
  input: { file: '{{$message.file}}', other: `file_${'x'.repeat(32)}` },
  saveAs: '$context.seen',
});

const follow = async ({ get }: Pick<FilesStage, 'get'>, link: string) => get(new URL(link).pathname);

describe('a handle', () => {
  it(
    'is a link for code, which leads to the file for an hour, and to nothing when it is changed or the file is gone',
    withFiles(code, async ({ image, held, last, get, place: { clock }, service }) => {
      held.set('media-1', {});
      await image('media-1');
      const seen = z
        .object({ whole: z.string(), within: z.string(), other: z.string() })
        .parse(getPath((await last())['variables'] ?? null, ['$context', 'seen']));
      expect(seen.whole).toMatch(/^http:\/\/[\d.]+:\d+\/files\/[\w-]+$/);
      expect(seen).toMatchObject({ within: `see ${seen.whole}`, other: `file_${'x'.repeat(32)}` });
      const answer = await follow({ get }, seen.whole);
      const names = ['content-disposition', 'x-content-type-options', 'cross-origin-resource-policy']; // a page with the chat shows it
      expect([answer.status, ...names.map((name) => answer.headers.get(name))]).toEqual([
        200,
        "attachment; filename*=UTF-8''image.png",
        'nosniff',
        'cross-origin',
      ]);
      expect(Buffer.from(await answer.arrayBuffer()).equals(png)).toBe(true);
      for (const wrong of [`${seen.whole}A`, seen.whole.slice(0, -1), seen.whole.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))])
        expect((await follow({ get }, wrong)).status).toBe(404);
      clock.advanceTo(clock.now() + 3_600_000 - 1);
      expect((await follow({ get }, seen.whole)).status).toBe(200);
      clock.advanceTo(clock.now() + 1);
      expect((await follow({ get }, seen.whole)).status).toBe(404);
      const long = service.fileSeals?.seal({ companyId: '1', fileId: 'file_none', expiresAtMs: clock.now() + 1_000 }) ?? '';
      expect((await get(`/files/${long}`)).status).toBe(404);
    }),
  );

  it(
    'is sent on by a system through the REST API: to the provider by its link, and refused where it is unknown or unfit',
    withFiles(
      quiet,
      async ({ image, held, sent, handleOf, get, service, place: { clock } }) => {
        held.set('media-1', {});
        await image('media-1');
        const send = async (message: object) => {
          const answer = await createRest(service).request('/v1/bots/bot_wa/messages', {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: `Basic ${btoa('acme:secret-of-acme')}` },
            body: JSON.stringify({ userId: '51999000111', ...message }),
          });
          return { status: answer.status, body: await answer.json() };
        };
        const handle = await handleOf('media-1');
        expect(await send({ type: 'image', mediaUrl: handle, text: 'yours' })).toMatchObject({ status: 200, body: { success: true } });
        const statusOf = async () => {
          clock.advanceBy(50);
          await setImmediate();
          return (await service.messages.list('1', 'bot_wa', { limit: 9 })).results.find((one) => one.direction === 'outbound');
        };
        await expect.poll(statusOf, { interval: 5 }).toMatchObject({ status: 'sent' });
        const link = z.string().parse(getPath(sent[0] ?? null, ['image', 'link']));
        expect(Buffer.from(await (await follow({ get }, link)).arrayBuffer()).equals(png)).toBe(true);
        for (const [message, error] of [
          [{ type: 'image', mediaUrl: `file_${'x'.repeat(32)}` }, 'INVALID_MEDIA_URL'],
          [{ type: 'video', mediaUrl: handle }, 'UNSUPPORTED_MEDIA_TYPE'],
          [{ type: 'image', mediaUrl: 'file_short' }, 'INVALID_MEDIA_URL'],
        ] as const)
          expect(await send(message)).toMatchObject({ status: 400, body: { error } });
        expect(sent).toHaveLength(1);
      },
      { settings: { publicUrl: 'https://bots.example' }, more: { clients: [{ clientId: 'acme', clientSecret: 'secret-of-acme' }] } },
    ),
  );

  it(
    'is sent on by a message, with a link that lasts as long as the file; one that the channel does not take is refused',
    withFiles(
      canvasOf('send', 'message', { message: { type: 'image', mediaUrl: '{{$message.file}}', text: 'yours' } }),
      async ({ image, held, sent, get, place: { clock }, last }) => {
        held.set('media-2', {});
        await image('media-2');
        const link = z.string().parse(getPath(sent[0] ?? null, ['image', 'link']));
        clock.advanceTo(clock.now() + 29 * 86_400_000);
        expect((await follow({ get }, link)).status).toBe(200);
        clock.advanceTo(clock.now() + 86_400_000);
        expect((await follow({ get }, link)).status).toBe(404);

        const gif: Buffer = Buffer.from('GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000', 'latin1');
        held.set('media-3', { bytes: gif });
        await image('media-3');
        expect(sent).toHaveLength(1);
        const error = getPath((await last())['variables'] ?? null, ['$error', 'cause']);
        expect(error).toBe('UNSUPPORTED_MEDIA_TYPE');
      },
      { settings: { publicUrl: 'https://hilo.example/' } },
    ),
  );

  it(
    'is refused in words where its link would be no https address',
    withFiles(
      canvasOf('send', 'message', { message: { type: 'image', mediaUrl: '{{$message.file}}', text: 'yours' } }),
      async ({ image, held, sent, last }) => {
        held.set('media-2', {});
        await image('media-2');
        expect(sent).toEqual([]);
        expect(getPath((await last())['variables'] ?? null, ['$error'])).toMatchObject({
          cause: 'INVALID_MEDIA_URL',
          message: expect.stringMatching(/https alone, and their links begin with http:\/\/hilo\.example: .*--public-url/) as string,
        });
      },
      { settings: { publicUrl: 'http://hilo.example' } },
    ),
  );
});
