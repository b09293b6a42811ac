/** The web chat in Chromium beyond the ways of everybody: several tabs, bots and users, other pages, what Axe finds. */
import { describe, expect, it } from 'vitest';
import { hostToken } from '../chat/chat-stage.ts';
import { chatInPage, messages, openChat, userOf, write } from './chat-in-page.ts';
import { axeFindings } from './chromium.ts';

describe('the chat of a page and its rarer ways, in Chromium', () => {
  const chat = chatInPage();

  it('greets, begins by a button, and is opened, closed and listened to by scripts of the page', async () => {
    chat.attributes = 'data-greeting="Hello &lt;b&gt;you&lt;/b&gt;!" data-start="I need help"';
    const { context, complaints } = await chat.newContext();
    const page = await chat.visit(context);
    await page.getByRole('button', { name: 'Open chat' }).waitFor();
    await page.evaluate(`
      globalThis.heard = [];
      for (const event of ['open', 'close', 'message', 'unread']) HiloChat.on(event, (about) => heard.push({ event, ...about }));
      HiloChat.open('help');
    `);
    await page.getByText('Hello <b>you</b>!').waitFor();
    expect(await page.locator('textarea:focus').count()).toBe(1);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'I need help' }).click();
    await page.getByText('What can I do for you?').waitFor();
    expect(await page.getByText('Hello <b>you</b>!').isVisible()).toBe(false);
    expect((await messages(page))[0]).toBe('I need help');
    await page.evaluate('HiloChat.close()');
    expect(await page.getByRole('dialog').isVisible()).toBe(false);
    await chat.push(await userOf(page), 'One more thing');
    await page.getByRole('button', { name: 'Open chat, 1 unread' }).waitFor();
    const heard = await page.evaluate<readonly { readonly event: string; readonly isMine?: boolean; readonly count?: number }[]>('heard');
    expect(heard.filter(({ event }) => event === 'open' || event === 'close').map(({ event }) => event)).toEqual(['open', 'close']);
    expect(heard.filter(({ event }) => event === 'message').map(({ isMine }) => isMine)).toEqual([true, false, false]);
    expect(heard.at(-1)).toEqual({ event: 'unread', bot: 'help', count: 1 });

    // Whoever comes back is greeted no more.
    await page.reload();
    await page.evaluate('HiloChat.open()');
    await page.getByText('One more thing').waitFor();
    expect(await page.getByText('Hello <b>you</b>!').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'I need help' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Start over' }).click();
    await expect.poll(async () => (await messages(page)).filter((text) => text === 'I need help').length).toBe(2);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('counts unseen messages, in every tab, until one shows them', async () => {
    const { context, complaints } = await chat.newContext();
    const first = await chat.visit(context);
    await openChat(first);
    await write(first, 'Hi');
    await first.getByText('What can I do for you?').waitFor();
    const user = await userOf(first);
    await first.getByRole('button', { name: 'Close chat' }).first().click();
    const second = await chat.visit(context);
    expect(await userOf(second)).toBe(user);
    await chat.push(user, 'One');
    await chat.push(user, 'Two');
    await first.getByRole('button', { name: 'Open chat, 2 unread' }).waitFor();
    await second.getByRole('button', { name: 'Open chat, 2 unread' }).waitFor();
    await second.bringToFront();
    await openChat(second);
    await first.getByRole('button', { name: 'Open chat', exact: true }).waitFor();
    const status = () => chat.service.messages.list('1', 'help', { userId: user, limit: 50 });
    await expect
      .poll(async () => (await status()).results.filter(({ direction }) => direction === 'outbound').map((one) => one.status))
      .toEqual(['read', 'read', 'read']);
    await write(second, 'From the second tab');
    await openChat(first);
    const asked = 'Hello! What can I do for you?';
    for (const tab of [first, second])
      await expect.poll(() => messages(tab), { timeout: 60_000 }).toEqual(['Hi', asked, 'One', 'Two', 'From the second tab', asked]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('keeps what several tabs wrote offline, although all are closed', async () => {
    const { context } = await chat.newContext();
    const tabs = [await chat.visit(context), await chat.visit(context)];
    for (const tab of tabs) await openChat(tab);
    await write(tabs[0]!, 'Hi');
    await tabs[1]!.getByText('What can I do for you?').waitFor();
    const user = await userOf(tabs[0]!);
    await context.setOffline(true);
    for (const [at, tab] of tabs.entries()) {
      await tab.getByText('No connection').waitFor();
      await write(tab, `of tab ${at}`);
    }
    for (const tab of tabs) await tab.close();
    await context.setOffline(false);
    await chat.visit(context);
    const mine = async () =>
      (await chat.service.messages.list('1', 'help', { userId: user, limit: 50 })).results
        .filter(({ direction }) => direction === 'inbound')
        .flatMap(({ message: { text } }) => (typeof text === 'string' ? [text] : []))
        .toSorted();
    // In any order: the browser ends its pretence of being offline before it ends a tab, which may send its own just then. The order of what
    // is kept is tested without a browser.
    await expect.poll(mine, { timeout: 60_000 }).toEqual(['Hi', 'of tab 0', 'of tab 1']);
    await context.close();
  });

  it('waits as long as the service asks, before it sends a message or a receipt again', async () => {
    const { context } = await chat.newContext();
    const page = await context.newPage();
    await page.clock.install();
    const asked: { [path: string]: number } = {};
    for (const path of ['messages', 'read'])
      await page.route(`**/chat/help/${path}`, (route) => {
        asked[path] = (asked[path] ?? 0) + 1;
        if (asked[path] > 1) return route.continue();
        const headers = { 'retry-after': '300', 'access-control-allow-origin': '*', 'access-control-expose-headers': 'retry-after' };
        return route.fulfill({ status: 429, headers, json: { error: 'TOO_MANY_REQUESTS' } });
      });
    await page.goto(`http://${chat.shop.address}/`);
    await openChat(page);
    const refused = page.waitForResponse(/\/messages$/);
    await write(page, 'Hi');
    await refused;
    await page.clock.runFor(100_000);
    expect(asked).toEqual({ messages: 1 });
    const attempts = async () => {
      await page.clock.runFor(60_000);
      return asked;
    };
    await expect.poll(attempts, { timeout: 60_000 }).toMatchObject({ messages: 2 });
    const user = await userOf(page);
    const statuses = async () => {
      await page.clock.runFor(60_000);
      return (await chat.service.messages.list('1', 'help', { userId: user, limit: 50 })).results.map(({ status }) => status);
    };
    await expect.poll(statuses, { timeout: 60_000 }).toContain('read');
    expect(asked['messages']).toBe(2);
    await context.close();
  });

  it("shows messages in the service's order, in whatever order they come, and reads up to the last", async () => {
    const { context, complaints } = await chat.newContext();
    const page = await context.newPage();
    const event = (order: number, direction: 'inbound' | 'outbound') => {
      const message = { type: 'text', text: `message ${order}` };
      return `id: ${order}\nevent: message\ndata: ${JSON.stringify({ messageId: `m${order}`, direction, status: 'sent', atMs: 0, order, message })}\n\n`;
    };
    let events = '';
    await page.route('**/chat/help/events', (route) =>
      route.fulfill({ headers: { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' }, body: events }),
    );
    await page.goto(`http://${chat.shop.address}/`);
    const connected = page.waitForRequest(/\/events$/);
    await openChat(page);
    await connected;
    events = [event(12, 'inbound'), event(14, 'outbound'), event(11, 'outbound'), event(13, 'outbound'), event(15, 'inbound')].join('');
    await page.reload();
    await page.getByRole('button', { name: 'Open chat, 3 unread' }).waitFor();
    const receipt = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/read'));
    await openChat(page);
    await expect.poll(() => messages(page)).toEqual([11, 12, 13, 14, 15].map((order) => `message ${order}`));
    expect((await receipt).postDataJSON()).toEqual({ upTo: 'm14' });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows two bots beside each other, one of them open at a time, and one bot once', async () => {
    chat.bots = ['help', 'other', 'help'];
    const { context, complaints } = await chat.newContext();
    const page = await chat.visit(context);
    const launchers = page.getByRole('button', { name: 'Open chat' });
    expect(await launchers.count()).toBe(2);
    const [left, right] = await Promise.all([launchers.nth(1).boundingBox(), launchers.nth(0).boundingBox()]);
    expect(left!.x + left!.width).toBeLessThan(right!.x);
    await launchers.nth(0).click();
    await page.getByRole('dialog', { name: 'Chat with Acme help' }).waitFor();
    await page.keyboard.press('Escape');
    await launchers.nth(0).click();
    await launchers.nth(0).click(); // the first is named "Close chat" now
    expect(await page.getByRole('dialog').count()).toBe(1);
    expect(await page.locator('hilo-chat').nth(1).getByRole('textbox').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each(['nobody', 'shop'])('says that it cannot be opened: %s', async (bot) => {
    chat.bots = [bot];
    for (chat.attributes of ['', 'data-identity="x.y.z"']) {
      const { context, complaints } = await chat.newContext();
      const page = await chat.visit(context);
      await openChat(page);
      await page.getByText('This chat cannot be opened here.').waitFor();
      expect(await page.getByRole('dialog', { name: 'Chat' }).getByRole('textbox').isDisabled()).toBe(true);
      expect(complaints).toEqual([]);
      await context.close();
    }
  });

  it('keeps a text that is too long, and sends one at the limit', async () => {
    const { context, complaints } = await chat.newContext();
    const page = await chat.visit(context);
    await openChat(page);
    const long = '🧵'.repeat(4_096);
    await write(page, `${long}ab`);
    await page.getByText('The text is too long: shorten it by 2 characters').waitFor();
    expect(await page.getByLabel('Write a message').inputValue()).toBe(`${long}ab`);
    await write(page, long);
    await page.getByText('What can I do for you?').waitFor();
    expect((await messages(page))[0]).toBe(long);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('looks the same in a page whose own styles are for everything', async () => {
    const { context, complaints } = await chat.newContext();
    const page = await chat.visit(context);
    await openChat(page);
    await page.getByText('Connecting').waitFor({ state: 'detached' });
    const drawn = () =>
      page.evaluate<readonly unknown[]>(`
        [...document.querySelector('hilo-chat').shadowRoot.querySelectorAll('aside *')].map((element) => {
          const { color, font, letterSpacing, textTransform, textAlign, backgroundColor, borderColor } = getComputedStyle(element);
          return { color, font, letterSpacing, textTransform, textAlign, backgroundColor, borderColor, ...element.getBoundingClientRect().toJSON() };
        })
      `);
    const before = await drawn();
    await page.evaluate(`
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('* { font: 40px/3 serif; color: red; letter-spacing: 9px; text-transform: uppercase; text-align: right; --text: red; --back: blue }');
      document.adoptedStyleSheets = [sheet];
    `);
    expect(await drawn()).toEqual(before);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('says who wrote a message, and lets each text run in its own direction', async () => {
    const { context, complaints } = await chat.newContext();
    const page = await chat.visit(context);
    await openChat(page);
    await write(page, 'مرحبا (1)');
    await page.getByText('What can I do for you?').waitFor();
    expect(await page.getByRole('listitem').nth(0).ariaSnapshot()).toContain('You:');
    expect(await page.getByRole('listitem').nth(1).ariaSnapshot()).toContain('Acme help:');
    expect(await page.locator('.message p:dir(rtl)').allTextContents()).toEqual(['مرحبا (1)']);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('does not send what one user of the host wrote in the name of another', async () => {
    // The service takes a token until it expires, by the clock of the machine.
    const tokenOf = (sub: string) => `data-identity="${hostToken({ sub, exp: Math.floor(Date.now() / 1_000) + 600 })}"`;
    const { context } = await chat.newContext();
    chat.attributes = tokenOf('first');
    const page = await chat.visit(context);
    await openChat(page);
    await write(page, 'Hi');
    await page.getByText('What can I do for you?').waitFor();
    await page.route('**/chat/help/messages', (route) => route.abort());
    await write(page, 'of the first');
    await expect.poll(() => page.getByLabel('Sending').count()).toBe(1);
    chat.attributes = tokenOf('second');
    await page.reload();
    await page.unroute('**/chat/help/messages');
    await openChat(page);
    await write(page, 'of the second');
    await page.getByText('What can I do for you?').waitFor();
    expect((await messages(page))[0]).toBe('of the second');
    chat.attributes = tokenOf('first');
    await page.reload();
    await openChat(page);
    await page.getByText('of the first').waitFor();
    await expect.poll(() => page.getByLabel('Sending').count(), { timeout: 60_000 }).toBe(0);
    await context.close();
  });

  it("is the host's user with a token, and says so where it is not taken", async () => {
    // It expires by the clock of the machine, which is that of the service.
    chat.attributes = `data-identity="${hostToken({ sub: 'customer-7', name: 'Ana', exp: Math.floor(Date.now() / 1_000) + 600 })}"`;
    const { context, complaints } = await chat.newContext();
    const page = await chat.visit(context);
    await openChat(page);
    await write(page, 'It is me');
    await page.getByText('What can I do for you?').waitFor();
    expect(await chat.service.store.executions.contact('1', 'help', ['customer-7'])).toMatchObject({ userId: 'customer-7', names: 'Ana' });
    expect(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.endsWith(' token')))).toEqual([]);
    chat.attributes = `data-identity="${hostToken({ sub: 'customer-8', exp: 1 })}"`;
    await page.reload();
    await openChat(page);
    await page.getByText('This chat cannot be opened here.').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('opens although the page has changed what the chat keeps as unsent', async () => {
    const { context, complaints } = await chat.newContext();
    const page = await chat.visit(context);
    const name = `hilo-chat http://127.0.0.1:${chat.listening.port}/ help unsent ${'1'.padStart(15, '0')} ${'0'.repeat(15)} message-1`;
    for (const kept of ['{', 'null', '7', '"text"', '[]', '{}', '{"id": 7}']) {
      await page.evaluate(([key = '', value = '']) => localStorage.setItem(key, value), [name, kept]);
      await page.reload();
      await page.getByRole('button', { name: /^Open chat/ }).waitFor();
    }
    await openChat(page);
    await write(page, 'Still here');
    await page.getByText('What can I do for you?').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('accepts a picture, and shows it', async () => {
    const { context, complaints } = await chat.newContext();
    const page = await chat.visit(context);
    await openChat(page);
    const buffer = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    await page.locator('input[type=file]').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer });
    const picture = page.locator('.message img');
    await picture.waitFor();
    await expect.poll(() => picture.evaluate((image) => (image as unknown as { readonly naturalWidth: number }).naturalWidth)).toBe(1);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each([
    ['light', 'es-MX', 'Escribe un mensaje', 'all'],
    ['dark', 'pt-BR', 'Escreva uma mensagem', 'color'],
  ] as const)('has nothing that Axe finds, in %s and in %s, in a page and as one', async (colorScheme, locale, field, about) => {
    const { context, complaints } = await chat.newContext({ colorScheme, locale });
    chat.attributes = 'data-color="#f7c948"';
    const page = await chat.visit(context);
    const found: Record<string, readonly string[]> = { closed: await axeFindings(page, about) };
    await openChat(page);
    await write(page, 'Hi https://example.com/a');
    await page.getByRole('button', { name: 'Track an order' }).waitFor();
    found['list'] = await axeFindings(page, about);
    await page.getByRole('button', { name: 'Track an order' }).click();
    await write(page, '7');
    await page.getByRole('button', { name: 'Yes, please' }).waitFor();
    found['replies'] = await axeFindings(page, about);
    await page.goto(`http://127.0.0.1:${chat.listening.port}/chat/help`);
    await page.getByLabel(field).fill('Hola');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Track an order' }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Acme help');
    found['page'] = await axeFindings(page, about);
    expect(found).toEqual({ closed: [], list: [], replies: [], page: [] });
    expect(complaints).toEqual([]);
    await context.close();
  });
});
