// Every address of the studio in Spanish, light and dark, on a phone of 320 pixels, at a zoom of 200 %, and from right to left.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { standardNodes } from '@hilo/nodes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { openService, type RunningService } from '../../src/service/open-service.ts';
import { exampleWorkspace } from '../data/open-for-test.ts';
import { settingsFor } from '../data/settings.ts';
import { axeFindings } from './chromium.ts';
import { type ServedStudio, serveStudio } from './open-studio.ts';

const addresses = [
  '1',
  '1/',
  '1/examples/take-away',
  '1/order-status',
  '1/order-status?view=numbers',
  '1/order-status?view=proof',
  '1/order-status?view=changes',
  '1/order-status/versions',
  '1/inbox',
  '1/executions',
  '1/settings/bots',
  '1/settings/bots/+',
  '1/settings/templates',
  '1/settings/credentials',
  '1/settings/operators',
  '1/settings/teams',
  '1/settings/tags',
  '1/settings/contacts',
  '1/settings/groups',
  '1/settings/groups/+',
  '1/settings/campaigns',
  '1/settings/events',
  '1/settings/events/+',
  '1/settings/access',
  '1/settings/company',
  '1/jobs',
  '1/audit',
];

/** Words of the chrome that no screen in Spanish shows. */
const english = /\b(?:Search|Save|Close|Settings|Workflows?|Executions|Publish|Cancel|Remove|Add|Loading|Nothing|None yet)\b/;

/** What scrolls sideways though it is no text of a program and no canvas: something in it is wider than its place. */
const widerThanItsPlace = `[...document.querySelectorAll('.hilo-studio *')]
  .filter((one) => {
    const { overflowX, textOverflow } = getComputedStyle(one);
    if (!/auto|scroll/.test(overflowX) || textOverflow === 'ellipsis' || one.matches('pre, textarea, input, select, .cm-editor *, .react-flow *')) return false;
    return one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1;
  })
  .map((one) => one.className + ': ' + one.scrollWidth + ' in ' + one.clientWidth)`;

/** What can be pressed, written in or read as a heading, and is not in the window however it is scrolled. */
const outOfReach = `(() => {
  const isReached = (one) => {
    one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const box = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let at = one.parentElement; at; at = at.parentElement) {
      if (getComputedStyle(at).overflow === 'visible') continue;
      const { left, top, right, bottom } = at.getBoundingClientRect();
      Object.assign(box, { left: Math.max(box.left, left), top: Math.max(box.top, top), right: Math.min(box.right, right), bottom: Math.min(box.bottom, bottom) });
    }
    const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
    const [wide, high] = [Math.min(right, box.right) - Math.max(left, box.left), Math.min(bottom, box.bottom) - Math.max(top, box.top)];
    return wide > Math.min(width, 24) - 2 && high > Math.min(height, 24) - 2;
  };
  const hidden = '.visually-hidden, .visually-hidden *, .react-flow *, details:not([open]) > :not(summary), details:not([open]) > :not(summary) *';
  return [...document.querySelectorAll('.hilo-studio :is(button, a[href], input, select, textarea, summary, h1, h2)')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(hidden) && !isReached(one))
    .slice(0, 3).map(({ outerHTML }) => outerHTML.slice(0, 120));
})()`;

describe('every address of the studio, in Chromium', { timeout: 300_000 }, () => {
  let directory: string;
  let service: RunningService;
  let studio: ServedStudio;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hilo-everywhere-'));
    const quiet = (): void => undefined;
    const log = { info: quiet, warn: quiet, error: quiet };
    service = await openService({ ...settingsFor(directory), workspace: exampleWorkspace }, { log });
    studio = await serveStudio(service);
  });
  afterAll(async () => {
    await studio?.close();
    await service?.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('speaks Spanish, fits a phone of 320 pixels and a page from right to left, and has nothing that Axe finds', async (context) => {
    const { page, complaints, go, close } = await studio.page(context, '');
    await page.evaluate("localStorage.setItem('hilo-studio/language', 'es')");
    const found: { [what: string]: readonly string[] } = {};
    const note = (what: string, findings: readonly string[]): void => {
      if (findings.length > 0) found[what] = findings;
    };
    /** What stands out of the page at its side; what scrolls inside of it may be wider. */
    const sticksOut = (): Promise<string[]> =>
      page.evaluate(`(() => {
        const scrolls = (one) => { for (let at = one.parentElement; at; at = at.parentElement) if (/auto|scroll|hidden|clip/.test(getComputedStyle(at).overflowX) && at.matches('.hilo-studio *')) return true; return false; };
        return [...document.querySelectorAll('.hilo-studio *')]
          .filter((one) => { const { left, right, width } = one.getBoundingClientRect(); return width > 0 && (right > innerWidth + 1 || left < -1) && !scrolls(one); })
          .slice(0, 3).map(({ outerHTML }) => outerHTML.slice(0, 120));
      })()`);
    /** What is still found once the page has drawn itself in its new size, which a busy machine does some pictures later. */
    const stays = async (look: () => Promise<readonly string[]>): Promise<readonly string[]> => {
      let seen = await look();
      for (let picture = 0; picture < 60 && seen.length > 0; picture += 1) {
        await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => resolve()))');
        seen = await look();
      }
      return seen;
    };
    for (const address of addresses) {
      await page.emulateMedia({ colorScheme: 'light' });
      await go(address);
      await page.locator('main h1, .top-bar').first().waitFor();
      await page.getByText('Cargando…').first().waitFor({ state: 'detached' });
      note(`${address} in light`, await axeFindings(page));
      const words = await page.locator('main').first().innerText();
      if (!address.includes('examples')) note(`${address} in English`, english.exec(words) ?? []); // an example speaks its own language
      await page.emulateMedia({ colorScheme: 'dark' });
      note(`${address} in dark`, await axeFindings(page, 'color'));
      await page.evaluate("document.documentElement.dir = 'rtl'");
      note(`${address} from right to left`, [...(await sticksOut())]);
      await page.evaluate("document.documentElement.dir = 'ltr'");
      await page.setViewportSize({ width: 320, height: 640 });
      note(`${address} on a phone`, [
        ...(await stays(sticksOut)),
        ...(await stays(() => page.evaluate<string[]>(widerThanItsPlace))),
        ...(await axeFindings(page)),
      ]);
      // A window of 1280 by 720 pixels at a zoom of 200 %.
      await page.setViewportSize({ width: 640, height: 360 });
      note(`${address} at 200 %`, [...(await stays(sticksOut)), ...(await stays(() => page.evaluate<string[]>(outOfReach)))]);
      for (const width of [1280, 1000]) {
        await page.setViewportSize({ width, height: 840 });
        note(
          `${address} has room that nothing fills at ${width}`,
          await page.evaluate<string[]>(
            "[...document.querySelectorAll('.with-rail > div')].filter((one) => one.getBoundingClientRect().right < innerWidth - 1).map(({ outerHTML }) => outerHTML.slice(0, 80))",
          ),
        );
      }
      await page.setViewportSize({ width: 1440, height: 840 });
    }
    expect(found).toEqual({});
    expect(complaints).toEqual([]);
    await close();
  });

  it('has panels that hold nothing wider than themselves, in Spanish: the tester with all it offers, and the variables of an execution', async (context) => {
    const { page, complaints, go, close } = await studio.page(context, '');
    await page.evaluate("localStorage.setItem('hilo-studio/language', 'es')");
    await page.setViewportSize({ width: 1280, height: 720 });
    await go('1/order-status');
    await page.getByRole('button', { name: 'Probar' }).click();
    await page.getByLabel('Mensaje', { exact: true }).fill('order');
    await page.keyboard.press('Enter');
    await page.locator('.bubbles .from-user').first().waitFor();
    await page.getByLabel('Mensaje', { exact: true }).fill('17');
    await page.keyboard.press('Enter');
    await page.locator('.call').waitFor();
    for (const summary of await page.locator('.tester > details > summary').all()) await summary.click();
    expect(await page.evaluate<string[]>(widerThanItsPlace)).toEqual([]);
    await service.engine.receiveMessage({
      companyId: '1',
      botId: 'bot_wa',
      eventId: 'e1',
      user: { id: '5215512345699', names: 'Berta' },
      message: { id: 'm1', type: 'text', text: 'order' },
    });
    await service.engine.whenIdle();
    await go('1/executions');
    await page.locator('td a.status').first().click();
    await page.getByRole('heading', { name: /· Berta$/ }).waitFor();
    await page.getByRole('tab', { name: 'Variables' }).click();
    await page.locator('.compare').waitFor();
    expect(await page.evaluate<string[]>(widerThanItsPlace)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('has forms that fit their panel in Spanish, of every node and with each of its parts', async (context) => {
    const types = standardNodes.map(({ type }) => type).filter((type) => type !== 'note'); // which is drawn without a head
    const nodes = types.map((type, index) => ({
      id: `n-${type}`,
      type,
      position: { x: (index % 8) * 328, y: Math.floor(index / 8) * 260 },
      data: {},
    }));
    const canvas = { schemaVersion: 1, id: 'forms', name: 'Forms', nodes, edges: [] };
    const saved = await createManagement(service).request('/workflows/forms?companyId=1', { method: 'PUT', body: JSON.stringify(canvas) });
    expect(saved.status).toBe(200);
    const { page, go, close } = await studio.page(context, '');
    await page.evaluate("localStorage.setItem('hilo-studio/language', 'es')");
    await page.setViewportSize({ width: 1280, height: 720 });
    await go(`1/forms?node=n-${types[0]}`);
    const found: { [type: string]: readonly string[] } = {};
    for (const type of types) {
      await page.locator(`.react-flow__node[data-id="n-${type}"] header`).dispatchEvent('click');
      await page.locator(`.react-flow__node.selected[data-id="n-${type}"]`).waitFor();
      await page.locator('.node-panel h2').first().waitFor();
      // Each part that may be there is put there, twice: a part may have parts.
      for (let depth = 0; depth < 2; depth += 1)
        await page.evaluate(`for (const part of document.querySelectorAll('.side details:not([open])')) part.open = true;
          for (const button of [...document.querySelectorAll('.side button')].slice(0, 40))
            if (/^(?:Definir|Agregar)/.test(button.textContent.trim()) && !button.disabled) button.click();`);
      const wide = await page.evaluate<string[]>(`(() => {
        const side = document.querySelector('.side').getBoundingClientRect();
        return [...document.querySelectorAll('.side *')]
          .filter((one) => one.checkVisibility() && !one.closest('.cm-editor, pre, .visually-hidden'))
          .filter((one) => { const { left, right, width } = one.getBoundingClientRect(); return width > 0 && (right > side.right + 1 || left < side.left - 1); })
          .slice(0, 3).map((one) => one.outerHTML.slice(0, 100));
      })()`);
      if (wide.length > 0) found[type] = wide;
    }
    expect(found).toEqual({});
    await close();
  });

  it('is used by the keyboard alone: Tab comes to everything that can be pressed or written in, shows where it is, and is held nowhere', async (context) => {
    const { page, complaints, go, close } = await studio.page(context, '');
    const found: { [address: string]: unknown } = {};
    for (const address of addresses) {
      await go(address);
      await page.locator('main h1, .top-bar').first().waitFor();
      await page.getByText('Loading…').first().waitFor({ state: 'detached' });
      // What Tab should come to; of a group of radio buttons the arrows choose.
      const wanted = await page.evaluate<number>(`(() => {
        const all = [...document.querySelectorAll(':is(button, a[href], input, select, textarea, summary, [tabindex="0"])')]
          .filter((one) => one.tabIndex >= 0 && !one.disabled && one.type !== 'radio' && !one.closest('[inert]') && one.checkVisibility({ visibilityProperty: true }));
        for (const one of all) one.dataset.walk = 'wanted';
        document.activeElement?.blur();
        return all.length;
      })()`);
      const step = `(() => {
        const at = document.activeElement;
        if (document.querySelector('[data-walk="wanted"]') === null) return 'all';
        // A field of a time has several stops; where what had the focus is gone, as a panel is read, its screen has it, to which no Tab leads.
        if (at === null || at === document.body || at.dataset.walk === 'seen' || at.tabIndex < 0) return 'on';
        const isSeen = [at, at.parentElement, at.parentElement?.parentElement].some((one) => {
          const { outlineStyle, outlineWidth, boxShadow } = one === null || one === undefined ? {} : getComputedStyle(one);
          return (outlineStyle !== undefined && outlineStyle !== 'none' && outlineWidth !== '0px') || (boxShadow !== undefined && boxShadow !== 'none');
        });
        at.dataset.walk = 'seen';
        return isSeen ? 'on' : at.outerHTML.slice(0, 120);
      })()`;
      const unseen: string[] = [];
      let state = 'on';
      for (let presses = 0; presses < 3 * wanted + 60 && state !== 'all'; presses += 1) {
        await page.keyboard.press('Tab');
        state = await page.evaluate<string>(step);
        if (state !== 'on' && state !== 'all') unseen.push(state);
      }
      const missed = await page.evaluate<string[]>(
        `[...document.querySelectorAll('[data-walk="wanted"]')].filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 120))`,
      );
      if (unseen.length + missed.length > 0) found[address] = { unseen: unseen.slice(0, 5), missed: missed.slice(0, 5) };
    }
    expect(found).toEqual({});
    expect(complaints).toEqual([]);
    await close();
  });

  it('the interface has nothing that Axe finds, in light and dark', async (context) => {
    const { page, complaints, close } = await studio.page(context, '');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${studio.base}/docs`);
      await page.locator('h1').first().waitFor();
      expect(await axeFindings(page, colorScheme === 'dark' ? 'color' : 'all')).toEqual([]);
    }
    expect(complaints).toEqual([]);
    await close();
  });
});
