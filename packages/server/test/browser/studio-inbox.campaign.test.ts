import { expect, it } from 'vitest';
import { withPlace } from '../data/open-for-test.ts';
import { settingsFor } from '../data/settings.ts';
import { activeOf, deskOf, helpDesk } from '../rest/conversations-stage.ts';
import { serveStudio, takePicture } from './open-studio.ts';

const ben = '5215512345679';

it('a hand-off is answered from the inbox: found, taken over, written in live, sent a template once the window is closed, and resolved', async (context) => {
  await withPlace(async ({ open, clock }) => {
    const service = await open();
    await service.importWorkspace({ workspace: await helpDesk() });
    const desk = deskOf(service);
    // Ben has not written for 25 hours; Ana waits.
    await desk.writes('help', ben);
    const ofBen = await activeOf(desk, ben);
    clock.advanceBy(23 * 3_600_000);
    await desk.does(`POST /conversations/${ofBen}/messages`, { type: 'text', text: 'I will look it up' });
    clock.advanceBy(2 * 3_600_000);
    await desk.writes('help');
    const ofAna = await activeOf(desk);
    await desk.does(`POST /conversations/${ofAna}/assign`, { operatorId: 11 });
    const studio = await serveStudio(service);
    try {
      const { page, complaints, axe } = await studio.page(context, '');
      await page.getByRole('link', { name: 'Inbox' }).click();
      const list = page.getByRole('region', { name: 'Conversations' });
      const talk = page.locator('.inbox-messages');
      const answer = page.getByLabel('Your answer');
      await list.getByRole('link').first().waitFor();
      expect(await list.getByRole('link').allTextContents()).toEqual([
        expect.stringMatching(/^Ana.*waits.*help.*Omar/),
        expect.stringContaining('Answer: I will look it up'),
      ]);
      await page.getByText('1 person waits for an answer').waitFor();
      expect(await axe()).toEqual([]);

      // Ana is another's: Olga takes her over, by keyboard from here on.
      await page.getByLabel('I answer as').selectOption('Olga');
      await page.getByRole('button', { name: /^All/ }).click();
      await page.keyboard.press('/');
      await page.keyboard.type('ana');
      await page.waitForURL(/q=ana/);
      await list.getByRole('link').first().focus();
      await page.keyboard.press('Enter');
      await page.getByText('Omar answers here.').waitFor();
      expect(await answer.getAttribute('readonly')).not.toBeNull();
      await page.getByRole('button', { name: 'Take over' }).first().press('Enter');
      await expect.poll(() => answer.getAttribute('readonly')).toBeNull();
      await answer.fill('I am Olga.\nWhat is it about?');
      await answer.press('Enter');
      await talk.getByText('I am Olga.').waitFor();
      expect(await answer.inputValue()).toBe('');
      expect(await desk.sent()).toEqual(['I am Olga.\nWhat is it about?']);
      await desk.writes('<b>My order</b> is late');
      await talk.getByText('<b>My order</b> is late').waitFor();
      await list.locator('.inbox-unread').waitFor({ state: 'detached' }); // it was read
      const tagsOfAna = async () => (await desk.does(`GET /inbox/${ofAna}`))['tags'];
      expect(await tagsOfAna()).toEqual([1]);
      await page.getByRole('button', { name: 'Reclamo' }).click();
      await expect.poll(tagsOfAna).toEqual([1, 2]);
      expect(await axe()).toEqual([]);
      await takePicture(page, 'inbox');

      // What was typed stays when another conversation is opened; Ben gets a template.
      await answer.fill('One moment');
      await page.getByLabel('Search by name or number').fill('');
      await list.getByRole('link', { name: ben }).click();
      await page.getByText('only a template can be sent now').waitFor();
      for (const field of await page.locator('.inbox-template input').all()) await field.fill('Ben');
      await page.getByRole('button', { name: 'Send template' }).click();
      await talk.locator('[data-by="operator"]').nth(1).waitFor();
      expect((await desk.sent(ben)).length).toBe(2);

      await list.getByRole('link', { name: 'Ana' }).click();
      await talk.getByText('I am Olga.').waitFor();
      expect(await answer.inputValue()).toBe('One moment');
      // The rail says at once what the inbox says, and does not ask by itself first.
      await page.locator('.rail-badge').waitFor();
      await page.route(
        (url) => url.pathname.endsWith('/inbox') && url.searchParams.get('limit') === '1',
        () => undefined,
      );
      await page.getByRole('button', { name: 'Resolve' }).click();
      await page.getByText('This conversation was resolved.').waitFor();
      await page.locator('.rail-badge').waitFor({ state: 'detached' });
      await talk.getByText('resolved by 10').waitFor(); // the workflow goes on
      expect(await desk.record(ofAna)).toMatchObject({ state: 'resolved', operator: { id: 10 } });
      expect(complaints).toEqual([]);

      const dark = await studio.page(context, `1/inbox/${ofBen}`, 'dark');
      await dark.page.getByLabel('About this conversation').waitFor();
      await dark.page.locator('.rail-menu summary').click();
      await dark.page.getByLabel('Language').selectOption('es');
      await dark.page.getByRole('heading', { name: 'Bandeja' }).waitFor();
      expect(await dark.axe()).toEqual([]);
      await dark.page.setViewportSize({ width: 400, height: 800 });
      await dark.page.getByRole('button', { name: 'Volver a la lista' }).click();
      await dark.page.getByRole('link').first().waitFor();
      expect(await dark.axe()).toEqual([]);
      expect(dark.complaints).toEqual([]);
    } finally {
      await studio.close();
    }
  })();
}, 120_000);

it('two people at one conversation, a session that ends and a window that closes while an answer is typed: nothing is lost, and nothing sent twice', async (context) => {
  await withPlace(async ({ open, clock }) => {
    const service = await open();
    await service.importWorkspace({ workspace: await helpDesk() });
    const desk = deskOf(service);
    await desk.writes('help');
    const ofAna = await activeOf(desk);
    await desk.does(`POST /conversations/${ofAna}/assign`, { operatorId: 10 });
    const studio = await serveStudio(service);
    try {
      const [olga, omar] = [await studio.page(context, `1/inbox/${ofAna}`), await studio.page(context, `1/inbox/${ofAna}`)];
      const answerOf = ({ page }: typeof olga) => page.getByLabel('Your answer');
      await olga.page.getByLabel('I answer as').selectOption('Olga');
      await omar.page.getByLabel('I answer as').selectOption('Omar');

      // Omar takes over while Olga types: her text stays, and is not sent beside his.
      await answerOf(olga).fill('I look it <b>up</b>');
      await omar.page.getByRole('button', { name: 'Take over' }).first().click();
      await olga.page.getByText('Omar answers here.').waitFor();
      await answerOf(olga).press('Enter');
      await answerOf(omar).fill('It is Omar');
      await answerOf(omar).press('Enter');
      await olga.page.locator('.inbox-messages').getByText('It is Omar').waitFor();
      expect([await answerOf(olga).inputValue(), await desk.sent()]).toEqual(['I look it <b>up</b>', ['It is Omar']]);

      // Her session ends before she takes over again: she logs in where she is, and what she typed is sent once.
      await olga.page.getByRole('button', { name: 'Take over' }).first().click();
      await expect.poll(() => answerOf(olga).getAttribute('readonly')).toBeNull();
      const logIn = async (): Promise<void> => {
        await olga.page.getByLabel('Admin token').fill(settingsFor('').adminToken ?? '');
        await olga.page.getByRole('button', { name: 'Log in' }).click();
        await olga.page.getByLabel('Admin token').waitFor({ state: 'detached' });
      };
      await olga.page.context().clearCookies();
      await answerOf(olga).press('Enter');
      await logIn();
      expect(await answerOf(olga).inputValue()).toBe('I look it <b>up</b>');
      await answerOf(olga).press('Enter');
      await omar.page.locator('.inbox-messages').getByText('I look it <b>up</b>').waitFor();
      expect(await desk.sent()).toEqual(['It is Omar', 'I look it <b>up</b>']);

      // What she types while an answer is on its way stays.
      const held = Promise.withResolvers<void>();
      const answers = (url: URL): boolean => url.pathname.endsWith(`/${ofAna}/messages`);
      await olga.page.route(answers, async (route) => {
        if (route.request().method() === 'POST') await held.promise;
        await route.continue();
      });
      await answerOf(olga).fill('It comes');
      await answerOf(olga).press('Enter');
      await expect.poll(() => answerOf(olga).inputValue()).toBe('');
      await answerOf(olga).fill('On Monday');
      held.resolve();
      await omar.page.locator('.inbox-messages').getByText('It comes').waitFor();
      await olga.page.unroute(answers);
      await expect.poll(() => olga.page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true);
      expect([await answerOf(olga).inputValue(), (await desk.sent()).length]).toEqual(['On Monday', 3]);

      // The window closes while she types on: a template is offered, and her text stays.
      clock.advanceBy(23 * 3_600_000);
      await desk.does(`POST /conversations/${ofAna}/messages`, { type: 'text', text: 'Still here' }); // else the hand-off is over, too
      await answerOf(olga).fill('One more thing');
      clock.advanceBy(2 * 3_600_000);
      await answerOf(olga).press('Enter');
      await logIn(); // a session lasts no day, either
      await olga.page.getByText('only a template can be sent now').waitFor();
      await olga.page.getByRole('button', { name: 'Send template' }).waitFor();
      expect([await answerOf(olga).inputValue(), (await desk.sent()).length]).toEqual(['One more thing', 4]);
      expect(olga.complaints.filter((text) => !/status of (403|409|422)/.test(text))).toEqual([]); // what was refused
      expect(omar.complaints).toEqual([]);
    } finally {
      await studio.close();
    }
  })();
}, 180_000);
