import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../http/fake-service.ts';
import { manyFlows } from './many-flows.ts';
import { openStudio, type OpenStudio } from './open-studio.ts';

const greeting = {
  schemaVersion: 1,
  id: 'greeting',
  name: 'Greeting',
  nodes: [
    { id: 'start', type: 'start', position: { x: 0, y: 0 }, data: { fallback: true } },
    { id: 'hello', type: 'message', position: { x: 328, y: 0 }, data: { message: { type: 'text', text: 'Hello' } } },
    { id: 'end', type: 'end', position: { x: 656, y: 0 } },
  ],
  edges: [
    { source: 'start', target: 'hello' },
    { source: 'hello', sourceHandle: 'sent', target: 'end' },
  ],
};

const jsonFile = (text: string) => ({ name: 'canvas.json', mimeType: 'application/json', buffer: Buffer.from(text) });

describe('what goes wrong in the studio, in Chromium', { timeout: 180_000 }, () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio.close());

  it('a file that is no canvas is refused with its reason, and can be chosen again once it is mended', async (context) => {
    const { page, axe, complaints, close } = await studio.page(context, '');
    const file = page.locator('input[type="file"]');
    const refused = page.getByRole('alert');
    for (const [text, reason] of [
      ['{"id": "broken", "nodes": [', /JSON/],
      ['[]', 'no canvas: / is missing'],
      ['{"id": "no-list", "nodes": {}}', 'no canvas: /nodes is missing'],
      ['{"id": "no-node", "nodes": [7]}', 'no canvas: /nodes/0 is missing'],
      [JSON.stringify({ ...greeting, id: 'later', later: 1 }), 'There is no field "later" here'],
    ] as const) {
      await file.setInputFiles(jsonFile(text));
      await refused.getByText(reason).waitFor();
    }
    expect(await axe()).toEqual([]);
    expect((await studio.service.store.canvases.draft('1', 'no-list'))?.canvas).toBeUndefined();
    await file.setInputFiles(jsonFile(JSON.stringify({ ...greeting, id: 'imported' })));
    await page.waitForURL(/\/1\/imported/);
    expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([]);
    await close();
  });

  it('a service that is away, or refuses, is told with its reason on every screen, and asked again', async (context) => {
    await studio.service.keep({ ...greeting, id: 'away' });
    const { page, go, card, close } = await studio.page(context, '');
    for (const [path, shown] of [
      ['', 'Workflows'],
      ['1/away/versions', 'Versions'],
      ['1/executions', 'Executions'],
    ] as const) {
      let isAway = true;
      await page.route(/\/admin\/v1\/(?:workflows|executions)/, (route) => (isAway ? route.abort() : route.continue()));
      await go(path);
      await page.getByText('The service was not reached').first().waitFor();
      isAway = false;
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page.getByRole('heading', { name: shown }).waitFor();
      await page.unrouteAll();
    }
    await go('1/away');
    await card('hello').waitFor();
    const publish = page.getByRole('dialog', { name: 'Publish' });
    let isAway = true;
    await page.route(/\/admin\/v1\/workflows\/away\/versions/, (route) => (isAway ? route.abort() : route.continue()));
    await page.getByRole('button', { name: 'Publish' }).click();
    await publish.getByText('The service was not reached').waitFor();
    isAway = false;
    await publish.getByRole('button', { name: 'Try again' }).click();
    await page.route(/\/publish/, (route) =>
      route.fulfill({ status: 409, json: { error: 'CANVAS_INVALID', message: 'Another company took the keyword "order"' } }),
    );
    await publish.getByRole('button', { name: /^Publish version/ }).click();
    await publish.getByRole('alert').getByText('Another company took the keyword').waitFor();
    await page.unrouteAll();
    await publish.getByRole('button', { name: /^Publish version/ }).click();
    await publish.getByText(/is live/).waitFor();
    expect((await studio.service.store.canvases.latest('1', 'away'))?.version).toBe(1); // its content is that of v1
    await close();
  });

  it('an execution that could not be cancelled is told so where its reason was given, which stays', async (context) => {
    const wait = { id: 'wait', type: 'delay', data: { duration: 'P1D' } };
    const nodes = [{ id: 'start', type: 'start' }, wait, { id: 'end', type: 'end' }];
    const edges = [
      { source: 'start', target: 'wait' },
      { source: 'wait', sourceHandle: 'elapsed', target: 'end' },
    ];
    await studio.service.keep({ ...greeting, id: 'waiting', kind: 'tool', nodes, edges }, { publish: true });
    const { executionId } = await studio.service.engine.company('1').start('waiting');
    const { page, close } = await studio.page(context, `1/executions/${executionId}`);
    await page.getByRole('button', { name: 'Cancel execution' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel execution' });
    await dialog.getByLabel('Reason').fill('Typed by mistake');
    await page.route(/\/cancel/, (route) => route.fulfill({ status: 409, json: { error: 'CONFLICT', message: 'It is being moved' } }));
    await dialog.getByRole('button').last().click();
    await dialog.getByRole('alert').getByText('It is being moved').waitFor();
    await page.unrouteAll();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Typed by mistake');
    await dialog.getByRole('button').last().click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('status').getByText('cancelled').waitFor();
    await close();
  });

  it('a workflow or an execution that is not there is told so, with the way back', async (context) => {
    const { page, axe, go, close } = await studio.page(context, '');
    for (const [path, text] of [
      ['1/nothing', 'There is no workflow “nothing”.'],
      ['1/executions/nothing', 'There is no execution “nothing”.'],
    ] as const) {
      await go(path);
      await page.getByRole('alert').getByText(text).waitFor();
      expect(await axe()).toEqual([]);
      await page.getByRole('button', { name: 'Back to all workflows' }).click();
      await page.getByRole('heading', { name: 'Workflows' }).waitFor();
    }
    await close();
  });

  it.for([1440, 1280, 1000, 900, 600, 400])('menus and panels are inside of a window %d pixels wide', async (width, context) => {
    await studio.service.keep({ ...greeting, id: 'wide' });
    const { page, card, go, close } = await studio.page(context, '');
    await page.setViewportSize({ width, height: 800 });
    const isInside = async (name: string): Promise<void> => {
      const { x, width: own } = (await page.getByRole('button', { name, exact: true }).first().boundingBox())!;
      expect([name, x >= 0 && x + own <= width]).toEqual([name, true]);
    };
    const search = (await page.getByRole('searchbox', { name: 'Search workflows' }).boundingBox())!;
    const button = width > 1000 ? (await page.getByRole('button', { name: 'New workflow' }).boundingBox())! : search;
    expect(Math.abs(button.y - search.y)).toBeLessThan(20); // one row
    const menu = page.locator('tr', { hasText: 'wide' }).locator('summary');
    await menu.click();
    await isInside('Export JSON');
    await go('1/wide');
    await card('hello').waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const panel = (await page.getByRole('complementary', { name: 'Test' }).boundingBox())!;
    expect([panel.x >= 0, panel.x + panel.width <= width + 1]).toEqual([true, true]);
    expect(panel.width).toBeGreaterThanOrEqual(width <= 600 ? width - 1 : 320);
    await isInside('Skip 1d');
    const cut = await page.evaluate<readonly string[]>(`
      [...document.querySelectorAll('.top-bar button')]
        .filter((button) => {
          const { left, right } = button.getBoundingClientRect();
          return left < 0 || right > innerWidth || button.scrollWidth > button.clientWidth;
        })
        .map((button) => button.getAttribute('aria-label') ?? button.textContent)
    `);
    expect(cut).toEqual([]);
    await close();
  });

  it('a session that is over is begun again on the screen where one is', async (context) => {
    await studio.service.keep({ ...greeting, id: 'over' });
    const { page, go, axe, close } = await studio.page(context, '');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Archived' }).click();
    await page.getByRole('heading', { name: 'Log in again' }).waitFor();
    expect(await axe()).toEqual([]);
    const logIn = async (): Promise<void> => {
      await page.getByLabel('Admin token').fill(keys.admin);
      await page.getByRole('button', { name: 'Log in' }).click();
    };
    await logIn();
    await page.getByRole('heading', { name: 'Workflows' }).waitFor();

    // A screen whose script is not there yet cannot be fetched: that is said, and not an empty page.
    await go('1/over/versions');
    const executions = page.getByRole('button', { name: 'Executions: v1' });
    await executions.waitFor();
    await page.context().clearCookies();
    await executions.click();
    await page.getByRole('alert').getByText('This did not work').waitFor();
    expect(await axe()).toEqual([]);
    await close();
  });

  it('what is typed for a dialog whose code is on its way is for it, and does nothing to the canvas', async (context) => {
    await studio.service.keep({ ...greeting, id: 'early' });
    const { page, card, go, complaints, close } = await studio.page(context, '');
    const { promise: come, resolve } = Promise.withResolvers<void>();
    await page.route(/\/(?:SearchDialog|KeysDialog)-/, (route) => come.then(() => route.continue()));
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await go('1/early');
    await card('hello').locator('header').click();
    await page.getByRole('textbox', { name: 'Label' }).waitFor();
    await press('Escape'); // back to the card
    await card('hello').and(page.locator(':focus')).waitFor();
    await press('?', 't', 'Delete', 'Escape'); // the list of keys, which is not waited for
    await press('Control+k', 't', 'p', 'o', 'Backspace', 'Delete', 'Enter');
    resolve();
    const search = page.getByRole('combobox', { name: 'Search everything' });
    await search.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('q'); // now in the field itself
    expect(await search.inputValue()).toBe('tpq');
    await press('Escape');
    expect(await page.locator('.side').count()).toBe(0); // "t" opens the test, "p" the problems, elsewhere
    expect(await page.locator('.react-flow__node').count()).toBe(3);
    await press('Control+k', 't');
    expect(await search.inputValue()).toBe('t'); // what was typed for it before is over
    expect(complaints).toEqual([]);
    await close();
  });

  it('5,000 nodes in a circle are opened, searched and edited', async (context) => {
    const large = manyFlows('circle', 200, 'Hi');
    await studio.service.keep(
      { ...large, edges: large.edges.map((edge) => (edge.target === 'finish' ? { ...edge, target: 'n0-0' } : edge)) },
      { publish: false },
    );
    const { page, card, complaints, close } = await studio.page(context, '1/circle');
    page.setDefaultTimeout(60_000);
    await page.locator('canvas.far').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search everything' }).fill('n150-12');
    await page.getByRole('option', { name: /n150-12/ }).click();
    await card('n150-12').waitFor();
    await page.getByRole('textbox', { name: 'Label' }).fill('In the middle');
    await card('n150-12').getByText('In the middle').waitFor();
    await page.getByText('Draft saved').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
