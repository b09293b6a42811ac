import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Where Chromium usually is: Debian's package, others' names for it, macOS and Windows. */
const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
];

/** The pages are ours, and who tests may be root; a process that draws as a graphics card would takes a quarter of the processor time. */
const ownFlags = ['--no-sandbox', '--disable-gpu', '--disable-software-rasterizer'];

const missing = "there is no Chromium: install Debian's package chromium, or name one with CHROME_PATH";

/** For callers that can do without a browser: a test is skipped, a benchmark reports it. */
export interface Skipping {
  skip(reason: string): never;
}

/**
 * Starts a real Chromium. Without one the test is skipped with a note, or fails with `HILO_BROWSER=required`.
 *
 * @param args - further flags of Chromium
 */
export async function startChromium(context: Skipping, args: readonly string[] = []): Promise<Browser> {
  const executablePath = [process.env['CHROME_PATH'] ?? '', ...usualPlaces].find((path) => path !== '' && existsSync(path));
  if (executablePath === undefined && process.env['HILO_BROWSER'] === 'required') throw new Error(`HILO_BROWSER=required, but ${missing}`);
  if (executablePath === undefined) return context.skip(missing);
  return chromium.launch({ executablePath, args: [...ownFlags, ...args] });
}

/** The rules about colors that a run of all rules has. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * What Axe finds in a page: each rule that it breaks, with the elements. Runs beside the page's own policy, which stays.
 *
 * @param about - `color`, in the second of two color schemes, whose pages differ in nothing else: only the rules about colors
 */
export async function axeFindings(page: Page, about: 'all' | 'color' = 'all'): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(
    async (rules) => {
      const { axe: inPage } = globalThis as unknown as { readonly axe: typeof axe };
      const { violations } = await inPage.run({ resultTypes: ['violations'], ...(rules !== undefined && { runOnly: rules }) });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
      );
    },
    about === 'color' ? colorRules : undefined,
  );
}
