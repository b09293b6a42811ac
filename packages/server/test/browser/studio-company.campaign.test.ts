import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type OpenStudio } from './open-studio.ts';
import { twoMessages } from './two-messages.ts';

describe('a draft among the other workflows of its company, in Chromium', { timeout: 180_000 }, () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  it('says after a save, and before publishing, whose messages it takes; then what can be done with it', async (context) => {
    await studio.service.keep({ ...twoMessages('zebra'), name: 'Order status' });
    await studio.service.keep(twoMessages('bot', { keywords: ['bot'] }), { publish: false });
    const { page, card, axe, complaints, close } = await studio.page(context, '1/bot');
    await page.getByRole('button', { name: 'No problems' }).waitFor();
    await card('begin').locator('header').click();
    await page.locator('[data-pointer="/nodes/0/data/fallback"]').getByRole('checkbox').check();
    await page.getByRole('button', { name: '1 problem', exact: true }).click();
    await page.locator('.problems').getByText('A message that no keyword takes begins workflow "zebra", too').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Messages without a keyword: this workflow takes them over from Order status.').waitFor();
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Publish version 1' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish' });
    await dialog.getByText('It answers now on').waitFor();
    const chat = await dialog.getByRole('link', { name: 'Open the chat' }).first().getAttribute('href');
    expect(chat).toContain(`${studio.base}/chat/`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy the code for a page' }).first().click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain(`<script src="${studio.base}/chat.js" data-bot="`);
    expect(await axe()).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep watching: executions' }).click();
    await page.getByRole('heading', { name: 'Executions' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('a new workflow takes no messages that another one has, and an empty canvas has no problem', async (context) => {
    await studio.service.keep(twoMessages('first'));
    const { page, card, saved, complaints, close } = await studio.page(context, '');
    await page.getByRole('button', { name: 'New workflow' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Lead Qualification');
    await page.keyboard.press('Enter');
    await card('start').getByText('lead qualification').waitFor();
    expect((await studio.draft('lead-qualification')).nodes[0]?.data).toEqual({ keywords: ['lead qualification'] });
    await page.getByRole('button', { name: 'No problems' }).waitFor();
    // A node that was just added is unfinished, and no problem until it is left.
    await card('start').click();
    await page.locator('.palette').getByRole('button', { name: 'API', exact: true }).click();
    await card('api').waitFor();
    await saved();
    expect(await page.locator('.side .field-problem').count()).toBe(0);
    await page.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } });
    await page.getByRole('button', { name: /^[1-9] problems?$/ }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('proves that a reminder comes too late for WhatsApp, and sends a template instead', async (context) => {
    const { nodes, edges, ...rest } = twoMessages('reminder', { keywords: ['remind'] });
    const wait = { id: 'hello', type: 'delay', position: { x: 328, y: 0 }, data: { duration: 'P2D' } };
    await studio.service.keep(
      {
        ...rest,
        settings: { channels: ['whatsapp'] },
        nodes: nodes.map((node) => (node.id === 'hello' ? wait : node)),
        edges: edges.map((edge) => (edge.source === 'hello' ? { ...edge, sourceHandle: 'elapsed' } : edge)),
      },
      { publish: false },
    );
    const { page, card, axe, complaints, close } = await studio.page(context, '1/reminder');
    await page.getByRole('button', { name: '1 problem', exact: true }).click();
    await page.getByText('"bye" is reached only when the user has been silent for 24 hours').waitFor();
    await page.getByRole('button', { name: 'Show me' }).click();
    expect(await page.locator('.card.on-way .title').count()).toBe(3);
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Stop showing' }).click();

    // The same as a conversation, each step of which is seen on the canvas.
    await page.getByRole('button', { name: 'Show as a conversation' }).click();
    await page.getByText('Step 1 of 2: user: remind').waitFor();
    await page.locator('.stands').getByText('Waits for').waitFor();
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Next step' }).click();
    await page.getByText('Step 2 of 2: time:').waitFor();
    await page.locator('.stands').getByText('Ended').waitFor();
    expect(await page.getByRole('button', { name: 'Next step' }).count()).toBe(0);
    await page.getByRole('button', { name: '1 problem', exact: true }).click();
    await page.getByRole('button', { name: 'Fix: Insert a template at "windowClosed"' }).click();
    await card('template').waitFor();
    await page.locator('.problems').getByText('templateId').waitFor();
    const { edges: mended } = await expect
      .poll(async () => studio.draft('reminder'))
      .toMatchObject({ edges: expect.arrayContaining([expect.objectContaining({ source: 'template', target: 'done' })]) as unknown })
      .then(() => studio.draft('reminder'));
    expect(mended).toContainEqual(expect.objectContaining({ source: 'bye', sourceHandle: 'windowClosed', target: 'template' }));
    expect(complaints).toEqual([]);
    await close();
  });
});
