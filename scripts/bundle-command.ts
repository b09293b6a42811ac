import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const packages = join(import.meta.dirname, '../packages');

/** Threads, whose programs are found beside the module that starts them. */
const threads = 'stores/src/sqlite';

/**
 * Joins the command and all that it imports into few files, for tests that start it hundreds of times: a start takes half the CPU time
 * then. Other files are found from where the sources are.
 *
 * @param directory - an empty one
 * @returns the path of the program
 */
export async function bundleCommand(directory: string): Promise<string> {
  const joined = await rolldown({
    input: {
      main: join(packages, 'cli/src/main.ts'),
      'writer-thread': join(packages, threads, 'writer-thread.ts'),
      'checkpoint-thread': join(packages, threads, 'checkpoint-thread.ts'),
    },
    platform: 'node',
    external: ['sharp', 'pg-native', '@hilo/restate'],
    plugins: [{ name: 'places', transform: (code, id) => (id.includes(threads) ? undefined : withPlaces(code, pathToFileURL(id).href)) }],
  });
  await joined.write({ dir: directory, format: 'esm' });
  await joined.close();
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  return join(directory, 'main.js');
}

/** A module that looks for files beside itself looks there from anywhere. */
const withPlaces = (code: string, url: string): string =>
  code
    .replaceAll('import.meta.url', JSON.stringify(url))
    .replaceAll(
      'import.meta.resolve(',
      `((name) => process.getBuiltinModule('node:url').pathToFileURL(process.getBuiltinModule('node:module').createRequire(${JSON.stringify(url)}).resolve(name)).href)(`,
    );
