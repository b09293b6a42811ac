// A draft on a phone: its author shows a code, a phone opens it, and the draft talks there while the bot's other visitors meet what is published.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chatWorkspace } from '../chat/chat-stage.ts';
import { axeFindings } from './chromium.ts';
import { openStudioWithChat, type StudioWithChat } from './built-chat.ts';
import { type ServedStudio, takePicture } from './open-studio.ts';

let opened: StudioWithChat;
let studio: ServedStudio;

beforeAll(async () => {
  opened = await openStudioWithChat();
  studio = opened.studio;
  await opened.service.importWorkspace({ workspace: chatWorkspace() });
});
afterAll(() => opened?.close());

it('is tried by a code, from its first message, as often as one likes', async (context) => {
  const { page, saved, complaints, axe, close } = await studio.page(context, '1/echo?node=again');
  await page.locator('.side [data-pointer$="/message/text"] .cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('In the draft: {{$context.said}}');
  await saved();
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByRole('button', { name: 'On my phone' }).click();
  const dialog = page.getByRole('dialog', { name: 'On my phone' });

  await dialog.getByRole('img', { name: 'Code that opens the chat on a phone' }).waitFor();
  expect(await axe()).toEqual([]);
  await takePicture(page, 'on-my-phone');
  const address = await dialog.locator('.copied code').innerText();
  expect(address).toMatch(/^http:..127.0.0.1:\d+.chat.(?:help|shop|other)#draft=/);

  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent.trim()')).toBe('On my phone');

  const phone = await page
    .context()
    .browser()!
    .newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' });
  phone.setDefaultTimeout(60_000); // of a machine that does much else
  const chat = await phone.newPage();
  await chat.goto(address);
  await chat.getByRole('heading', { name: 'Acme help · Draft' }).waitFor();
  await chat.getByText('Write what a user would write: the draft answers.').waitFor();
  const write = async (text: string): Promise<void> => {
    await chat.getByLabel('Write a message').fill(text);
    await chat.getByLabel('Write a message').press('Enter');
  };
  await write('hello');
  await chat.getByText('You said hello').waitFor();
  await write('more');
  await chat.getByText('In the draft: more').waitFor();
  expect(await axeFindings(chat)).toEqual([]);
  await chat.reload(); // the same visitor
  await chat.getByText('In the draft: more').waitFor();
  await chat.getByRole('button', { name: 'Start over' }).click();
  await chat.getByText('Write what a user would write: the draft answers.').waitFor();
  expect(await chat.getByText('In the draft: more').count()).toBe(0);

  // Somebody with another link than was made is told so.
  await chat.goto('about:blank');
  await chat.goto(`${address.slice(0, -1)}${address.endsWith('A') ? 'Q' : 'A'}`);
  await chat.getByText('This link has expired: make another one in the studio.').waitFor();

  expect(complaints).toEqual([]);
  await phone.close();
  await close();
});

it('is refused while the draft has errors, with the way to each; a service without the page of the chat says so', async (context) => {
  const { page, saved, complaints, axe, close } = await studio.page(context, '1/echo?node=again');
  const text = page.locator('.side [data-pointer$="/message/text"] .cm-content');
  await text.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('Nobody wrote {{$context.unknown}}');
  await saved();
  const errors = page.locator('.problem-count.bad');
  await errors.waitFor();
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByRole('button', { name: 'On my phone' }).click();
  const dialog = page.getByRole('dialog', { name: 'On my phone' });
  await dialog.getByText('once 1 error is mended').waitFor();
  expect(await dialog.getByRole('img').count()).toBe(0);
  expect(await axe()).toEqual([]);
  await dialog.locator('.problems button').click();
  await dialog.waitFor({ state: 'detached' });
  await text.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('Mended');
  await saved();
  await errors.waitFor({ state: 'detached' });

  await page.route('**/chat/*', (route) => route.fulfill({ status: 404, body: '{}' }));
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByRole('button', { name: 'On my phone' }).click();
  await dialog.getByText('no page of the web chat').waitFor();
  expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([]);
  await close();
});
