import { readFile } from 'node:fs/promises';
import { deflateSync, crc32 } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chatWorkspace } from '../chat/chat-stage.ts';
import { quiet, withFiles } from '../files/files-stage.ts';
import { deskOf, idIn } from '../rest/conversations-stage.ts';
import { chatInPage, openChat, userOf, write } from './chat-in-page.ts';
import { serveStudio } from './open-studio.ts';

const operators = [{ id: 10, names: 'Olga', email: 'olga@acme.example', teamIds: [] }];

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A picture that a browser draws. */
function pictureOf(width: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(1, 4);
  head.set([8, 0], 8); // grey
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(width + 1, 0))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** How wide the last picture of a page is drawn from its own bytes. */
const lastWidth = (page: Page, where: string): Promise<number> =>
  page
    .locator(`${where} img`)
    .last()
    .evaluate((image) => (image as unknown as { readonly naturalWidth: number }).naturalWidth);

/** Presses what saves a file. */
async function saved(page: Page, press: () => Promise<void>): Promise<{ readonly name: string; readonly content: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

it('whoever answers sees a picture that only the bot may fetch, saves it, and is told why another is not to be had', async (context) => {
  await withFiles(
    quiet,
    async ({ service, image, held, asked, host }) => {
      const picture = pictureOf(7);
      held.set('seen', { bytes: picture });
      held.set('gone', { status: 404 });
      await image('seen');
      await image('gone');
      const desk = deskOf(service);
      const id = idIn(await desk.does('POST /conversations', { botId: 'bot_wa', userId: '51999000111', operatorId: 10 }));
      const studio = await serveStudio(service);
      try {
        const { page, complaints } = await studio.page(context, `1/inbox/${id}`);
        const talk = page.locator('.inbox-messages');
        await expect.poll(() => lastWidth(page, '.inbox-messages')).toBe(7);
        const [seen, gone] = [
          talk.getByRole('button', { name: 'Open a picture' }).first(),
          talk.getByRole('button', { name: 'Open a picture' }).last(),
        ];
        expect(await saved(page, () => seen.click())).toEqual({ name: 'image.png', content: picture });
        await gone.click();
        await talk.getByText('answered 404').waitFor();
        expect(await page.content()).not.toContain(host); // nobody but the service asks there
        expect(asked.filter((path) => path === '/media/seen with token')).toHaveLength(1);
        expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
      } finally {
        await studio.close();
      }
    },
    { more: { operators } },
  )();
}, 120_000);

describe('a file of a person', () => {
  const chat = chatInPage();
  it('goes from the web chat into the inbox, is answered with a file, and the person has it', { timeout: 120_000 }, async (test) => {
    await chat.service.importWorkspace({ workspace: chatWorkspace(undefined, { operators }) });
    const visitor = await chat.newContext();
    const theirs = await chat.visit(visitor.context);
    await openChat(theirs);
    await write(theirs, 'Hi');
    const picture = pictureOf(9);
    await theirs.locator('input[type=file]').setInputFiles({ name: 'daño ‮gpj.png', mimeType: 'image/png', buffer: picture });
    await theirs.locator('.message img').waitFor();
    const desk = deskOf(chat.service);
    const userId = await userOf(theirs);
    const id = idIn(await desk.does('POST /conversations', { botId: 'help', userId, operatorId: 10 }));
    const studio = await serveStudio(chat.service);
    try {
      const { page, complaints } = await studio.page(test, `1/inbox/${id}`);
      await expect.poll(() => lastWidth(page, '.inbox-messages')).toBe(9);
      expect((await saved(page, () => page.getByRole('button', { name: /daño/ }).click())).content).toEqual(picture);
      const bill = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');
      await page.locator('input[type=file]').setInputFiles({ name: '../../your bill.pdf', mimeType: 'text/html', buffer: bill });
      const link = theirs.getByRole('link', { name: 'your bill.pdf' });
      expect((await saved(theirs, () => link.click())).content).toEqual(bill);
      await page.locator('input[type=file]').setInputFiles({ name: 'map.png', mimeType: 'image/png', buffer: pictureOf(11) });
      await theirs.locator('.message img').nth(1).waitFor();
      await expect.poll(() => lastWidth(theirs, '.log')).toBe(11);
      // The studio of this test is at another address than the links of the service.
      expect([complaints.filter((text) => !text.includes('img-src')), visitor.complaints]).toEqual([[], []]);
    } finally {
      await studio.close();
      await visitor.context.close();
    }
  });
});
