// What people do every day, as somebody does it who has never seen the studio: by the mouse, each with a budget of clicks.
import type { Canvas, JsonObject } from '@hilo/engine/contract';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { colours, countOn, type EverydayStage, openEveryday } from './everyday-stage.ts';

let stage: EverydayStage;
beforeAll(async () => {
  stage = await openEveryday();
});
afterAll(() => stage?.close());

it('fifteen everyday tasks stay within their clicks', { timeout: 300_000 }, async (context) => {
  const { service, studio, ask } = stage;
  const { page, card, complaints, go, close } = await studio.page(context, '');
  await page.setViewportSize({ width: 1280, height: 720 });
  const { click, choose, task, taken, button } = countOn(page);
  const step = (name: string): Locator => page.locator('.palette').getByRole('button', { name, exact: true });
  const rail = (name: string): Locator => page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name });
  const openDraft = async (id: string, red = 'Red it is'): Promise<void> => {
    await ask('PUT', `/workflows/${id}`, colours(id, red));
    await go(`1/${id}`);
    await card('red').locator('header').waitFor();
    await page.locator('.problem-count:is(.good, .bad, .warn)').waitFor(); // once it was checked
  };
  const edges = async (id: string): Promise<readonly string[]> => {
    const { canvas } = (await ask('GET', `/workflows/${id}`)) as { readonly canvas: Pick<Canvas, 'edges'> };
    return canvas.edges.map(({ source, target }) => `${source} ${target}`);
  };
  const nodes = async (id: string): Promise<readonly JsonObject[]> =>
    ((await ask('GET', `/workflows/${id}`)) as { readonly canvas: { readonly nodes: readonly JsonObject[] } }).canvas.nodes;

  await openDraft('between');
  await task('add a step between two', async () => {
    await click(card('red').locator('header'));
    await click(step('Message'));
    await page.locator('.node-panel :focus').waitFor();
    await expect.poll(() => edges('between')).toEqual(expect.arrayContaining(['red message', 'message end']));
  });
  expect(await edges('between')).not.toContain('red end');

  await openDraft('lead');
  await task('connect a button to another step', async () => {
    await click(card('menu').locator('.react-flow__handle[data-handleid="Blue"]'));
    await click(page.getByRole('group', { name: 'Connect to' }).getByRole('button').filter({ hasText: 'Red it is' }));
    await expect.poll(() => edges('lead')).toEqual(['start menu', 'menu red', 'menu red', 'menu end', 'red end', 'blue end']);
  });
  await task('rename a step', async () => {
    await click(card('red').locator('header'));
    await click(page.getByRole('textbox', { name: 'Label', exact: true }));
    await page.keyboard.type('For red');
    await card('red').getByText('For red').waitFor();
  });
  await task('undo', async () => {
    await click(button(/^Undo/));
    await card('red').getByText('For red').waitFor({ state: 'detached' });
  });
  await task('find a step by its text', async () => {
    await click(button('Search everything'));
    await page.keyboard.type('blue it');
    await click(page.locator('.found li').filter({ hasText: 'Blue it is' }).first());
    await page.locator('.react-flow__node.selected[data-id="blue"]').waitFor();
  });

  await openDraft('twice');
  await task('duplicate a branch', async () => {
    await click(card('red').locator('header'));
    await click(card('end').locator('header'), 'Shift');
    await click(page.locator('.selection-bar').getByRole('button', { name: 'Duplicate' }));
    await expect.poll(() => edges('twice')).toContain('message end-2');
  });
  const places = (await nodes('twice')).map(({ position }) => position as { readonly x: number; readonly y: number });
  const overlapping = places.flatMap((one, index) =>
    places.slice(index + 1).filter((other) => Math.abs(one.x - other.x) < 200 && Math.abs(one.y - other.y) < 56),
  );
  expect(overlapping).toEqual([]);

  await openDraft('call');
  await task('call a system with a credential', async () => {
    await click(step('API'));
    await page.locator('.node-panel :focus').waitFor();
    await page.keyboard.type('https://shop.example/orders');
    const auth = page.locator('.side [data-pointer$="/data/auth"]');
    await click(auth.getByRole('button', { name: 'Set' }));
    await choose(auth.getByLabel(/Credential/), { label: 'orders-basic' });
    await expect.poll(async () => JSON.stringify(await nodes('call'))).toContain('orders-basic');
  });

  await openDraft('tested', 'Red, and {{$context.nothing.at.all}}');
  await task('see why a test failed', async () => {
    await click(button('Test'));
    await page.getByLabel('Message', { exact: true }).waitFor();
    await page.keyboard.type('tested');
    await page.keyboard.press('Enter');
    await click(page.locator('.tester').getByRole('button', { name: 'Red', exact: true }));
    await page.locator('.tester .failure').getByText('$context.nothing').first().waitFor();
  });
  await openDraft('kept');
  await task('test with a scripted user', async () => {
    await click(button('Test'));
    await page.getByLabel('Message', { exact: true }).waitFor();
    await page.keyboard.type('kept');
    await page.keyboard.press('Enter');
    await click(page.locator('.tester').getByRole('button', { name: 'Red', exact: true }));
    await page.getByText('Ended: completed').waitFor();
    await click(page.locator('.tester').getByText('Keep as test'));
    await page.getByLabel('Name of the test').waitFor();
    await page.keyboard.type('red');
    await page.keyboard.press('Enter');
    await page.getByText('red passes').waitFor();
  });

  await openDraft('live');
  await task('publish', async () => {
    await click(button('Publish'));
    await click(button('Publish version 1'));
    await page.getByText('Version 1 is live.').waitFor();
  });
  await ask('PUT', '/workflows/live', colours('live', 'Worse'));
  await ask('POST', '/workflows/live/publish', {});
  await go('1/live');
  await task('roll back', async () => {
    await click(button('Versions'));

    await click(button(/^Publish again/));
    const sure = page.locator('dialog[open]').getByRole('button', { name: /^Publish/ });
    if ((await sure.count()) > 0) await click(sure);
    await expect.poll(async () => (await ask('GET', '/workflows/live'))['publishedVersion']).toBe(3);
  });

  // Somebody waits for a person.
  const writes = async (text: string): Promise<void> => {
    const message = { id: `m-${text}`, type: 'text', text } as const;
    const user = { id: '5215512345699', names: 'Berta' };
    await service.engine.receiveMessage({ companyId: '1', botId: 'bot_wa', eventId: message.id, user, message });
    await service.engine.whenIdle();
  };
  const desk: JsonObject = {
    ...colours('help', ''),
    nodes: [
      { id: 'start', type: 'start', data: { keywords: ['help'] } },
      { id: 'hand', type: 'handoff', data: {} },
      { id: 'end', type: 'end', data: {} },
    ],
    edges: [
      { source: 'start', target: 'hand' },
      ...['closed', 'expired', 'noAgent', 'error'].map((sourceHandle) => ({ source: 'hand', sourceHandle, target: 'end' })),
    ],
  };
  await ask('PUT', '/workflows/help', desk);
  await ask('POST', '/workflows/help/publish', {});
  await writes('help');
  await writes('Where is my lamp?');
  await go('1');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await task('see who is waiting', async () => {
    await click(rail('Inbox'));
    await page.getByRole('region', { name: 'Conversations' }).getByText('Berta').waitFor();
  });
  await task('answer a user', async () => {
    await choose(page.getByLabel('I answer as'), { index: 1 });
    await click(button(/^All/));
    await click(page.getByRole('region', { name: 'Conversations' }).getByRole('link', { name: /Berta/ }));
    const answer = page.getByLabel('Your answer');
    await answer.waitFor();
    if ((await answer.getAttribute('readonly')) !== null) await click(button('Take over'));
    await expect.poll(() => answer.getAttribute('readonly')).toBeNull();
    await answer.focus(); // it has the focus but for a moment after another person's conversation was taken over
    await page.keyboard.type('On its way.');
    await page.keyboard.press('Enter');
    await page.locator('.inbox-messages').getByText('On its way.').waitFor();
  });
  await task('give a colleague access to answer only', async () => {
    await click(rail('Settings'));
    await click(page.getByRole('link', { name: 'Access' }));
    await click(button('Add a person'));
    await page.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('olga');
    await click(page.getByRole('checkbox', { name: /^View/ }));
    await click(page.getByRole('checkbox', { name: /^Answer/ }));
    await click(button('Save'));
    await page.getByText('answers people, and nothing else in Acme').waitFor();
  });
  await go('1/');
  await task('delete a workflow and bring it back', async () => {
    await click(page.locator('summary[aria-label="Actions for Colours kept"]'));
    await click(button('Archive'));
    await click(button('Undo'));
    await page.getByText('Colours kept is archived.').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Colours kept' }).waitFor();
  });

  const budgets: { readonly [name: string]: number } = {
    'add a step between two': 2,
    'connect a button to another step': 2,
    'rename a step': 2,
    undo: 1,
    'find a step by its text': 2,
    'duplicate a branch': 3,
    'call a system with a credential': 4,
    'see why a test failed': 2,
    'test with a scripted user': 3,
    publish: 2,
    'roll back': 3,
    'see who is waiting': 1,
    'answer a user': 5,
    'give a colleague access to answer only': 6,
    'delete a workflow and bring it back': 3,
  };
  expect(Object.keys(taken)).toEqual(Object.keys(budgets));
  expect(Object.entries(taken).filter(([name, count]) => count > (budgets[name] ?? 0))).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});
