// An agent in the studio: its budgets and what it withholds in the form, and conversations in the tester whose model is answered by hand.
import { readFileSync } from 'node:fs';
import { modelCalls, modelExits, modelFails, modelSays } from '@hilo/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type OpenStudio } from './open-studio.ts';

const example = (id: string): object =>
  JSON.parse(readFileSync(new URL(`../../../../examples/canvases/${id}.json`, import.meta.url), 'utf8')) as object;

describe('an agent, in Chromium', { timeout: 180_000 }, () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
    for (const id of ['stock', 'place-order']) await studio.service.keep(example(id));
    await studio.service.keep(example('order-agent'), { publish: false });
  });
  afterAll(() => studio?.close());

  const dataOf = async (nodeId: string): Promise<unknown> =>
    (await studio.draft('order-agent')).nodes.find(({ id }) => id === nodeId)?.data;
  const say = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('Message', { exact: true }).fill(text);
    await page.keyboard.press('Enter');
  };
  const asked = (page: Page) => page.getByRole('region', { name: 'Agent asks for an answer of the AI model' });
  /** Until the model is asked for the nth time: the card of the call before has the same buttons. */
  const untilAsked = (page: Page, count: number): Promise<void> =>
    expect.poll(() => page.getByRole('log').getByText('Asks for an answer of the AI model').count(), { timeout: 60_000 }).toBe(count);
  /** The model answers its nth question by what a button writes, as it is. */
  const answer = async (page: Page, count: number, button: string): Promise<void> => {
    await untilAsked(page, count);
    await asked(page).getByRole('button', { name: button, exact: true }).click();
    await asked(page).getByRole('button', { name: 'Answer', exact: true }).click();
  };

  it('has a form with budgets, what holds where none is written, and what is withheld', async (context) => {
    const { page, saved, axe, complaints, close } = await studio.page(context, '1/order-agent?node=talk');
    const side = page.locator('.side');
    await side.getByLabel('Turns', { exact: true }).waitFor();
    const unwritten = ['Calls of tools', 'Tokens', 'Longest answer, in tokens', 'Wait at most'];
    const shown = unwritten.map((label) => side.getByLabel(label, { exact: true }).getAttribute('placeholder'));
    expect(await Promise.all(shown)).toEqual(['8', '200000', '1024', '60']);
    expect(await side.getByLabel('Wait at most: unit').inputValue()).toBe('seconds');
    await side.getByLabel('Turns', { exact: true }).fill('2');
    await side.getByLabel('Calls of tools', { exact: true }).fill('3');
    await side.getByLabel('Wait at most', { exact: true }).fill('20');
    await side.getByRole('button', { name: 'Add a line: Hide from the model' }).click();
    await side.getByLabel('Hide from the model 2', { exact: true }).fill('$user.names');
    await page.keyboard.press('Tab');
    await saved();
    const limits = { turns: 2, modelCalls: 4, toolCalls: 3, invalid: 3 };
    await expect
      .poll(() => dataOf('talk'), { timeout: 60_000 })
      .toMatchObject({ limits, timeout: 'PT20S', withhold: ['$user.phone', '$user.names'] });
    expect(await axe()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('calls tools, asks before it orders, and ends, as its model is answered by hand', async (context) => {
    const { page, axe, complaints, close } = await studio.page(context, '1/order-agent');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await say(page, 'is A-17 there?');
    await untilAsked(page, 1);
    expect(await axe()).toEqual([]);
    await answer(page, 1, 'Calls stock');
    await answer(page, 2, 'Calls order');
    await page
      .locator('.tester .bubbles')
      .getByText(/^Order .* for 12\.50 USD\?/)
      .waitFor();
    await page.locator('.tester').getByRole('button', { name: 'Yes', exact: true }).click();
    await answer(page, 3, 'Ends with ordered');
    await page.locator('.tester').getByText('Ended: completed').waitFor();
    await page
      .locator('.tester .bubbles')
      .getByText(/^Your order is /)
      .waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('is one step a turn in its executions, with its calls folded and what they cost', async (context) => {
    const { engine, drivers, store } = studio.service;
    await engine.publish('1', 'order-agent');
    await engine.start();
    const answers = [
      modelFails('rate-limited'),
      modelCalls(['stock', { sku: 'A-17' }]),
      modelSays('Three are left.'),
      modelCalls(['nope', '{']),
      modelCalls(['order', { sku: 'A-17' }]),
      modelExits('ordered', { number: 'O-1' }),
    ];
    for (const one of answers) drivers.answerCall('model.ask', one);
    for (const text of ['is A-17 there?', 'please', 'Yes']) {
      const user = { id: '5215512345678' };
      await engine.receiveMessage({ companyId: '1', botId: 'bot_wa', eventId: text, user, message: { id: text, type: 'text', text } });
      await engine.whenIdle();
      studio.service.clock.advanceBy(3_000);
      await engine.whenIdle();
    }
    const [ended] = (await store.executions.list('1', { workflowId: 'order-agent', limit: 1 })).results;
    const { page, axe, complaints, close } = await studio.page(context, `1/executions/${ended?.executionId}?step=2`);
    const forward = page.getByRole('button', { name: 'Step forward' });
    const lines = page.locator('.turn > li > details > summary');
    await page.getByText('small, no answer yet').waitFor();
    await forward.click();
    await page.getByText('Spent so far: 1 turn, 3 calls of the model, 1 of tools, 220 tokens').waitFor();
    expect((await lines.allTextContents()).map((line) => line.split(', after')[0])).toEqual([
      'small does not answer: too many calls',
      'small calls stock',
      'small answers',
    ]);
    const stock = page.locator('.turn > li').filter({ hasText: 'small calls stock' });
    await stock.locator('summary').first().click();
    await stock.getByText('Answer of stock').waitFor();
    expect(await axe()).toEqual([]);
    await forward.click();
    await page.getByText('Spent so far: 2 turns, 5 calls of the model, 3 of tools, 440 tokens').waitFor();
    await page.getByText('nope failed').waitFor({ state: 'attached' });
    expect(complaints).toEqual([]);
    await close();
  });

  it('leaves where its model fails twice, and refuses until it is stuck', async (context) => {
    const { page, complaints, close } = await studio.page(context, '1/order-agent');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const answered = async (count: number, button: string): Promise<void> => {
      await untilAsked(page, count);
      await asked(page).getByRole('button', { name: button, exact: true }).click();
    };
    const told = (): Promise<number> => page.getByRole('log').getByText('A colleague will write to you.').count();
    await say(page, 'one');
    for (const count of [1, 2]) await answered(count, 'Does not answer');
    await expect.poll(told, { timeout: 60_000 }).toBe(1);
    await say(page, 'two');
    for (const count of [3, 4, 5]) await answered(count, 'Refuses');
    await expect.poll(told, { timeout: 60_000 }).toBe(2);
    expect(complaints).toEqual([]);
    await close();
  });
});
