import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../src/index.ts';
import { describeExtensions } from './describe-extensions.ts';
import { temporaryDirectory } from './temporary-directory.ts';

describeExtensions('a SQLite file', async () => {
  const directory = await temporaryDirectory();
  return {
    open: (extensions) => openSqliteStore({ path: join(directory, 'hilo.db'), extensions }),
    remove: () => rm(directory, { recursive: true }),
  };
});

it.each(['', 'Notes', 'a b', "n'"])('refuses "%s" as the name of an extension', async (name) => {
  await expect(openSqliteStore({ path: ':memory:', extensions: [{ name, migrations: [] }] })).rejects.toThrow(RangeError);
});
