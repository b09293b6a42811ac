// Three bots from an empty canvas by keys alone, as many as a sensible person presses.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Skipping } from './chromium.ts';
import { openStudio, type OpenStudio } from './open-studio.ts';

describe('first bots by keys alone, in Chromium', { timeout: 180_000 }, () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  /** An author without a mouse, whose keys are counted. */
  async function begin(context: Skipping, name: string) {
    const author = await studio.page(context, '');
    const { page, card } = author;
    let keys = 0;
    const type = async (text: string): Promise<void> => {
      keys += Array.from(text).length;
      await page.keyboard.type(text);
    };
    const press = async (...all: readonly string[]): Promise<void> => {
      keys += all.length;
      for (const key of all) await page.keyboard.press(key);
    };
    const at = async (css: string): Promise<void> => {
      try {
        await page.locator(`${css}:focus`).waitFor({ timeout: 10_000 });
      } catch {
        const where = await page.evaluate('document.activeElement.outerHTML.slice(0, 200)');
        throw new Error(`The focus is not at ${css} but at ${String(where)}`);
      }
    };
    const inField = (pointerEnd: string) => at(`.side [data-pointer$="${pointerEnd}"] *`);
    const popover = page.getByRole('dialog', { name: 'Find a node' });
    /** From a form back to its card, and on from its first open port. */
    const next = async (from: string, what: string, id: string): Promise<void> => {
      await goBack(from);
      await add(what, id);
    };
    /** Adds a node at the first open port of the card that has the focus, and goes into its form. */
    const add = async (what: string, id: string): Promise<void> => {
      await press('c');
      await at('[role="dialog"] input');
      await type(what);
      await press('Enter');
      await card(id).waitFor();
      await at('.node-panel *');
    };
    /** Presses a key until the focus is there, as somebody does who looks where it is. */
    const pressUntil = async (key: string, place: Locator): Promise<void> => {
      for (let tries = 0; (await place.and(page.locator(':focus')).count()) === 0; tries += 1) {
        if (tries === 20) throw new Error(`${key} does not lead to ${String(place)}`);
        await press(key);
      }
    };
    const field = (pointerEnd: string): Locator => page.locator(`.side [data-pointer$="${pointerEnd}"]`);
    const ask = async (from: string, id: string, question: string, kind: string, as: string): Promise<void> => {
      await next(from, 'ask', id);
      await inField('/data/message');
      await type(question);
      await pressUntil('Tab', page.locator('.kinds input'));
      await pressUntil('ArrowRight', page.locator('.kinds label', { hasText: new RegExp(`^${kind}$`) }).locator('input'));
      await pressUntil('Tab', field('/data/saveAs').locator('input'));
      await type(as);
      await port(id, 'answered').waitFor({ state: 'attached' });
    };
    const port = (id: string, name: string): Locator => card(id).locator(`.react-flow__handle[data-handleid="${name}"]`);
    /** From a form, back over cards to one whose next open port leads on. */
    const goBack = async (from: string, ...way: readonly string[]): Promise<void> => {
      await press('Escape');
      await at(`.react-flow__node[data-id="${from}"]`);
      for (const id of way) {
        await press('ArrowLeft');
        await at(`.react-flow__node[data-id="${id}"]`);
      }
    };
    /** Leads the first open port of the card that has the focus to the end that is there. */
    const leadToEnd = async (): Promise<void> => {
      await press('c');
      await at('[role="dialog"] input');
      await type('end');
      await pressUntil('Tab', popover.locator('[role="group"]').last().getByRole('button', { name: 'End' }));
      await press('Enter');
      await popover.waitFor({ state: 'detached' });
    };
    const complete = async (name: RegExp): Promise<void> => {
      // While the list is asked for anew, it takes no Enter.
      await page
        .locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled) [aria-selected="true"]', { hasText: name })
        .waitFor();
      await press('Enter');
    };
    await at('main');
    await press('n');
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await type(name);
    await press('Enter');
    await card('start').waitFor();
    await at('.editor');
    await press('Enter');
    await inField('/data/keywords');
    return { ...author, type, press, pressUntil, field, port, next, add, ask, goBack, leadToEnd, complete, keys: () => keys };
  }

  /** What is drawn, by its types and the ways between them. */
  const drawn = async (id: string) => {
    const { nodes, edges } = await studio.draft(id);
    return {
      data: nodes.map(({ data }) => data),
      ways: edges.map(({ source, sourceHandle, target }) => `${source}.${sourceHandle} ${target}`).toSorted(),
    };
  };

  it('qualifies a lead: 300 keys', async (context) => {
    const a = await begin(context, 'Lead');
    await a.type('demo');
    await a.ask('start', 'ask', 'What is your name?', 'Text', 'name');
    await a.ask('ask', 'ask-2', 'And your e-mail?', 'E-mail', 'email');
    await a.ask('ask-2', 'ask-3', 'How many are you?', 'Number', 'size');
    await a.next('ask-3', 'cond', 'condition');
    await a.type('Big');
    await a.press('Tab');
    await a.type('size');
    await a.pressUntil('Tab', a.field('/rule').getByRole('combobox', { name: /Comparison/ }));
    await a.type('is g');
    await a.press('Tab');
    await a.type('20');
    await a.port('condition', 'Big').waitFor({ state: 'attached' });
    await a.next('condition', 'mess', 'message');
    await a.type('Thanks, {{na');
    await a.complete(/^name/);
    await a.type('}}! We will call you.');
    await a.next('message', 'end', 'end');
    await a.goBack('end', 'message', 'condition');
    await a.add('mess', 'message-2');
    await a.type('Thanks! We will write.');
    await a.goBack('message-2');
    await a.leadToEnd();
    await a.saved();
    await expect
      .poll(() => drawn('lead'))
      .toMatchObject({
        data: [
          { keywords: ['demo'] },
          { message: { text: 'What is your name?' }, input: { kind: 'text' }, saveAs: '$context.name' },
          { input: { kind: 'email' }, saveAs: '$context.email' },
          { input: { kind: 'number' }, saveAs: '$context.size' },
          { branches: [{ name: 'Big', rule: { op: 'gt', left: '$context.size', right: 20 } }] },
          { message: { text: 'Thanks, {{$context.name}}! We will call you.' } },
          {},
          { message: { text: 'Thanks! We will write.' } },
        ],
      });
    expect((await drawn('lead')).ways).toEqual(
      expect.arrayContaining(['condition.else message-2', 'message-2.sent end', 'message.sent end']),
    );
    expect(a.keys()).toBeLessThanOrEqual(300);
    expect(a.complaints).toEqual([]);
    await a.close();
  });

  it('looks an order up: 200 keys', async (context) => {
    const a = await begin(context, 'Order');
    await a.type('order');
    await a.ask('start', 'ask', 'Which order?', 'Number', 'order');
    await a.next('ask', 'api', 'api');
    await a.type('https://shop.test/orders/{{or');
    await a.complete(/^order/);
    await a.type('}}');
    await a.pressUntil('Tab', a.field('/data/saveAs').locator('input'));
    await a.type('found');
    await a.next('api', 'mess', 'message');
    await a.type('It is {{found');
    await a.complete(/^found/);
    await a.type('.body.state ?? "lost"}}.');
    await a.next('message', 'end', 'end');
    await a.goBack('end', 'message', 'api');
    await a.add('mess', 'message-2');
    await a.type('Please try later.');
    await a.goBack('message-2');
    await a.leadToEnd();
    await a.saved();
    await expect
      .poll(() => drawn('order'))
      .toMatchObject({
        data: [
          { keywords: ['order'] },
          { input: { kind: 'number' }, saveAs: '$context.order' },
          { url: 'https://shop.test/orders/{{$context.order}}', saveAs: '$context.found' },
          { message: { text: 'It is {{$context.found.body.state ?? "lost"}}.' } },
          {},
          { message: { text: 'Please try later.' } },
        ],
      });
    expect((await drawn('order')).ways).toEqual(expect.arrayContaining(['api.error message-2', 'message-2.sent end', 'message.sent end']));
    expect(a.keys()).toBeLessThanOrEqual(200);
    expect(a.complaints).toEqual([]);
    await a.close();
  });

  it('books, and reminds a day before: 160 keys', async (context) => {
    const a = await begin(context, 'Book');
    await a.type('book');
    await a.ask('start', 'ask', 'Which day?', 'Date', 'day');
    await a.ask('ask', 'ask-2', 'At what time?', 'Time', 'time');
    await a.next('ask-2', 'wait u', 'wait-until');
    await a.type('day');
    await a.press('Tab');
    await a.type('time');
    await a.pressUntil('Tab', a.field('/data/before').getByRole('spinbutton'));
    await a.type('1');
    await a.press('Tab');
    await a.type('d');
    await a.port('wait-until', 'elapsed').waitFor({ state: 'attached' });
    await a.next('wait-until', 'mess', 'message');
    await a.type('See you tomorrow!');
    await a.next('message', 'end', 'end');
    await a.goBack('end', 'message', 'wait-until');
    await a.leadToEnd();
    await a.saved();
    await expect
      .poll(() => drawn('book'))
      .toMatchObject({
        data: [
          { keywords: ['book'] },
          { input: { kind: 'date' }, saveAs: '$context.day' },
          { input: { kind: 'time' }, saveAs: '$context.time' },
          { at: '{{instant($context.day, $context.time)}}', before: 'P1D' },
          { message: { text: 'See you tomorrow!' } },
          {},
        ],
      });
    expect((await drawn('book')).ways).toEqual(
      expect.arrayContaining(['wait-until.elapsed message', 'wait-until.past end', 'message.sent end']),
    );
    expect(a.keys()).toBeLessThanOrEqual(160);
    expect(a.complaints).toEqual([]);
    await a.close();
  });
});
