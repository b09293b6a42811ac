// Joins the engine and its nodes into files that others may import.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { rolldown } from 'rolldown';

interface Manifest {
  readonly name: string;
  readonly publishConfig: { readonly exports: Readonly<Record<string, string | { readonly default: string }>> };
}

/** One that others may import, and its path from the folder of the packages, such as `engine/dist/index.js`. */
interface EntryPoint {
  readonly specifier: string;
  readonly path: string;
}

/** What stays an import: Node.js, and a package without a licence that could go along. */
const imported = /^(node:|@humanwhocodes\/momoa$)/;

/**
 * The files that the entry points of the engine share, each with what its modules import. By itself, the bundler would divide them into
 * twenty, one for each set of entry points that needs the same, most of which every program needs.
 */
const sharedFiles = [
  { name: 'contract', test: /[\\/]engine[\\/]dist[\\/](?:contract|expressions|plans|variables)[\\/]/, priority: 2 },
  { name: 'runtime', test: /[\\/]engine[\\/]dist[\\/](?:canvas|machine|memory|runtime)[\\/]/, priority: 1 },
];

/**
 * Joins the modules in the dist folders of engine and nodes: one file for each entry point, and a few for what they share. Node.js needs
 * longer to find and open the 220 modules of engine and nodes, and the 200 of what they import, than to execute them. What is used of
 * other packages becomes part of the files, with its licence beside them. Both are joined at once, so that zod and luxon, which both use,
 * are read and executed once: they are files of the engine, and nodes import them as `@hilo/engine/shared/…`, which is safe since nodes
 * depend on the engine of exactly their version. Declarations stay as they are: what they name, such as zod, the manifests depend on, and
 * copies of zod share what is global, and know each other's schemas. What no declaration names is a development dependency, and is not
 * installed a second time beside the files that it is a part of.
 *
 * @param packages - the folder of the packages, in which `engine` and `nodes` are
 */
export async function bundleEngineAndNodes(packages: string): Promise<void> {
  const names = ['engine', 'nodes'];
  const entryPoints = names.flatMap((name) => listEntryPoints(packages, name));
  const joined = await rolldown({
    input: Object.fromEntries(entryPoints.map(({ path }) => [path.replace(/\.js$/, ''), join(packages, path)])),
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
    external: (id) => imported.test(id),
    treeshake: { manualPureFunctions: ['Environment'] }, // cel-js makes one for functions that are not used here
    plugins: [
      {
        name: 'built-packages', // in the workspace, an import of the engine leads to its sources
        resolveId(id) {
          const path = entryPoints.find(({ specifier }) => specifier === id)?.path;
          return path === undefined ? undefined : resolve(packages, path);
        },
      },
    ],
  });
  const { output } = await joined.generate({
    format: 'esm',
    codeSplitting: { groups: sharedFiles },
    chunkFileNames: ({ moduleIds }) =>
      `${moduleIds.some((id) => id.startsWith(resolve(packages, 'nodes/dist'))) ? 'nodes' : 'engine'}/dist/shared/[name].js`,
  });
  await joined.close();
  for (const path of globSync(`{${names.join()}}/dist/**/*.js`, { cwd: packages })) rmSync(join(packages, path));
  for (const file of output) {
    if (file.type !== 'chunk') throw new Error(`${file.fileName} is no script: say where it belongs`);
    const path = join(packages, file.fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.fileName.startsWith('nodes/') ? withEngineByName(file.code, file.fileName, entryPoints) : file.code);
  }
  for (const name of names) {
    const modules = output.flatMap((file) => (file.type === 'chunk' && file.fileName.startsWith(`${name}/`) ? file.moduleIds : []));
    writeFileSync(join(packages, name, 'dist/THIRD-PARTY.txt'), collectLicences(modules));
  }
}

function listEntryPoints(packages: string, name: string): readonly EntryPoint[] {
  const manifest = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as Manifest;
  return Object.entries(manifest.publishConfig.exports).flatMap(([subpath, target]) =>
    typeof target === 'string' ? [] : [{ specifier: posix.join(manifest.name, subpath), path: posix.join(name, target.default) }],
  );
}

/** The code of a file of nodes, which finds the files of the engine by the package's name: an install may have it in another place. */
function withEngineByName(code: string, fileName: string, entryPoints: readonly EntryPoint[]): string {
  return code.replaceAll(/(?<=^import .*|^export .* from )"(\.[^"]+)"/gm, (written, relative: string) => {
    const path = posix.join(posix.dirname(fileName), relative);
    if (!path.startsWith('engine/')) return written;
    const entryPoint = entryPoints.find((each) => each.path === path);
    return JSON.stringify(entryPoint?.specifier ?? path.replace('engine/dist/shared/', '@hilo/engine/shared/'));
  });
}

/** The licence of each package that these modules come from, as MIT and others require. */
function collectLicences(modules: readonly string[]): string {
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
