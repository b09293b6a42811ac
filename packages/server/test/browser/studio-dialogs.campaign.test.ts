// Dialogs and menus of the studio: Escape closes the topmost alone, and the focus goes back to where it was opened from.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type OpenStudio, placeOf } from './open-studio.ts';
import { twoMessages } from './two-messages.ts';

/** Where each is opened: the address, its button, the menu that the button is in, and the width of a phone where it is in one there alone. */
const opened: readonly (readonly [address: string, button: string | RegExp, menu?: string, width?: number])[] = [
  ['', 'New workflow'],
  ['', /^Move/, 'Actions for Two messages'],
  ['1/bot', 'Search everything'],
  ['1/bot', 'Keys'],
  ['1/bot', 'Publish'],
  ['1/bot/versions', 'Pause'],
  ['1/bot/versions', 'Unpublish'],
  ['1/bot', 'Search everything', 'More actions', 320],
  ['1/bot', 'Keys', 'More actions', 320],
];

/** What is taken from a button of a page; the tests are compiled without the types of browsers. */
interface Pressed {
  readonly dataset: { [name: string]: string };
  readonly style: { translate: string };
  addEventListener(type: 'click', listener: (event: { stopPropagation(): void }) => void): void;
}

describe('dialogs and menus, in Chromium', { timeout: 180_000 }, () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  it('give the focus back to what they were opened with, and close one at a time', async (context) => {
    await studio.service.keep({ ...twoMessages('bot'), name: 'Two messages' });
    const { page, complaints, go, close } = await studio.page(context, '');
    const found: { [what: string]: unknown } = {};
    for (const [address, name, menu, width = 1280] of opened) {
      const what = `${address} ${String(name)} at ${width}`;
      await page.setViewportSize({ width, height: 720 });
      await go(address);
      const summary = page.locator(`summary[aria-label="${menu}"]`);
      if (menu !== undefined) {
        await summary.click();
        await page.keyboard.press('Escape');
        if ((await page.locator('details[open]').count()) > 0) found[`${what}: its menu`] = 'stays open';
        await summary.click();
      }
      const button = page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).first();
      await button.click();
      await page.locator('dialog[open]').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
      const place = menu === undefined ? button : summary;
      if ((await place.and(page.locator(':focus')).count()) === 0)
        found[what] = await page.evaluate('document.activeElement.outerHTML.slice(0, 120)');
    }
    expect(found).toEqual({});
    // On a phone the bar leaves the room to the canvas: its name, and what is done next with the layers as a list, are two rows.
    const bar = await page.locator('.top-bar').boundingBox();
    expect(bar?.height).toBeLessThanOrEqual(104);
    expect(complaints).toEqual([]);
    await close();
  });

  it('act once by a button that is moved from under the pointer while it is pressed, and not where the pointer went away itself', async (context) => {
    await studio.service.keep({ ...twoMessages('pressed'), name: 'Pressed' }, { publish: false });
    const { page, complaints, close } = await studio.page(context, '');
    const button = page.getByRole('button', { name: 'New workflow', exact: true });
    await button.evaluate((pressed: Pressed) => {
      pressed.addEventListener('click', (event) => {
        event.stopPropagation(); // no dialog opens
        pressed.dataset['clicks'] = `${Number(pressed.dataset['clicks'] ?? 0) + 1}`;
      });
    });
    /** How often the button acts where it is moved by some pixels while it is pressed, and the pointer by others. */
    const clicks = async (down: number, by: number): Promise<number> => {
      const { x, y, width, height } = await placeOf(button);
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      await button.evaluate((pressed: Pressed, to) => {
        pressed.dataset['clicks'] = '0';
        pressed.style.translate = `0 ${to}px`;
      }, down);
      await page.mouse.move(x + width / 2 + by, y + height / 2);
      await page.mouse.up();
      return button.evaluate((pressed: Pressed) => {
        pressed.style.translate = '';
        return Number(pressed.dataset['clicks']);
      });
    };
    await expect.poll(() => clicks(200, 0), { timeout: 60_000 }).toBe(1); // once that part is loaded
    expect(await clicks(0, 0)).toBe(1);
    expect(await clicks(0, 4)).toBe(1);
    expect(await clicks(200, 4)).toBe(1);
    expect(await clicks(200, 5)).toBe(0);
    expect(await clicks(0, 400)).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  it('bring a workflow back that was archived, by one button', async (context) => {
    for (const id of ['kept', 'away']) await studio.service.keep({ ...twoMessages(id), name: id }, { publish: false });
    const { page, complaints, close } = await studio.page(context, '');
    await page.locator('summary[aria-label="Actions for away"]').click();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('away is archived.').waitFor();
    await page.getByRole('link', { name: 'away' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'away' }).waitFor();
    expect(await page.getByText('away is archived.').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });
});
