import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';

interface Manifest {
  readonly publishConfig: { readonly exports: Readonly<Record<string, string | { readonly default: string }>> };
}

/** What stays an import: Node.js, our own packages, which would be there twice, and a package without a licence that could go along. */
const imported = /^(node:|@hilo\/|@humanwhocodes\/momoa$)/;

/**
 * Joins the modules in a package's dist folder: one file for each entry point, and one for what they share. Node.js needs
 * longer to find and open the 220 modules of engine and nodes, and the 200 of what they import, than to execute them. What is used
 * of other packages becomes part of the files, with its licence beside them. Declarations stay as they are, and name what the
 * manifest depends on: copies of zod share what is global, and know each other's schemas.
 */
export async function bundle(folder: string): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const entries = Object.values(manifest.publishConfig.exports).flatMap((entry) => (typeof entry === 'string' ? [] : [entry.default]));
  const joined = await rolldown({
    input: Object.fromEntries(entries.map((path) => [path.replace(/^\.\/dist\/|\.js$/g, ''), join(folder, path)])),
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
    external: (id) => imported.test(id),
  });
  const { output } = await joined.generate({ format: 'esm', chunkFileNames: 'shared/[name].js' });
  await joined.close();
  for (const path of globSync('dist/**/*.js', { cwd: folder })) rmSync(join(folder, path));
  for (const file of output) {
    const path = join(folder, 'dist', file.fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.type === 'chunk' ? file.code : file.source);
  }
  const licences = licencesOf(output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])));
  if (licences !== '') writeFileSync(join(folder, 'dist/THIRD-PARTY.txt'), licences);
}

/** The licence of each package that these modules come from, as MIT and others require. */
function licencesOf(modules: readonly string[]): string {
  const packages = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
  return [...packages]
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly [key: string]: string };
      const [file] = globSync('LICEN[CS]E*', { cwd: folder });
      if (file === undefined) throw new Error(`${name} becomes part of a package and has no licence in ${folder}`);
      return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8')}`;
    })
    .join('\n');
}
