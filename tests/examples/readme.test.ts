import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const readmes = ['README.md', ...globSync(['packages/*/README.md', 'tests/README.md'], { cwd: root })];

/** A program of a README with the file it is and what it prints: a `ts FILE` block, then a `text` block. */
const programs = readmes.flatMap((readme) =>
  [...readFileSync(join(root, readme), 'utf8').matchAll(/```ts (\S+)\n([^]*?)\n```\n\n```text\n([^]*?)\n```/g)].map(
    ([, file = '', code, output]) => ({
      readme,
      file,
      code,
      output,
    }),
  ),
);

/** Imports one program after the other, and prints what each printed, or how it failed. All in one process: each would load the same packages. */
const runner = `
  const outputs = {};
  const write = process.stdout.write;
  for (const url of process.argv.slice(1)) {
    outputs[url] = '';
    process.stdout.write = (text) => ((outputs[url] += text), true);
    await import(url).catch((error) => (outputs[url] += error?.stack ?? error));
  }
  process.stdout.write = write;
  console.log(JSON.stringify(outputs));
`;

describe('README', () => {
  const urlOf = (file: string): string => pathToFileURL(join(root, file)).href;
  let outputs: { readonly [url: string]: string };
  beforeAll(async () => {
    const urls = programs.map(({ file }) => urlOf(file));
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', runner, ...urls], { cwd: root });
    outputs = JSON.parse(stdout) as typeof outputs;
  });

  it('shows a program in each package that is a library', () => {
    expect(programs.length).toBeGreaterThanOrEqual(4);
  });

  it.each(programs)('of $readme shows $file as it is and what it prints', ({ file, code, output }) => {
    expect(readFileSync(join(root, file), 'utf8').trimEnd()).toBe(code);
    expect(outputs[urlOf(file)]?.trimEnd()).toBe(output);
  });
});
