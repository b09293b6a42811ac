// The stage on which everyday tasks are counted: the service of the example workspace, a workflow to work at, and who counts clicks and keys.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@hilo/engine/contract';
import type { Locator, Page } from 'playwright-core';
import { createManagement } from '../../src/service/app.ts';
import { openService, type RunningService } from '../../src/service/open-service.ts';
import { exampleWorkspace } from '../data/open-for-test.ts';
import { settingsFor } from '../data/settings.ts';
import { type ServedStudio, serveStudio } from './open-studio.ts';

/** A workflow that asks for a colour, and says something of each. */
export function colours(id: string, red: string): JsonObject {
  const node = (name: string, type: string, x: number, y: number, data: JsonObject): JsonObject => ({
    id: name,
    type,
    position: { x, y },
    data,
  });
  const way = (source: string, sourceHandle: string | undefined, target: string): JsonObject => ({
    source,
    ...(sourceHandle !== undefined && { sourceHandle }),
    target,
  });
  const text = (words: string): JsonObject => ({ message: { type: 'text', text: words } });
  return {
    schemaVersion: 1,
    id,
    name: `Colours ${id}`,
    nodes: [
      node('start', 'start', 0, 0, { keywords: [id] }),
      node('menu', 'ask', 328, 0, {
        message: { type: 'quick_reply', text: 'Which one?', quick_replies: [{ title: 'Red' }, { title: 'Blue' }] },
        saveAs: '$context.colour',
      }),
      node('red', 'message', 656, 0, text(red)),
      node('blue', 'message', 656, 240, text('Blue it is')),
      node('end', 'end', 984, 0, {}),
    ],
    edges: [
      way('start', undefined, 'menu'),
      way('menu', 'Red', 'red'),
      way('menu', 'Blue', 'blue'),
      way('menu', 'other', 'end'),
      way('red', 'sent', 'end'),
      way('blue', 'sent', 'end'),
    ],
  };
}

export interface EverydayStage {
  readonly service: RunningService;
  readonly studio: ServedStudio;
  /** Asks management, in company 1. */
  readonly ask: (method: string, path: string, body?: JsonObject) => Promise<JsonObject>;
  readonly close: () => Promise<void>;
}

export async function openEveryday(): Promise<EverydayStage> {
  const directory = await mkdtemp(join(tmpdir(), 'hilo-tasks-'));
  const quiet = (): void => undefined;
  const service = await openService(
    { ...settingsFor(directory), workspace: exampleWorkspace },
    { log: { info: quiet, warn: quiet, error: quiet } },
  );
  const management = createManagement(service);
  const studio = await serveStudio(service);
  return {
    service,
    studio,
    async ask(method, path, body) {
      const response = await management.request(`${path}?companyId=1`, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as JsonObject;
    },
    async close() {
      await studio.close();
      await service.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export interface Counter {
  click(place: Locator, ...modifiers: 'Shift'[]): Promise<void>;
  /** A list of the system opens with a click, and closes with another. */
  choose(place: Locator, option: { readonly label?: string; readonly index?: number }): Promise<void>;
  task(name: string, doIt: () => Promise<void>): Promise<void>;
  /** The clicks of each task. */
  readonly taken: { readonly [task: string]: number };
  /** The first button of a name: the whole name, where it is a text. */
  button(name: string | RegExp): Locator;
}

export function countOn(page: Page): Counter {
  let clicks = 0;
  const taken: { [task: string]: number } = {};
  return {
    taken,
    async click(place, ...modifiers) {
      clicks += 1;
      await place.click({ modifiers });
    },
    async choose(place, option) {
      clicks += 2;
      await place.selectOption(option);
    },
    async task(name, doIt) {
      clicks = 0;
      await doIt();
      taken[name] = clicks;
    },
    button: (name) => page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).first(),
  };
}
