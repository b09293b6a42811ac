import { mkdir, chmod, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/**
 * The folder through which commands of the same machine reach the running services of a data directory: one entry per service,
 * accessible to its owner alone. An entry is the socket itself, `ID.sock`, or, when the folder cannot hold one (its path is too long
 * for a socket, its file system has no sockets, or this is Windows with named pipes), a file `ID.at` with its address.
 */
export const resolveSocketFolder = (data: string): string => resolve(data, 'run');

/** Sockets whose path is longer cannot be bound: 108 bytes on Linux with a NUL at the end, 104 on macOS. */
export const longestPathBytes = 103;

/** A service, as its entry describes it; it may have been killed. */
export interface SocketEntry {
  /** The file in the folder. */
  readonly file: string;
  /** The path of a socket, or the name of a pipe. */
  readonly address: string;
}

/** The entries of a data directory, including those of killed services. */
export async function socketEntries(data: string): Promise<readonly SocketEntry[]> {
  const folder = resolveSocketFolder(data);
  const entries: SocketEntry[] = [];
  for (const name of (await listNames(folder)).toSorted()) {
    const file = join(folder, name);
    if (name.endsWith('.sock')) entries.push({ file, address: file });
    if (name.endsWith('.at')) entries.push({ file, address: await readIfThere(file) });
  }
  return entries;
}

/** Creates a missing folder, and removes the entries of killed services. */
export async function prepareSocketFolder(data: string): Promise<string> {
  const folder = resolveSocketFolder(data);
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
  await rmdir(dirname(address)).catch(() => {}); // of another user, or removed already
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

async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return [];
    throw error;
  }
}

/** Empty for a file that was removed. */
const readIfThere = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
