import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a test with a directory of its own. */
export const withDirectory =
  (test: (directory: string) => Promise<void>): (() => Promise<void>) =>
  async () => {
    const directory = await temporaryDirectory();
    try {
      await test(directory);
    } finally {
      await rm(directory, { recursive: true });
    }
  };

/** A new directory, for a test that removes it itself. */
export const temporaryDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'hilo-stores-'));
