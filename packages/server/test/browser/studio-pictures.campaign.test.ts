import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseCanvas } from '@hilo/engine';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type OpenStudio } from './open-studio.ts';

/** The pictures to compare with, which `HILO_SCREENSHOTS=write` makes anew. */
const pictures = join(import.meta.dirname, 'pictures');
const isWritten = process.env['HILO_SCREENSHOTS'] === 'write';
const examples = globSync(join(import.meta.dirname, '..', '..', '..', '..', 'examples/workspace/canvases/*.json')).toSorted();

/** Of all pixels. */
const maxDiffering = 0.002;

/** What else decides how a page is drawn: the browser, and how wide its fonts are. */
const environmentOf = async (page: Page): Promise<string> => {
  const widths = await page.evaluate<readonly number[]>(`['400 13px', '600 14px'].flatMap((size) =>
    ['Inter, system-ui, sans-serif', 'ui-monospace, monospace'].map((family) => {
      const pen = document.createElement('canvas').getContext('2d');
      pen.font = size + ' ' + family;
      return pen.measureText('Hamburgefonstiv 0123 {{order}} ¿Qué?').width;
    }))`);
  return JSON.stringify({ chromium: page.context().browser()?.version(), widths });
};

/** How many of the pixels of two PNG differ, in one of their colours by more than smoothing does; 1 where their sizes do. */
const differenceOf = (page: Page, before: string, after: string): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const pixelsOf = async (base64) => {
      const image = new Image();
      image.src = 'data:image/png;base64,' + base64;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const pen = canvas.getContext('2d');
      pen.drawImage(image, 0, 0);
      return { width: image.width, data: pen.getImageData(0, 0, image.width, image.height).data };
    };
    const [one, other] = [await pixelsOf('${before}'), await pixelsOf('${after}')];
    if (one.width !== other.width || one.data.length !== other.data.length) return 1;
    let differing = 0;
    for (let at = 0; at < one.data.length; at += 4)
      if ([0, 1, 2].some((colour) => Math.abs(one.data[at + colour] - other.data[at + colour]) > 32)) differing += 1;
    return differing / (one.data.length / 4);
  })()`);

describe('pictures of the example canvases, in Chromium', { timeout: 300_000 }, () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  it('are those that were looked at, where browser and fonts are the same', async (context) => {
    const { page, complaints, go, close } = await studio.page(context, '');
    const madeWith = join(pictures, 'made-with.json');
    const environment = await environmentOf(page);
    if (isWritten) mkdirSync(pictures, { recursive: true });
    else if (readFileSync(madeWith, 'utf8').trim() !== environment)
      context.skip('the pictures of example canvases were made with another Chromium, or with other fonts');
    await page.setViewportSize({ width: 880, height: 520 }); // without palette and map
    const own = await page.context().newPage(); // without a policy: pictures are read in it
    await page.bringToFront(); // else nothing is drawn on time
    for (const path of examples) {
      const id = basename(path, '.json');
      const { canvas } = parseCanvas({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), id });
      if (canvas === undefined) throw new Error(`${path} is no canvas`);
      await studio.service.engine.saveDraft('1', canvas);
      await go(`1/${id}`);
      await page.locator('.card').first().waitFor();
      await page.locator('.rail a').first().waitFor();
      await page.evaluate("document.querySelector('.rail').style.display = 'none'"); // the canvas alone
      await page.getByRole('button', { name: /problems?$/i }).waitFor(); // its nodes are described, and have their sizes
      const file = join(pictures, `${id}.png`);
      const take = async (): Promise<Buffer> => {
        await page.getByRole('button', { name: 'Fit the canvas' }).click();
        await page.mouse.move(0, 0);
        await page.evaluate('document.activeElement?.blur()');
        return page.locator('.stage').screenshot({ animations: 'disabled', caret: 'hide' });
      };
      // Cards get their places after the check: what is compared is what they come to.
      const differing = async (): Promise<number> => differenceOf(own, readFileSync(file, 'base64'), (await take()).toString('base64'));
      if (isWritten) writeFileSync(file, await settled(take));
      await expect.poll(differing, { message: id }).toBeLessThanOrEqual(maxDiffering);
    }
    if (isWritten) writeFileSync(madeWith, `${environment}\n`);
    expect(complaints).toEqual([]);
    await close();
  });

  it('a picture that differs is told', async (context) => {
    const { page, close } = await studio.page(context, '');
    await page.locator('.rail a').first().waitFor();
    const screen = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 200 } });
    await page.evaluate(`(() => {
      const mark = document.createElement('div');
      mark.style.cssText = 'position:fixed;inset:0 auto auto 0;width:10px;height:10px;background:#f00';
      document.body.append(mark);
    })()`);
    const marked = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 200 } });
    const own = await page.context().newPage();
    expect(await differenceOf(own, screen.toString('base64'), screen.toString('base64'))).toBe(0);
    expect(await differenceOf(own, screen.toString('base64'), marked.toString('base64'))).toBe(100 / 40_000);
    await close();
  });
});

/** The picture after which none is different any more. */
async function settled(take: () => Promise<Buffer>): Promise<Buffer> {
  let last = await take();
  for (let alike = 0; alike < 20; ) {
    const taken = await take();
    alike = taken.equals(last) ? alike + 1 : 0;
    last = taken;
  }
  return last;
}
