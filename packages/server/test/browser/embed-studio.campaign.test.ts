import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFindings, startChromium } from './chromium.ts';

const password = 'of this test alone';

describe('a product with the studio in it, in Chromium', { timeout: 240_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'hilo-embed-'));
  let host: ChildProcess;
  let base: string;
  let browser: Browser | undefined;

  beforeAll(async () => {
    const env = { ...process.env, PORT: '0', HILO_DATA: join(folder, 'data'), PAGES: join(folder, 'pages'), DEMO_PASSWORD: password };
    const main = fileURLToPath(new URL('../../../../examples/embed-studio/main.ts', import.meta.url));
    host = spawn(process.execPath, [main], { env: { ...env, NODE_ENV: 'production' }, stdio: ['ignore', 'pipe', 'pipe'] });
    let told = '';
    const port = await new Promise<string>((resolve, reject) => {
      const hear = (text: Buffer): void => {
        told += text.toString();
        const [, found] = /listening on[^]*port: (\d+)/.exec(told) ?? [];
        if (found !== undefined) resolve(found);
      };
      host.stdout?.on('data', hear);
      host.stderr?.on('data', hear);
      host.once('close', () => reject(new Error(`The example ended:\n${told}`)));
    });
    base = `http://localhost:${port}`;
  }, 120_000);
  beforeEach(async (context) => {
    browser ??= await startChromium(context);
  });
  afterAll(async () => {
    await browser?.close();
    host.kill('SIGTERM');
    if (host.exitCode === null) await once(host, 'close');
    rmSync(folder, { recursive: true, force: true });
  });

  /** A browser with the dark colour scheme, logged in to the product. */
  async function logIn(name: string): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
    if (browser === undefined) throw new Error('No browser');
    const context = await browser.newContext({ colorScheme: 'dark', reducedMotion: 'reduce', viewport: { width: 1440, height: 840 } });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000); // each part on the page has its own worker, and all start at once
    const complaints: string[] = [];
    page.on('console', (line) => {
      if (line.type() === 'error' && !line.text().includes('status of 401')) complaints.push(line.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(base);
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('The name or the password is wrong.').waitFor();
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Workflows' }).waitFor();
    return { page, complaints };
  }
  const card = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  const styleOf = (page: Page, selector: string, property: string): Promise<string> =>
    page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue('${property}')`);

  it('shows the node of the host in palette, card, form, checks and tester, in the looks of the host', async () => {
    const { page, complaints } = await logIn('ana');
    expect(await styleOf(page, '.hilo-studio', 'font-family')).toContain('Georgia');
    expect(await styleOf(page, '.hilo-studio', 'color-scheme')).toBe('light');
    expect(await styleOf(page, '.hilo-studio button.primary', 'background-color')).toBe('rgb(15, 118, 110)');
    expect(await axeFindings(page)).toEqual([]);

    await page.getByRole('link', { name: 'Qualify a lead' }).click();
    await page.getByText('No problems').first().waitFor();
    expect(new URL(page.url()).hash).toBe('#1/qualify-lead');
    const inPalette = page.locator('.palette').getByRole('button', { name: 'Score a lead' });
    expect(await inPalette.locator('path').getAttribute('d')).toContain('M12 3c1 4');

    // The summary is the node's own, and comes from the worker; the field is the host's own.
    await card(page, 'score').getByText('hot from 60').waitFor();
    await card(page, 'score').locator('header').click();
    await page.getByRole('slider', { name: 'Hot from' }).press('ArrowRight');
    await page.getByText('61 points').waitFor();
    await card(page, 'score').getByText('hot from 61').waitFor();
    const saveAs = page.locator('.side [data-pointer$="/saveAs"]').getByRole('combobox');
    await saveAs.fill('nowhere');
    await page.getByRole('button', { name: '1 problem', exact: true }).waitFor();
    await saveAs.fill('$context.score');
    await page.getByText('Draft saved').waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Test', exact: true }).click();
    for (const text of ['demo', 'Acme', '2000']) {
      await page.getByLabel('Message', { exact: true }).fill(text);
      await page.keyboard.press('Enter');
      await page.locator('.bubbles').getByText(text, { exact: true }).waitFor();
    }
    await page.getByLabel(/^Answer for /).fill('answer leads.score: {"kind":"scored","score":99}');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.locator('.bubbles').getByText('Thank you! We call Acme today (99 points).').waitFor();

    // The session is in the host's memory, and nowhere else.
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate<string[]>(`[...Object.values(localStorage)]`)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows parts of the studio on a page of the host, without handling the page’s keys', async () => {
    const { page, complaints } = await logIn('ana');
    const token = await page.evaluate<string>(
      `fetch('/session', { method: 'POST', body: JSON.stringify({ name: 'ana', password: '${password}' }) }).then(async (answer) => (await answer.json()).token)`,
    );
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const address = `${base}/admin/v1/workflows/qualify-lead/start?companyId=1`;
    const started = await fetch(address, {
      method: 'POST',
      headers,
      body: JSON.stringify({ botId: 'bot_web', user: { id: '51999000111' } }),
    });
    expect(started.status).toBe(200);
    await page.getByRole('button', { name: 'Overview' }).click();
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    await part('Live').locator('.card').first().waitFor();
    await part('What the draft changes').locator('.card').first().waitFor();
    await part('The latest execution').getByRole('tab', { name: 'Variables' }).waitFor();
    await part('Try the draft').getByLabel('Message', { exact: true }).fill('demo');
    await page.keyboard.press('Enter');
    await part('Try the draft').locator('.bubbles').getByText('Which company are you from?').waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Bots' }).click();
    await page.getByRole('link', { name: 'Qualify a lead' }).click();
    await card(page, 'score').waitFor();
    await page.getByRole('button', { name: 'Overview' }).focus();
    await page.keyboard.press('t');
    expect(await page.locator('.tester').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows no editing controls to a read-only operator, and leads to the host’s login when the session ends', async () => {
    const { page, complaints } = await logIn('ben');
    expect(await page.getByRole('button', { name: 'New workflow' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Qualify a lead' }).click();
    await card(page, 'score').waitFor();
    expect(await page.locator('.palette').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Leads' }).waitFor();
    await page.context().close();
  });
});
