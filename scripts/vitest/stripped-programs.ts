import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '../..');
const packages = join(root, 'packages');
const made = join(root, 'node_modules/.cache/hilo-programs');

/** What starts as a process of its own, and what such a process may load: each becomes one file with all that it imports. */
const programs = [
  'drivers/src/code/code-runner.ts',
  'integrations/src/database/sqlite-runner.ts',
  'drivers/src/functions/function-fetch.ts',
  'drivers/src/functions/function-runner.ts',
  'drivers/src/processes/guard-program.ts',
  'sandbox/src/index.ts',
  'stores/src/sqlite/checkpoint-thread.ts',
  'stores/src/sqlite/writer-thread.ts',
];

/** These modules start programs, which they find from where they are themselves. */
const starters =
  /\/(?:drivers\/src\/(?:processes\/process-guard|code\/code-process)|integrations\/src\/database\/sqlite-process|stores\/src\/sqlite\/writer)\.ts$/;

/** Whether a module starts programs. @param file - its path or address */
export const startsPrograms = (file: string): boolean => starters.test(file);

/**
 * A module that starts programs, with the joined ones in their place: the processes of functions, code and SQLite files, and the threads that
 * write a store, begin with JavaScript, as those of the built packages do. Node.js would strip the types of a program each time that it
 * starts, since these processes may read no cache, and that takes twice the time of all else that it does then.
 *
 * @param file - its path or address
 */
export const withStrippedPrograms = (code: string, file: string): string =>
  code
    .replaceAll("import.meta.resolve('@hilo/sandbox')", JSON.stringify(urlOf(join(packages, 'sandbox/src/index.ts'))))
    .replaceAll('import.meta.url', JSON.stringify(urlOf(file)));

/** Makes the programs, before a module that starts them is loaded. */
export async function makePrograms(): Promise<void> {
  await Promise.all(programs.map(makeProgram));
  link(join(packages, 'sandbox/node_modules'), join(made, 'sandbox/node_modules'));
}

const nameOf = (file: string): string => file.replace('/src/', '/').replace(/\.ts$/, '');

const urlOf = (file: string): string => pathToFileURL(join(made, `${nameOf(file.slice(file.indexOf('/packages/') + 9))}.mjs`)).href;

async function makeProgram(file: string): Promise<void> {
  const bundle = await rolldown({ input: join(packages, file), platform: 'node', external: /^@|^quickjs/, treeshake: false });
  const { output } = await bundle.generate({ format: 'esm', minify: false });
  await bundle.close();
  writeWhole(join(made, `${nameOf(file)}.mjs`), output[0].code);
}

/** Several runs may do so at once: whenever a file is there, it is whole. */
function writeWhole(place: string, code: string): void {
  if (isWritten(place, code)) return;
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(`${place}.${process.pid}`, code);
  renameSync(`${place}.${process.pid}`, place);
}

function isWritten(place: string, code: string): boolean {
  try {
    return readFileSync(place, 'utf8') === code;
  } catch {
    return false;
  }
}

function link(target: string, place: string): void {
  try {
    symlinkSync(target, place, 'junction');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
