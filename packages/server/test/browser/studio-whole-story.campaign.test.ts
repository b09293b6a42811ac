// One bot from its example to its second version, as its author, its visitors and the person who answers them live it.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exampleWorkspace } from '../data/open-for-test.ts';
import { openStudioWithChat, type StudioWithChat } from './built-chat.ts';
import { type ServedStudio } from './open-studio.ts';

let opened: StudioWithChat;
let studio: ServedStudio;

beforeAll(async () => {
  opened = await openStudioWithChat({ workspace: exampleWorkspace });
  studio = opened.studio;
});
afterAll(() => opened?.close());

/** Somebody who opens the chat of a bot in a browser of their own. */
async function visit(browser: Browser | null, address: string): Promise<{ readonly page: Page; write(text: string): Promise<void> }> {
  const context = await browser!.newContext({ reducedMotion: 'reduce' });
  context.setDefaultTimeout(60_000); // of a machine that does much else
  const page = await context.newPage();
  await page.goto(address);
  return {
    page,
    async write(text) {
      await page.getByLabel('Write a message').fill(text);
      await page.keyboard.press('Enter');
    },
  };
}

it('logs in, chooses an example, changes it, connects a chat, talks, hands over, answers, counts, proves, and publishes again with whoever waits', async (context) => {
  const { page, card, saved, complaints, go, close } = await studio.page(context, '1');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const rail = (name: string) => page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name });
  const dialog = page.getByRole('dialog');
  const rewrite = async (nodeId: string, text: string): Promise<void> => {
    await card(nodeId).locator('header').click();
    await page.locator('.side [data-pointer$="/message/text"] .cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
    await card(nodeId).getByText(text).waitFor();
    await saved();
  };

  // An example becomes one's own, with its test; its first words are changed, another port leads on, and it is published.
  await page.getByRole('link', { name: 'Examples to begin with' }).click();
  await page.getByRole('link', { name: /^Talk to us/ }).click();
  await button('Use “Talk to us”').click();
  await button('Publish').waitFor(); // until its editor is there, the example shows the same cards, which lead nowhere
  await rewrite('soon', 'One moment, please.');
  await card('operator').locator('header').click();
  await card('operator').locator('.react-flow__handle[data-handleid="noAgent"]').click();
  await page
    .getByRole('dialog', { name: 'Find a node' })
    .getByRole('group', { name: 'Connect to' })
    .getByRole('button', { name: /^Nobody wrote/ })
    .click();
  await button('Publish').click();
  await button('Publish version 1').click();
  await dialog.getByText('Version 1 is live.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  // A chat for a page is connected, and two visitors ask for help there.
  await rail('Settings').click();
  await button('Connect a channel').click();
  await page.getByRole('button', { name: /Web chat/ }).click();
  await page.getByLabel('Name').fill('Help desk');
  await button('Save').click();
  const address = (await page.getByRole('link', { name: 'Open chat' }).getAttribute('href')) ?? '';
  const [ana, ben] = [await visit(page.context().browser(), address), await visit(page.context().browser(), address)];
  for (const visitor of [ana, ben]) {
    await visitor.write('help');
    await visitor.page.getByText('One moment, please.').waitFor();
  }

  // One of them is answered from the inbox, and goes on with the bot; the other one waits.
  await ana.write('My lamp hums <b>loudly</b>');
  await rail('Inbox').click();
  await page.getByLabel('I answer as').selectOption({ index: 1 });
  await page.getByRole('button', { name: /^All/ }).click();
  await page
    .getByRole('region', { name: 'Conversations' })
    .getByRole('link', { name: /My lamp hums/ })
    .click();
  await page.locator('.inbox-messages').getByText('My lamp hums <b>loudly</b>').waitFor();
  const answer = page.getByLabel('Your answer');
  /** Whoever the hand-off has chosen: the conversation is mine then. */
  const takeOver = async (): Promise<void> => {
    await answer.waitFor();
    if ((await answer.getAttribute('readonly')) !== null) await page.getByRole('button', { name: 'Take over' }).first().click();
    await expect.poll(() => answer.getAttribute('readonly')).toBeNull();
  };
  await takeOver();
  await answer.fill('A new one is on its way.');
  await answer.press('Enter');
  await ana.page.getByText('A new one is on its way.').waitFor();
  await button('Resolve').click();
  await ana.page.getByText('Thank you for talking to us.').waitFor();

  // What happened stands over the canvas; so does what no test takes, which becomes one.
  await go('1/talk-to-us?view=numbers');
  await card('soon').getByText('2 in').waitFor();
  await page.locator('.strip').getByText('2 conversations began').waitFor();
  await button('Proof').click();
  await page
    .locator('.strip')
    .getByText(/^\d+ of \d+ ports tested$/)
    .waitFor();
  await button('An operator › Nobody there').click();
  await page.getByLabel('Name of the test').fill('nobody there');
  await page.keyboard.press('Enter');
  await page.getByText('nobody-there passes').waitFor();

  // The second version says goodbye otherwise; who waits comes over, and hears it.
  await button('Close').click();
  await rewrite('bye', 'Goodbye, and thank you.');
  await button('Publish').click();
  await dialog.getByRole('checkbox').first().check();
  await button('Publish version 2 and bring 1 over').click();
  await dialog.getByText('Version 2 is live.').waitFor();
  await dialog.getByRole('status').getByText('done').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await rail('Inbox').click();
  await page.getByRole('region', { name: 'Conversations' }).getByRole('link').first().click();
  await takeOver();
  await button('Resolve').click();
  await ben.page.getByText('Goodbye, and thank you.').waitFor();
  expect(complaints).toEqual([]);
  await close();
}, 240_000);
