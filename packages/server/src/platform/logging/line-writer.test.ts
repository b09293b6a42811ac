import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { folderWith } from '../../../test/hilo-process.ts';

const writer = new URL('line-writer.ts', import.meta.url).href;
const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index}\n`).join('');

/** A program that writes lines, and ends by itself or by a given statement. */
const program = (count: number, ending: string): readonly string[] => [
  '--input-type=module',
  '--eval',
  `import { createLineWriter } from ${JSON.stringify(writer)};
  const write = createLineWriter(1);
  for (let index = 0; index < ${count}; index += 1) write(\`line \${index}\\n\`);
  ${ending}`,
];

describe('createLineWriter', () => {
  it.each([
    ['at the end', 'process.exit(0)'],
    ['while it runs', 'setTimeout(() => {}, 200)'],
  ])('writes every line in order, %s', async (_, ending) => {
    const { stdout } = await promisify(execFile)(process.execPath, program(20_000, ending));
    expect(stdout).toBe(lines(20_000));
  });

  it('waits for a reader that is slow, where standard output does not (P26)', async () => {
    const ending = "void process.stdout; setTimeout(() => console.error('full'), 100); setTimeout(() => {}, 2_000)";
    const child = spawn(process.execPath, program(40_000, ending));
    await once(child.stderr, 'data');
    expect(await text(child.stdout)).toBe(lines(40_000));
  });

  it('writes to a file', async () => {
    using folder = folderWith({ 'log.txt': '' });
    const script = `${process.execPath} ${program(1_000, '')
      .map((word) => `'${word}'`)
      .join(' ')} > log.txt`;
    await promisify(execFile)('sh', ['-c', script], { cwd: folder.path });
    expect(readFileSync(join(folder.path, 'log.txt'), 'utf8')).toBe(lines(1_000));
  });

  it.each(['process.exit(0)', 'setTimeout(() => process.exit(0), 200)'])(
    'does not keep a process from ending by %s when its reader has exited (P25)',
    async (ending) => {
      const child = spawn(process.execPath, program(1_000, ending), { stdio: ['ignore', 'pipe', 'inherit'] });
      child.stdout.destroy();
      expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
    },
  );

  it.skipIf(process.platform !== 'linux')('continues when the disk of the log is full (P26)', async () => {
    const script = `${process.execPath} ${program(10, 'setTimeout(() => process.exit(0), 200)')
      .map((word) => `'${word}'`)
      .join(' ')} > /dev/full`;
    await expect(promisify(execFile)('sh', ['-c', script])).resolves.toMatchObject({ stderr: '' });
  });
});
