import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { seededRandom } from '@hilo/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createLoginCodes, type LoginCodes } from '../../src/platform/http/auth/login.ts';
import { type Listening, listen } from '../../src/platform/http/listen.ts';

import { fakeService, type FakeService } from '../http/fake-service.ts';
import { type BuiltStudio, buildStudio } from './built-studio.ts';
import { axeFindings, startChromium } from './chromium.ts';

const orderStatus = JSON.parse(
  readFileSync(new URL('../../../../examples/workspace/canvases/order-status.json', import.meta.url), 'utf8'),
) as object;

describe('the studio, in Chromium', () => {
  let built: BuiltStudio;
  let service: FakeService;
  let loginCodes: LoginCodes;
  let listening: Listening;
  let browser: Browser | undefined;

  beforeAll(async () => {
    built = await buildStudio();
    service = await fakeService();
    loginCodes = createLoginCodes({ clock: service.clock, random: seededRandom(3) });
    listening = await listen(createApp({ ...service, loginCodes, studio: built.application }).fetch, { host: '127.0.0.1', port: 0 });
  });
  beforeEach(async (context) => {
    browser ??= await startChromium(context);
  });
  afterAll(async () => {
    await browser?.close();
    await listening?.close(0);
    await service?.close();
    built?.[Symbol.dispose]();
  });

  /** A page that has logged in, and what it complains of: a broken policy is told in the console. */
  async function newPage(
    path: string,
    colorScheme: 'light' | 'dark' = 'light',
  ): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
    if (browser === undefined) throw new Error('No browser');
    const page = await (
      await browser.newContext({ colorScheme, viewport: { width: 1440, height: 840 }, reducedMotion: 'reduce' })
    ).newPage();
    page.setDefaultTimeout(20_000);
    const complaints: string[] = [];
    page.on('console', (line) => {
      if (line.type() === 'error' && !/status of (401|412)/.test(line.text())) complaints.push(line.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`http://127.0.0.1:${listening.port}/studio/#login=${loginCodes.issue()}`);
    await page.getByRole('heading', { name: 'Workflows' }).waitFor();
    if (path !== '') await page.goto(`http://127.0.0.1:${listening.port}/studio/${path}`);
    return { page, complaints };
  }
  const card = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  const saved = (page: Page) => page.getByText('Draft saved').waitFor();

  it('draws an example, tests it with a wrong answer and ten minutes that are skipped, and steps through an execution', async () => {
    await service.keep({ ...orderStatus, id: 'status' });
    await service.engine.receiveMessage({
      companyId: '1',
      botId: 'bot_wa',
      eventId: 'e1',
      user: { id: '5215512345678' },
      message: { id: 'm1', type: 'text', text: 'order' },
    });
    await service.engine.whenIdle();
    const { page, complaints } = await newPage('1/status');
    await card(page, 'lost').waitFor();
    expect(await page.locator('.react-flow__node').count()).toBe(9);
    await page.keyboard.press('t');
    const say = async (what: string) => {
      await page.getByLabel('Message', { exact: true }).fill(what);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
    };
    await say('order');
    await page.locator('.bubbles').getByText('What is your order number?').waitFor();
    await say('7x');
    await page.locator('.bubbles').getByText('That is not a number. Try again.').waitFor();
    await page.locator('.card.is-waiting').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Skip 10m' }).click();
    await page.getByText('Ended: completed').waitFor();

    const [execution] = (await service.store.executions.list('1', { workflowId: 'status', limit: 1 })).results;
    await page.goto(`http://127.0.0.1:${listening.port}/studio/1/executions/${execution?.executionId}`);
    await page.locator('.card.is-waiting').waitFor();
    await page.getByRole('button', { name: 'Step back' }).click();
    await page.getByText('Asked for message.send').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('hostile texts are texts, and unknown types and fields are kept', async () => {
    const evil = '<img src=x onerror="document.title=\'evil\'"><script>document.title="evil"</script>\u202e{{';
    const hostile = {
      schemaVersion: 1,
      id: 'hostile',
      name: evil.slice(0, 200),
      nodes: [
        { id: 'a', type: 'from-the-future', position: { x: 0, y: 0 }, data: { label: evil, what: { is: evil } } },
        { id: 'b', type: 'message', position: { x: 400, y: 0 }, data: { message: { type: 'text', text: evil }, later: evil } },
      ],
      edges: [{ source: 'a', sourceHandle: evil, target: 'b' }],
    };
    await service.keep(hostile, { publish: false });
    const { page, complaints } = await newPage('1/hostile');
    await card(page, 'b').click();
    await page.getByText('Fields not known here').waitFor();
    await page.keyboard.press('Escape');
    await card(page, 'a').focus();
    await page.keyboard.press('Alt+ArrowRight');
    await saved(page);
    const { nodes, edges } = (await service.store.canvases.draft('1', 'hostile'))!.canvas;
    expect(nodes.map(({ data }) => data)).toEqual(hostile.nodes.map(({ data }) => data));
    expect(edges).toMatchObject(hostile.edges);
    expect(await page.title()).not.toBe('evil');
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it.each(['light', 'dark'] as const)('has nothing that Axe finds, in %s', async (colorScheme) => {
    await service.keep({ ...orderStatus, id: 'looks' });
    const { page, complaints } = await newPage('', colorScheme);
    const found: Record<string, readonly string[]> = { workflows: await axeFindings(page) };
    for (const path of ['1/looks?node=which', '1/looks/versions', '1/executions']) {
      await page.goto(`http://127.0.0.1:${listening.port}/studio/${path}`);
      await page.locator('.card, h1, table').first().waitFor();
      if (path.includes('node')) await page.locator('.cm-content').first().waitFor();
      found[path] = await axeFindings(page);
    }
    expect(found).toEqual({ workflows: [], '1/looks?node=which': [], '1/looks/versions': [], '1/executions': [] });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('loads at most 230 kB of script and 10 kB of style before the first picture of the editor', async () => {
    await service.keep({ ...orderStatus, id: 'size' });
    const { page } = await newPage('');
    const loaded = new Set<string>();
    page.on('response', (response) => void loaded.add(new URL(response.url()).pathname));
    await page.goto(`http://127.0.0.1:${listening.port}/studio/1/size`);
    await card(page, 'lost').waitFor();
    const sizeOf = (extension: string): number =>
      [...loaded]
        .filter((path) => path.endsWith(extension) && !/worker|tester|ffi|emscripten|ExpressionEditor/.test(path))
        .reduce((sum, path) => sum + gzipSync(readFileSync(`${built.folder}${path.replace('/studio', '')}`)).length, 0);
    expect(sizeOf('.js')).toBeLessThanOrEqual(230_000);
    expect(sizeOf('.css')).toBeLessThanOrEqual(10_000);
    await page.context().close();
  });
});
