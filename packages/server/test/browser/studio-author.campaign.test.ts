import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type OpenStudio } from './open-studio.ts';

/** Three nodes in a line, the last of which reads what is wrong. */
const line = {
  schemaVersion: 1,
  id: 'line',
  name: 'Line',
  nodes: [
    { id: 'start', type: 'start', position: { x: 0, y: 0 }, data: {} },
    { id: 'hello', type: 'message', position: { x: 328, y: 40 }, data: { message: { type: 'text', text: 'Hello' } } },
    { id: 'sum', type: 'message', position: { x: 696, y: 120 }, data: { message: { type: 'text', text: 'It is {{ 1 + }} today' } } },
    { id: 'goodbye', type: 'end', position: { x: 1_200, y: 0 } },
  ],
  edges: [
    { source: 'start', target: 'hello' },
    { source: 'hello', target: 'sum' },
  ],
};

/** Time limits for a machine that does much else. */
const patience = { timeout: 60_000 };

describe('an author at work in the studio, in Chromium', { timeout: 300_000 }, () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio.close());

  it('underlines the very part of an expression that is wrong, and no more of it once it is mended', async (context) => {
    await studio.service.keep(line, { publish: false });
    const { page, complaints, axe, close } = await studio.page(context, '1/line?node=sum');
    const mistake = page.locator('.cm-content .mistake');
    await expect.poll(() => mistake.allTextContents(), patience).toEqual(['1 +']);
    expect(await axe()).toEqual([]);
    const text = page.locator('[data-pointer="/nodes/2/data/message/text"] .cm-content');
    await text.press('Control+End');
    await page.keyboard.type('!');
    await expect.poll(() => mistake.allTextContents(), patience).toEqual(['1 +']);
    await text.fill('It is {{ 1 + 1 }} today');
    await expect.poll(() => mistake.count(), patience).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  it('is driven by keys alone: the focus is never lost', async (context) => {
    await studio.service.keep({ ...line, id: 'keys' }, { publish: false });
    const { page, card, complaints, close } = await studio.page(context, '1/keys');
    const focused = () => page.evaluate<string>('document.activeElement?.getAttribute("data-id") ?? document.activeElement?.className');
    await card('sum').focus();
    await page.keyboard.press('F2');
    await expect.poll(() => page.evaluate<string>('document.activeElement?.closest(".field")?.textContent'), patience).toContain('Label');
    await page.keyboard.type('Sum');
    await card('sum').getByText('Sum').waitFor();
    await page.keyboard.press('Escape');
    expect(await focused()).toBe('sum');
    await page.keyboard.press('c');
    await page.getByRole('searchbox', { name: 'Find a node' }).last().waitFor();
    await page.keyboard.type('goodbye');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await studio.draft('keys')).edges, patience)
      .toContainEqual(expect.objectContaining({ source: 'sum', target: 'goodbye' }));
    expect(await focused()).toBe('sum');
    await card('hello').click();
    await card('sum').focus(); // not selected: the key is about it all the same
    await page.keyboard.press('Delete');
    await expect.poll(focused, patience).toBe('hello');
    expect(await card('hello').count()).toBe(1);
    await page.keyboard.press('Control+z');
    await card('sum').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await expect.poll(() => page.locator('.react-flow__node').count(), patience).toBe(0);
    await page.keyboard.press('Control+z');
    await card('sum').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('aligns and distributes what is selected, as one step each', async (context) => {
    await studio.service.keep({ ...line, id: 'rows' }, { publish: false });
    const { page, card, saved, axe, close } = await studio.page(context, '1/rows');
    await card('start').click();
    await card('hello').click({ modifiers: ['Shift'] });
    await card('sum').click({ modifiers: ['Shift'] });
    const bar = page.getByRole('toolbar', { name: '3 nodes selected' });
    await bar.getByRole('button', { name: 'Align at the top' }).click();
    await bar.getByRole('button', { name: 'Distribute across' }).click();
    expect(await axe()).toEqual([]);
    await saved();
    const places = async () => {
      const answer = await page.request.get(`${studio.base}/admin/v1/workflows/rows?companyId=1`);
      const { canvas } = (await answer.json()) as { readonly canvas: Pick<typeof line, 'nodes'> };
      return canvas.nodes.slice(0, 3).map(({ position }) => position);
    };
    await expect.poll(places, patience).toEqual([
      { x: 0, y: 0 },
      { x: 352, y: 0 },
      { x: 696, y: 0 },
    ]);
    await page.getByRole('button', { name: 'Undo: Aligned 3 nodes' }).click();
    await page.getByRole('button', { name: 'Undo: Aligned 3 nodes' }).click();
    await saved();
    await expect.poll(places, patience).toEqual(line.nodes.slice(0, 3).map(({ position }) => position));
    await close();
  });

  it('makes the panel wider by keys, and moves the card from under a panel that opens', async (context) => {
    await studio.service.keep({ ...line, id: 'panel' }, { publish: false });
    const { page, card, close } = await studio.page(context, '1/panel');
    await page.getByRole('button', { name: 'Fit the canvas' }).click();
    await card('goodbye').click();
    const side = page.getByRole('complementary', { name: 'Settings of the node' });
    await side.waitFor();
    const edges = async () => [(await card('goodbye').boundingBox())!, (await side.boundingBox())!] as const;
    await expect
      .poll(async () => {
        const [node, panel] = await edges();
        return node.x + node.width < panel.x;
      }, patience)
      .toBe(true);
    const separator = page.getByRole('separator', { name: 'Width of the panel' });
    for (const width of [392, 408]) {
      await separator.press('ArrowLeft');
      expect((await side.boundingBox())!.width).toBe(width);
    }
    await close();
  });

  it('says all of its own words in Spanish', async (context) => {
    await studio.service.keep({ ...line, id: 'palabras' }, { publish: false });
    const { page, card, go, axe, close } = await studio.page(context, '');
    await page.addInitScript('Object.defineProperty(navigator, "language", { get: () => "es-MX" })');
    await go('1/palabras');
    await card('hello').getByText('Mensaje').waitFor();
    await page.getByRole('button', { name: 'Pregunta' }).waitFor();
    await card('hello').focus();
    await page.keyboard.press('Alt+ArrowRight');
    await page.getByRole('button', { name: 'Deshacer: 1 nodo movido' }).waitFor();
    await page.getByRole('button', { name: 'Ajustes del flujo' }).click();
    await page.getByRole('spinbutton', { name: 'Caducidad de la sesión' }).waitFor();
    await page.getByRole('combobox', { name: 'Caducidad de la sesión: unidad' }).waitFor();
    await go('1/executions');
    await expect.poll(() => page.getByLabel('Estado').locator('option').allTextContents(), patience).toContain('en espera');
    expect(await axe()).toEqual([]);
    // The page is in that language, too; and whoever wants another one chooses it, for the next visit as well.
    expect(await page.evaluate('document.documentElement.lang')).toBe('es');
    await go('');
    await page.getByText('Cuenta').click();
    await page.getByRole('combobox', { name: 'Idioma' }).selectOption('en');
    await page.getByRole('heading', { name: 'Workflows' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
    await page.reload();
    await page.getByRole('heading', { name: 'Workflows' }).waitFor();
    expect(await axe()).toEqual([]);
    await close();
  });

  it('writes a variable that is chosen from a list, and a function found by its name', async (context) => {
    const nodes = line.nodes.map((node) =>
      node.id === 'hello'
        ? { ...node, type: 'ask', data: { message: { type: 'text', text: 'Name?' }, input: { kind: 'text' }, saveAs: '$context.name' } }
        : node.id === 'sum'
          ? { ...node, data: { message: { type: 'text', text: 'Hello ' } } }
          : node,
    );
    const edges = [line.edges[0]!, { source: 'hello', sourceHandle: 'answered', target: 'sum' }];
    await studio.service.keep({ ...line, id: 'variables', nodes, edges }, { publish: false });
    const { page, axe, complaints, close } = await studio.page(context, '1/variables?node=sum');
    const text = page.locator('[data-pointer="/nodes/2/data/message/text"]');
    const options = page.locator('.cm-tooltip-autocomplete li');
    await page.locator('.problem-count.bad').waitFor(); // it is checked: what is known here is known
    await text.locator('.cm-content').press('Control+End');
    await text.getByRole('button', { name: 'Insert a variable' }).click();
    await options.getByText('name', { exact: true }).waitFor();
    expect(await options.first().textContent()).toBe('name');
    await options.first().click();
    const written = () => text.locator('.cm-content').textContent();
    await expect.poll(written, patience).toBe('Hello {{$context.name}}');
    expect(await axe()).toEqual([]); // without the open list, which scrolls by the keys of its text and has no focus of its own
    await text.locator('.cm-content').press('Control+End');
    await page.keyboard.type(' {{inst');
    await options.getByText('instant', { exact: true }).first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
