import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceFile, writeStreamed } from './write-result.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hilo-interrupt-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const moduleOf = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

/** Runs a program that is interrupted at its own word. */
async function interrupted(program: string): Promise<{ readonly code: unknown; readonly stderr: string }> {
  const source = `import { endOnInterrupt, sayWhatIsKept, takeInterrupts } from ${moduleOf('./interrupt.ts')};
    import { writeStreamed } from ${moduleOf('./write-result.ts')};
    endOnInterrupt();
    const interrupt = () => process.kill(process.pid, 'SIGINT');
    setInterval(() => {}, 1000);
    ${program}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, stderr };
}

describe.skipIf(process.platform === 'win32')('Ctrl-C', () => {
  it('ends a command with 130, says what is kept, and leaves nothing half written', async () => {
    const file = join(folder, 'export.csv');
    await writeFile(file, 'of before');
    const ended = await interrupted(`
      sayWhatIsKept('The rows before are in');
      await writeStreamed(${JSON.stringify(file)}, (async function* () { yield 'half'; interrupt(); await new Promise(() => {}); })());`);
    expect(ended).toEqual({ code: 130, stderr: '\nhilo: Stopped. The rows before are in.\n' });
    expect(await readdir(folder)).toEqual(['export.csv']);
    expect(await readFile(file, 'utf8')).toBe('of before');
  });

  it('is left to a command that takes it over, until it gives it back', async () => {
    const ended = await interrupted(`
      const giveBack = takeInterrupts();
      process.once('SIGINT', () => { giveBack(); setImmediate(interrupt); });
      interrupt();`);
    expect(ended).toEqual({ code: 130, stderr: '\nhilo: Stopped. The command can be given again.\n' });
  });
});

describe.skipIf(process.platform === 'win32')('replaceFile', () => {
  it.each([0o600, 0o640, 0o644, 0o666])('leaves those who may read a file as they were: mode %o', async (mode) => {
    const file = join(folder, `replaced-${mode}.json`);
    await writeFile(file, 'before');
    await chmod(file, mode);
    await replaceFile(file, 'after');
    expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual(['after', mode]);
  });
});

describe('writeStreamed', () => {
  const parts = (...all: readonly (string | Uint8Array | Error)[]) =>
    (async function* () {
      for (const one of all) {
        if (one instanceof Error) throw one;
        yield one;
      }
    })();

  it('writes the whole for its owner alone', async () => {
    const file = join(folder, 'whole.csv');
    await writeStreamed(file, parts('a,', Buffer.from('b\n')));
    expect(await readFile(file, 'utf8')).toBe('a,b\n');
    expect((await stat(file)).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
  });

  it('leaves the file of before where what is written breaks off', async () => {
    const file = join(folder, 'broken.csv');
    await writeFile(file, 'of before');
    await expect(writeStreamed(file, parts('half', new Error('The service stopped')))).rejects.toThrow('The service stopped');
    expect(await readFile(file, 'utf8')).toBe('of before');
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('says in words why it cannot', async () => {
    await expect(writeStreamed(join(folder, 'none', 'x.csv'), parts('a'))).rejects.toThrow(/cannot be written: /);
    await expect(writeStreamed(folder, parts('a'))).rejects.toThrow(/cannot be written: /);
    await chmod(folder, 0o700);
  });

  it.skipIf(process.platform === 'win32')('writes into a device directly', async () => {
    await writeStreamed('/dev/null', parts('a'));
    expect((await stat('/dev/null')).isFile()).toBe(false);
  });
});
