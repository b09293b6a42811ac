// Authors of one workflow in two browsers: who is here, comments on steps, and folders of the list.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type OpenStudio } from './open-studio.ts';

const bot = {
  schemaVersion: 1,
  id: 'shared',
  name: 'Shared',
  nodes: [
    { id: 'begin', type: 'start', position: { x: 0, y: 0 }, data: { keywords: ['one'] } },
    { id: 'hello', type: 'message', position: { x: 328, y: 0 }, data: { message: { type: 'text', text: 'Hello' } } },
    { id: 'done', type: 'end', position: { x: 656, y: 0 } },
  ],
  edges: [
    { source: 'begin', target: 'hello' },
    { source: 'hello', sourceHandle: 'sent', target: 'done' },
  ],
};

describe('authors of one workflow, in Chromium', { timeout: 180_000 }, () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  it('see one another at a step, and comment on it: hostile texts are texts, and what is typed survives the end of the session', async (context) => {
    await studio.service.keep(bot, { publish: false });
    const ana = await studio.page(context, '1/shared');
    const ben = await studio.page(context, '1/shared');
    await ana.card('hello').locator('header').click();
    await ana.page.getByRole('button', { name: /^Comments/ }).waitFor();
    await ben.card('hello').locator('header').click();
    await ben.page.getByRole('status').getByText('also has this step open').waitFor();
    await ben.card('hello').locator('.avatar').first().waitFor();

    // A page that is loaded again is the same author: nobody is told of themselves.
    await ben.page.reload();
    await ben.card('hello').locator('header').click();
    await ben.page.getByRole('status').getByText('also has this step open').waitFor();
    expect(await ben.card('hello').locator('.avatar').count()).toBe(1);

    const hostile = '<img src=x onerror=alert(1)> {{$user.id}} \u05d0right';
    await ben.page.getByRole('button', { name: /^Comments/ }).click();
    const comments = ben.page.getByRole('region', { name: 'Comments' });
    await comments.getByLabel('Comment on').fill(hostile);
    await ben.page.context().clearCookies(); // the session ends while the comment is typed
    await comments.getByRole('button', { name: 'Comment', exact: true }).click();
    await comments.getByRole('alert').waitFor();
    expect(await comments.getByLabel('Comment on').inputValue()).toBe(hostile);
    await ben.close();

    await ana.page.getByRole('button', { name: /^Comments/ }).click();
    const list = ana.page.getByRole('region', { name: 'Comments' });
    await list.getByLabel('Comment on').fill(hostile);
    await ana.page.keyboard.press('Control+Enter');
    await list.getByText('<img src=x onerror=alert(1)>').waitFor();
    await ana.card('hello').locator('.avatar.said').waitFor();
    expect(await ana.axe()).toEqual([]);
    await list.getByRole('button', { name: 'Done' }).click();
    await list.getByText('All comments are done.').waitFor();
    await ana.page.keyboard.press('Escape');
    expect(await list.count()).toBe(0);
    expect(ana.complaints).toEqual([]);
    expect((await studio.draft('shared')).nodes).toHaveLength(3); // none of the keys was one of the canvas
    await ana.close();
  });

  it('lock a workflow by one click: the other one reads, tests and comments, and can take the lock away', async (context) => {
    await studio.service.keep({ ...bot, id: 'locked', name: 'Locked' }, { publish: false });
    const ana = await studio.page(context, '1/locked');
    const ben = await studio.page(context, '1/locked');
    await ben.page.getByRole('button', { name: /^Lock/ }).waitFor();
    await ana.page.getByRole('button', { name: /^Lock/ }).click();
    await ana.page.getByRole('button', { name: /^Unlock/, pressed: true }).waitFor();
    // A page says that it is there when a step is selected, and hears of the lock.
    await ben.card('hello').locator('header').click();
    const line = ben.page.getByRole('status').filter({ hasText: 'Locked by' });
    await line.waitFor();
    expect(await ben.page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
    expect(await ben.page.getByLabel('Name of the workflow').getAttribute('readonly')).not.toBeNull();
    await ben.card('hello').focus();
    await ben.page.keyboard.press('Delete');
    expect(await ben.card('hello').count()).toBe(1);
    expect(await ben.axe()).toEqual([]);
    await ben.page.getByRole('button', { name: /^Comments/ }).click();
    await ben.page.getByLabel('Comment on').fill('May I change this?');
    await ben.page.keyboard.press('Control+Enter');
    await ben.page.getByText('May I change this?').waitFor();
    await ben.page.keyboard.press('Escape');

    await line.getByRole('button', { name: 'Unlock it anyway' }).click();
    await ben.page.getByRole('button', { name: 'Publish' }).waitFor();
    await ben.page.getByRole('button', { name: /^Lock/ }).waitFor();
    await ana.card('begin').locator('header').click();
    await ana.page.getByRole('button', { name: /^Lock/ }).waitFor();
    expect([...ana.complaints, ...ben.complaints]).toEqual([]);
    await ana.close();
    await ben.close();
  });

  it('put workflows into folders, by the keyboard, and list those of one', async (context) => {
    for (const id of ['left', 'right']) await studio.service.keep({ ...bot, id, name: id }, { publish: false });
    const { page, axe, complaints, close } = await studio.page(context, '1/');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    const actions = row('left').locator('summary');
    await actions.focus();
    await page.keyboard.press('Enter');
    await row('left').getByRole('button', { name: 'Move to a folder' }).press('Enter');
    await page.getByLabel('Folder', { exact: true }).fill('Sales/<b>Peru</b>');
    await page.keyboard.press('Enter');
    await row('left').getByText('Sales/<b>Peru</b>').waitFor();
    await page.getByLabel('Folder', { exact: true }).selectOption({ label: 'Sales' });
    await row('right').waitFor({ state: 'detached' });
    expect(await row('left').count()).toBe(1);
    expect([...(await axe()), ...complaints]).toEqual([]);
    await close();
  });
});
