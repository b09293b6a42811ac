/**
 * The `@example` blocks of docstrings are programs: those that need no other server are run, and where all is taken, all are compiled, as one
 * TypeScript program with the repository's settings. A block may use names that a reader knows from its surroundings: `preludes` declares them.
 */
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { preludes } from './docstring-preludes.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Blocks that are compiled and not run, by what they document, with the reason. */
const compiledOnly: { readonly [name: string]: string } = {
  'packages/restate/src/restate-runtime.ts: restateRuntime': 'needs a Restate server',
  'packages/studio/src/worker/serve-worker.ts: serveStudioWorker': 'runs in a worker of a browser',
  'packages/testing/src/contracts/effect-driver.ts: describeEffectDriver': 'declares tests, which Vitest runs',
  'packages/testing/src/contracts/execution-store.ts: describeExecutionStore': 'declares tests, which Vitest runs',
  'packages/testing/src/contracts/runtime.ts: describeRuntime': 'declares tests, which Vitest runs',
};

interface Example {
  /** The file, and what the docstring documents. */
  readonly name: string;
  readonly file: string;
  readonly code: string;
}

const examples = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !file.includes('.test.'))
  .toSorted()
  .flatMap((file) => examplesOf(file, readFileSync(join(root, file), 'utf8')));

function examplesOf(file: string, source: string): readonly Example[] {
  return [
    ...source.matchAll(/\/\*\*(?:(?!\*\/)[^])*@example\b(?:(?!\*\/)[^])*\*\/\s*(?:(?:export|async|declare|readonly|abstract)\s+)*(.*)/g),
  ].flatMap(([comment, declared = '']) => {
    const documented = /^(?:const|function|interface|class|type)?\s*([\w$]+)/.exec(declared)?.[1] ?? declared;
    const lines = comment
      .slice(0, comment.indexOf('*/'))
      .replace('/**', ' * ')
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, ''));
    // A block ends with the next tag, and with the comment.
    const blocks = lines
      .join('\n')
      .split(/^\s*@/m)
      .filter((text) => /^example\b/.test(text));
    return blocks.map((text, at) => ({
      name: `${file}: ${documented}${at === 0 ? '' : ` ${at + 1}`}`,
      file,
      code: text
        .replace(/^example\b[^\n]*/, '')
        .replaceAll(/^```.*$/gm, '')
        .trim(),
    }));
  });
}

/** Its imports of neighbours are found from where they will be, a folder of its own. */
const programOf = ({ name, file, code }: Example): string =>
  `${preludes[name] ?? preludes[file] ?? ''}\n${code}\nexport {};\n`.replaceAll(
    /( from )'(\.{1,2}\/[^']+)'/g,
    (_whole, from: string, path: string) => `${from}'${resolve(root, dirname(file), path)}'`,
  );

const folder = mkdtempSync(join(tmpdir(), 'hilo-docstrings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const programs = examples.map((example, at) => ({ ...example, path: join(folder, `example-${at}`, 'program.ts') }));
/** The compiler takes twenty seconds of a processor: for every change, and not in each run of `npm test` (tests/README.md). */
const compiled = inject('takesAll') ? programs : [];
const running = programs.filter(({ name }) => !(name in compiledOnly));

/** Packages that programs import, as they are in a project that has installed them. */
function install(): void {
  const modules = join(folder, 'node_modules');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const link = (name: string, target: string): void => {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, target), join(modules, name), 'junction');
  };
  for (const name of readdirSync(join(root, 'packages'))) link(`@hilo/${name}`, `packages/${name}`);
  for (const name of ['@types/node', 'fast-check', 'vitest', 'zod']) link(name, `tests/node_modules/${name}`);
  for (const name of ['@hono/zod-openapi', 'hono']) link(name, `packages/server/node_modules/${name}`);
}

/** What the compiler reports of each file. Only what these use is checked: the packages have a type check of their own. */
function compile(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const config: unknown = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent({ ...(config as object), files: [] }, ts.sys, root);
  const program = ts.createProgram(files, {
    ...options,
    noEmit: true,
    rewriteRelativeImportExtensions: false,
    types: ['node'],
    typeRoots: [join(folder, 'node_modules/@types')],
  });
  const write = ({ messageText, file, start = 0 }: ts.Diagnostic) =>
    `line ${(file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  return new Map(
    files.map((path) => {
      const file = program.getSourceFile(path);
      const found = [...program.getOptionsDiagnostics(), ...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
      return [path, file === undefined ? ['not in the program'] : found.map(write)];
    }),
  );
}

/** Imports one program after the other, each in its folder, and says of each how it ended. */
const runner = `
  import { appendFileSync } from 'node:fs';
  import { dirname } from 'node:path';
  const [results, ...paths] = process.argv.slice(1);
  for (const path of paths) {
    process.chdir(dirname(path));
    const ending = await import(path).then(() => 'ended', (error) => String(error?.stack ?? error));
    appendFileSync(results, JSON.stringify([path, ending]) + '\\n');
  }
  process.exit();
`;

async function run(paths: readonly string[]): Promise<{ readonly endings: ReadonlyMap<string, string>; readonly output: string }> {
  const results = join(folder, 'results');
  writeFileSync(results, '');
  const output = await new Promise<string>((resolved) => {
    const options = { cwd: folder, timeout: 90_000, maxBuffer: 50_000_000 };
    execFile(process.execPath, ['--input-type=module', '-e', runner, results, ...paths], options, (error, stdout, stderr) =>
      resolved(error === null ? '' : `${error.message}\n${stdout}${stderr}`),
    );
  });
  const lines = readFileSync(results, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return { endings: new Map(lines.map((line) => JSON.parse(line) as [string, string])), output };
}

describe('examples in docstrings', () => {
  let problems: ReadonlyMap<string, readonly string[]> = new Map();
  let runs: Awaited<ReturnType<typeof run>> = { endings: new Map(), output: '' };

  beforeAll(async () => {
    install();
    for (const { path, ...example } of programs) {
      mkdirSync(dirname(path));
      writeFileSync(path, programOf(example));
    }
    const ran = run(running.map(({ path }) => path));
    if (compiled.length > 0) problems = compile(compiled.map(({ path }) => path));
    runs = await ran;
  });

  it('are found', () => expect(examples.length).toBeGreaterThanOrEqual(25));

  it('have preludes and reasons only where there are examples', () => {
    const names = examples.flatMap(({ name, file }) => [name, file]);
    expect([...Object.keys(preludes), ...Object.keys(compiledOnly)].filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(compiled)('compile: $name', ({ path }) => expect(problems.get(path)).toEqual([]));

  it.each(running)('run: $name', ({ path }) => expect(runs.endings.get(path) ?? `did not end: ${runs.output}`).toBe('ended'));
});
