// The bytes of files: in parts in the store, or in a bucket.
import { asCondition, type Call, integer, plain, type Runner } from '@hilo/stores';
import type { FileRow } from '../platform/name-files.ts';
import { fileParts, files } from '../platform/tables/files.ts';

/** Bytes of a part, and parts of one transaction: a large file holds up no other writer for long. */
const partBytes = 192 * 1024;
const partsAtOnce = 4;

const readPart = fileParts.read(['content'], { fileId: plain(), number: integer() }, (rows, { fileId, number }) =>
  rows.where('file_id', '=', fileId).where('number', '=', number),
);
const removeParts = fileParts.removeWhere({ fileId: plain() }, (rows, { fileId }) => rows.where('file_id', '=', fileId));

/** Where bytes of files are kept outside the store. */
export interface FileBucket {
  put(name: string, content: Uint8Array): Promise<void>;
  /** @returns `undefined` where there is none of this name */
  get(name: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Removes what is there, if anything is. */
  remove(name: string): Promise<void>;
}

/** The name of a file in a bucket: of signs alone that every server spells the same in an address. */
export const objectOf = ({ companyId, id }: Pick<FileRow, 'companyId' | 'id'>): string =>
  `${companyId.replaceAll(/[^A-Za-z0-9-]/gu, (sign) => `_${sign.codePointAt(0)?.toString(16)}_`)}/${id}`;

/**
 * Removes the bytes of a file that are in a bucket.
 *
 * @throws {Error} where this process has no bucket: its row stays, which says that there is something to remove
 */
export async function removeObject(bucket: FileBucket | undefined, row: Pick<FileRow, 'companyId' | 'id' | 'place'>): Promise<void> {
  if (row.place !== 'bucket') return;
  if (bucket === undefined) throw new Error('Files are kept in a bucket that this process does not know: start it with --files');
  await bucket.remove(objectOf(row));
}

/** What is found out about a file with its bytes. */
export type FoundOut = Required<Pick<FileRow, 'name' | 'type' | 'bytes' | 'place'>>;

/** The write that says where the bytes of a file are. */
export const settle = (row: FileRow, found: FoundOut): readonly Call[] => [
  asCondition(files.find({ companyId: row.companyId, id: row.id })),
  ...files.upsert([{ ...row, ...found }]),
];

/**
 * Writes the bytes of a file, in parts. The row says where they are last: whatever dies on the way writes them again.
 *
 * @returns false where the file was erased meanwhile
 */
export async function writeParts(runner: Runner, row: FileRow, content: Uint8Array): Promise<boolean> {
  const { companyId, id: fileId, botId, userId } = row;
  const isThere = asCondition(files.find({ companyId, id: fileId }));
  const count = Math.ceil(content.byteLength / partBytes);
  for (let first = 0; first < count; first += partsAtOnce) {
    const parts = Array.from({ length: Math.min(partsAtOnce, count - first) }, (_none, index) => {
      const number = first + index;
      const part = content.subarray(number * partBytes, (number + 1) * partBytes);
      return { companyId, fileId, number, botId, userId, content: Buffer.from(part).toString('base64') };
    });
    const written = await runner.write([isThere, ...fileParts.upsert(parts)]);
    if (written.failed !== undefined) return false;
  }
  return true;
}

/** Reads the bytes of a file. @returns `undefined` where a part is missing */
export async function readParts(runner: Runner, { companyId, id: fileId, bytes = 0 }: FileRow): Promise<Uint8Array | undefined> {
  const content = new Uint8Array(bytes);
  for (let at = 0, number = 0; at < bytes; number += 1) {
    const part = await runner.readOne(readPart({ companyId, fileId, number }));
    if (part === undefined) return undefined;
    const piece = Buffer.from(part.content, 'base64');
    content.set(piece.subarray(0, bytes - at), at);
    at += piece.byteLength;
  }
  return content;
}

/** The writes that remove files with their bytes in the store. */
export const removeFiles = (rows: readonly Pick<FileRow, 'companyId' | 'id'>[]): readonly Call[] =>
  rows.flatMap(({ companyId, id }) => [removeParts({ companyId, fileId: id }), files.remove({ companyId, id })]);

/** The writes that remove a file, where nobody else has. */
export const removeOnce = ({ companyId, id }: Pick<FileRow, 'companyId' | 'id'>): readonly Call[] => [
  asCondition(files.remove({ companyId, id })),
  removeParts({ companyId, fileId: id }),
];
