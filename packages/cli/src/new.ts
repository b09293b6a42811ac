// `hilo new`: an example with its transcripts as a workflow of the project, under a name of its own, with the workflows that it calls.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isJsonObject, isWorkflowId, type Json, type JsonObject, parseJsonText } from '@hilo/engine/contract';
import { painter, printable } from './paint.ts';

/** What there is to begin with: each is an example, and the workflows that it calls. */
export const likes = {
  booking: { example: 'booking', with: [] },
  orders: { example: 'shop-cart', with: [] },
  faq: { example: 'support-router', with: [] },
  survey: { example: 'survey', with: [] },
  agent: { example: 'order-agent', with: ['stock', 'place-order'] },
} as const satisfies { readonly [like: string]: { readonly example: string; readonly with: readonly string[] } };
export type Like = keyof typeof likes;

/** The examples of this release: of the repository where the sources run; of this package, where it was built and packed. */
const examples =
  basename(import.meta.dirname) === 'src'
    ? join(import.meta.dirname, '..', '..', '..', 'examples')
    : join(import.meta.dirname, '..', 'examples');

/**
 * Writes a workflow like an example into a project.
 *
 * @param folder - with `canvases` and `transcripts`, which are made
 * @throws {Error} for an id that is none, or that a file has already: nothing is written then
 */
export async function createLike(id: string, like: Like, folder: string): Promise<void> {
  if (!isWorkflowId(id) || !/^[\w-]+$/.test(id)) throw new Error(`${printable(id)} is no id for a file: use letters, digits, "-" and "_"`);
  const { example, with: called } = likes[like];
  const files = new Map<string, string>();
  await addFiles(files, example, id);
  const path = (file: string): string => join(folder, file);
  const taken = [...files.keys()].find((file) => existsSync(path(file)));
  if (taken !== undefined) throw new Error(`${printable(taken)} is there already: nothing was written`);
  const beside = new Map<string, string>();
  for (const one of called) await addFiles(beside, one, one);
  // What another workflow of the project calls already stays as it is.
  for (const [file, text] of beside) if (!existsSync(path(file))) files.set(file, text);
  for (const [file, text] of files) {
    await mkdir(dirname(path(file)), { recursive: true });
    await writeFile(path(file), text, { flag: 'wx' });
  }
  const paint = painter(process.stdout);
  process.stdout.write(`${[...files.keys()].map((file) => `${paint('green', '✔')} ${file}\n`).join('')}\n`);
  process.stdout.write(`  npx hilo test transcripts\n  npx hilo run canvases/${id}.json\n`);
  const added = [...files.keys()].filter((file) => file.startsWith('canvases/'));
  if (existsSync(path('workspace.json'))) process.stdout.write(tellHowToServe(added));
}

/** A workspace names the workflows that a service gets; what publishing one needs, such as a credential, is its author's to say. */
const tellHowToServe = (canvases: readonly string[]): string =>
  `\nA service gets what "workflows" of workspace.json lists. Add there:\n${canvases.map((file) => `  ${JSON.stringify({ file, publish: true })}`).join(',\n')}\n`;

/** Adds an example and its transcripts under another name. */
async function addFiles(files: Map<string, string>, example: string, id: string): Promise<void> {
  const canvas = parseJsonText(await readFile(join(examples, 'canvases', `${example}.json`), 'utf8'));
  files.set(`canvases/${id}.json`, `${JSON.stringify(rename(canvas, id), null, 2)}\n`);
  for (const file of (await readdir(join(examples, 'transcripts'))).toSorted())
    if (file.startsWith(`${example}.`))
      files.set(`transcripts/${id}${file.slice(example.length)}`, await readFile(join(examples, 'transcripts', file), 'utf8'));
}

/** The canvas with its new id, and without the address of a schema that is only beside the examples. */
function rename(canvas: Json, id: string): JsonObject {
  const { $schema: _schema, ...others } = isJsonObject(canvas) ? canvas : {};
  return { ...others, id };
}
