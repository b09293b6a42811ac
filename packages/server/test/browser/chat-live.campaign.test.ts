/** What the web chat draws of a form, and of a reply while a model writes it: in Chromium, with a real service and a double of the model. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@hilo/engine/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findWidget } from '../../src/chat/chat.ts';
import { openService, type RunningService } from '../../src/service/open-service.ts';
import type { Listening } from '../../src/platform/http/listen.ts';
import { serve } from '../../src/service/serve.ts';
import { chatWorkspace } from '../chat/chat-stage.ts';
import { changed } from '../data/inline-example.ts';
import { settingsFor } from '../data/settings.ts';
import { listen as listenPlainly } from '../process/listening.ts';
import { buildChat } from './built-chat.ts';
import { axeFindings, startChromium } from './chromium.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const apply = JSON.parse(readFileSync(join(root, 'examples/canvases/apply.json'), 'utf8')) as JsonObject;

const helper = (host: string): JsonObject => ({
  schemaVersion: 1,
  id: 'helper',
  name: 'Helper',
  kind: 'skill',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['is A-17 there?'] } },
    {
      id: 'help',
      type: 'agent',
      data: {
        model: { baseUrl: `http://${host}/v1`, name: 'small' },
        instructions: 'Help.',
        exits: [{ name: 'done', when: 'They are content.' }],
        stream: true,
      },
    },
    { id: 'stop', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'help' },
    ...['done', 'limit', 'timeout', 'error'].map((sourceHandle) => ({ source: 'help', sourceHandle, target: 'stop' })),
  ],
});

const chunk = (delta: JsonObject, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const says = (content: string): string => chunk({ role: 'assistant', content });
const end = `${chunk({}, 'stop')}data: [DONE]\n\n`;

describe('the chat of a page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hilo-chat-'));
  let service: RunningService;
  let listening: Listening;
  let shop: Awaited<ReturnType<typeof listenPlainly>>;
  let model: Awaited<ReturnType<typeof listenPlainly>>;
  let browser: Browser | undefined;
  let answer: (response: ServerResponse) => void = () => undefined;

  beforeAll(async () => {
    const script = join(folder, 'chat.js');
    buildChat(script);
    model = await listenPlainly((request, response) => {
      request.resume().on('end', () => answer(response.writeHead(200, { 'content-type': 'text/event-stream' })));
    });
    const opened = await openService(settingsFor(join(folder, 'data'), { egressAllow: [model.address] }));
    const { chat } = opened;
    if (chat === undefined) throw new Error('The service has no chat');
    service = { ...opened, chat: { ...chat, widget: await findWidget(script) } };
    listening = await serve(service, { host: '127.0.0.1', port: 0 });
    const at = `http://127.0.0.1:${listening.port}`;
    service.listensAt(at);
    const workspace = changed(chatWorkspace(apply), { '/companies/0/workflows/-': { canvas: helper(model.address), publish: true } });
    await service.importWorkspace({ workspace });
    shop = await listenPlainly((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        `<!doctype html><html lang="en"><head><title>Shop</title><script src="${at}/chat.js" data-bot="help" defer></script></head><body><main><h1>Shop</h1></main></body></html>`,
      );
    });
  });
  beforeEach(async (context) => {
    browser ??= await startChromium(context);
  });
  afterAll(async () => {
    await browser?.close();
    await shop[Symbol.asyncDispose]();
    service.stopAccepting();
    await listening.close(500);
    await service.close();
    await model[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  async function openChat(): Promise<Page> {
    if (browser === undefined) throw new Error('No browser');
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    context.setDefaultTimeout(60_000); // of a machine that does much else
    const page = await context.newPage();
    await page.goto(`http://${shop.address}/`);
    await page.getByRole('button', { name: /^Open chat/ }).click();
    return page;
  }
  const write = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('Write a message').fill(text);
    await page.keyboard.press('Enter');
  };
  const holding = (): Promise<ServerResponse> => new Promise((resolve) => (answer = resolve));

  it('draws a form with labels, bounds and faults beside its fields, which can be sent once', { timeout: 300_000 }, async () => {
    const page = await openChat();
    await write(page, 'apply');
    const form = page.locator('form.fields');
    const age = form.last().getByLabel('Your age');
    await age.waitFor();
    const attributes = ['type', 'min', 'step', 'required'].map((name) => age.getAttribute(name));
    expect(await Promise.all(attributes)).toEqual(['number', '18', '1', '']);
    await form.last().getByLabel('Plan').selectOption('Full');
    await age.fill('17');
    await form.last().getByRole('button', { name: 'Fill in' }).click();
    expect([await age.isDisabled(), await form.locator('input:out-of-range').count()]).toEqual([false, 1]); // nothing was sent

    await age.evaluate((input: { removeAttribute(name: string): void }) => input.removeAttribute('min'));
    await form.last().getByRole('button', { name: 'Fill in' }).click();
    const fault = page.getByRole('alert').filter({ hasText: '"Your age" must be 18 or more.' });
    await fault.waitFor();
    expect(await form.first().getByLabel('Your age').isDisabled()).toBe(true);
    expect(await form.last().getByLabel('Your age').getAttribute('aria-invalid')).toBe('true');
    expect(await axeFindings(page)).toEqual([]);
    await form.last().getByLabel('Your age').fill('33');
    await form.last().getByLabel('Plan').selectOption('Full');
    await form.last().getByRole('button', { name: 'Fill in' }).click();
    await page.getByText('33 Full').waitFor();
    await page.context().close();
  });

  it('says that a form is not taken, which stays filled in, while its conversation is set aside', { timeout: 300_000 }, async () => {
    const page = await openChat();
    await write(page, 'apply');
    const form = page.locator('form.fields');
    await form.getByLabel('Your age').fill('33');
    await form.getByLabel('Plan').selectOption('Full');
    const { executions } = service.store;
    const apply = { workflowId: 'apply', limit: 1 };
    await expect.poll(async () => (await executions.list('1', apply)).results[0]?.state.status, { timeout: 60_000 }).toBe('waiting');
    const setStatus = async (status: 'waiting' | 'quarantined'): Promise<void> => {
      const [record] = (await executions.list('1', apply)).results;
      if (record === undefined) throw new Error('The execution is gone');
      const saves = [{ ...record, revision: record.revision + 1, state: { ...record.state, status } }];
      await executions.commit({ saves, history: [], contacts: [], enqueue: [], dequeue: [] });
    };
    await setStatus('quarantined');
    await form.getByRole('button', { name: 'Fill in' }).click();
    await page.getByRole('status').filter({ hasText: 'This form cannot be taken right now.' }).waitFor();
    await form.getByRole('button', { name: 'Fill in', disabled: false }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await setStatus('waiting');
    await form.getByRole('button', { name: 'Fill in' }).click();
    await page.getByText('33 Full').waitFor();
    expect(await page.getByRole('status').filter({ hasText: 'This form cannot be taken right now.' }).count()).toBe(0);
    await page.context().close();
  });

  it('shows a reply while it is written, to eyes alone, until the message takes its place', { timeout: 300_000 }, async () => {
    const page = await openChat();
    const draft = page.locator('.log .draft');
    let asking = holding();
    await write(page, 'is A-17 there?');
    let written = await asking;
    written.write(says('Three are'));
    await draft.getByText('Three are').waitFor();
    expect(await draft.getAttribute('aria-live')).toBe('off');
    written.write(says(' left.'));
    await draft.getByText('Three are left.').waitFor();
    written.end(end);
    await page.locator('.log .message:not(.draft)').getByText('Three are left.').waitFor();
    await draft.waitFor({ state: 'detached' });

    // A stream that is cut takes its words back; the answer comes by the second attempt.
    asking = holding();
    await write(page, 'and B-2?');
    written = await asking;
    written.write(says('Half an ans'));
    await draft.getByText('Half an ans').waitFor();
    asking = holding();
    written.destroy();
    await draft.waitFor({ state: 'detached' });
    written = await asking;
    written.end(says('None.') + end);
    await page.locator('.log .message:not(.draft)').getByText('None.').waitFor();
    expect(await page.locator('.log .message > p').allTextContents()).toEqual(['is A-17 there?', 'Three are left.', 'and B-2?', 'None.']);
    await page.context().close();
  });
});
