// What is wrong with files of this machine, in words.
import { stat } from 'node:fs/promises';

/** What is wrong with a file that is read, by the code of the operating system. */
const readTroubles: { readonly [code: string]: string } = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  EACCES: 'its permissions do not allow it',
  EPERM: 'its permissions do not allow it',
  ENAMETOOLONG: 'its name is too long',
};

/** The same of a file that is written. */
const writeTroubles: { readonly [code: string]: string } = {
  ...readTroubles,
  ENOENT: 'its folder does not exist',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** Why a file could not be read, in words; the message of the error where its code is another one. */
export const readTrouble = (error: unknown): string => troubleIn(readTroubles, error);

/** Why a file could not be written, in words; the message of the error where its code is another one. */
export const writeTrouble = (error: unknown): string => troubleIn(writeTroubles, error);

function troubleIn(troubles: { readonly [code: string]: string }, error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return ('code' in error ? troubles[String(error.code)] : undefined) ?? error.message;
}

/** What is wrong with a path that is there and no file. */
export const noFile = 'it is a device or a pipe, not a file';

/** What is at a path. */
export const findKind = (path: string): Promise<'file' | 'folder' | 'other' | 'nothing'> =>
  stat(path).then(
    (found) => (found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other'),
    () => 'nothing',
  );
