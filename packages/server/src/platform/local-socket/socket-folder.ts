import { mkdir, chmod, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/**
 * Where the running services of a data directory are reached by commands of the same machine: one entry each, in a folder that
 * its owner alone may enter. An entry is the socket itself, `ID.sock`, or where the folder can hold none (its path is too long
 * for a socket, its file system has none, or this is Windows, whose pipes have names and no place) a file `ID.at` with its address.
 */
export const socketFolderOf = (data: string): string => resolve(data, 'run');

/** Sockets whose path is longer cannot be bound: 108 bytes on Linux with a NUL at the end, 104 on macOS. */
export const longestPathBytes = 103;

/** A running service, as far as its entry says. */
export interface SocketEntry {
  /** The file in the folder. */
  readonly file: string;
  /** The path of a socket, or the name of a pipe. */
  readonly address: string;
}

/** The entries of a data directory, those that a killed service left among them. */
export async function socketEntries(data: string): Promise<readonly SocketEntry[]> {
  const folder = socketFolderOf(data);
  const entries: SocketEntry[] = [];
  for (const name of (await namesIn(folder)).toSorted()) {
    const file = join(folder, name);
    if (name.endsWith('.sock')) entries.push({ file, address: file });
    if (name.endsWith('.at')) entries.push({ file, address: await textOf(file) });
  }
  return entries;
}

/** Makes the folder where there is none, and takes away what killed services left in it. */
export async function prepareSocketFolder(data: string): Promise<string> {
  const folder = socketFolderOf(data);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  for (const entry of await socketEntries(data)) if (!(await isAnswering(entry.address))) await removeEntry(entry);
  return folder;
}

/** Takes an entry away, and the folder that was made for a socket that lay elsewhere. */
export async function removeEntry({ file, address }: SocketEntry): Promise<void> {
  await rm(file, { force: true });
  if (file === address || dirname(dirname(address)) !== tmpdir()) return;
  await rm(address, { force: true });
  await rmdir(dirname(address)).catch(() => {}); // not ours, or gone
}

/** Error codes of a connection to a socket or pipe without a listener. */
export const isNobody = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ENOENT');

/** Whether a process listens: the socket of a killed process refuses connections. */
const isAnswering = (address: string): Promise<boolean> =>
  new Promise((settle) => {
    const socket = connect(address, () => {
      socket.destroy();
      settle(true);
    });
    socket.on('error', (error) => settle(!isNobody(error)));
  });

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return [];
    throw error;
  }
}

/** Empty for a file that is gone by now. */
const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
