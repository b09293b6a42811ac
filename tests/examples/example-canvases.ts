import { readFileSync } from 'node:fs';
import { getPath, type JsonObject } from '@hilo/engine/contract';

/** A canvas of the example workspace. */
export const example = (name: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`../../examples/workspace/canvases/${name}.json`, import.meta.url), 'utf8')) as JsonObject;

export const userId = '5215512345678';

/** What the user reads of each message: its text, or the id of its template. */
export const texts = (sent: readonly unknown[]) =>
  sent.map((message) => getPath(message as JsonObject, ['text']) ?? getPath(message as JsonObject, ['templateId']));
