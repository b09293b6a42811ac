import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readAdminToken, readMasterKey } from './secret-file.ts';

const random = { bytes: (count: number) => new Uint8Array(count).fill(7) };

it('a secret that cannot be kept is refused in words, and nothing is left of it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'hilo-secret-'));
  await writeFile(join(directory, 'file'), '');
  for (const [place, reason] of [
    ['none', 'its folder does not exist'],
    ['file', 'a part of its path is a file, not a folder'],
  ] as const) {
    const data = join(directory, place);
    const sentence = (name: string) =>
      new RegExp(`${name} cannot be (?:written|read) \\(${reason}\\): mend that, or name another data directory with --data$`);
    await expect(readMasterKey(undefined, data, random)).rejects.toThrow(sentence('secret.key'));
    await expect(readAdminToken(undefined, data, random)).rejects.toThrow(sentence('admin.token'));
  }
  expect(await readdir(directory)).toEqual(['file']);
  await rm(directory, { recursive: true });
});
