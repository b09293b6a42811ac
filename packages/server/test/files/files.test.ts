// Files of users: fetched once with the bot's credential, bounded, judged by their bytes, passed on, shown to operators of their company, and
// gone with their person or after 30 days.
import { getPath } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createManagement } from '../../src/service/app.ts';
import { fileParts, files } from '../../src/platform/tables/files.ts';
import { narrowParts } from '../../src/tenants/narrow.ts';
import { canvasOf, type HeldFile, largePicture, png, quiet, withFiles } from './files-stage.ts';

const form = canvasOf('upload', 'api', {
  method: 'POST',
  url: 'TARGET/upload',
  bodyKind: 'multipart',
  body: { document: '{{$message.file}}', note: 'from {{$user.id}}', urgent: true },
  saveAs: '$context.answer',
});

const readForm = async ({ contentType, body }: { readonly contentType: string; readonly body: Buffer }) =>
  new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();

describe('a file that a user sends', () => {
  it(
    'has a handle, and goes on as a part of a form with the fields beside it, fetched once with the token of the bot',
    withFiles(form, async ({ image, held, asked, taken, handleOf, get, last, service }) => {
      held.set('media-1', {});
      await image('media-1', { image: { id: 'media-1', mime_type: 'image/png', caption: 'my receipt' } });
      const handle = await handleOf('media-1');
      expect(handle).toMatch(/^file_[\w-]{32}$/);
      const [sent] = taken;
      const fields = await readForm(sent ?? { contentType: '', body: Buffer.alloc(0) });
      expect([...fields.keys()]).toEqual(['document', 'note', 'urgent']);
      expect([fields.get('note'), fields.get('urgent')]).toEqual(['from 51999000111', 'true']);
      const part = fields.get('document') as File;
      expect([part.name, part.type, part.size > 0]).toEqual(['image.png', 'image/png', true]);

      const answer = await get(`/admin/v1/files/${handle}`);
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/png',
        'content-disposition': "attachment; filename*=UTF-8''image.png",
        'x-content-type-options': 'nosniff',
      });
      expect(Buffer.from(await answer.arrayBuffer()).equals(png)).toBe(true);
      expect(asked.filter((path) => path.startsWith('/media/'))).toEqual(['/media/media-1 with token']);

      await image('media-1'); // delivered again
      expect(await service.store.runner.read(files.all('1'))).toHaveLength(1);
      expect(taken).toHaveLength(1);

      held.set('media-3', { laterBytes: Buffer.from('<!doctype html><p>Log in</p>') });
      await image('media-3');
      expect(taken).toHaveLength(1); // the call was not begun
      expect(await last()).toMatchObject({ status: 'failed' });
    }),
  );

  it(
    'is told not to be had where the provider does not give it, and is fetched once it is there again',
    withFiles(quiet, async ({ image, held, handleOf, get, place: { clock }, requested }) => {
      const lies: readonly (readonly [what: string, file: HeldFile | undefined, words: RegExp])[] = [
        ['an address that has expired', { status: 404 }, /answered 404/],
        ['nothing of that id any more', undefined, /answered 404/],
        ['fewer bytes than it says', { headers: { 'content-length': '900' }, isCutOff: true }, /broke/],
        ['bytes that never end', { isEndless: true }, /did not answer in time/],
        ['a page of HTML in place of the picture', { bytes: Buffer.from('<!doctype html><p>Log in</p>') }, /a web page by its content/],
        ['a program in place of the picture', { bytes: Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]) }, /by its content/],
        ['a redirect to a private address', { status: 302, headers: { location: 'http://169.254.169.254/latest' } }, /redirects/],
      ];
      for (const [index, [what, file, words]] of lies.entries()) {
        const id = `lie-${index}`;
        held.set(id, {});
        await image(id);
        const path = `/admin/v1/files/${await handleOf(id)}`;
        if (file === undefined) held.delete(id);
        else held.set(id, file);
        const asking = get(path);
        if (file?.isEndless === true) {
          await requested(`/media/${id}`);
          clock.advanceTo(clock.now() + 20_000);
        }
        const answer = await asking;
        const { error, message } = (await answer.json()) as { readonly error: string; readonly message: string };
        expect([what, answer.status, error, words.test(message) ? words : message]).toEqual([what, 404, 'FILE_UNAVAILABLE', words]);
        held.set(id, {});
        expect([what, (await get(path)).status]).toEqual([what, 200]);
      }
    }),
  );

  it(
    'is read back byte by byte, unknown to operators of other companies, and gone after 30 days',
    withFiles(quiet, async ({ image, held, handleOf, get, service, place: { clock } }) => {
      const bytes = largePicture(1);
      held.set('media-6', { bytes });
      await image('media-6');
      const handle = await handleOf('media-6');
      const path = `/admin/v1/files/${handle}`;
      for (const _time of ['fetched', 'kept']) expect(Buffer.from(await (await get(path)).arrayBuffer()).equals(bytes)).toBe(true);
      const narrow = createManagement({ ...service, companies: narrowParts(service, new Set(['2'])).companies });
      expect((await narrow.request(`/files/${handle}`)).status).toBe(404);
      clock.advanceTo(clock.now() + 30 * 86_400_000 - 1_000);
      expect((await get(path)).status).toBe(200);
      clock.advanceTo(clock.now() + 1_000);
      expect(await (await get(path)).json()).toMatchObject({ error: 'FILE_NOT_FOUND' });
      expect(await service.files?.prune()).toBe(1);
      expect(await service.store.runner.read(fileParts.all('1'))).toEqual([]);
    }),
  );
});

describe('an answer that is no JSON', () => {
  const report = canvasOf('report', 'api', { url: 'TARGET/report', responseType: 'file', saveAs: '$context.answer' });

  it(
    'is kept as a file, whose handle is its body',
    withFiles(report, async ({ image, held, last, get }) => {
      held.set('media-8', {});
      await image('media-8');
      const { variables } = await last();
      const handle = z.string().parse(getPath(variables ?? null, ['$context', 'answer', 'body']));
      expect(handle).toMatch(/^file_[\w-]{32}$/);
      const answer = await get(`/admin/v1/files/${handle}`);
      expect([answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
        'application/pdf',
        "attachment; filename*=UTF-8''report",
      ]);
      expect(await answer.text()).toBe('%PDF-1.7 report');
    }),
  );
});
