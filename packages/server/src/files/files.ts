// Files by their handles: what users sent, whose bytes are fetched with the bot's credential when something first needs them, answers that
// canvases keep, and what authors uploaded.
import { createHash } from 'node:crypto';
import { type AnswerFile, DriverError, type FileStore, type HandledFile } from '@hilo/drivers';
import type { Clock, JsonObject } from '@hilo/engine/contract';
import type { DurableStore } from '@hilo/stores';
import { findFile } from '../chat/chat.ts';
import type { ChannelRegistry } from '../channels/channels.ts';
import { isPage } from '../platform/content-type.ts';
import type { FileNames, FileRow, KeptFiles } from '../platform/name-files.ts';
import { files } from '../platform/tables/files.ts';
import type { Companies } from '../tenants/companies.ts';
import { type FileBucket, objectOf, readParts, removeOnce, removeObject, settle, writeParts } from './file-bytes.ts';
import type { FileSeals } from './file-seals.ts';
import { isProgram, judgeContent, nameOfFile } from './judge-content.ts';
import { pruneFiles } from './prune-files.ts';

/** How long a handle is valid, unless an author uploaded its file. */
export const keptMs = 30 * 86_400_000;
const dayMs = 86_400_000;
/** Bytes that one company may have kept. */
const maxCompanyBytes = 4_096 * 1024 * 1024;
/** The largest file. */
export const maxFileBytes = 25 * 1024 * 1024;
/** Uploaded files that a company may have. */
const maxUploads = 2_000;

/** Until when a link in a message leads to a file: what is kept for as long as its company can be linked again. */
export const endOf = ({ isLasting, createdAtMs }: Pick<FileRow, 'isLasting' | 'createdAtMs'>, nowMs: number): number =>
  (isLasting === true ? nowMs : createdAtMs) + keptMs;

/** Files of companies. */
export interface Files extends FileStore, FileNames, KeptFiles {
  /** The file of a handle, of whichever company; `undefined` where there is none, or no more. */
  find(handle: string): Promise<FileRow | undefined>;
  /** @throws {DriverError} as `read` */
  bring(row: FileRow): Promise<HandledFile>;
  /**
   * Keeps what an author uploads for the canvases of a company. The same bytes of the same name are the same file.
   *
   * @throws {DriverError} for what is no file of a message, and where the company keeps too much
   */
  upload(companyId: string, file: UploadedFile): Promise<FileRow>;
  /**
   * Keeps what an operator sends to a user, among the files of that user: for 30 days, and erased with them.
   *
   * @throws {DriverError} as `upload`
   */
  keepFor(user: UserOfBot, file: UploadedFile): Promise<FileRow>;
  /** What authors of a company uploaded, oldest first. */
  uploads(companyId: string): Promise<readonly FileRow[]>;
  /** Removes an uploaded file. @returns false where there is none */
  removeUpload(companyId: string, handle: string): Promise<boolean>;
  /** Removes what need not be kept any longer. @returns how many files */
  prune(): Promise<number>;
}

/** A file as an author sends it. */
export interface UploadedFile extends Pick<HandledFile, 'content'> {
  readonly contentType: string | undefined;
  readonly name: string | undefined;
}

/** Whose a file is. */
type UserOfBot = Pick<FileRow, 'companyId' | 'botId' | 'userId'>;

interface FileParts {
  readonly store: Pick<DurableStore, 'runner' | 'executions'>;
  readonly companies: Pick<Companies, 'botOf'>;
  readonly channels: Pick<ChannelRegistry, 'of'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly seals: Pick<FileSeals, 'handleOf'>;
  /** Where bytes are kept; in the store, when undefined. */
  readonly bucket: FileBucket | undefined;
}

/** A file that cannot be had: nothing was sent for it. */
const unavailable = (message: string): DriverError => new DriverError('BAD_URL', message);

/** What a message says of its file. */
const describedBy = ['type', 'mediaId', 'mediaUrl', 'mimeType', 'filename'] as const;

/** Whether a message has a file that may be fetched: one that its provider refuses has no address. */
const hasFile = ({ mediaUrl, mediaId, mediaError }: JsonObject): boolean =>
  typeof mediaUrl === 'string' || (typeof mediaId === 'string' && mediaError === undefined);

export function createFiles(parts: FileParts): Files {
  const { store, clock, seals } = parts;
  const { runner, executions } = store;
  /** Fetches under way: a file is fetched once, however many ask for it. */
  const pending = new Map<string, Promise<HandledFile>>();

  const find: Files['find'] = async (handle) => {
    const row = await runner.readOne(files.findUnique(handle));
    return row !== undefined && endOf(row, clock.now()) > clock.now() ? row : undefined;
  };
  const bring: Files['bring'] = async (row) => {
    const kept = await readKept(parts, row);
    if (kept !== undefined) return kept;
    const fetching = pending.get(row.id) ?? fetchAndKeep(parts, row).finally(() => pending.delete(row.id));
    pending.set(row.id, fetching);
    return fetching;
  };
  return {
    find,
    bring,
    kept: (row) => readKept(parts, row),
    async removeObjects(rows) {
      for (const row of rows) await removeObject(parts.bucket, row);
    },
    prune: () => pruneFiles({ runner, bucket: parts.bucket, nowMs: clock.now(), keptMs }),
    async name({ companyId, id: botId }, { eventId, user, message }) {
      if (!hasFile(message)) return message;
      const contact = await executions.contact(companyId, botId, [user.id]);
      const id = seals.handleOf(companyId, 'message', botId, eventId);
      const said = Object.fromEntries(describedBy.flatMap((name) => (message[name] === undefined ? [] : [[name, message[name]]])));
      const source = { message: said, ...(user.address !== undefined && { address: user.address }) };
      const userId = contact?.userId ?? user.id;
      await runner.write(files.insertMissing([{ companyId, id, botId, userId, source, createdAtMs: clock.now() }]));
      return { ...message, file: id };
    },
    async read(companyId, handle) {
      const row = await find(handle);
      if (row?.companyId !== companyId) throw unavailable(`There is no file "${handle}": it is older than 30 days, or was erased`);
      return bring(row);
    },
    keepAnswer: (answer) => keepAnswer(parts, answer),
    upload: (companyId, file) => upload(parts, { companyId, botId: '', userId: '' }, file, true),
    keepFor: (user, file) => upload(parts, user, file, false),
    uploads: (companyId) => runner.read(uploadsOf({ companyId })),
    async removeUpload(companyId, handle) {
      const row = await runner.readOne(files.find({ companyId, id: handle }));
      if (row?.isLasting !== true) return false;
      await removeObject(parts.bucket, row);
      return (await runner.write(removeOnce(row))).failed === undefined;
    },
  };
}

/** A file whose bytes are here. */
async function readKept({ store: { runner }, bucket }: FileParts, row: FileRow): Promise<HandledFile | undefined> {
  const { place, type = 'application/octet-stream', name } = row;
  if (place === undefined) return undefined;
  const content = place === 'store' ? await readParts(runner, row) : await bucket?.get(objectOf(row), maxFileBytes);
  return content === undefined ? undefined : { content, type, name };
}

/** Fetches a file from its provider and keeps it. @throws {DriverError} where it is not to be had, or not what its message says */
async function fetchAndKeep(parts: FileParts, row: FileRow): Promise<HandledFile> {
  const { message = {} } = row.source ?? {};
  const { content, contentType } = await fetchFrom(parts, row);
  const [messageType, mimeType, filename] = [message['type'], message['mimeType'], message['filename']].map((value) =>
    typeof value === 'string' ? value : undefined,
  );
  const judged = await judgeContent(content, { messageType, said: mimeType ?? contentType });
  if ('refusal' in judged) throw unavailable(judged.refusal);
  const name = nameOfFile(filename, judged.extension, messageType ?? 'file');
  return keep(parts, row, { content, type: judged.type, name });
}

/** What a channel has of a file. */
async function fetchFrom(
  { store: { runner }, companies, channels, clock }: FileParts,
  { companyId, botId, source }: FileRow,
): Promise<{ readonly content: Uint8Array; readonly contentType: string | undefined }> {
  const bot = companies.botOf(companyId, botId);
  const channel = bot === undefined ? undefined : channels.of(bot);
  if (bot === undefined || channel === undefined || 'unfitFields' in channel.connected || source === undefined)
    throw unavailable('The file cannot be fetched any more: the bot that received it is not connected');
  const { mediaUrl } = source.message;
  if (bot.provider.kind === 'web') {
    const fileId = typeof mediaUrl === 'string' ? (mediaUrl.split('/').at(-1) ?? '') : '';
    const sent = await findFile(runner, { companyId, botId }, fileId, clock.now());
    if (sent === undefined) throw unavailable('The file of the visitor is not kept any more');
    return sent;
  }
  const fetched = await channel.connected.fetchFile(source, channel.host());
  if (!('mediaError' in fetched)) return fetched;
  const { code, message } = fetched.mediaError;
  throw code === 'MEDIA_TOO_LARGE' ? new DriverError('TOO_LARGE', message) : unavailable(message);
}

/** Keeps the bytes of a file. @throws {DriverError} where it was erased meanwhile, or its company keeps too much */
async function keep(parts: FileParts, row: FileRow, file: HandledFile): Promise<HandledFile> {
  const { store, bucket } = parts;
  const { content, type, name } = file;
  await requireRoom(parts, row.companyId, content.byteLength);
  const place = bucket === undefined ? 'store' : 'bucket';
  await bucket?.put(objectOf(row), content);
  const isThere = bucket !== undefined || (await writeParts(store.runner, row, content));
  const settled = isThere
    ? (await store.runner.write(settle(row, { name, type, bytes: content.byteLength, place }))).failed === undefined
    : false;
  if (settled) return file;
  await bucket?.remove(objectOf(row));
  throw unavailable('The file was erased while it was fetched');
}

const bytesOf = files.read(['bytes'], {}, (rows) => rows.where('bytes', 'is not', null));

async function requireRoom({ store: { runner } }: FileParts, companyId: string, bytes: number): Promise<void> {
  const kept = await runner.read(bytesOf({ companyId }));
  const sum = kept.reduce((total, one) => total + (one.bytes ?? 0), bytes);
  if (sum > maxCompanyBytes) throw new DriverError('TOO_LARGE', `The files of the company would be more than ${maxCompanyBytes} bytes`);
}

/** Keeps an answer as a file of the user of its execution, where it has one. */
async function keepAnswer(parts: FileParts, { companyId, idempotencyKey, content, contentType, name, user }: AnswerFile): Promise<string> {
  const id = parts.seals.handleOf(companyId, 'answer', idempotencyKey);
  const row = { companyId, id, botId: user?.botId ?? '', userId: user?.userId ?? '', createdAtMs: parts.clock.now() };
  const judged = await judgeContent(content, { said: contentType });
  if ('refusal' in judged) throw unavailable(judged.refusal);
  await parts.store.runner.write(files.insertMissing([row]));
  const kept = { ...row, place: undefined, name: undefined, type: undefined, bytes: undefined, source: undefined, isLasting: undefined };
  await keep(parts, kept, { content, type: judged.type, name: nameOfFile(name, judged.extension, 'file') });
  return id;
}

const uploadsOf = files.select({}, (rows) => rows.where('is_lasting', '=', 1).orderBy('created_at_ms').limit(maxUploads));

/** @param isLasting - whether it is one of the company's own, and no user's */
async function upload(
  parts: FileParts,
  { companyId, botId, userId }: UserOfBot,
  { content, contentType, name: given }: UploadedFile,
  isLasting: boolean,
): Promise<FileRow> {
  const judged = await judgeContent(content, { said: contentType });
  if ('refusal' in judged || isPage(judged.type) || isProgram(judged.type) || judged.extension === 'bin')
    throw unavailable('The file is of no type that a message can have: a picture, a recording, a film or a document');
  const { runner } = parts.store;
  const name = nameOfFile(given, judged.extension, 'file');
  const digest = createHash('sha256').update(content).digest('base64url');
  const createdAtMs = parts.clock.now();
  // The same file to the same user is another one on another day: each is kept for its time.
  const id = isLasting
    ? parts.seals.handleOf(companyId, 'upload', digest, name)
    : parts.seals.handleOf(companyId, 'operator', botId, userId, String(Math.floor(createdAtMs / dayMs)), digest, name);
  const known = await runner.readOne(files.find({ companyId, id }));
  if (known?.place !== undefined) return known;
  if (isLasting && (await runner.read(uploadsOf({ companyId }))).length >= maxUploads)
    throw new DriverError('TOO_LARGE', `A company has ${maxUploads} uploaded files: remove some first`);
  await requireRoom(parts, companyId, content.byteLength);
  const row = { companyId, id, botId, userId, createdAtMs, ...(isLasting && { isLasting }) };
  await runner.write(files.insertMissing([row]));
  const kept = { isLasting: undefined, ...row, place: undefined, name: undefined, type: undefined, bytes: undefined, source: undefined };
  await keep(parts, kept, { content, type: judged.type, name });
  return { ...kept, name, type: judged.type, bytes: content.byteLength };
}
