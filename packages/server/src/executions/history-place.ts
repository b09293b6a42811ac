import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Clock } from '@hilo/engine/contract';
import { makeDirectory } from '../platform/make-directory.ts';
import { bucketRefusal, openS3Bucket, type S3Settings } from '../platform/s3-bucket.ts';

/** Where files with histories go. */
export interface HistoryPlace {
  /** The destination as logs show it, without a secret. */
  readonly name: string;
  /**
   * Stores a file. The same name replaces it.
   *
   * @param signal - aborts the upload
   * @throws {Error} when the file may not be stored
   */
  put(name: string, content: Uint8Array, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a folder, or a prefix of an S3-compatible bucket. A bucket is contacted only when there is something to write.
 *
 * @param outbox - a directory, or `s3://bucket/prefix`
 * @throws {Error} one sentence that says what to do: the folder cannot be created, or a setting of the S3 client is missing
 */
export const openHistoryPlace = async (
  outbox: string,
  settings: S3Settings,
  parts: { readonly clock: Clock; readonly ca?: string | undefined },
): Promise<HistoryPlace> => (outbox.startsWith('s3://') ? openBucket(outbox, settings, parts) : openFolder(outbox));

async function openFolder(directory: string): Promise<HistoryPlace> {
  try {
    await makeDirectory(directory);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The folder of --history-outbox cannot be made (${reason}): name another one`, { cause });
  }
  return {
    name: directory,
    async put(name, content) {
      const path = join(directory, ...name.split('/'));
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(`${path}.new`, content, { mode: 0o600, flush: true });
      await rename(`${path}.new`, path);
      for (const folder of listFoldersBetween(dirname(path), made === undefined ? dirname(path) : dirname(made))) await syncFolder(folder);
    },
    close: async () => undefined,
  };
}

/** From a folder up to one of those above it, both included. */
function listFoldersBetween(lowest: string, highest: string): readonly string[] {
  const isThere = lowest === highest || !lowest.startsWith(`${highest.replace(/[\\/]$/, '')}${sep}`);
  return isThere ? [lowest] : [lowest, ...listFoldersBetween(dirname(lowest), highest)];
}

/** A new name is on the disk with its folder. Windows keeps names by itself, and opens no folder. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A bucket is contacted only when there is something to write. */
function openBucket(
  outbox: string,
  settings: S3Settings,
  parts: { readonly clock: Clock; readonly ca?: string | undefined },
): HistoryPlace {
  const bucket = openS3Bucket(outbox, '--history-outbox', settings, parts);
  return {
    name: outbox,
    async put(name, content, signal) {
      const answer = await bucket.request({ method: 'PUT', name, content, contentType: 'application/gzip', signal });
      if (answer.status !== 200) throw new Error(bucketRefusal(answer));
    },
    close: bucket.close,
  };
}
