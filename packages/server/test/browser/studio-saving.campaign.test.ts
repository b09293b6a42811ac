import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../http/fake-service.ts';
import { openStudio, type OpenStudio, type StudioPage } from './open-studio.ts';
import { twoMessages } from './two-messages.ts';

describe('saving in the studio, in Chromium', () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  const label = ({ page }: StudioPage) => page.getByRole('textbox', { name: 'Label', exact: true });
  const labels = async (id: string) => (await studio.draft(id)).nodes.map(({ data }) => data['label']);

  it('two authors of one draft: separate changes are merged and reported, conflicting ones are chosen', async (context) => {
    await studio.service.keep(twoMessages('both'), { publish: false });
    const [ana, ben] = [await studio.page(context, '1/both?node=hello'), await studio.page(context, '1/both?node=bye')];
    // Ben's page hears nothing of others, as behind a proxy that holds streams back; Ana sees at once what he saves.
    await ben.page.route('**/admin/v1/events?*', (route) => route.abort());
    await ben.page.reload();
    await label(ben).fill('Farewell');
    await ben.saved();
    const told = ana.page.getByText('1 change that the administrator has just saved is here now.');
    await expect
      .poll(() => {
        studio.service.clock.advanceBy(1_000); // the service looks each second
        return told.count();
      })
      .toBe(1);
    await ana.card('bye').getByText('Farewell').waitFor();
    await label(ana).fill('Greeting');
    await ana.saved();
    await expect.poll(() => labels('both')).toEqual([undefined, 'Greeting', 'Farewell', undefined]);

    // Ben still has the draft from before: he and Ana now change the same field; what is apart is merged.
    await ben.card('hello').click();
    await label(ben).fill('Welcome');
    const dialog = ben.page.getByRole('dialog', { name: 'Somebody else saved this draft' });
    await dialog.getByText('Welcome › Label').waitFor();
    // It wants a choice; a browser lets a page refuse Escape no more than twice in a row.
    for (let presses = 0; presses < 3; presses += 1) await ben.page.keyboard.press('Escape');
    expect(await dialog.getByRole('button', { name: 'Save the merged draft' }).isDisabled()).toBe(true);
    expect(await ben.axe()).toEqual([]);
    expect(await labels('both')).toEqual([undefined, 'Greeting', 'Farewell', undefined]);
    await dialog.getByRole('radio', { name: 'Theirs' }).check();
    await dialog.getByRole('button', { name: 'Save the merged draft' }).click();
    await ben.saved();
    await expect.poll(() => labels('both')).toEqual([undefined, 'Greeting', 'Farewell', undefined]);
    expect(await label(ben).inputValue()).toBe('Greeting');
    await ben.page.getByRole('button', { name: 'Undo: Merged' }).click();
    await ben.saved();
    await expect.poll(() => labels('both')).toEqual([undefined, 'Welcome', 'Farewell', undefined]);
    for (const author of [ana, ben]) await author.close();
  });

  it('a workflow that is removed while it is edited: the author is told, and may save it as new', async (context) => {
    await studio.service.keep(twoMessages('gone'), { publish: false });
    const author = await studio.page(context, '1/gone?node=hello');
    await label(author).fill('Before');
    await author.saved();
    const headers = { authorization: `Bearer ${keys.admin}` };
    const removed = await fetch(`${studio.base}/admin/v1/workflows/gone?companyId=1`, { method: 'DELETE', headers });
    expect(removed.status).toBe(200);
    await label(author).fill('After');
    await author.page.getByText('Somebody removed this workflow: your draft is here alone').waitFor();
    await expect(studio.draft('gone')).rejects.toThrow('There is no workflow gone');
    await author.page.getByRole('button', { name: 'Save it as new' }).click();
    await author.saved();
    await expect.poll(() => labels('gone')).toEqual([undefined, 'After', undefined, undefined]);
    // While it was gone, nobody could be at it.
    expect(author.complaints.filter((text) => !text.includes('404'))).toEqual([]);
    await author.close();
  });

  it('a connection that is cut while saving, and a page that is closed then: nothing is lost', async (context) => {
    await studio.service.keep(twoMessages('cut'), { publish: false });
    const author = await studio.page(context, '1/cut?node=hello');
    const { page } = author;
    await label(author).waitFor();
    await page.context().setOffline(true);
    await label(author).fill('Written offline');
    await page.getByText('Offline: kept here').waitFor();
    await page.context().setOffline(false);
    await author.saved();
    await expect.poll(() => labels('cut')).toEqual([undefined, 'Written offline', undefined, undefined]);

    // Changes made offline outlive the page.
    await page.context().setOffline(true);
    await label(author).fill('Left behind');
    await page.getByText('Offline: kept here').waitFor();
    await page.waitForFunction(`indexedDB.databases().then((all) => all.length > 0)`);
    const another = await page.context().newPage();
    await page.close();
    await another.context().setOffline(false);
    await another.goto(`${studio.base}/studio/1/cut?node=hello`);
    await another.getByRole('button', { name: 'Undo: Kept in this browser' }).waitFor();
    await another.getByText('Draft saved').waitFor();
    await expect.poll(() => labels('cut')).toEqual([undefined, 'Left behind', undefined, undefined]);
    await author.close();
  });

  it('a part of the screen whose code comes while the connection is cut: what is written stays, and the part is there afterwards', async (context) => {
    await studio.service.keep(twoMessages('late'), { publish: false });
    const author = await studio.page(context, '');
    const { page } = author;
    const asked = Promise.withResolvers<void>();
    const cut = Promise.withResolvers<void>();
    let isCut = true;
    await page.route(/\/assets\/TogetherBar-/, async (route) => {
      asked.resolve();
      await cut.promise;
      await (isCut ? route.abort('internetdisconnected') : route.continue());
    });
    await author.go('1/late?node=hello');
    await label(author).waitFor();
    await asked.promise;
    await page.context().setOffline(true);
    cut.resolve();
    await label(author).fill('Written offline');
    await page.getByText('Offline: kept here').waitFor();
    expect(await label(author).inputValue()).toBe('Written offline');
    isCut = false;
    await page.context().setOffline(false);
    await author.saved();
    await page.getByRole('button', { name: /^Comments/ }).waitFor();
    await expect.poll(() => labels('late')).toEqual([undefined, 'Written offline', undefined, undefined]);
    await author.close();
  });

  it('a page that is reloaded before it has saved: the change is there, and can be undone', async (context) => {
    await studio.service.keep(twoMessages('reloaded'), { publish: false });
    const author = await studio.page(context, '1/reloaded?node=hello');
    const { page } = author;
    page.on('dialog', (dialog) => void dialog.accept()); // the browser asks whether to leave
    await label(author).fill('First');
    await author.saved();
    await expect.poll(() => labels('reloaded')).toEqual([undefined, 'First', undefined, undefined]);
    await label(author).fill('Last');
    await page.reload();
    await page.getByRole('button', { name: /^Undo: / }).click();
    await expect.poll(() => labels('reloaded')).not.toContain('Last');
    expect(author.complaints).toEqual([]);
    await author.close();
  });

  it('a session that is over while a draft is edited, and a part of the screen is on its way: nothing is lost', async (context) => {
    await studio.service.keep(twoMessages('over'), { publish: false });
    const author = await studio.page(context, '');
    const { page } = author;
    const over = Promise.withResolvers<void>();
    await page.route(/\/assets\/TogetherBar-/, async (route) => {
      await over.promise;
      await route.continue();
    });
    await author.go('1/over?node=hello');
    await label(author).waitFor();
    await page.getByRole('button', { name: /problem/ }).waitFor(); // it is checked, and the part is asked for
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    over.resolve();
    await label(author).fill('Written without a session');
    const login = page.getByRole('dialog', { name: 'Log in again' });
    await login.getByLabel('Admin token').fill('not the token at all');
    await login.getByRole('button', { name: 'Log in' }).click();
    await login.getByRole('alert').waitFor();
    expect(await author.axe()).toEqual([]);
    await login.getByLabel('Admin token').fill(keys.admin);
    await login.getByRole('button', { name: 'Log in' }).click();
    await author.saved();
    await page.getByRole('button', { name: /^Comments/ }).waitFor();
    await expect.poll(() => labels('over')).toEqual([undefined, 'Written without a session', undefined, undefined]);
    expect(await page.context().cookies()).not.toEqual(cookies);
    await author.close();
  });

  it('a check whose code was asked for while the session was over comes once somebody has logged in', async (context) => {
    await studio.service.keep(twoMessages('checked'), { publish: false });
    const author = await studio.page(context, '');
    const { page } = author;
    const over = Promise.withResolvers<void>();
    await page.context().route(/\/assets\/worker-/, async (route) => {
      await over.promise;
      await route.continue();
    });
    await author.go('1/checked?node=hello');
    await label(author).waitFor();
    await page.context().clearCookies();
    const refused = page.waitForResponse((response) => response.url().includes('/assets/worker-') && response.status() === 401);
    over.resolve();
    await refused;
    await label(author).fill('Written without a session');
    const login = page.getByRole('dialog', { name: 'Log in again' });
    await login.getByLabel('Admin token').fill(keys.admin);
    await login.getByRole('button', { name: 'Log in' }).click();
    await author.saved();
    await expect.poll(() => page.getByRole('button', { name: /problem/ }).isVisible()).toBe(true);
    await author.close();
  });
});
