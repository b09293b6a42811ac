/** The web chat as visitors of a shop use it, in Chromium: the ways of everybody. The rest is in chat-pages.campaign.test.ts. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findWidget } from '../../src/chat/chat.ts';
import { chatInPage, messages, openChat, root, userOf, write } from './chat-in-page.ts';

const hostile = '<img src=x onerror="document.title=\'broken\'"><script>document.title="broken"</script>';

describe('the chat of a page, in Chromium', () => {
  const chat = chatInPage();

  it('is at most 30 kB, compressed', async () => {
    expect((await findWidget(chat.script))?.compressed.byteLength).toBeLessThanOrEqual(30 * 1024);
  });

  it('converses by keyboard alone, with lists and quick replies, and is restored after a reload', async () => {
    const { context, complaints } = await chat.newContext({ viewport: { width: 860, height: 720 } });
    const page = await chat.visit(context);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.locator('textarea:focus').count()).toBe(1);
    await page.keyboard.type('Hi there');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Track an order' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('What is the number of your order?').waitFor();
    await page.keyboard.type('1234');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Yes, please' }).waitFor();
    if (process.env['HILO_SCREENSHOTS'] === 'write') await page.screenshot({ path: join(root, 'docs/channels/web-chat.png') });
    await page.getByRole('button', { name: 'Yes, please' }).click();
    await page.getByText('Noted: Yes, please').waitFor();
    const link = page.getByRole('link', { name: 'https://example.com/orders' });
    expect([await link.getAttribute('rel'), await link.getAttribute('target')]).toEqual(['noopener noreferrer nofollow', '_blank']);
    const said = await messages(page);
    expect(said).toEqual([
      'Hi there',
      'Hello! What can I do for you?',
      'Track an order',
      'What is the number of your order?',
      '1234',
      expect.stringContaining('Order 1234 is on its way') as unknown,
      'Yes, please',
      'Noted: Yes, please See https://example.com/orders',
    ]);
    expect(await page.locator('.mine [role=img]').first().getAttribute('aria-label')).toBe('Received by the bot');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').isVisible()).toBe(false);
    await page.reload();
    await openChat(page);
    await page.getByText('Noted: Yes, please').waitFor();
    expect(await messages(page)).toEqual(said);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows hostile texts as texts, of both sides', async () => {
    const { context, complaints } = await chat.newContext();
    const page = await chat.visit(context);
    await openChat(page);
    await write(page, hostile);
    await page.getByText('What can I do for you?').waitFor();
    const user = await userOf(page);
    await chat.push(user, `${hostile} javascript:alert(1)`);
    const cta = {
      type: 'cta_url',
      title: hostile,
      text: 'x',
      caption: 'y',
      parameters: { url: 'javascript:document.title="broken"', display_text: 'Go' },
    };
    await chat.service.outbox.accept({ companyId: '1', botId: 'help', userId: user, knownAs: user, message: cta });
    await expect.poll(() => page.locator('.message').count()).toBe(4);
    expect(await page.locator('.message img, .message script, .message a').count()).toBe(0);
    expect(await page.title()).toBe('Shop');
    expect((await messages(page)).filter((text) => text.includes('<img'))).toHaveLength(3);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('loses nothing and repeats nothing while the network and the service are away', async () => {
    const { context } = await chat.newContext();
    const page = await chat.visit(context);
    await openChat(page);
    await write(page, 'Hi');
    await page.getByText('What can I do for you?').waitFor();
    const user = await userOf(page);
    await context.setOffline(true);
    await write(page, 'written offline');
    expect(await page.getByLabel('Sending').count()).toBe(1);
    await context.setOffline(false);
    await expect.poll(() => page.getByLabel('Sending').count(), { timeout: 60_000 }).toBe(0);

    const { port } = chat.listening;
    await chat.stop();
    await write(page, 'written while it was away');
    await page.reload().catch(() => {}); // the page is of another server: it loads, the chat does not
    await chat.open(port);
    await page.reload();
    await openChat(page);
    await chat.push(user, 'And more');
    await page.getByText('And more').waitFor({ timeout: 60_000 });
    await expect.poll(() => page.getByLabel('Sending').count(), { timeout: 60_000 }).toBe(0);
    const read = async () => (await chat.service.messages.list('1', 'help', { userId: user, limit: 50 })).results;
    // Each message of the visitor is answered, and one was pushed: then no more come.
    await expect.poll(async () => (await read()).length, { timeout: 60_000 }).toBe(3 + 3 + 1);
    const kept = await read();
    const mine = kept.filter(({ direction }) => direction === 'inbound').map(({ message }) => message['text']);
    expect(mine).toEqual(['Hi', 'written offline', 'written while it was away']);
    const texts = kept.map(({ message }) => (typeof message['text'] === 'string' ? message['text'] : ''));
    const inOrder = (list: readonly string[]): readonly string[] => list.toSorted((left, right) => left.localeCompare(right));
    await expect.poll(async () => inOrder(await messages(page))).toEqual(inOrder(texts));
    await context.close();
  });
});
