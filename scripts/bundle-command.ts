// `node scripts/bundle-command.ts FOLDER`: joins the sources of the `hilo` command, with the packages that they use, in that folder. Tests
// start it hundreds of times, and the bundle takes half the processor time to start. See vitest/bundled-command.ts.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { makePrograms, startsPrograms, withStrippedPrograms } from './vitest/stripped-programs.ts';

const packages = join(import.meta.dirname, '../packages');

/** Threads are bundled too, beside the module that starts them. */
const threads = 'stores/src/sqlite';

/** These load files of their own by their place. */
const keptPackages = /^(sharp|pino)$/;

/** A module finds its workers, templates and packages where its source is. */
function withOwnPlace(code: string, file: string): string {
  const url = JSON.stringify(pathToFileURL(file).href);
  return code
    .replaceAll('import.meta.resolve(', `bundledResolve(${url}, `)
    .replaceAll('import.meta.url', url)
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(file)));
}

const bundledResolve = `import { createRequire as bundledRequire } from 'node:module';
import { pathToFileURL as bundledUrl } from 'node:url';
const bundledResolve = (from, name) => bundledUrl(bundledRequire(from).resolve(name)).href;
`;

const [, , folder = ''] = process.argv;
if (folder === '') throw new Error('Name the folder: node scripts/bundle-command.ts FOLDER');
await makePrograms();
const bundle = await rolldown({
  input: {
    main: join(packages, 'cli/src/main.ts'),
    'writer-thread': join(packages, threads, 'writer-thread.ts'),
    'checkpoint-thread': join(packages, threads, 'checkpoint-thread.ts'),
  },
  platform: 'node',
  plugins: [
    { name: 'stripped-programs', transform: (code, file) => (startsPrograms(file) ? withStrippedPrograms(code, file) : null) },
    {
      name: 'own-places',
      resolveId: (id, importer) =>
        keptPackages.test(id) && importer !== undefined ? { id: createRequire(importer).resolve(id), external: 'absolute' } : null,
      transform(code, file) {
        if (!code.includes('import.meta.') || file.includes(threads)) return null;
        return (code.includes('import.meta.resolve(') ? bundledResolve : '') + withOwnPlace(code, file);
      },
    },
  ],
});
await bundle.write({ dir: folder, format: 'esm', keepNames: true });
await bundle.close();
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
