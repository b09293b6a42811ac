import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Json, type JsonObject, isJsonObject } from '@hilo/engine/contract';
import { exampleWorkspace } from './open-for-test.ts';

/** The example workspace with its canvases and modules in it, so that it needs no folder. */
export async function inlineExample(): Promise<JsonObject> {
  return inline(JSON.parse(await readFile(exampleWorkspace, 'utf8')) as Json) as Promise<JsonObject>;
}

async function inline(value: Json): Promise<Json> {
  if (Array.isArray(value)) return Promise.all(value.map(inline));
  if (!isJsonObject(value)) return value;
  const { file, ...rest } = value;
  if (typeof file !== 'string')
    return Object.fromEntries(await Promise.all(Object.entries(value).map(async ([name, item]) => [name, await inline(item)] as const)));
  const text = await readFile(fileURLToPath(new URL(file, `file://${exampleWorkspace}`)), 'utf8');
  return file.endsWith('.json') ? { ...rest, canvas: JSON.parse(text) as Json } : { ...rest, source: text };
}

/** A copy of a value with replacements by JSON pointer; `undefined` removes a value. */
export function changed(value: JsonObject, changes: { readonly [pointer: string]: Json | undefined }): JsonObject {
  const copy = structuredClone(value) as { [field: string]: unknown };
  for (const [pointer, item] of Object.entries(changes)) {
    const steps = pointer.split('/').slice(1);
    const place = steps
      .slice(0, -1)
      .reduce<{ [field: string]: unknown }>((within, step) => within[step] as { [field: string]: unknown }, copy);
    const last = steps.at(-1) ?? '';
    if (item === undefined) delete place[last];
    else if (last === '-' && Array.isArray(place)) place.push(item);
    else place[last] = item;
  }
  return copy as JsonObject;
}
