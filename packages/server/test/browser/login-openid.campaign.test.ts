// People of a company log in at their own provider, in a browser: what its claim lets them see, and what happens to their open page when it changes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { openService, type RunningService } from '../../src/service/open-service.ts';
import { inlineExample } from '../data/inline-example.ts';
import { settingsFor } from '../data/settings.ts';
import { type Issuer, issuerClient, startIssuer } from '../management/openid-issuer.ts';
import { axeFindings, type Skipping, startChromium } from './chromium.ts';
import { type ServedStudio, serveStudio } from './open-studio.ts';
import { twoMessages } from './two-messages.ts';

describe('somebody who logs in with OpenID Connect, in Chromium', { timeout: 180_000 }, () => {
  const claims = new Map<string, object>([
    ['ana', { hilo: ['editor:1', 'viewer:2'] }],
    ['ben', { hilo: { roles: ['viewer'], companies: ['2'] } }],
    ['eve', { hilo: ['staff'] }],
  ]);
  let directory: string;
  let issuer: Issuer;
  let service: RunningService;
  let studio: ServedStudio;
  let browser: Browser | undefined;
  beforeAll(async () => {
    for (const method of ['info', 'warn'] as const) vi.spyOn(console, method).mockReturnValue(undefined); // the provider says that it is set up for tests
    directory = await mkdtemp(join(tmpdir(), 'hilo-openid-'));
    issuer = await startIssuer(claims);
    const quiet = (): void => undefined;
    const settings = settingsFor(directory, { oidcIssuer: issuer.issuer, ...issuerClient });
    service = await openService(settings, { log: { info: quiet, warn: quiet, error: quiet } });
    await service.importWorkspace({ workspace: await inlineExample() });
    const draft = { canvas: twoMessages('offers'), publish: false };
    await service.importWorkspace({ workspace: { companies: [{ id: 1, name: 'Acme', plan: 'growth', workflows: [draft] }] } });
    studio = await serveStudio(service);
    service.listensAt(studio.base);
    issuer.leadsBackTo(`${studio.base}/admin/v1/login/openid/callback`);
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    await service?.close();
    await issuer?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
    vi.restoreAllMocks();
  });

  /** Opens a page of the studio in a browser of its own. */
  async function visit(context: Skipping, path: string) {
    browser ??= await startChromium(context);
    const own = await browser.newContext({ viewport: { width: 1440, height: 840 }, reducedMotion: 'reduce', locale: 'en-GB' });
    const page = await own.newPage();
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (line) => {
      if (line.text().includes('Content Security Policy') && page.url().startsWith(studio.base)) complaints.push(line.text());
    });
    await page.goto(`${studio.base}/studio/${path}`);
    return { page, complaints };
  }
  /** Says at the provider who one is, and agrees. */
  async function sayWho(page: Page, name: string): Promise<void> {
    await page.locator('input[name=login]').fill(name);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' });
    await page.locator('button[type=submit]').click();
  }
  const toProvider = (page: Page) => page.getByRole('link', { name: `Log in with ${new URL(issuer.issuer).host}` });
  const accountOf = async (name: string): Promise<string> => {
    const { results } = (await (await createManagement(service).request('/users')).json()) as {
      readonly results: readonly { readonly name: string }[];
    };
    return results.find((one) => one.name.startsWith(`${name}+`))?.name ?? '';
  };
  const manage = (method: string, path: string, body?: object) =>
    createManagement(service).request(path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  it('arrives at the page that they asked for, sees the companies of the claim alone, and in each what they may', async (context) => {
    const { page, complaints } = await visit(context, '1/offers?node=bye');
    expect(await axeFindings(page)).toEqual([]);
    await toProvider(page).click();
    await sayWho(page, 'ana');
    await page.locator('.react-flow__node[data-id="bye"]').waitFor();
    expect(page.url()).toBe(`${studio.base}/studio/1/offers?node=bye`);
    await page.locator('.palette').waitFor(); // an editor here
    await page.goto(`${studio.base}/studio/2`);
    await page.getByRole('heading', { name: 'Workflows' }).waitFor();
    expect(await page.getByRole('button', { name: 'New workflow' }).count()).toBe(0); // who only looks on there
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('is told by their page what of another company there is for them: nothing, as of one that there is not', async (context) => {
    const { page, complaints } = await visit(context, '1/offers');
    await toProvider(page).click();
    await sayWho(page, 'ben');
    await page.getByText('There is no workflow “offers”').or(page.getByText('There is no workflow "offers"')).waitFor();
    const foreign = await page.locator('main').textContent();
    await page.goto(`${studio.base}/studio/9/offers`);
    await page.getByText(/There is no workflow/).waitFor();
    expect(await page.locator('main').textContent()).toBe(foreign);
    await page.goto(`${studio.base}/studio/`);
    await page.getByRole('heading', { name: 'Workflows' }).waitFor();
    expect(await page.locator('body').textContent()).not.toContain('Acme');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('is refused in words where the claim has no role, and can begin again as somebody else', async (context) => {
    const { page } = await visit(context, '');
    await toProvider(page).click();
    await sayWho(page, 'eve');
    await page.getByText('gives you no role here').waitFor();
    expect((await page.context().cookies(studio.base)).filter(({ name }) => name === 'hilo_admin')).toEqual([]);
    await toProvider(page).waitFor();
    await page.context().close();
  });

  it('keeps what they have written when a role or their account is taken away, and logs in again beside it', async (context) => {
    const { page, complaints } = await visit(context, '1/offers');
    await toProvider(page).click();
    await sayWho(page, 'ana');
    const card = page.locator('.react-flow__node[data-id="bye"]');
    const rewrite = async (text: string): Promise<void> => {
      await card.locator('header').click();
      await page.locator('.side [data-pointer$="/message/text"] .cm-content').click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(text);
      await card.getByText(text).waitFor();
    };
    await rewrite('Until soon');
    await page.getByText('Draft saved').waitFor();

    const account = await accountOf('ana');
    expect((await manage('PUT', `/users/${encodeURIComponent(account)}`, { roles: ['viewer'], companies: ['1'] })).status).toBe(200);
    await rewrite('Never kept by a viewer');
    await page.getByText('Not saved').first().waitFor();
    await page.locator('.palette').waitFor({ state: 'detached' }); // what they may do now is what the page shows
    await card.getByText('Never kept by a viewer').waitFor(); // and nothing of what they wrote is gone

    // At their next login they are what the provider says; then somebody removes the account.
    expect((await manage('PUT', `/users/${encodeURIComponent(account)}`, { roles: ['editor'], companies: ['1'] })).status).toBe(200);
    await page.locator('.saving-sign').getByRole('button').click();
    await page.getByText('Draft saved').waitFor();
    await page.reload();
    await rewrite('Back again');
    await page.getByText('Draft saved').waitFor();
    expect((await manage('DELETE', `/users/${encodeURIComponent(account)}`)).status).toBe(200);
    await rewrite('Written without an account');
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await dialog.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const opened = page.context().waitForEvent('page');
    await dialog.getByRole('link', { name: /^Log in with/ }).click();
    const other = await opened;
    await other.getByRole('heading', { name: 'Workflows' }).waitFor(); // the provider still knows them
    await other.close();
    await page.bringToFront();
    await page.evaluate(`dispatchEvent(new Event('focus'))`); // a headless browser gives none
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Draft saved').waitFor();
    const { canvas } = (await (await manage('GET', '/workflows/offers?companyId=1')).json()) as { readonly canvas: object };
    expect(JSON.stringify(canvas)).toContain('Written without an account');
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
