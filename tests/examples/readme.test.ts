import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

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

describe('README', () => {
  it('shows a program in each package that is a library', () => {
    expect(programs.length).toBeGreaterThanOrEqual(4);
  });

  it.each(programs)('of $readme shows $file as it is and what it prints', ({ file, code, output }) => {
    expect(readFileSync(join(root, file), 'utf8').trimEnd()).toBe(code);
    expect(execFileSync(process.execPath, [file], { cwd: root, encoding: 'utf8' }).trimEnd()).toBe(output);
  });
});
