import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manyFlows } from './many-flows.ts';
import { openStudio, type OpenStudio } from './open-studio.ts';

describe('large canvases in the studio, in Chromium', () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  it('1,000 nodes are one layer from afar, and few cards from near; a click opens the node under it', async (context) => {
    await studio.service.keep(manyFlows('thousand', 40), { publish: false });
    const { page, axe, complaints, close } = await studio.page(context, '1/thousand');
    await page.getByRole('img', { name: '1002 nodes, from afar' }).waitFor();
    expect(await page.locator('.react-flow__node').count()).toBe(0);
    expect(await axe()).toEqual([]);
    const painted = await page.evaluate<number>(`{
      const layer = document.querySelector('canvas.far');
      const { data } = layer.getContext('2d').getImageData(0, 0, layer.width, layer.height);
      let count = 0;
      for (let at = 3; at < data.length; at += 4) if (data[at] !== 0) count += 1;
      count / (data.length / 4);
    }`);
    expect(painted).toBeGreaterThan(0.05);

    // The drawn blocks are where the cards are: a click in the middle of the canvas opens one of them.
    const box = (await page.locator('canvas.far').boundingBox())!;
    let opened = 0;
    for (let at = 0; at < 12 && opened === 0; at += 1) {
      await page.mouse.click(box.x + box.width / 2 + at * 4, box.y + box.height / 2 + at * 2);
      opened = await page.locator('.node-panel').count();
    }
    expect(opened).toBe(1);
    await page.locator('.react-flow__node.selected').waitFor(); // brought into view, and drawn as a card again
    expect(await page.locator('.react-flow__node').count()).toBeLessThan(150);
    await page.locator('canvas.far').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await close();
  });

  it('a draft of nearly 1 MB is edited, saved, and undone after a reload', async (context) => {
    const large = manyFlows('large', 10, 'x'.repeat(3_700));
    expect(JSON.stringify(large).length).toBeGreaterThan(950_000);
    await studio.service.keep(large, { publish: false });
    const { page, saved, complaints, close } = await studio.page(context, '1/large?node=n0-0');
    const label = page.getByRole('textbox', { name: 'Label', exact: true });
    await label.fill('The first');
    await saved();
    expect((await studio.draft('large')).nodes.find(({ id }) => id === 'n0-0')?.data['label']).toBe('The first');
    await page.reload();
    await page.getByRole('button', { name: /^Undo: Changed “Label” of / }).click();
    await saved();
    expect((await studio.draft('large')).nodes.find(({ id }) => id === 'n0-0')?.data).not.toHaveProperty('label');
    expect(complaints).toEqual([]);
    await close();
  });

  it('200 steps are undone and done again, after a reload too; older ones are forgotten', async (context) => {
    const nodes = Array.from({ length: 206 }, (_node, index) => ({ id: `n${index}`, type: 'note', data: { text: `${index}` } }));
    const bot = { schemaVersion: 1, id: 'steps', name: 'Steps', nodes, edges: [] };
    await studio.service.keep({ ...bot, nodes: nodes.slice(0, 1) }, { publish: false });
    const { page, saved, complaints, close } = await studio.page(context, '1/steps');
    await page.locator('.board').waitFor();
    // One paste is one step.
    for (const node of nodes.slice(1)) {
      const text = JSON.stringify({ ...bot, nodes: [{ ...node, position: { x: 0, y: 0 } }] });
      await page.evaluate(
        `{ const clipboardData = new DataTransfer(); clipboardData.setData('text/plain', ${JSON.stringify(text)});
          document.querySelector('.editor').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true })); }`,
      );
    }
    const count = async () => (await studio.draft('steps')).nodes.length;
    await saved();
    await expect.poll(count).toBe(206);
    await page.reload();
    const undo = page.getByRole('button', { name: /^Undo/ });
    await page.getByRole('button', { name: /^Undo: / }).waitFor();
    await page.evaluate(`for (let step = 0; step < 250; step += 1) document.querySelector('[aria-label^="Undo: "]')?.click()`);
    await page.waitForFunction(`document.querySelector('[aria-label^="Undo"]').disabled`);
    expect(await undo.isDisabled()).toBe(true);
    await expect.poll(count).toBe(6);
    await page.evaluate(`for (let step = 0; step < 250; step += 1) document.querySelector('[aria-label^="Redo: "]')?.click()`);
    await page.waitForFunction(`document.querySelector('[aria-label^="Redo"]').disabled`);
    await expect.poll(count).toBe(206);
    await page.getByRole('button', { name: 'Fit the canvas' }).click(); // each of them was pasted beside the others
    await page.getByRole('img', { name: '206 nodes, from afar' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  }, 240_000);
});
