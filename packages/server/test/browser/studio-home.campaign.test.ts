import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type OpenStudio, takePicture } from './open-studio.ts';

describe('home and the examples, in Chromium', { timeout: 300_000 }, () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  it('an example is tried, chosen with its tests, and named at home until it is published', async (context) => {
    const { service } = studio;
    service.connect({ id: 'bot_chat', channel: 'web', provider: { kind: 'web', fields: { appSecret: 'a'.repeat(32) } } });
    const { page, complaints, axe, card, go, close } = await studio.page(context, '1');
    await page.getByRole('heading', { name: 'Your first day' }).waitFor();
    await page.getByRole('link', { name: 'Open the chat' }).first().waitFor();
    await page.getByRole('heading', { name: 'This week' }).waitFor();
    expect(await axe()).toEqual([]);
    await page.getByRole('link', { name: 'Choose an example, or draw a workflow' }).press('Enter');
    await page.getByRole('link', { name: /^Take away/ }).click();
    await page.locator('.gallery-picture .react-flow__node').first().waitFor();
    await page.getByLabel('Message', { exact: true }).fill('I am hungry');
    await page.keyboard.press('Enter');
    await page.locator('.bubbles .from-bot').first().waitFor();
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Use “Take away”' }).click();
    await page.waitForURL(/1\/take-away$/);
    await card('dish').waitFor();
    const { canvas } = (await service.store.canvases.draft('1', 'take-away'))!;
    expect(canvas.name).toBe('Take away');
    const kept = await page.evaluate(async () => (await fetch('/admin/v1/workflows/take-away/transcripts?companyId=1')).json());
    expect(kept).toMatchObject({ results: [{ name: 'take-away' }, { name: 'take-away-silent' }, { name: 'take-away-stopped' }] });

    await go('1/examples/take-away');
    await page.getByRole('button', { name: 'Use “Take away”' }).click();
    await page.waitForURL(/take-away-2/); // beside the first
    await go('1');
    await page.getByRole('link', { name: 'Take away' }).first().waitFor();
    await page.getByText('Never published').first().waitFor();
    await takePicture(page, 'home');
    expect(complaints).toEqual([]);
    await close();

    const dark = await studio.page(context, '1', 'dark');
    await dark.page.getByText('Never published').first().waitFor();
    expect(await dark.axe()).toEqual([]);
    await dark.go('1/examples');
    await dark.page.getByLabel('Message', { exact: true }).waitFor();
    expect(await dark.axe()).toEqual([]);
    await dark.page.setViewportSize({ width: 320, height: 800 });
    expect(await dark.axe()).toEqual([]);
    await dark.go('1');
    await dark.page.getByText('Never published').first().waitFor();
    expect(await dark.axe()).toEqual([]);
    const tooWide = await dark.page.evaluate(
      "[...document.querySelectorAll('.home *')].filter((one) => one.getBoundingClientRect().right > innerWidth).map(({ outerHTML }) => outerHTML.slice(0, 80))",
    );
    expect(tooWide).toEqual([]);
    expect(dark.complaints).toEqual([]);
  });
});
