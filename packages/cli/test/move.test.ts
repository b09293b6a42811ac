import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyDirectory, exampleWorkspace } from '../../server/test/service-process.ts';
import { hiloHere } from './hilo-in-process.ts';

const env = { HILO_SECRET_KEY: Buffer.alloc(32, 9).toString('base64') };

describe('hilo move, where no service runs', () => {
  it('takes a company out and in, and serves it again where it was only when its file was imported nowhere', async () => {
    using a = emptyDirectory();
    using b = emptyDirectory();
    const file = join(a.path, 'company.jsonl');
    await hiloHere(['import', exampleWorkspace, '--data', a.path], { env });
    const move = (...args: readonly string[]) => hiloHere(['move', ...args], { env });
    const toFolder = await move('out', '1', a.path, '--data', a.path);
    expect(toFolder).toMatchObject({ code: 1, stdout: '' });
    expect(toFolder.stderr).toContain(`${a.path} cannot be written: it is a folder, not a file\n`);
    expect((await move('list', '--data', a.path)).stdout).toBe(''); // it was not taken out of service
    expect(await move('out', '1', file, '--data', a.path)).toMatchObject({ code: 0, stderr: '' });
    const refused = await move('cancel', '1', '--data', a.path);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('Company 1 has left: where its file was imported it would be at work too');
    expect((await move('list', '--data', a.path)).stdout).toBe('1 left\n');
    const cancelled = await move('cancel', '1', '--imported-nowhere', '--data', a.path);
    expect(cancelled).toMatchObject({ code: 0, stdout: '✔ Company 1 is served here: delete the file that it left in, if there is one\n' });

    expect(await move('out', '1', file, '--data', a.path)).toMatchObject({ code: 0 });
    expect(await move('in', file, '--data', b.path)).toMatchObject({ code: 0, stderr: '' });
    expect((await move('list', '--data', b.path)).stdout).toBe('1 here\n');
    const arrived = await move('cancel', '1', '--imported-nowhere', '--data', b.path); // it never left from there
    expect(arrived.stdout).toBe('✔ Company 1 is served here: delete the file that it left in, if there is one\n');
    expect(await move('forget', '1', '--data', a.path)).toMatchObject({ code: 0, stdout: '✔ Company 1 is forgotten\n' });
  });

  it('refuses a cell of slots with exit code 1, and writes no file', async () => {
    using data = emptyDirectory();
    await hiloHere(['import', exampleWorkspace, '--data', data.path], { env });
    const [cells, file] = [join(data.path, 'cells.json'), join(data.path, 'company.jsonl')];
    writeFileSync(cells, JSON.stringify({ cells: [{ name: 'all', slots: '0-4095', url: 'https://all.bots.example' }] }));
    const inCell = { env: { ...env, HILO_CELL: 'all', HILO_CELLS: cells } };
    const { code, stdout, stderr } = await hiloHere(['move', 'out', '1', file, '--data', data.path], inCell);
    expect(stderr).toContain('Cell "all" has users by slots (--cells): a company is in all of those cells, and is not moved');
    expect({ code, stdout, isWritten: existsSync(file) || existsSync(`${file}.part`) }).toEqual({ code: 1, stdout: '', isWritten: false });
  });

  it.each([
    ['bytes', Buffer.from([0x7b, 0xff, 0xfe, 0x00]), 'The file is no text in UTF-8'],
    ['no bytes', Buffer.alloc(0), 'The file is empty'],
    ['another text', Buffer.from('company,rows\n'), 'Line 1 is no JSON'],
    ['another object', Buffer.from('{"companies":[]}\n'), 'Line 1 is not the header of a company'],
  ])('brings nothing in from a file of %s, and names the file that it wants', async (_what, bytes, sentence) => {
    using data = emptyDirectory();
    const file = join(data.path, 'company.jsonl');
    writeFileSync(file, bytes);
    const { code, stdout, stderr } = await hiloHere(['move', 'in', file, '--data', data.path], { env });
    expect(stderr).toContain(`hilo: ${sentence}: give the file as "hilo move out" wrote it\n`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect((await hiloHere(['move', 'list', '--data', data.path], { env })).stdout).toBe('');
  });

  it.each(['out', 'in', 'redirect', 'cancel', 'forget', 'list'])(
    '%s has no --url: files are of the machine of the service',
    async (step) => {
      const { code, stderr } = await hiloHere(['move', step, '1', 'https://b.bots.example', '--url', 'http://127.0.0.1:3000']);
      expect(stderr).toContain("unknown option '--url'");
      expect(code).toBe(2);
    },
  );
});
