import { seededRandom } from '@hilo/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLoginCodes, type LoginCodes } from '../../src/platform/http/auth/login.ts';
import { type Listening, listen } from '../../src/platform/http/listen.ts';
import { createApp } from '../../src/service/app.ts';
import { order } from '../http/canvases.ts';
import { fakeService, type FakeService, keys } from '../http/fake-service.ts';
import { listen as listenPlainly } from '../process/listening.ts';
import { drawn } from '../../../../scripts/vitest/part-of.ts';
import { axeFindings, startChromium } from './chromium.ts';

/** A name of this machine that browsers trust less than `localhost`: over plain HTTP they send fewer headers about a form's origin. */
const plainName = 'hilo.test';

/** Leaves three operations of each group of the interface: all have the same parts, and so the same colors. */
function removeAlike(): void {
  const { document } = globalThis as unknown as { readonly document: { querySelectorAll(selector: string): Iterable<{ remove(): void }> } };
  for (const operation of document.querySelectorAll('section > article:nth-of-type(n + 4)')) operation.remove();
}

describe('the pages for operators, in Chromium', () => {
  let service: FakeService;
  let loginCodes: LoginCodes;
  let listening: Listening;
  let browser: Browser | undefined;

  beforeAll(async () => {
    service = await fakeService();
    loginCodes = createLoginCodes({ clock: service.clock, random: seededRandom(3) });
    await service.keep(order());
    await service.keep({ ...order(), id: 'broken', edges: [] }, { publish: false });
    listening = await listen(createApp({ ...service, loginCodes }).fetch, { host: '127.0.0.1', port: 0 });
  });
  beforeEach(async (context) => {
    browser ??= await startChromium(context, [`--host-resolver-rules=MAP ${plainName} 127.0.0.1`]);
  });
  afterAll(async () => {
    await browser?.close();
    await listening.close(0);
    await service.close();
  });

  /** A page of a fresh browser, and its errors. */
  async function newPage(
    colorScheme: 'light' | 'dark' = 'light',
  ): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
    if (browser === undefined) throw new Error('No browser');
    const page = await (await browser.newContext({ colorScheme })).newPage();
    const complaints: string[] = [];
    page.on('console', (line) => {
      // The login page and a refused login answer 401, which Chromium logs.
      if (line.type() === 'error' && !line.text().includes('status of 401')) complaints.push(line.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    return { page, complaints };
  }
  const heading = (page: Page): Promise<string | null> => page.locator('h1').textContent();

  it.each(drawn(['127.0.0.1', 'localhost', plainName], 3))('log in by their form at %s, and out by their button', async (host) => {
    const { page, complaints } = await newPage();
    await page.goto(`http://${host}:${listening.port}/studio/1/order?node=ask`);
    expect(await heading(page)).toBe('Log in');
    await page.getByLabel('Admin token').fill('not the admin token');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('That is not the admin token.').waitFor();
    await page.getByLabel('Admin token').fill(keys.admin);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Order' }).waitFor(); // the requested page
    expect(page.url()).toBe(`http://${host}:${listening.port}/studio/1/order?node=ask`);

    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'hilo_admin', httpOnly: true, sameSite: 'Strict' });
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.context().addCookies([cookie!]); // a copy of it, kept elsewhere
    await page.goto(`http://${host}:${listening.port}/docs`);
    expect(await heading(page)).toBe('Log in');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('log in by the link that a start prints, once, and keep nothing of it in the address', async () => {
    const link = `http://127.0.0.1:${listening.port}/studio/#login=${loginCodes.issue()}`;
    const { page, complaints } = await newPage();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Workflows' }).waitFor();
    expect(page.url()).toBe(`http://127.0.0.1:${listening.port}/studio/`);
    await page.getByRole('link', { name: 'Order' }).first().click();
    await page.getByRole('link', { name: 'All workflows' }).waitFor();
    expect(complaints).toEqual([]);

    const other = await newPage();
    await other.page.goto(link);
    await other.page.getByText('This login link was used already, or is too old').waitFor();
    expect(other.page.url()).not.toContain('login=');
    expect(other.complaints).toEqual([]);
    for (const one of [page, other.page]) await one.context().close();
  });

  it('do not log in a browser by a form of another site', async () => {
    await using other = await listenPlainly((_request, response) => {
      const form = `<form method="post" action="http://127.0.0.1:${listening.port}/admin/v1/login"><input name="token" value="${keys.admin}"><button>Go</button></form>`;
      response.setHeader('content-type', 'text/html').end(form);
    });
    const { page } = await newPage();
    await page.goto(`http://${other.address.replace('127.0.0.1', 'localhost')}/`);
    const answered = page.waitForResponse((response) => response.url().endsWith('/admin/v1/login'));
    await page.getByRole('button').click();
    expect((await answered).status()).toBe(401);
    expect(await page.context().cookies()).toEqual([]);
    await page.context().close();
  });

  it('show the interface as one answer, grouped, with commands to copy, and nothing from another host (T20)', async () => {
    const { page, complaints } = await newPage();
    await page.goto(`http://127.0.0.1:${listening.port}/studio/#login=${loginCodes.issue()}`);
    await page.getByRole('heading', { name: 'Workflows' }).waitFor();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto(`http://127.0.0.1:${listening.port}/docs`);
    await page.getByRole('heading', { name: 'Starts or resumes an execution of the published version' }).first().waitFor();
    const groups = page.getByRole('navigation', { name: 'Operations' });
    for (const group of ['Webhooks', 'Messages', 'Executions']) await groups.getByText(`${group} (`).waitFor();
    const signal = page.locator('pre').filter({ hasText: "'http://127.0.0.1:3000/workflows/v2/signals/order.paid'" });
    expect(await signal.first().textContent()).toContain('curl -sS');
    await groups.getByText('Executions (').click();
    await groups.getByRole('link', { name: 'An execution with its variables and its open wait' }).click();
    expect(new URL(page.url()).hash).toBe('#getExecution');
    expect(loaded.filter((path) => path !== '/favicon.ico')).toEqual(['/docs']);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  const colors = [
    ['light', 'all'],
    ['dark', 'color'],
  ] as const;
  it.each(drawn(colors, 2))('have nothing that Axe finds, in %s', async (colorScheme, about) => {
    const { page, complaints } = await newPage(colorScheme);
    const at = (path: string) => page.goto(`http://127.0.0.1:${listening.port}${path}`);
    const found: Record<string, readonly string[]> = {};
    await at('/docs');
    found['login'] = await axeFindings(page, about);
    await at(`/studio/#login=${loginCodes.issue()}`);
    await page.getByRole('heading', { name: 'Workflows' }).waitFor();
    for (const path of ['/studio/', '/studio/1/order', '/studio/1/broken', '/docs']) {
      await at(path);
      if (about === 'color') await page.evaluate(removeAlike);
      found[path] = await axeFindings(page, about);
    }
    expect(found).toEqual({ login: [], '/studio/': [], '/studio/1/order': [], '/studio/1/broken': [], '/docs': [] });
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
