// The studio in a real browser: what a frame, an edit and a check take.
import { manyFlows } from '../../packages/server/test/browser/many-flows.ts';
import { openStudio, type OpenStudio, type StudioPage } from '../../packages/server/test/browser/open-studio.ts';
import { atMost, type Measured, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { median, percentile } from '../statistics.ts';

type Page = StudioPage['page'];

/** A canvas to measure, and the aims in milliseconds on an idle machine. */
interface Size {
  readonly nodes: number;
  readonly aims: { readonly problem: number; readonly open: number };
}

const sizes: readonly Size[] = [
  { nodes: 300, aims: { problem: 250, open: 1_000 } },
  { nodes: 1_000, aims: { problem: 400, open: 2_000 } },
];
/** What a frame has at 60 a second. */
const frameMs = 16.7;

/** The built studio in a real Chromium: what its main thread works for a frame and for an edit, what an author waits for, and the page of the interface. */
export async function studio(quick: boolean, progress: Progress): Promise<readonly Part[]> {
  const open = await openStudio();
  try {
    const parts: Part[] = [];
    for (const size of sizes) parts.push(await measure(open, size, { rounds: quick ? 3 : 9, progress }));
    parts.push(await interfacePage(open, { rounds: quick ? 3 : 9, progress }));
    return parts;
  } finally {
    await open.close();
  }
}

const without = {
  skip(reason: string): never {
    throw new Error(reason);
  },
};

async function measure(
  { service, page: openPage }: OpenStudio,
  { nodes, aims }: Size,
  { rounds, progress }: { readonly rounds: number; readonly progress: Progress },
): Promise<Part> {
  const id = `bench-${nodes}`;
  await service.keep(manyFlows(id, nodes / 25), { publish: false });
  const figures = new Map<string, number[]>();
  const note = (name: string, value: number): void => void figures.set(name, [...(figures.get(name) ?? []), value]);
  for (let round = 0; round < rounds; round += 1) {
    progress.say(`studio: ${nodes} nodes, round ${round + 1} of ${rounds}`);
    const { page, close } = await openPage(without, '');
    await page.addInitScript(noteFirstPicture);
    await page.goto(`${new URL(page.url()).origin}/studio/1/${id}`);
    await page.locator('.react-flow__node, canvas.far').first().waitFor();
    await page.getByText('No problems').first().waitFor();
    note('open to the first picture', await page.evaluate<number>('firstPictureMs'));
    await page.goto(`${new URL(page.url()).origin}/studio/1/${id}?node=n0-1`);
    await page.locator('.react-flow__node').first().waitFor();
    await page.keyboard.press('Escape');
    const work = await workOf(page);
    note('a frame of panning, near', await panned(page, work));
    for (const ms of await worked(page, work, dragSteps(page), 'frame')) note('a frame of dragging a card', ms);
    const { problemMs, mainMs } = await edited(page, work);
    note('an edit to its problem', problemMs);
    note('an edit, main thread', mainMs);
    await page.getByRole('button', { name: 'Fit the canvas' }).click();
    await page.locator('canvas.far').waitFor();
    note('a frame of panning, all in view', await panned(page, work));
    for (const ms of await worked(page, work, zoomSteps(page), 'frame')) note('a frame of zooming, there and back', ms);
    for (const layer of ['Numbers', 'Proof', 'Edit'])
      for (const ms of await worked(page, work, [() => page.getByRole('button', { name: layer, exact: true }).click()]))
        note(`to ${layer}`, ms);
    await close();
  }
  const medianOf = (name: string): number => median(figures.get(name) ?? []);
  const slowestOf = (name: string): number => percentile(figures.get(name) ?? [], 0.95);
  const slowest = [...figures.keys()].filter((name) => (figures.get(name)?.length ?? 0) > rounds);
  return {
    name: `The studio with ${nodes.toLocaleString('en')} nodes`,
    unit: 'ms',
    contestants: [
      ...[...figures.keys()].map((name): Measured => ({ name, median: medianOf(name) })),
      ...slowest.map((name): Measured => ({ name: `${name}, 95 in 100`, median: slowestOf(name) })),
    ],
    aims: [
      atMost('a frame of panning, near', medianOf('a frame of panning, near'), frameMs),
      atMost('a frame of dragging a card, 95 in 100', slowestOf('a frame of dragging a card'), 20),
      atMost('a frame of zooming, 95 in 100', slowestOf('a frame of zooming, there and back'), 33),
      atMost('to Numbers', medianOf('to Numbers'), 150),
      atMost('to Proof', medianOf('to Proof'), 150),
      atMost('a frame of panning, all in view', medianOf('a frame of panning, all in view'), frameMs),
      atMost('an edit to its problem', medianOf('an edit to its problem'), aims.problem),
      atMost('open to the first picture', medianOf('open to the first picture'), aims.open),
    ],
    notes: ['Frames and "main thread" are what the main thread worked; the others are on the clock, which a busy machine makes longer.'],
  };
}

/** The page of the interface, from a service that has shown it once, beside a page of the same service with a few lines. */
async function interfacePage(
  { page: openPage, base }: OpenStudio,
  { rounds, progress }: { readonly rounds: number; readonly progress: Progress },
): Promise<Part> {
  const { page, close } = await openPage(without, '');
  const pages = { 'a page with a few lines': '/studio/plain/', 'the interface, /docs': '/docs' };
  const figures = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round += 1) {
    progress.say(`the interface: round ${round} of ${rounds}`);
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(`${base}${path}`);
      const paintedMs = await page.evaluate<number>(`new Promise((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntriesByName('first-contentful-paint')[0].startTime)).observe({ type: 'paint', buffered: true });
      })`);
      if (round > 0) figures.set(name, [...(figures.get(name) ?? []), paintedMs]);
    }
  }
  await close();
  const [floor = [], shown = []] = Object.values(pages).map((_, index) => [...figures.values()][index]);
  const ratios = shown.map((value, round) => value / (floor[round] ?? Number.NaN));
  return {
    name: 'The page of the interface, to its first content',
    unit: 'ms',
    contestants: [...figures].map(
      ([name, values], index): Measured => ({
        name,
        median: median(values),
        ...(index > 0 && { ratioToFloor: median(ratios) }),
      }),
    ),
    aims: [atMost('the page of the interface, to its first content', median(shown), 1_000)],
    notes: ['Nothing is cached by the browser: the page has no other files.'],
  };
}

/** Says when the first card, or the layer of blocks, is painted. */
const noteFirstPicture = `
  const seen = new MutationObserver(() => {
    if (document.querySelector('.react-flow__node, canvas.far') === null) return;
    seen.disconnect();
    requestAnimationFrame(() => { globalThis.firstPictureMs = performance.now(); });
  });
  seen.observe(document, { childList: true, subtree: true });`;

/** Counts frames from now on; begun again, it still counts each of them once. */
const countFrames = `{
  cancelAnimationFrame(globalThis.counting ?? 0);
  globalThis.frames = 0;
  const count = () => { globalThis.frames += 1; globalThis.counting = requestAnimationFrame(count); };
  globalThis.counting = requestAnimationFrame(count);
}`;

/** What the main thread of a page worked until now, in milliseconds. */
async function workOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  };
}

/** @returns the work of a frame while the canvas is panned */
async function panned(page: Page, work: () => Promise<number>): Promise<number> {
  await page.mouse.move(700, 450);
  await page.evaluate(countFrames);
  const [workBefore, framesBefore] = [await work(), await page.evaluate<number>('frames')];
  for (let step = 0; step < 60; step += 1) {
    await page.mouse.wheel(step < 30 ? 20 : -20, 0);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
  const frames = (await page.evaluate<number>('frames')) - framesBefore;
  return ((await work()) - workBefore) / frames;
}

/** What the main thread works for each step, until the frame after it, or for each frame until then. */
async function worked(
  page: Page,
  work: () => Promise<number>,
  steps: readonly (() => Promise<void>)[],
  per: 'step' | 'frame' = 'step',
): Promise<readonly number[]> {
  await page.evaluate(countFrames);
  const worked: number[] = [];
  for (const step of steps) {
    const [before, framesBefore] = [await work(), await page.evaluate<number>('frames')];
    await step();
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    const frames = per === 'step' ? 1 : (await page.evaluate<number>('frames')) - framesBefore;
    worked.push(((await work()) - before) / frames);
  }
  return worked;
}

/** A card is taken by its title, moved there and back, and put down where it was. */
function dragSteps(page: Page): readonly (() => Promise<void>)[] {
  const card = page.locator('.react-flow__node[data-id="n0-1"] header');
  let [x, y] = [0, 0];
  const take = async (): Promise<void> => {
    const box = await card.boundingBox();
    [x, y] = [(box?.x ?? 0) + 100, (box?.y ?? 0) + 16];
    await page.mouse.move(x, y);
    await page.mouse.down();
  };
  const moves = Array.from({ length: 40 }, (_, step) => () => page.mouse.move(x + 8 * Math.min(step, 39 - step), y + 4));
  return [take, ...moves, () => page.mouse.up()];
}

/** Into the canvas, until its cards are drawn, and out of it again. */
const zoomSteps = (page: Page): readonly (() => Promise<void>)[] =>
  Array.from({ length: 40 }, (_, step) => async () => {
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, step < 20 ? -60 : 60);
    await page.keyboard.up('Control');
  });

/** Takes a wire away, so that the message behind it is not reached, and puts it back. */
async function edited(page: Page, work: () => Promise<number>): Promise<{ readonly problemMs: number; readonly mainMs: number }> {
  await page.locator('.react-flow__node[data-id="n0-1"] header').click();
  await page.locator('.cm-content').first().waitFor(); // the form that opens is no part of the edit
  await page.evaluate(`globalThis.told = new Promise((resolve) => {
    let startedAt = 0;
    addEventListener('keydown', () => { startedAt = performance.now(); }, { capture: true, once: true });
    const seen = new MutationObserver(() => {
      if (document.querySelector('.problem-count.good') !== null) return;
      seen.disconnect();
      resolve(performance.now() - startedAt);
    });
    seen.observe(document.querySelector('.problem-count'), { attributes: true, childList: true, characterData: true, subtree: true });
  }); undefined`); // not awaited here
  const before = await work();
  await page.keyboard.press('Delete');
  const problemMs = await page.evaluate<number>('told');
  const mainMs = (await work()) - before;
  await page.getByRole('button', { name: /^Undo: / }).click();
  await page.locator('.problem-count.good').waitFor();
  return { problemMs, mainMs };
}
