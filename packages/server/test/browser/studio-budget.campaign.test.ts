import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manyFlows } from './many-flows.ts';
import { openStudio, type OpenStudio } from './open-studio.ts';

/** Notes what is posted to workers and what they answer, in characters of JSON, and which cards are drawn again. */
const noteWork = `{
  globalThis.work = { posted: 0, answered: 0, answers: 0, cards: [] };
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', ({ data }) => { work.answers += 1; work.answered += JSON.stringify(data).length; });
    }
    postMessage(message, ...rest) {
      work.posted += JSON.stringify(message).length;
      super.postMessage(message, ...rest);
    }
  };
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const card = (target instanceof Element ? target : target.parentElement)?.closest('.react-flow__node')?.dataset.id;
      if (card !== undefined && !work.cards.includes(card)) work.cards.push(card);
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}`;

interface Work {
  readonly posted: number;
  readonly answered: number;
  readonly answers: number;
  readonly cards: readonly string[];
}

/** How far a pan goes: few pixels a frame, so that no other card comes into view. */
const frames = 10;

// Counts, since a clock says as much about the machine as about the studio.
describe('the work of an edit in the studio, in Chromium', () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  it('a letter in a form, on 1,000 nodes: one card is drawn, and the worker is told of one node', async (context) => {
    await studio.service.keep(manyFlows('budget', 40), { publish: false });
    const { page, complaints, saved, go, close } = await studio.page(context, '');
    await page.addInitScript(noteWork);
    await go('1/budget?node=n0-0');
    const label = page.getByRole('textbox', { name: 'Label', exact: true });
    await page.locator('.cm-content').first().waitFor();
    await page.getByText('No problems').first().waitFor();
    await label.fill('a'); // its card gets a line of its own, and is measured
    await saved();
    expect(await page.locator('.react-flow__node').count()).toBeLessThan(80);

    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Profiler.enable');
    await devtools.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await page.evaluate('Object.assign(work, { posted: 0, answered: 0, answers: 0, cards: [] })');
    await devtools.send('Profiler.takePreciseCoverage'); // from here on
    await label.press('b');
    await expect.poll(() => page.evaluate<number>('work.answers')).toBeGreaterThan(0);
    await page.getByText('Draft saved').waitFor();
    const { result } = await devtools.send('Profiler.takePreciseCoverage');
    const calls = result.flatMap(({ functions }) => functions).reduce((sum, { ranges: [whole] }) => sum + (whole?.count ?? 0), 0);
    const work = await page.evaluate<Work>('work');
    expect(work.cards).toEqual(['n0-0']);
    expect(work.posted).toBeLessThan(1_000); // of 190,000
    expect(work.answered).toBeLessThan(1_000); // of 290,000
    expect(calls).toBeLessThan(300_000); // 120,000; before cards kept their identity 1,000,000
    expect(complaints).toEqual([]);
    await close();
  });

  it.for([300, 1_000])('panning over %d nodes: no card that stays in view is drawn, and no worker is told', async (size, context) => {
    const id = `pan-${size}`;
    await studio.service.keep(manyFlows(id, size / 25), { publish: false });
    const { page, complaints, go, close } = await studio.page(context, '');
    await page.addInitScript(noteWork);
    await go(`1/${id}?node=n0-0`);
    await page.getByText('No problems').first().waitFor();
    await page.locator('.card').first().waitFor();
    const stage = (await page.locator('.stage').boundingBox())!;
    await page.mouse.move(stage.x + stage.width / 2, stage.y + stage.height / 2);
    const place = () => page.evaluate<string>(`document.querySelector('.react-flow__viewport').style.transform`);
    const pan = async () => {
      await page.evaluate('Object.assign(work, { posted: 0, answered: 0, answers: 0, cards: [] })');
      for (let frame = 0; frame < frames; frame += 1) {
        const before = await place();
        await page.mouse.wheel(0, 4);
        await expect.poll(place).not.toBe(before);
      }
      const { cards, posted } = await page.evaluate<Work>('work');
      return { cards, posted };
    };
    // Once cards are measured, and where none comes into view.
    await expect.poll(pan).toEqual({ cards: [], posted: 0 });
    expect(complaints).toEqual([]);
    await close();
  });

  it('a thousand problems are listed fifty at a time', async (context) => {
    await studio.service.keep(manyFlows('unreached', 40), { publish: false });
    const { page, complaints, close } = await studio.page(context, '1/unreached?node=n0-1');
    await page.getByText('No problems').first().waitFor();
    await page.getByRole('button', { name: 'Delete' }).first().click();
    await page.getByRole('button', { name: '1000 problems' }).click();
    const listed = page.locator('.problems > li.error, .problems > li.warning');
    await page.getByRole('button', { name: 'Show more: 950 are left' }).click();
    await page.getByRole('button', { name: 'Show more: 900 are left' }).waitFor();
    expect(await listed.count()).toBe(100);
    expect(complaints).toEqual([]);
    await close();
  });
});
