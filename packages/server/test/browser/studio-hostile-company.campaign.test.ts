// What people may be called and what a company keeps: hostile texts are texts on every screen that has them, and nothing is wider than a phone
// because of them; the numbers of a version that is not there say so.
import type { JsonObject } from '@hilo/engine/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inlineExample } from '../data/inline-example.ts';
import { colours, type EverydayStage, openEveryday } from './everyday-stage.ts';

const evil = `<img src=x onerror="document.title='evil'"><script>document.title='evil'</script>\${7*7}{{7*7}}`;
/** One word that is wider than a phone. */
const wide = `<img src=x>${'w'.repeat(150)}`;

/** The screens that show them, and a part of the text that is seen there; of an address that has none of its own, what it says. */
const screens: readonly (readonly [address: string, seen: string])[] = [
  ['1/settings/contacts', '<img src=x'],
  ['1/settings/contacts/5215512345698', '<img src=x'],
  ['1/settings/teams', '<img src=x'],
  ['1/settings/operators', '<img src=x'],
  ['1/settings/tags', '<img src=x'],
  ['1/settings/templates', '<img src=x'],
  ['1/settings/campaigns', '<img src=x'],
  ['1/settings/campaigns/camp_evil', '<img src=x'],
  ['1/settings/bots', '<img src=x'],
  ['1/inbox?whose=all', '<img src=x'],
  ['1/inbox/conv_evil?whose=all', '<img src=x'],
  ['1/executions?workflowId=talk', '<img src=x'],
  ['1', '<img src=x'],
  ['1/talk?view=numbers&version=99', 'has no version 99'],
];

let stage: EverydayStage;
beforeAll(async () => {
  stage = await openEveryday();
  const { companies } = (await inlineExample()) as { readonly companies: readonly JsonObject[] };
  const [acme = {}] = companies;
  const users = [evil, wide].map((names, index) => ({ id: `521551234569${8 + index}`, names, lastMessageAt: { bot_wa: 'now' } }));
  const list = (kind: string): readonly JsonObject[] => (acme[kind] as readonly JsonObject[] | undefined) ?? [];
  const more: { readonly [kind: string]: readonly JsonObject[] } = {
    users,
    teams: [
      { id: 91, name: evil },
      { id: 92, name: wide },
    ],
    operators: [{ id: 91, names: evil, email: 'evil@acme.test', teamIds: [91] }],
    tags: [{ id: 91, name: evil, color: '#7c3aed' }],
    templates: [
      { id: 'tpl_evil', botId: 'bot_wa', elementName: wide, language: 'en', category: 'UTILITY', status: 'APPROVED', body: evil },
    ],
    campaigns: [
      {
        id: 'camp_evil',
        name: evil,
        elementName: 'payment_reminder',
        templateId: 'tpl1',
        botId: 'bot_wa',
        status: 'COMPLETED',
        createdAt: '2026-02-01T00:00:00Z',
        recipients: [],
      },
    ],
    conversations: [
      {
        _id: 'conv_evil',
        botId: 'bot_wa',
        userId: '5215512345698',
        operatorId: 91,
        teamName: evil,
        state: 'active',
        startAt: '2026-02-01T00:00:00Z',
      },
    ],
    bots: [{ id: 'bot_evil', name: wide, channel: 'web', connectedAt: '2026-02-01T00:00:00Z', provider: { kind: 'log' } }],
  };
  const company = { ...acme, ...Object.fromEntries(Object.entries(more).map(([kind, added]) => [kind, [...list(kind), ...added]])) };
  await stage.service.importWorkspace({ workspace: { companies: [company] } });
  await stage.ask('PUT', '/workflows/talk', colours('talk', 'Red it is'));
  await stage.ask('POST', '/workflows/talk/publish', {});
  const { engine } = stage.service;
  for (const { id } of users)
    await engine.receiveMessage({
      companyId: '1',
      botId: 'bot_wa',
      eventId: id,
      user: { id },
      message: { id: `m${id}`, type: 'text', text: 'talk' },
    });
  await engine.whenIdle();
});
afterAll(() => stage?.close());

it('are texts on every screen, on a wide one and on a phone', { timeout: 300_000 }, async (context) => {
  const { page, go, complaints, close } = await stage.studio.page(context, '');
  page.setDefaultTimeout(15_000);
  const found: { [what: string]: unknown } = {};
  for (const width of [1_280, 320]) {
    await page.setViewportSize({ width, height: 720 });
    for (const [address, seen] of screens) {
      await go(address);
      await page.getByText(seen).locator('visible=true').first().waitFor();
      const told = await page.evaluate(`[
        document.querySelectorAll('img[src="x"]').length,
        document.title.includes('evil'),
        Math.max(0, document.documentElement.scrollWidth - innerWidth),
      ]`);
      if (JSON.stringify(told) !== '[0,false,0]') found[`${address} at ${width}`] = told;
    }
  }
  expect(found).toEqual({});
  // The version that is not there is told as 404.
  expect(complaints.filter((one) => !one.includes('404'))).toEqual([]);
  await close();
});

it('a column of a CSV may be called anything, and is chosen by that name', { timeout: 120_000 }, async (context) => {
  const { page, go, complaints, close } = await stage.studio.page(context, '1/settings/contacts');
  page.setDefaultTimeout(15_000);
  await go('1/settings/contacts');
  await page
    .getByRole('button', { name: /Import/ })
    .first()
    .click();
  const head = ['phone', evil, 'a ""quoted"" name'].map((name) => `"${name.replaceAll(/(?<!")"(?!")/g, '""')}"`).join(';');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(`${head}\n5215512345697;x;y\n`) });
  await page.getByText('a "quoted" name').first().waitFor();
  expect(await page.locator('img[src="x"]').count()).toBe(0);
  await page.getByLabel(/a "quoted" name/).selectOption({ label: 'Name' });
  await page.getByRole('button', { name: 'Count first' }).click();
  await page
    .getByText(/New: 1\./)
    .first()
    .waitFor();
  expect(complaints).toEqual([]);
  await close();
});
