/** Three bots from an empty canvas, by mouse and keyboard: how many clicks and keys each takes is counted, and has a budget. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '@hilo/engine/contract';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys as accessKeys } from '../http/fake-service.ts';
import type { Skipping } from './chromium.ts';
import { openStudio, type OpenStudio } from './open-studio.ts';

/** A folder for pictures of what the author sees; none without the variable. */
const pictures = process.env['HILO_PICTURES_OF_FORMS'];

describe('the first bots of an author, in Chromium', () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  /** An author who begins a workflow; everything is done by the mouse and by keys, which are counted. */
  async function begin(context: Skipping, name: string, scheme: 'light' | 'dark' = 'light') {
    const author = await studio.page(context, '', scheme);
    const { page, card } = author;
    page.setDefaultTimeout(60_000);
    let clicks = 0;
    let keys = 0;
    const click = async (place: Locator): Promise<void> => {
      clicks += 1;
      await place.click();
    };
    const type = async (text: string): Promise<void> => {
      keys += Array.from(text).length;
      await page.keyboard.type(text);
    };
    const press = async (...all: readonly string[]): Promise<void> => {
      keys += all.length;
      for (const key of all) await page.keyboard.press(key);
    };
    const side = page.locator('.side');
    const field = (pointerEnd: string): Locator => side.locator(`[data-pointer$="${pointerEnd}"]`);
    /** A list of the system opens with a click, and closes with another. */
    const choose = async (place: Locator, label: string): Promise<void> => {
      await place.selectOption({ label });
      clicks += 2;
    };
    const isCalm = async (): Promise<void> => expect(await page.locator('.field-problem').allTextContents()).toEqual([]);
    /** Waits until the author can write into the form of a new node. */
    const opened = async (id: string): Promise<void> => {
      await card(id).waitFor();
      await page.locator('.node-panel :focus').waitFor();
      await isCalm();
    };
    const add = async (what: string, id: string): Promise<void> => {
      await click(page.locator('.palette').getByRole('button', { name: what, exact: true }));
      await (id === 'end' ? card(id).waitFor() : opened(id));
    };
    const port = (nodeId: string, portName: string): Locator => card(nodeId).locator(`.react-flow__handle[data-handleid="${portName}"]`);
    const ask = async (id: string, question: string, kind: string, as: string): Promise<void> => {
      await add('Ask', id);
      await type(question);
      await click(field('/data/input').locator('.kinds label', { hasText: new RegExp(`^${kind}$`) }));
      await click(field('/data/saveAs').locator('input'));
      await type(as);
      await port(id, 'answered').waitFor({ state: 'attached' }); // nobody writes as fast as this: the card has its port by then
      await isCalm();
    };
    const popover = page.getByRole('dialog', { name: 'Find a node' });
    const follow = async (from: string, portName: string, what: string, id: string): Promise<void> => {
      await click(port(from, portName));
      await popover.getByRole('searchbox').waitFor();
      await type(what);
      await press('Enter');
      await opened(id);
    };
    const connect = async (from: string, portName: string, to: string): Promise<void> => {
      await click(port(from, portName));
      await click(popover.locator('[role="group"]').last().getByRole('button', { name: to }));
      await popover.waitFor({ state: 'detached' });
    };
    /** Brings every card into view, and shows all ports of one. */
    const show = async (id: string): Promise<void> => {
      await click(page.getByRole('button', { name: 'Fit the canvas' }));
      await click(card(id).locator('header'));
    };
    const picture = async (of: string): Promise<void> => {
      if (pictures === undefined) return;
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: join(pictures, `${of}-${scheme}.png`) });
    };
    const counted = () => ({ clicks, keys });
    await click(page.getByRole('button', { name: 'New workflow' }));
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await type(name);
    await press('Enter');
    await card('start').waitFor();
    await click(card('start'));
    await click(field('/data/keywords').locator('input').first());
    return { ...author, side, field, click, type, press, choose, add, ask, follow, connect, port, show, picture, counted, opened };
  }

  /** What the service says of a draft, as it is published. */
  const errorsOf = async (id: string): Promise<readonly string[]> => {
    const answer = await fetch(`${studio.base}/admin/v1/validate?companyId=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessKeys.admin}`, 'content-type': 'application/json' },
      body: JSON.stringify(await studio.draft(id)),
    });
    const { problems } = (await answer.json()) as { readonly problems: readonly Problem[] };
    return problems.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code}: ${message}`);
  };

  it('qualifies a lead: 32 clicks and 300 keys', async (context) => {
    const a = await begin(context, 'Lead');
    await a.type('demo');
    await a.ask('ask', 'What is your name?', 'Text', 'name');
    await a.picture('ask');
    await a.ask('ask-2', 'And your e-mail?', 'E-mail', 'email');
    await a.ask('ask-3', 'How many are you?', 'Number', 'size');
    await a.add('Condition', 'condition');
    await a.type('Big');
    await a.press('Tab');
    await a.type('size');
    await a.choose(a.field('/rule').getByRole('combobox', { name: /Comparison/ }), 'is greater than');
    await a.press('Tab', 'Tab');
    await a.type('20');
    await a.port('condition', 'Big').waitFor({ state: 'attached' });
    await a.picture('condition');
    await a.add('Message', 'message');
    await a.type('Thanks, ');
    await a.click(a.side.getByRole('button', { name: /^Insert a variable/ }));
    await a.page.locator('.cm-tooltip-autocomplete').waitFor();
    await a.type('name');
    // While the list is asked for anew, it takes no Enter.
    await a.page.locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled) [aria-selected]', { hasText: /^name/ }).waitFor();
    await a.press('Enter', 'End');
    await a.type('! We will call you.');
    await a.picture('message');
    await a.add('End', 'end');
    await a.show('condition');
    await a.follow('condition', 'else', 'message', 'message-2');
    await a.type('Thanks! We will write.');
    await a.connect('message-2', 'sent', 'End');
    await a.saved();
    const { nodes } = await studio.draft('lead');
    expect(nodes.map(({ data }) => data)).toMatchObject([
      { keywords: ['demo'] },
      { message: { type: 'text', text: 'What is your name?' }, input: { kind: 'text' }, saveAs: '$context.name' },
      { input: { kind: 'email' }, saveAs: '$context.email' },
      { input: { kind: 'number' }, saveAs: '$context.size' },
      { branches: [{ name: 'Big', rule: { op: 'gt', left: '$context.size', right: 20 } }] },
      { message: { text: 'Thanks, {{$context.name}}! We will call you.' } },
      {},
      { message: { text: 'Thanks! We will write.' } },
    ]);
    expect(await errorsOf('lead')).toEqual([]);
    const counted = a.counted();
    console.log('lead', counted);
    expect(counted.clicks).toBeLessThanOrEqual(32);
    expect(counted.keys).toBeLessThanOrEqual(300);
    expect(a.complaints).toEqual([]);
    await a.close();
  });

  it('looks an order up: 24 clicks and 200 keys', async (context) => {
    const a = await begin(context, 'Order', 'dark');
    await a.type('order');
    await a.ask('ask', 'Which order?', 'Number', 'order');
    await a.add('API', 'api');
    await a.type('https://shop.test/orders/{{or');
    await a.page
      .locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled) [aria-selected]', { hasText: /^order/ })
      .waitFor();
    await a.press('Enter');
    await a.type('}}');
    await a.click(a.field('/data/saveAs').locator('input'));
    await a.type('found');
    await a.picture('api');
    await a.add('Message', 'message');
    await a.type('It is {{found');
    await a.page
      .locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled) [aria-selected]', { hasText: /^found/ })
      .waitFor();
    await a.press('Enter');
    await a.type('.body.state ?? "lost"}}.');
    await a.add('End', 'end');
    await a.show('api');
    await a.follow('api', 'error', 'message', 'message-2');
    await a.type('Please try later.');
    await a.connect('message-2', 'sent', 'End');
    await a.saved();
    const { nodes } = await studio.draft('order');
    expect(nodes.map(({ data }) => data)).toMatchObject([
      { keywords: ['order'] },
      { input: { kind: 'number' }, saveAs: '$context.order' },
      { url: 'https://shop.test/orders/{{$context.order}}', saveAs: '$context.found' },
      { message: { text: 'It is {{$context.found.body.state ?? "lost"}}.' } },
      {},
      { message: { text: 'Please try later.' } },
    ]);
    expect(await errorsOf('order')).toEqual([]);
    const counted = a.counted();
    console.log('order', counted);
    expect(counted.clicks).toBeLessThanOrEqual(24);
    expect(counted.keys).toBeLessThanOrEqual(200);
    expect(await a.axe()).toEqual([]);
    expect(a.complaints).toEqual([]);
    await a.close();
  });

  it('books, and reminds a day before: 26 clicks and 160 keys', async (context) => {
    const a = await begin(context, 'Book');
    await a.type('book');
    await a.ask('ask', 'Which day?', 'Date', 'day');
    await a.ask('ask-2', 'At what time?', 'Time', 'time');
    await a.add('Wait until', 'wait-until');
    await a.type('day');
    await a.press('Tab');
    await a.type('time');
    await a.click(a.field('/data/before').getByRole('spinbutton'));
    await a.type('1');
    await a.choose(a.field('/data/before').getByRole('combobox'), 'days');
    await a.port('wait-until', 'elapsed').waitFor({ state: 'attached' });
    await a.picture('wait-until');
    await a.add('Message', 'message');
    await a.type('See you tomorrow!');
    await a.add('End', 'end');
    await a.show('wait-until');
    await a.connect('wait-until', 'past', 'End');
    await a.saved();
    const { nodes } = await studio.draft('book');
    expect(nodes.map(({ data }) => data)).toMatchObject([
      { keywords: ['book'] },
      { input: { kind: 'date' }, saveAs: '$context.day' },
      { input: { kind: 'time' }, saveAs: '$context.time' },
      { at: '{{instant($context.day, $context.time)}}', before: 'P1D' },
      { message: { text: 'See you tomorrow!' } },
      {},
    ]);
    expect(await errorsOf('book')).toEqual([]);
    const counted = a.counted();
    console.log('book', counted);
    expect(counted.clicks).toBeLessThanOrEqual(26);
    expect(counted.keys).toBeLessThanOrEqual(160);

    // Opening hours are switches and times; every field is a click away, and writes the same canvas.
    await a.add('Business hours', 'business-hours');
    await a.side.getByLabel('Monday', { exact: true }).check();
    await a.side.getByLabel('Tuesday', { exact: true }).check();
    await a.side.getByLabel('Tuesday: to', { exact: true }).fill('12:00');
    await a.picture('business-hours');
    expect(await a.axe()).toEqual([]);
    await a.side.getByRole('button', { name: 'All fields' }).click();
    await a.field('/week/tue/0').getByRole('textbox').waitFor();
    await a.side.getByRole('button', { name: 'All fields' }).click();
    expect(await a.side.getByLabel('Tuesday: to', { exact: true }).inputValue()).toBe('12:00');
    const hours = async () => (await studio.draft('book')).nodes.find(({ type }) => type === 'business-hours')?.data;
    await expect.poll(hours).toEqual({ week: { mon: [['09:00', '18:00']], tue: [['09:00', '12:00']] } });
    expect(a.complaints).toEqual([]);
    await a.close();
  });

  it('answers what people ask most, or hands them to a person: 24 clicks and 150 keys', async (context) => {
    const a = await begin(context, 'Help');
    await a.type('help');
    await a.add('Ask', 'ask');
    await a.type('What is it about?');
    await a.click(a.field('/message/quick_replies').locator('input').last());
    for (const title of ['Prices', 'Hours', 'A person']) {
      await a.type(title);
      await a.press('Enter');
    }
    await a.port('ask', 'A person').waitFor({ state: 'attached' });
    await a.show('ask');
    await a.follow('ask', 'Prices', 'message', 'message');
    await a.type('From 5 to 9 euros.');
    await a.add('End', 'end');
    await a.show('ask');
    await a.follow('ask', 'Hours', 'message', 'message-2');
    await a.type('From 9 to 6, on weekdays.');
    await a.connect('message-2', 'sent', 'End');
    await a.show('ask');
    await a.follow('ask', 'A person', 'hand', 'handoff');
    await a.connect('handoff', 'closed', 'End');
    await a.show('ask');
    await a.connect('ask', 'other', 'Hand-off');
    await a.saved();
    const { nodes } = await studio.draft('help');
    expect(nodes.map(({ type }) => type)).toEqual(['start', 'ask', 'message', 'end', 'message', 'handoff']);
    expect(await errorsOf('help')).toEqual([]);
    const counted = a.counted();
    console.log('help', counted);
    expect(counted.clicks).toBeLessThanOrEqual(24);
    expect(counted.keys).toBeLessThanOrEqual(150);
    expect(a.complaints).toEqual([]);
    await a.close();
  });

  it('books an appointment, and asks a day before whether it stands: 34 clicks and 230 keys', async (context) => {
    const a = await begin(context, 'Visit', 'dark');
    await a.type('visit');
    await a.ask('ask', 'Which day?', 'Date', 'day');
    await a.ask('ask-2', 'At what time?', 'Time', 'time');
    await a.add('Message', 'message');
    await a.type('See you on {{da');
    await a.page.locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled) [aria-selected]', { hasText: /^day/ }).waitFor();
    await a.press('Enter');
    await a.type('}}!');
    await a.add('Wait until', 'wait-until');
    await a.type('day');
    await a.press('Tab');
    await a.type('time');
    await a.click(a.field('/data/before').getByRole('spinbutton'));
    await a.type('1');
    await a.choose(a.field('/data/before').getByRole('combobox'), 'days');
    await a.port('wait-until', 'elapsed').waitFor({ state: 'attached' });
    await a.add('Ask', 'ask-3');
    await a.type('Do you come tomorrow?');
    await a.click(a.field('/message/quick_replies').locator('input').last());
    for (const title of ['Yes', 'No']) {
      await a.type(title);
      await a.press('Enter');
    }
    await a.port('ask-3', 'No').waitFor({ state: 'attached' });
    await a.add('End', 'end');
    await a.show('ask-3');
    await a.follow('ask-3', 'No', 'message', 'message-2');
    await a.type('Write "visit" for another day.');
    await a.connect('message-2', 'sent', 'End');
    await a.show('ask-3');
    await a.connect('ask-3', 'other', 'End');
    await a.show('wait-until');
    await a.connect('wait-until', 'past', 'End');
    await a.saved();
    const { nodes } = await studio.draft('visit');
    expect(nodes.map(({ type }) => type)).toEqual(['start', 'ask', 'ask', 'message', 'wait-until', 'ask', 'end', 'message']);
    expect(await errorsOf('visit')).toEqual([]);
    const counted = a.counted();
    console.log('visit', counted);
    expect(counted.clicks).toBeLessThanOrEqual(34);
    expect(counted.keys).toBeLessThanOrEqual(230);
    expect(a.complaints).toEqual([]);
    await a.close();
  });
});
