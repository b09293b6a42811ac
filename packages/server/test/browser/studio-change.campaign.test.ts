// The life of a mistake as its author sees it: published, seen, stopped, mended, replayed, published with what waits, what failed is continued,
// and the record says so.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeManagement, fakeManagement } from '../management/fake-management.ts';
import { order, shop } from '../management/shop.ts';
import { type ServedStudio, serveStudio } from './open-studio.ts';

const where = 'companyId=1';
let management: FakeManagement;
let studio: ServedStudio;
beforeAll(async () => {
  management = await fakeManagement();
  studio = await serveStudio(management.service);
});
afterAll(async () => {
  await studio?.close();
  await management?.[Symbol.asyncDispose]();
});

it('a published mistake is seen, stopped, mended, replayed and taken back for everybody, in Chromium', {
  timeout: 180_000,
}, async (context) => {
  const { ask, drivers } = management;
  await management.startJobs();
  await ask('PUT', `/workflows/shop?${where}`, shop('Charged: {{$context.charge.body.id}}'));
  expect(await ask('POST', `/workflows/shop/publish?${where}`)).toMatchObject({ status: 200 });
  for (const customer of [1, 2, 3]) await order(management, customer);
  await ask('PUT', `/workflows/shop?${where}`, shop('Receipt {{$context.charge.body.receipt}}'));

  // Published: what waits is proved to be as before, and is left where it is.
  const { page, card, saved, go, axe, complaints, close } = await studio.page(context, '1/shop');
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const dialog = page.getByRole('dialog');
  await button('Publish').click();
  const bring = dialog.getByLabel('Bring 3 that go on exactly as before');
  await bring.uncheck();
  await dialog.getByText('No test is kept with this workflow.').waitFor();
  await button('Publish version 2').click();
  await dialog.getByText('Version 2 is live.').waitFor();

  // Seen: four customers are charged and hear nothing. Stopped at once.
  for (const customer of [4, 5, 6, 7]) await order(management, customer);
  await go('1/executions?workflowId=shop&status=failed');
  await page
    .getByRole('link', { name: /^failed/ })
    .first()
    .click();
  await button('Retry').waitFor();
  await go('1/shop/versions');
  await button('Pause').click();
  await dialog.getByLabel('What those who would begin it are told').fill('We are mending this.');
  await dialog.getByRole('button', { name: 'Pause' }).click();
  await dialog.getByRole('alert').getByText('there is nobody to tell anything').waitFor();
  await dialog.getByLabel('What those who would begin it are told').fill('');
  await dialog.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused: nothing starts it').waitFor();
  expect(await axe()).toEqual([]);
  await expect(order(management, 8)).rejects.toMatchObject({ code: 'WORKFLOW_PAUSED' });

  // Mended, and tried on what was said.
  await go('1/shop');
  await button('paused').waitFor();
  await card('receipt').locator('header').click();
  const text = page.locator('[data-pointer$="/message/text"] .cm-content');
  await text.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('Paid: {{$context.charge.body.id}}');
  await saved();
  await button('Publish').click();
  await button('Replay the last 1000 conversations').click();
  await dialog.getByText('Of 4 conversations, 0 go as before.').waitFor();
  await button('Compare one').click();
  await dialog.locator('.side-by-side .differs').first().waitFor();
  expect(await axe()).toEqual([]);

  // Published, with everybody who waits in version 1.
  await button('Publish version 3 and bring 3 over').click();
  await dialog.getByText('Version 3 is live.').waitFor();
  await dialog.getByRole('status').getByText('done').waitFor();
  expect(await axe()).toEqual([]);
  expect(await ask('GET', `/executions?${where}&workflowId=shop&status=waiting`)).toMatchObject({
    body: { results: [{ version: 3 }, { version: 3 }, { version: 3 }] },
  });
  await go('1/shop/versions');
  await button('Let it start again').click();
  await button('Pause').waitFor();

  // Who was charged and heard nothing hears it now, and nobody is charged again.
  const charges = (): number => drivers.calls.filter(({ effect }) => effect === 'http.request').length;
  const before = charges();
  await go('1/executions?workflowId=shop&status=failed');
  await button('Act on all of these').click();
  await dialog.getByText('4 executions match.').waitFor();
  expect(await axe()).toEqual([]);
  await button('Do it to 4').click();
  await dialog.getByText('4 retried').waitFor();
  await management.service.engine.whenIdle();
  expect(charges()).toBe(before);
  const texts = drivers.sent.map((message) => (message as { readonly text?: string }).text ?? '');
  expect(texts.filter((said) => said.startsWith('Paid: ')).sort()).toEqual([4, 5, 6, 7].map((customer) => `Paid: ch_${customer}`));

  // The record, and the jobs.
  await go('1/audit');
  await button('paused a workflow').first().click();
  await expect
    .poll(() => page.locator('tbody tr').allTextContents())
    .toEqual([expect.stringContaining('published → paused'), expect.stringContaining('refused (400)')]);
  expect(await axe()).toEqual([]);
  await go('1/jobs');
  await page.getByRole('row', { name: 'Migration' }).getByText('3 go on exactly as before').waitFor();
  await page.getByRole('link', { name: 'Act on many' }).click();
  await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  await page.locator('.change-part').getByText('4 retried').waitFor();
  expect(await axe()).toEqual([]);

  // A copy of one that waits, which goes on at a node that is named.
  await go('1/executions?workflowId=shop&status=waiting');
  await page
    .getByRole('link', { name: /^waiting/ })
    .first()
    .click();
  await button('Fork from here').click();
  await dialog.getByLabel('Go on at another node').fill('nowhere');
  await dialog.getByRole('button', { name: 'Fork from here' }).click();
  await dialog.getByRole('alert').getByText('There is no node "nowhere" to enter').waitFor();
  expect(await axe()).toEqual([]);
  await dialog.getByLabel('Go on at another node').fill('done');
  await dialog.getByRole('button', { name: 'Fork from here' }).click();
  await button('Open the original').waitFor();
  await page.getByRole('status').getByText('completed').waitFor();
  expect(complaints).toEqual([expect.stringContaining('400'), expect.stringContaining('409')]); // the pause and the fork that were refused
  await close();
});
