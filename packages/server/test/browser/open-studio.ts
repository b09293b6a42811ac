// Opens the built studio in a browser, over the real app.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '@hilo/testing';
import type { Canvas } from '@hilo/engine/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { createFileSeals } from '../../src/files/file-seals.ts';
import { createFiles } from '../../src/files/files.ts';
import { derivesFrom } from '../../src/platform/secrets/token-keys.ts';
import { createApp } from '../../src/service/app.ts';
import { createLoginCodes } from '../../src/platform/http/auth/login.ts';
import type { Service } from '../../src/service/service.ts';
import { listen } from '../../src/platform/http/listen.ts';
import { fakeService, type FakeService } from '../http/fake-service.ts';
import { type BuiltStudio, buildStudio } from './built-studio.ts';
import { axeFindings, type Skipping, startChromium } from './chromium.ts';

const pictures = fileURLToPath(new URL('../../../../docs/studio/', import.meta.url));

/** With `HILO_SCREENSHOTS=write`: takes a picture for the README and the page of the studio. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['HILO_SCREENSHOTS'] !== 'write') return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}${name}.png` });
}

/** The built studio, served by the real app with its policy. */
export interface ServedStudio {
  readonly built: BuiltStudio;
  readonly base: string;
  /** A fresh browser, logged in, at a path below `/studio/`. Without a Chromium the test is skipped. */
  page(context: Skipping, path: string, colorScheme?: 'light' | 'dark'): Promise<StudioPage>;
  close(): Promise<void>;
}

/** The same over a service in memory. */
export interface OpenStudio extends ServedStudio {
  readonly service: FakeService;
  draft(workflowId: string): Promise<Canvas>;
}

/** One person's browser. */
export interface StudioPage {
  readonly page: Page;
  /** The errors of the console, including violations of the content security policy. */
  readonly complaints: readonly string[];
  /** The card of a node. */
  card(nodeId: string): Locator;
  /** Resolves once the service has the draft. */
  saved(): Promise<void>;
  go(path: string): Promise<void>;
  axe(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A place on the page, in CSS pixels. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What is taken from a page here; the tests are compiled without the types of browsers. */
interface Drawn {
  getBoundingClientRect(): Box;
}
interface Frames {
  requestAnimationFrame(callback: () => void): void;
  requestIdleCallback(callback: () => void): void;
}

/**
 * Where a part of a page is, once it stays there. A panel that opens shifts the canvas a little later: a pointer that goes where a card
 * was meets nothing. The page is idle in between, however slow the machine is.
 */
export async function placeOf(part: Locator): Promise<Box> {
  await part.waitFor();
  return part.evaluate(async (drawn: unknown) => {
    const element = drawn as Drawn;
    const { requestAnimationFrame, requestIdleCallback } = globalThis as unknown as Frames;
    const look = (): Box => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x, y, width, height };
    };
    let place = look();
    for (let still = 0; still < 3; ) {
      await new Promise<void>((resolve) => requestAnimationFrame(() => requestIdleCallback(() => resolve())));
      const next = look();
      still = JSON.stringify(next) === JSON.stringify(place) ? still + 1 : 0;
      place = next;
    }
    return place;
  });
}

/**
 * Draws a wire with the mouse, from a port to a part of a card, or to a place. It goes to the middle of the canvas in one step: near a
 * border the canvas moves for as long as a wire is there, which is long on a busy machine.
 *
 * @param at - where in the part: shares of its size
 */
export async function drawWire(
  port: Locator,
  to: Locator | Pick<Box, 'x' | 'y'>,
  at: readonly [x: number, y: number] = [0.5, 0.5],
): Promise<void> {
  const page = port.page();
  const [start, board] = [await placeOf(port), await placeOf(page.locator('.board'))];
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(board.x + board.width / 2, board.y + board.height / 2);
  await page.locator('.board.connecting').waitFor();
  const end = 'x' in to ? { ...to, width: 0, height: 0 } : await placeOf(to);
  await page.mouse.move(end.x + end.width * at[0] + 3, end.y + end.height * at[1] + 3, { steps: 5 });
  await page.mouse.move(end.x + end.width * at[0], end.y + end.height * at[1], { steps: 2 });
  await page.mouse.up();
  await page.locator('.board:not(.connecting)').waitFor();
}

export async function openStudio(): Promise<OpenStudio> {
  const service = await fakeService();
  const { store, companies, clock } = service;
  const seals = createFileSeals(derivesFrom(new Uint8Array(32).fill(8)));
  const files = createFiles({ store, companies, clock, seals, channels: { of: () => undefined }, bucket: undefined });
  const served = await serveStudio({ ...service, files });
  return {
    ...served,
    service,
    async draft(workflowId) {
      const draft = await service.store.canvases.draft('1', workflowId);
      if (draft === undefined) throw new Error(`There is no workflow ${workflowId}`);
      return draft.canvas;
    },
    async close() {
      await served.close();
      await service.close();
    },
  };
}

/** Serves the studio over a service, which its caller closes. */
export async function serveStudio(service: Service): Promise<ServedStudio> {
  const built = await buildStudio();
  const loginCodes = createLoginCodes({ clock: service.clock, random: seededRandom(3) });
  const listening = await listen(createApp({ ...service, loginCodes, studio: built.application }).fetch, { host: '127.0.0.1', port: 0 });
  const base = `http://127.0.0.1:${listening.port}`;
  let browser: Browser | undefined;
  return {
    built,
    base,
    async page(context, path, colorScheme = 'light') {
      browser ??= await startChromium(context);
      const own = await browser.newContext({
        colorScheme,
        viewport: { width: 1440, height: 840 },
        reducedMotion: 'reduce',
        locale: 'en-GB',
      });
      const page = await own.newPage();
      page.setDefaultTimeout(60_000); // of a machine that does much else
      const complaints: string[] = [];
      page.on('console', (line) => {
        // Refused logins, and saves over another author's draft, are what some tests do.
        if (line.type() === 'error' && !/status of (401|412)|ERR_INTERNET_DISCONNECTED/.test(line.text())) complaints.push(line.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`${base}/studio/#login=${loginCodes.issue()}`);
      await page.getByRole('heading', { name: 'Workflows' }).waitFor();
      const go = async (to: string): Promise<void> => void (await page.goto(`${base}/studio/${to}`));
      if (path !== '') await go(path);
      return {
        page,
        complaints,
        card: (nodeId) => page.locator(`.react-flow__node[data-id="${nodeId}"]`),
        saved: () => page.getByText('Draft saved').waitFor(),
        go,
        axe: () => axeFindings(page),
        close: () => own.close(),
      };
    },
    async close() {
      await browser?.close();
      await listening.close(0);
    },
  };
}
