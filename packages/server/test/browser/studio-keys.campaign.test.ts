import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type OpenStudio, type StudioPage } from './open-studio.ts';
import { twoMessages } from './two-messages.ts';

describe('the studio by keyboard alone, in Chromium', () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  /** Resolves once this card, or this other element, has the focus. */
  const focused = ({ page }: StudioPage, selector: string) => page.locator(`${selector}:focus`).waitFor();
  const cardOf = (id: string): string => `.react-flow__node[data-id="${id}"]`;

  it('a bot is begun, written, undone to its start and redone', async (context) => {
    const author = await studio.page(context, '');
    const { page } = author;
    await focused(author, 'main');
    await page.keyboard.press('/');
    await focused(author, 'input[type=search]');
    await page.keyboard.press('Tab');
    await page.locator('main').focus();
    await page.keyboard.press('n');
    await page.keyboard.type('By keys');
    await page.keyboard.press('Enter');
    await page.locator(cardOf('start')).waitFor();
    await focused(author, '.editor');

    // Tab reaches the card and goes on behind it: only a card that is selected takes it for itself.
    await page.locator(cardOf('start')).focus();
    await page.keyboard.press('Tab');
    expect(await page.locator(`${cardOf('start')}:focus`).count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Shift+Tab');
    await focused(author, cardOf('start'));

    for (const [key, word, id] of [
      ['c', 'message', 'message'],
      ['Tab', 'message', 'message-2'],
      ['c', 'end', 'end'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole('dialog', { name: 'Find a node' }).waitFor();
      await page.keyboard.type(word);
      await page.keyboard.press('Enter');
      await focused(author, '.node-panel *'); // what it is to do is written at once
      await page.keyboard.press('Escape');
      await focused(author, cardOf(id));
    }
    await page.keyboard.press('ArrowLeft');
    await focused(author, cardOf('message-2'));
    await page.keyboard.press('Control+d');
    await focused(author, cardOf('message-3'));
    const ids = async () => (await studio.draft('by-keys')).nodes.map(({ id }) => id);
    await expect.poll(ids).toEqual(['start', 'message', 'message-2', 'end', 'message-3']);
    const whole = await studio.draft('by-keys');

    // The card that has the focus is removed by an undo: the next one is heard all the same.
    const undo = page.getByRole('button', { name: /^Undo/ });
    for (let steps = 0; steps < 4; steps += 1) await page.keyboard.press('Control+z');
    await expect.poll(() => undo.isDisabled()).toBe(true);
    await expect.poll(ids).toEqual(['start']);
    for (let steps = 0; steps < 4; steps += 1) await page.keyboard.press('Control+y');
    await expect.poll(() => studio.draft('by-keys')).toEqual(whole);
    expect(author.complaints).toEqual([]);
    await author.close();
  });

  it('a panel that is opened by its key can be used at once, and what is found by a search has the focus', async (context) => {
    await studio.service.keep(twoMessages('panels'), { publish: false });
    const author = await studio.page(context, '1/panels');
    const { page } = author;
    await page.locator(cardOf('bye')).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search everything' }).getByRole('combobox').waitFor();
    await page.keyboard.type('bye');
    await page.keyboard.press('Enter');
    await focused(author, cardOf('bye'));
    await page.keyboard.press('t');
    await page.keyboard.type('hi');
    await page.keyboard.press('Enter');
    await page.locator('.bubbles').getByText('hi', { exact: true }).waitFor();
    await page.locator('.bubbles').getByText('Bye').waitFor();
    await page.keyboard.press('Escape');
    await focused(author, cardOf('bye'));
    expect(author.complaints).toEqual([]);
    await author.close();
  });

  it('a field that is left for the next one may change the form meanwhile, as a problem that is shown then does', async (context) => {
    await studio.service.keep(twoMessages('leaving'), { publish: false });
    const author = await studio.page(context, '1/leaving');
    const { page } = author;
    await page.locator(cardOf('bye')).click();
    const label = page.locator('.node-panel [data-pointer$="/data/label"] input');
    await label.focus();
    await page.evaluate(`{
      const form = document.querySelector('.node-panel .form');
      form.addEventListener('focusout', () => form.append(document.createElement('i')));
    }`);
    await page.keyboard.press('Tab');
    await focused(author, '.node-panel .form *');
    await page.keyboard.press('Shift+Tab');
    await focused(author, '.node-panel [data-pointer$="/data/label"] input');
    expect(author.complaints).toEqual([]);
    await author.close();
  });

  it('what is written after a button of a test was pressed is written into its field, and commands nothing', async (context) => {
    const { nodes, edges, ...rest } = twoMessages('typing');
    const message = { type: 'quick_reply', text: 'Which?', quick_replies: [{ title: 'Yes' }, { title: 'No' }] };
    const asked = { id: 'bye', type: 'ask', position: { x: 656, y: 0 }, data: { message } };
    const ways = ['Yes', 'No', 'other'].map((sourceHandle) => ({ source: 'bye', sourceHandle, target: 'done' }));
    await studio.service.keep(
      {
        ...rest,
        nodes: nodes.map((node) => (node.id === 'bye' ? asked : node)),
        edges: [...edges.filter(({ source }) => source !== 'bye'), ...ways],
      },
      { publish: false },
    );
    const author = await studio.page(context, '1/typing');
    const { page } = author;
    const field = page.getByLabel('Message', { exact: true });
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await field.fill('hi');
    await page.keyboard.press('Enter');
    await page.locator('.bubbles').getByRole('button', { name: 'Yes' }).click();
    await page.getByText('Ended: completed').waitFor();
    await page.keyboard.type('ana@example.org to p?');
    expect(await field.inputValue()).toBe('ana@example.org to p?');
    // Beside the canvas a letter is no command, wherever the focus is.
    await page.getByRole('button', { name: 'Skip 1d' }).focus();
    await page.keyboard.type('opt?');
    expect(await page.locator('.tester').count()).toBe(1);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(author.complaints).toEqual([]);
    await author.close();
  });

  it('nodes are copied from one tab to another: those that have no position keep their distances', async (context) => {
    const { nodes, ...rest } = twoMessages('source');
    await studio.service.keep({ ...rest, nodes: nodes.map(({ position: _position, ...node }) => node) }, { publish: false });
    await studio.service.keep({ ...rest, id: 'target', nodes: nodes.slice(0, 1), edges: [] }, { publish: false });
    const author = await studio.page(context, '1/source');
    const { page } = author;
    await page.locator(cardOf('done')).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${studio.base}/studio/1/target`);
    await other.locator(cardOf('begin')).waitFor();
    await page.bringToFront();
    await page.getByText('No problems').first().waitFor(); // it is checked, and its cards are at their places
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await other.bringToFront();
    await other.keyboard.press('Control+v');
    const pasted = async () => (await studio.draft('target')).nodes;
    await expect.poll(async () => (await pasted()).map(({ id }) => id)).toEqual(['begin', 'start', 'message', 'message-2', 'end']);
    const columns = async () => (await pasted()).map(({ position }) => position?.x ?? Number.NaN);
    const isApart = (x: number, at: number, all: readonly number[]): boolean => at === 0 || x - (all[at - 1] ?? 0) >= 240;
    expect((await columns()).slice(1).every(isApart)).toBe(true);

    // A text from elsewhere, none of whose nodes has a position, is laid out before it is put in: one step, which one undo takes back.
    const text = JSON.stringify(await studio.draft('source'));
    await other.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(text)});
      document.querySelector('.editor').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }`);
    await expect.poll(async () => (await pasted()).length).toBe(9);
    expect((await columns()).slice(5).every(isApart)).toBe(true);
    await other.keyboard.press('Control+z');
    await expect.poll(async () => (await pasted()).length).toBe(5);
    expect(author.complaints).toEqual([]);
    await author.close();
  });

  it('the actions of a workflow are one menu at a time, which Escape closes', async (context) => {
    await studio.service.keep(twoMessages('first'), { publish: false });
    await studio.service.keep(twoMessages('second'), { publish: false });
    const author = await studio.page(context, '');
    const { page } = author;
    const menus = page.getByLabel('Actions for Two messages', { exact: true });
    await menus.nth(0).focus();
    await page.keyboard.press('Enter');
    await menus.nth(1).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Duplicate' }).waitFor();
    expect(await page.getByRole('button', { name: 'Duplicate' }).count()).toBe(1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'Duplicate' }).count()).toBe(0);
    expect(await page.locator('summary:focus').count()).toBe(1);
    expect(author.complaints).toEqual([]);
    await author.close();
  });

  it('an execution and its versions are stepped through by keys, without a click before', async (context) => {
    const { service } = studio;
    await service.keep(twoMessages('steps', { keywords: ['steps'] }));
    const message = { id: 'm1', type: 'text', text: 'steps' };
    await service.engine.receiveMessage({ companyId: '1', botId: 'bot_wa', eventId: 'e1', user: { id: '5215512345678' }, message });
    await service.engine.whenIdle();
    const [execution] = (await service.store.executions.list('1', { workflowId: 'steps', limit: 1 })).results;
    const author = await studio.page(context, `1/executions/${execution?.executionId}`);
    const { page } = author;
    await focused(author, '.execution');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => page.url()).toContain('step=');
    await author.go('1/steps/versions');
    await focused(author, 'main.split');
    expect(author.complaints).toEqual([]);
    await author.close();
  });

  it('ports, and what is chosen, are seen where the system has colours of its own', async (context) => {
    await studio.service.keep(twoMessages('forced'), { publish: false });
    const author = await studio.page(context, '1/forced');
    await author.page.locator(cardOf('bye')).waitFor();
    const colours = () => author.page.evaluate(`getComputedStyle(document.querySelector('.port-out')).backgroundColor`);
    const usual = await colours();
    await author.page.emulateMedia({ forcedColors: 'active' });
    expect(await colours()).toBe(usual);
    // What is chosen has a ground of its own, which such a system takes away.
    const outlines: { [what: string]: unknown } = {};
    for (const [address, chosen] of [
      ['1/forced', '.layers [aria-pressed="true"]'],
      ['', '.rail [aria-current]'],
      ['1/settings/teams', '.settings-body > nav [aria-current]'],
    ] as const) {
      await author.go(address);
      await author.page.locator(chosen).first().waitFor();
      outlines[chosen] = await author.page.evaluate(`getComputedStyle(document.querySelector('${chosen}')).outlineStyle`);
    }
    expect([...new Set(Object.values(outlines))]).toEqual(['solid']);
    await author.close();
  });

  it('a card says what it is to those who do not see it', async (context) => {
    const { nodes, ...rest } = twoMessages('names');
    const blank = { id: 'bye', type: 'message', data: { message: { type: 'text', text: '' } } };
    await studio.service.keep({ ...rest, nodes: nodes.map((node) => (node.id === 'bye' ? blank : node)) }, { publish: false });
    const author = await studio.page(context, '1/names');
    await author.card('bye').getByText('1 problem').waitFor({ state: 'attached' });
    expect(await author.card('bye').ariaSnapshot()).toMatch(/1 problem(?!s)/);
    expect(await author.card('bye').ariaSnapshot()).not.toContain('Problems');
    await author.close();
  });
});
