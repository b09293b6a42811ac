// What people do each week, as somebody does it who has never seen the studio: by the mouse, each with a budget of clicks.
import type { JsonObject } from '@hilo/engine/contract';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { colours, countOn, type EverydayStage, openEveryday } from './everyday-stage.ts';

let stage: EverydayStage;
beforeAll(async () => {
  stage = await openEveryday();
});
afterAll(() => stage?.close());

it('thirteen tasks of a week stay within their clicks', { timeout: 300_000 }, async (context) => {
  const { studio, ask } = stage;
  const { page, card, complaints, saved, go, close } = await studio.page(context, '');
  await page.setViewportSize({ width: 1280, height: 720 });
  const { click, choose, task, taken, button } = countOn(page);
  const rail = (name: string): Locator => page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name });
  const open = async (id: string): Promise<void> => {
    await go(`1/${id}`);
    await card('red').locator('header').waitFor();
    await page.locator('.problem-count:is(.good, .bad, .warn)').waitFor(); // once it was checked
  };
  const canvasOf = async (id: string) =>
    (await ask('GET', `/workflows/${id}`)) as { readonly canvas: JsonObject & { readonly nodes: readonly JsonObject[] } };
  const written = async (id: string): Promise<string> => JSON.stringify((await canvasOf(id)).canvas);

  await go('1/');
  await task('bring in a canvas from a file', async () => {
    const chooser = page.waitForEvent('filechooser');
    await click(button('Import JSON'));
    const file = { ...colours('imported', 'Red it is'), name: 'From a file' };
    await (await chooser).setFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(file)) });
    await page.getByText('From a file').first().waitFor();
    await expect.poll(() => written('imported')).toContain('From a file');
  });
  await go('1/');
  await task('take a canvas out as a file', async () => {
    await click(page.locator('summary[aria-label="Actions for From a file"]'));
    const download = page.waitForEvent('download');
    await click(button('Export JSON'));
    expect((await download).suggestedFilename()).toMatch(/\.json$/);
  });

  await open('imported');
  await task('begin a workflow by a word', async () => {
    await click(card('start').locator('header'));
    await click(page.locator('.side [data-pointer$="/data/keywords"] input').last());
    await page.keyboard.type('paint');
    await page.keyboard.press('Enter');
    await expect.poll(() => written('imported')).toContain('"paint"');
  });
  await task('put a note on the canvas', async () => {
    await click(page.locator('.palette').getByRole('button', { name: 'Note', exact: true }));
    await page.locator('.node-panel :focus').waitFor();
    await page.keyboard.type('Ask Ana before this changes');
    await expect.poll(() => written('imported')).toContain('Ask Ana');
  });
  await task('answer by opening hours', async () => {
    await click(page.locator('.palette').getByRole('button', { name: /^(Opening|Business) hours$/ }));
    await page.locator('.node-panel').getByText('Monday').first().waitFor();
    const monday = page
      .locator('.side')
      .getByLabel(/Monday/)
      .first();
    await click(monday);
    await expect.poll(() => written('imported')).toMatch(/"mon":\s*\[/);
  });
  await task('add a variable that begins with a number', async () => {
    await click(button('Workflow settings'));
    await click(button('Add a variable'));
    await page.getByLabel('Variable 1: Name').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('attempts');
    await choose(page.getByLabel('Variable 1: Kind of value'), { label: 'number' });
    await click(page.getByLabel('Variable 1: Begins with'));
    await page.keyboard.type('3');
    await expect.poll(async () => (await canvasOf('imported')).canvas['variables']).toEqual({ attempts: { type: 'number', default: 3 } });
  });

  await ask('PUT', '/workflows/used', colours('used', 'You like {{$context.colour}}'));
  await open('used');
  const uses = page.getByRole('region', { name: 'Where variables are used' });
  await task('find where a variable is used', async () => {
    await click(button('Workflow settings'));
    await uses.getByRole('button', { name: 'You like' }).waitFor();
  });
  await task('give a variable another name everywhere', async () => {
    await click(uses.getByRole('button', { name: 'Rename: colour' }));
    await page.keyboard.type('favourite');
    await page.keyboard.press('Enter');
    await expect.poll(() => written('used')).toContain('{{$context.favourite}}');
  });
  expect(await written('used')).not.toContain('$context.colour');
  await saved();

  await ask('POST', '/workflows/used/publish', {});
  await ask('PUT', '/workflows/used', colours('used', 'Nothing of it'));
  await open('used');
  await task('compare the draft with a version', async () => {
    await click(button('Versions'));
    await page.getByText('Compare v1 with draft').waitFor();
  });
  await task('go back to an old version', async () => {
    await click(button('Restore as draft: v1'));
    const sure = page.locator('dialog[open]').getByRole('button', { name: /Restore/ });
    if ((await sure.count()) > 0) await click(sure);
    await expect.poll(() => written('used')).toContain('favourite');
  });

  await go('1');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await task('see which messages of yesterday failed', async () => {
    await click(rail('Settings'));
    await click(page.getByRole('link', { name: /Acme/ }).first());
    await click(button('Messages that failed'));
    await page
      .getByText(/No message failed|Why/)
      .first()
      .waitFor();
  });
  await go('1');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await task('connect Slack', async () => {
    await click(rail('Settings'));
    await click(button(/Connect a channel/));
    await click(button(/^Slack/));
    await page.locator('.record-form :focus').waitFor();
    await page.keyboard.type('News');
    await page.getByLabel('Bot token').fill('xoxb-123456789012-abcdefghijkl'); // by Tab
    await page.getByLabel('Signing secret').fill('0123456789abcdef0123456789abcdef');
    await click(button('Save'));
    await page.getByText('Give the provider this address').waitFor();
  });
  await task('read the studio in Spanish', async () => {
    await click(page.locator('.rail summary').last());
    await choose(page.getByLabel('Language'), { label: 'Español' });
    await page.getByRole('link', { name: 'Inicio' }).waitFor();
  });

  const budgets: { readonly [name: string]: number } = {
    'bring in a canvas from a file': 1,
    'take a canvas out as a file': 2,
    'begin a workflow by a word': 2,
    'put a note on the canvas': 1,
    'answer by opening hours': 2,
    'add a variable that begins with a number': 5,
    'find where a variable is used': 1,
    'give a variable another name everywhere': 1,
    'compare the draft with a version': 1,
    'go back to an old version': 2,
    'see which messages of yesterday failed': 3,
    'connect Slack': 4,
    'read the studio in Spanish': 3,
  };
  expect(Object.keys(taken)).toEqual(Object.keys(budgets));
  expect(Object.entries(taken).filter(([name, count]) => count > (budgets[name] ?? 0))).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});
