import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type OpenStudio } from './open-studio.ts';

/** A script, another script, a text that turns what follows around, and what template languages would compute. */
const evil = `<img src=x onerror="document.title='evil'"><script>document.title='evil'</script>\u202e\${7*7}<%=7*7%>`;

/** The same as a name that can be published: nothing turns what follows around. */
const evilName = evil.replace('\u202e', '');

/** A bot with hostile texts wherever an author or a user can write one. */
const hostileBot = (text: string) => ({
  schemaVersion: 1,
  id: 'hostile',
  name: `${evilName} bot`,
  description: evilName,
  nodes: [
    { id: 'begin', type: 'start', position: { x: 0, y: 0 }, data: { label: evilName, notes: evilName, fallback: true } },
    {
      id: 'ask',
      type: 'ask',
      position: { x: 328, y: 0 },
      data: {
        label: evilName,
        message: { type: 'text', text, buttons: { options: [{ title: '<b>Yes</b>', payload: '<i>' }] } },
        saveAs: '$context.answer',
      },
    },
    {
      id: 'call',
      type: 'api',
      position: { x: 656, y: 0 },
      data: { method: 'GET', url: `https://example.test/?q=${encodeURIComponent(evil)}` },
    },
    { id: 'done', type: 'end', position: { x: 984, y: 0 } },
  ],
  edges: [
    { source: 'begin', target: 'ask' },
    { source: 'ask', sourceHandle: '<i>', target: 'call' },
    { source: 'ask', sourceHandle: 'other', target: 'call' },
    { source: 'call', sourceHandle: 'success', target: 'done' },
  ],
});

describe('every screen of the studio, in Chromium', { timeout: 240_000 }, () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
    const { service } = studio;
    await service.keep(hostileBot(evil));
    const delivery = { companyId: '1', botId: 'bot_wa', user: { id: '5215512345678', names: evil } };
    await service.engine.receiveMessage({ ...delivery, eventId: 'e1', message: { id: 'm1', type: 'text', text: evil } });
    await service.engine.whenIdle();
    const draft = hostileBot(`${evil} again`);
    const later = {
      id: 'later',
      type: 'message',
      position: { x: 984, y: 200 },
      data: { label: evil, message: { type: 'text', text: evil } },
    };
    await service.keep({ ...draft, nodes: [...draft.nodes, later], edges: draft.edges.slice(0, -1) }, { publish: false });
  });
  afterAll(() => studio?.close());

  it.for(['light', 'dark'] as const)('shows hostile texts as texts and has nothing that Axe finds, in %s', async (colorScheme, context) => {
    const { page, complaints, card, axe, go, close } = await studio.page(context, '', colorScheme);
    const found: { [screen: string]: readonly string[] } = {};
    const clean: { [screen: string]: readonly string[] } = {};
    /** @param shown - whether a hostile text is to be seen on the screen */
    const look = async (screen: string, shown = true): Promise<void> => {
      if (shown) await page.locator(':visible').getByText('<img src=x').first().waitFor();
      found[screen] = await axe();
      clean[screen] = [];
      expect([screen, await page.locator('img[src="x"]').count(), await page.title()]).not.toContain('evil');
      expect([screen, await page.locator('img[src="x"]').count()]).toEqual([screen, 0]);
    };
    const button = (name: string) => page.getByRole('button', { name, exact: true });

    await look('workflows');
    await page.getByRole('searchbox', { name: 'Search workflows' }).fill('<no such>');
    await page.getByText('No workflow matches “<no such>”.').waitFor();
    await look('nothing found', false);
    await page.getByRole('searchbox', { name: 'Search workflows' }).fill('');
    await page.getByRole('combobox', { name: 'Draft' }).selectOption('Never published');
    await page.getByText('No workflow is like this.').waitFor();
    await page.getByRole('combobox', { name: 'Draft' }).selectOption('Changed since');
    await look('changed workflows');
    await button('New workflow').click();
    await look('new workflow', false);

    await go('1/hostile');
    await card('ask').locator('header').click();
    await page.getByText('More settings').click();
    await page.locator('.cm-content').first().waitFor();
    await look('form');
    await button('Workflow settings').click();
    await look('settings');
    await button('Outline').click();
    await look('outline');
    await page.getByRole('button', { name: /^\d+ problems?$/ }).click();
    await page.locator('.side li').first().waitFor();
    await look('problems', false);
    await button('Keys').click();
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await look('keys', false);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search everything' }).getByRole('combobox').fill('img');
    await look('search');
    await page.keyboard.press('Escape');
    await button('Test').click();
    await page.getByLabel('Message', { exact: true }).fill(evil);
    await page.keyboard.press('Enter');
    await page.locator('.bubbles .from-user').first().waitFor();
    await page.getByRole('button', { name: '<b>Yes</b>' }).click();
    await page.getByLabel(/^Answer for /).waitFor();
    for (const name of ['More actions', 'Channel, user and company', 'Variables'])
      await page.locator('.tester summary', { hasText: name }).click();
    await look('tester');
    await button('Publish').click();
    await page.getByRole('dialog', { name: 'Publish' }).getByText('Added').first().waitFor();
    await look('publish');

    await go('1/hostile/versions');
    await page.getByText('Compare v1 with draft').waitFor();
    await page.locator('.card').first().waitFor();
    await look('versions');
    await go('1/executions');
    await page.getByRole('row').nth(1).waitFor();
    await look('executions', false);
    await page.getByRole('row').nth(1).getByRole('link').first().click();
    await page.locator('.card.is-waiting').waitFor();
    for (const tab of ['Step', 'Variables', 'Chat', 'Record']) {
      await page.getByRole('tab', { name: tab }).click();
      await look(`execution, ${tab}`);
    }
    await button('Cancel execution').click();
    await page.getByRole('dialog').waitFor();
    await look('cancel');
    expect(found).toEqual(clean);
    expect(complaints).toEqual([]);
    await close();
  });
});
