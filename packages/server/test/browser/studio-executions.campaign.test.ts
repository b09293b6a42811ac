import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type OpenStudio } from './open-studio.ts';

/** Asks for a number; called by another flow. */
const child = {
  schemaVersion: 1,
  id: 'number',
  name: 'Which number',
  nodes: [
    { id: 'start', type: 'start', position: { x: 0, y: 0 }, data: { keywords: ['never-said'] } },
    {
      id: 'which',
      type: 'ask',
      position: { x: 328, y: 0 },
      data: { message: { type: 'text', text: 'Which number?' }, input: { kind: 'number' }, saveAs: '$context.number' },
    },
    { id: 'end', type: 'end', position: { x: 656, y: 0 } },
  ],
  edges: [
    { source: 'start', target: 'which' },
    { source: 'which', sourceHandle: 'answered', target: 'end' },
  ],
};
const parent = {
  schemaVersion: 1,
  id: 'order',
  name: 'Order',
  nodes: [
    { id: 'begin', type: 'start', position: { x: 0, y: 0 }, data: { fallback: true } },
    { id: 'hello', type: 'message', position: { x: 328, y: 0 }, data: { message: { type: 'text', text: 'Hello' } } },
    { id: 'ask', type: 'workflow', position: { x: 656, y: 0 }, data: { workflowId: 'number' } },
    { id: 'bye', type: 'message', position: { x: 984, y: 0 }, data: { message: { type: 'text', text: 'Bye' } } },
    { id: 'done', type: 'end', position: { x: 1_312, y: 0 } },
  ],
  edges: [
    { source: 'begin', target: 'hello' },
    { source: 'hello', sourceHandle: 'sent', target: 'ask' },
    { source: 'ask', sourceHandle: 'success', target: 'bye' },
    { source: 'bye', sourceHandle: 'sent', target: 'done' },
  ],
};

describe('executions in the studio, in Chromium', { timeout: 180_000 }, () => {
  let studio: OpenStudio;
  const says = async (userId: string, text: string, eventId: string): Promise<void> => {
    const message = { id: eventId, type: 'text', text } as const;
    await studio.service.engine.receiveMessage({ companyId: '1', botId: 'bot_wa', eventId, user: { id: userId }, message });
    await studio.service.engine.whenIdle();
  };
  beforeAll(async () => {
    studio = await openStudio();
    await studio.service.keep(child);
    await studio.service.keep(parent);
  });
  afterAll(() => studio?.close());

  it('opens the execution that was called from the one that called it, and leads back to the same step', async (context) => {
    await says('5215512345678', 'hi', 'e1');
    const running = (await studio.service.store.executions.list('1', { workflowId: 'order', limit: 1 })).results[0];
    const { page, card, complaints, axe, close } = await studio.page(context, `1/executions/${running?.executionId}`);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.locator('.card.is-waiting').waitFor();
    await button('Open child').click();
    await page.getByRole('heading', { name: 'Which number · 5215512345678' }).waitFor();
    await card('which').locator('.is-waiting').waitFor();
    expect(await axe()).toEqual([]);

    // Once it has ended, the step that called it still leads there, and it leads back to this very step.
    await says('5215512345678', '7', 'e2');
    await page.locator('.status.completed').waitFor();
    await button('Open parent').click();
    await page.getByRole('heading', { name: 'Order · 5215512345678' }).waitFor();
    await page.locator('.status.completed').waitFor();
    const steps = /^Step (\d+) of (\d+)$/;
    const atStep = async () => Number(steps.exec((await page.locator('.timeline > .caption').textContent()) ?? '')?.[1]);
    const called = await atStep();
    expect(new URL(page.url()).searchParams.get('step')).toBe(String(called));
    await page.getByRole('heading', { name: /^Workflow #/ }).waitFor();
    await button('Open child').waitFor();

    // Each step is in the address, and is none to go back over.
    await button('Step forward').click();
    expect(new URL(page.url()).searchParams.get('step')).toBe(String(called + 1));
    await button('Step back').click();
    await button('Open child').click();
    await page.getByRole('heading', { name: 'Which number · 5215512345678' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Order · 5215512345678' }).waitFor();
    expect(await atStep()).toBe(called);
    expect(complaints).toEqual([]);
    await close();
  });

  it('lists what began within a time; the filter is in the address, and goes by its chip', async (context) => {
    await says('5215500000001', 'early', 'e3');
    studio.service.clock.advanceBy(3 * 3_600_000);
    const later = studio.service.clock.now();
    await says('5215500000002', 'late', 'e4');
    const { page, card, complaints, axe, close } = await studio.page(context, '1/executions?workflowId=order');
    const user = (id: string) => page.getByRole('cell', { name: id, exact: true });
    await user('5215500000001').waitFor();
    await user('5215500000002').waitFor();

    // Over the canvas: the visits of each node and who waits there, and how often each port was left; of those in the list.
    await page.getByRole('button', { name: 'Counts on the canvas' }).click();
    await page.getByText('3 executions of v1, of those listed here.').waitFor();
    await card('hello').getByText('3 visits').waitFor();
    await card('ask').getByText('2 waiting here').first().waitFor();
    await card('bye').getByText('1 visit', { exact: true }).waitFor();
    expect(await page.locator('.counts .count').allTextContents()).toEqual(['3', '3', '1', '1']);
    expect(await axe()).toEqual([]);
    await page.locator('summary[aria-label="More filters"]').click();
    /** As the field has it: the local time of the browser. */
    const field = (ms: number) =>
      page.evaluate<string>(
        `(() => { const at = new Date(${ms}); return new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16); })()`,
      );
    const since = page.getByLabel('Begun since');
    await since.fill(await field(later - 60_000));
    await since.press('Enter');
    await user('5215500000001').waitFor({ state: 'detached' });
    await user('5215500000002').waitFor();
    await page.getByText('1 execution of v1, of those listed here.').waitFor();
    await card('hello').getByText('1 visit', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Counts on the canvas' }).click();
    await card('hello').waitFor({ state: 'detached' });
    const asked = new URL(page.url()).searchParams.get('from') ?? '';
    expect(Math.abs(Date.parse(asked) - (later - 60_000))).toBeLessThanOrEqual(60_000);
    expect(await axe()).toEqual([]);

    await page.reload();
    await user('5215500000002').waitFor();
    await user('5215500000001').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Without Begun since: / }).click();
    await user('5215500000001').waitFor();

    await page.locator('summary[aria-label="More filters"]').click();
    const before = page.getByLabel('Begun before');
    await before.fill(await field(later - 60_000));
    await before.press('Enter');
    await user('5215500000002').waitFor({ state: 'detached' });
    await user('5215500000001').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('lists the attempts of a call that was tried again, each of which leads to its step', async (context) => {
    const { service } = studio;
    const [begin, , , , done] = parent.nodes;
    const call = {
      id: 'call',
      type: 'api',
      position: { x: 328, y: 0 },
      data: { method: 'GET', url: 'https://shop.example/', retry: { attempts: 2, delay: 'PT5S', jitter: 'none' } },
    };
    await service.keep({
      ...parent,
      id: 'retried',
      nodes: [{ ...begin, data: { keywords: ['retry'] } }, call, done],
      edges: [
        { source: 'begin', target: 'call' },
        { source: 'call', sourceHandle: 'success', target: 'done' },
        { source: 'call', sourceHandle: 'error', target: 'done' },
      ],
    });
    await service.engine.start();
    for (const status of [503, 200]) service.drivers.answer({ status, body: '{}' });
    await says('5215500000003', 'retry', 'e5');
    const [called] = (await service.store.executions.list('1', { workflowId: 'retried', limit: 1 })).results;
    const { page, complaints, axe, close } = await studio.page(context, `1/executions/${called?.executionId}`);
    await page.getByRole('heading', { name: 'Attempts' }).waitFor();
    const attempts = page.locator('.attempts li');
    expect(await attempts.allTextContents()).toEqual(['1. a call of a service 503, after 0 ms']);
    service.clock.advanceBy(5_000);
    await page.locator('.status.completed').waitFor();
    await page.getByRole('button', { name: 'Step back' }).click();
    await attempts.nth(1).waitFor();
    expect(await attempts.allTextContents()).toEqual(['1. a call of a service 503, after 0 ms', '2. a call of a service 200, after 0 ms']);
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Go to attempt 1: a call of a service' }).click();
    await page.getByText('Step 2 of').waitFor();
    expect(await attempts.allTextContents()).toEqual(['1. a call of a service no answer yet']);
    expect(complaints).toEqual([]);
    await close();
  });

  it('counts the executions of one version at a time, the newest first', async (context) => {
    const { service } = studio;
    const [begin, , , , done] = parent.nodes;
    const asking = { ...begin, data: { keywords: ['count'] } };
    const first = { ...parent, id: 'counted', nodes: [asking, done], edges: [{ source: 'begin', target: 'done' }] };
    await service.keep(first);
    await says('5215500000004', 'count', 'e6');
    await service.keep({
      ...first,
      nodes: [asking, parent.nodes[1], done],
      edges: [parent.edges[0], { ...parent.edges[3], source: 'hello' }],
    });
    for (const event of ['e7', 'e8']) await says('5215500000004', 'count', event);
    const { page, card, complaints, axe, close } = await studio.page(context, '1/executions?workflowId=counted');
    await page.getByRole('button', { name: 'Counts on the canvas' }).click();
    await page.getByText('2 executions of v2, of those listed here.').waitFor();
    await card('hello').getByText('2 visits').waitFor();
    const version = page.locator('.counts select');
    expect(await version.getByRole('option').allTextContents()).toEqual(['v2', 'v1']);
    await version.selectOption('v1');
    await page.getByText('1 execution of v1, of those listed here.').waitFor();
    await card('begin').getByText('1 visit', { exact: true }).waitFor();
    expect(await card('hello').count()).toBe(0);
    expect(await axe()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('lists what is of a person, found by a part of their name', async (context) => {
    const { engine } = studio.service;
    const people = { '5215500000011': 'Olga Lima', '5215500000012': 'Olga Ruiz', '5215500000013': 'Pedro Lima' };
    for (const [id, names] of Object.entries(people))
      await engine.receiveMessage({
        companyId: '1',
        botId: 'bot_wa',
        eventId: `by ${id}`,
        user: { id, names },
        message: { id: `by ${id}`, type: 'text', text: 'hi' },
      });
    await engine.whenIdle();
    const { page, complaints, axe, go, close } = await studio.page(context, '');
    for (const [id, names] of Object.entries(people))
      await page.evaluate(`fetch('/admin/v1/companies/1/contacts/phone:${id}', {
        method: 'PATCH', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify({ names }))},
      })`);
    await go('1/executions');
    const field = page.getByRole('searchbox', { name: 'User' });
    const rows = page.locator('tbody tr');
    await field.fill('olga');
    await field.press('Enter');
    await page.getByRole('list', { name: 'People who are meant' }).getByRole('button').nth(1).waitFor();
    expect(await axe()).toEqual([]);
    // The choice is made by keys alone, or left.
    await page.keyboard.press('Escape');
    await page.locator(':focus').and(field).waitFor();
    await field.press('Enter');
    const choice = page.getByRole('button', { name: /^Olga Ruiz/ });
    await choice.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /User: Olga Ruiz/ }).waitFor();
    await expect.poll(() => rows.filter({ hasNotText: 'Olga Ruiz' }).count()).toBe(0);
    // One person alone is meant at once; and so is an id that nobody is known by.
    await field.fill('pedro');
    await field.press('Enter');
    await page.getByRole('button', { name: /User: Pedro Lima/ }).waitFor();
    await field.fill('nobody-at-all');
    await field.press('Enter');
    await page.getByRole('button', { name: /User: nobody-at-all/ }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
