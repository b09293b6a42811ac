// Files of visitors of the web chat.
import { randomBytes } from 'node:crypto';
import { channelFacts, type MediaType } from '@hilo/nodes';
import { integer, plain, type Runner, sum, text } from '@hilo/stores';
import { fileTypeFromBuffer } from 'file-type';
import { sql } from 'kysely';
import { isPlainText } from '../platform/content-type.ts';
import { isNotAway } from '../platform/database/not-away.ts';
import { companyQuery, query } from '../platform/database/schema.ts';
import { chatFiles } from '../platform/tables/files.ts';
import { HttpError, tooMany } from '../platform/http/errors.ts';
import { laneColumns, type Lane, type OfBot } from '../platform/database/lanes.ts';

/** The largest file of a visitor. */
export const maxFileBytes = 5 * 1024 * 1024;

/** How long a file is kept. */
const keptMs = 30 * 86_400_000;

const megabyte = 1024 * 1024;

/** Bytes that one visitor and one network may send in a day, and that all visitors of a bot and of a company together may have kept. */
export const fileLimits = {
  ofVisitorADay: 25 * megabyte,
  ofNetworkADay: 256 * megabyte,
  ofBot: 1024 * megabyte,
  ofCompany: 4096 * megabyte,
};
export type FileLimits = typeof fileLimits;

const dayMs = 86_400_000;

/** Types that a browser shows without running anything of them, by what they are to a workflow. */
const types: { readonly [contentType: string]: Exclude<MediaType, 'sticker'> } = {
  'image/jpeg': 'image',
  'image/png': 'image',
  'image/gif': 'image',
  'image/webp': 'image',
  'audio/mpeg': 'audio',
  'audio/mp4': 'audio',
  'audio/ogg': 'audio',
  'audio/wav': 'audio',
  'video/mp4': 'video',
  'video/webm': 'video',
  'application/pdf': 'file',
  'text/plain': 'file',
};

/** Other names of the same types, as browsers and `file-type` use them. */
const synonyms: { readonly [contentType: string]: string } = {
  'image/jpg': 'image/jpeg',
  'audio/x-m4a': 'audio/mp4',
  'audio/mp3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/opus': 'audio/ogg',
  'audio/webm': 'video/webm',
};

/** A file as a visitor sent it. */
export interface SentFile {
  readonly lane: Lane;
  /** The browser's own id of the message. */
  readonly messageId: string;
  readonly contentType: string;
  readonly filename: string | null;
  readonly content: Uint8Array;
  /** Counts it for the network that it came from. @returns whether that has not sent too much */
  readonly countForNetwork?: (bytes: number) => boolean;
  /** The network that it came from, where that is known. */
  readonly network?: string | undefined;
}

/** A file as it is kept. */
export interface KeptFile {
  readonly fileId: string;
  readonly type: MediaType;
  readonly contentType: string;
}

/**
 * Stores a visitor's file, once per message, after checking that its bytes match its declared type. Where a bot or a company keeps too much,
 * the oldest files of anonymous visitors make room.
 *
 * @throws {HttpError} 400 `UNSUPPORTED_MEDIA_TYPE` or `MEDIA_TOO_LARGE`, 429 where the visitor, the network or the bot has sent too much
 */
export async function keepFile(runner: Runner, file: SentFile, nowMs: number, limits: FileLimits = fileLimits): Promise<KeptFile> {
  const { lane, messageId, filename, content } = file;
  const contentType = await checkType(file);
  const type = types[contentType] ?? 'file';
  const known = await runner.readOne(selectFileOfMessage({ ...lane, messageId }));
  if (known !== undefined) return { fileId: known.fileId, type, contentType };
  const maxBytes = Math.min(maxFileBytes, channelFacts.web.media[type]?.maxBytes ?? maxFileBytes);
  if (content.byteLength > maxBytes)
    throw new HttpError(400, 'MEDIA_TOO_LARGE', `The file has ${content.byteLength} bytes, and ${maxBytes} are taken`);
  await runner.write([deleteOldFiles({ beforeMs: nowMs - keptMs })]);
  const bytes = content.byteLength;
  const sums = await runner.readOne(sumBytes({ ...lane, sinceMs: nowMs - dayMs }));
  if ((sums?.ofVisitor ?? 0) + bytes > limits.ofVisitorADay) throw tooManyFiles('chat-files-of-visitor', lane.companyId);
  if (file.countForNetwork?.(bytes) === false) throw tooManyFiles('chat-files-of-network', file.network);
  const over = { bot: (sums?.ofBot ?? 0) + bytes - limits.ofBot, company: (sums?.ofCompany ?? 0) + bytes - limits.ofCompany };
  const rooms = [
    ...(over.bot > 0 ? [deleteOldestOfBot({ ...lane, bytes: over.bot })] : []),
    ...(over.company > 0 ? [deleteOldestOfCompany({ companyId: lane.companyId, bytes: over.company })] : []),
  ];
  if (rooms.length > 0) {
    await runner.write(rooms);
    const left = await runner.readOne(sumBytes({ ...lane, sinceMs: nowMs - dayMs }));
    if ((left?.ofBot ?? 0) + bytes > limits.ofBot || (left?.ofCompany ?? 0) + bytes > limits.ofCompany)
      throw tooManyFiles('chat-files', lane.companyId);
  }
  const fileId = randomBytes(24).toString('base64url');
  const row = { ...lane, fileId, messageId, contentType, filename: filename ?? undefined, bytes: content.byteLength, createdAtMs: nowMs };
  await runner.write([insertFile({ ...row, content: Buffer.from(content).toString('base64') })]);
  const kept = await runner.readOne(selectFileOfMessage({ ...lane, messageId })); // of two tries at once, one was first
  return { fileId: kept?.fileId ?? fileId, type, contentType };
}

/** A file by its random name, of this bot. */
export async function findFile(
  runner: Runner,
  bot: OfBot,
  fileId: string,
  nowMs: number,
): Promise<{ readonly contentType: string; readonly filename: string | null; readonly content: Buffer<ArrayBuffer> } | undefined> {
  const row = await runner.readOne(selectFile({ ...bot, fileId, afterMs: nowMs - keptMs }));
  return row && { contentType: row.contentType, filename: row.filename ?? null, content: Buffer.from(row.content, 'base64') };
}

/** Whether a browser shows a file of this type in place; everything else is downloaded. */
export const isShown = (contentType: string): boolean => /^(?:image|audio|video)\//.test(contentType);

/** The declared type, when the bytes of the file match it. */
async function checkType({ contentType, content }: Pick<SentFile, 'contentType' | 'content'>): Promise<string> {
  const named = (type: string): string => synonyms[type] ?? type;
  const declared = named(contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  if (!Object.hasOwn(types, declared))
    throw new HttpError(400, 'UNSUPPORTED_MEDIA_TYPE', `Files of type "${declared}" are not taken: send ${Object.keys(types).join(', ')}`);
  const found = await fileTypeFromBuffer(content);
  const actual = found === undefined ? (isPlainText(content) ? 'text/plain' : 'unknown') : named(found.mime);
  const isSameContainer =
    [declared, actual].every((type) => type.endsWith('/mp4')) || [declared, actual].every((type) => type.endsWith('/webm'));
  if (actual !== declared && !isSameContainer)
    throw new HttpError(400, 'UNSUPPORTED_MEDIA_TYPE', `The file says that it is ${declared}, and by its content it is ${actual}`);
  return declared;
}

const tooManyFiles = (name: string, holder: string | undefined): HttpError =>
  tooMany({ name, holder }, 'Too many files were sent here; try again tomorrow', 3_600);

const insertFile = query(chatFiles.columns, {}, (db, given) =>
  db
    .insertInto('chat_files')
    .values({
      file_id: given.fileId,
      company_id: given.companyId,
      bot_id: given.botId,
      user_key: given.userKey,
      message_id: given.messageId,
      content_type: given.contentType,
      filename: given.filename,
      content: given.content,
      bytes: given.bytes,
      created_at_ms: given.createdAtMs,
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'bot_id', 'user_key', 'message_id']).doNothing()),
);

const selectFileOfMessage = chatFiles.read(['fileId'], { ...laneColumns, messageId: plain() }, (rows, given) =>
  rows.where('bot_id', '=', given.botId).where('user_key', '=', given.userKey).where('message_id', '=', given.messageId),
);

const selectFile = chatFiles.read(
  ['contentType', 'filename', 'content'],
  { botId: text(), fileId: plain(), afterMs: integer() },
  (rows, given) => rows.where('file_id', '=', given.fileId).where('bot_id', '=', given.botId).where('created_at_ms', '>', given.afterMs),
);

const sumBytes = companyQuery(
  { ...laneColumns, sinceMs: integer() },
  { ofCompany: sum(), ofBot: sum(), ofVisitor: sum() },
  (company, given) =>
    company.selectFrom('chat_files').select([
      sql<number>`coalesce(sum(bytes), 0)`.as('of_company'),
      sql<number>`coalesce(sum(case when bot_id = ${given.botId} then bytes else 0 end), 0)`.as('of_bot'),
      sql<number>`coalesce(sum(case when bot_id = ${given.botId} and user_key = ${given.userKey} and created_at_ms >= ${given.sinceMs}
        then bytes else 0 end), 0)`.as('of_visitor'),
    ]),
);

/** Anonymous visitors, whom a host did not name: see `openSession`. */
const isOfAnonymous = sql<boolean>`substr(user_key, 1, 4) = 'web:'`;

/** A sum over the rows that are older, in the order of the window. */
const olderBytes = sql<number>`sum(bytes) over (order by created_at_ms, file_id) - bytes`.as('older');

/** Deletes the oldest files of anonymous visitors, as many as have these bytes. */
const deleteOldestOfBot = companyQuery({ botId: text(), bytes: integer() }, {}, (company, given) =>
  company.deleteFrom('chat_files').where('file_id', 'in', ({ selectFrom }) =>
    selectFrom(
      company.selectFrom('chat_files').select(['file_id', olderBytes]).where('bot_id', '=', given.botId).where(isOfAnonymous).as('files'),
    )
      .select('files.file_id')
      .where('files.older', '<', given.bytes),
  ),
);

const deleteOldestOfCompany = companyQuery({ bytes: integer() }, {}, (company, given) =>
  company.deleteFrom('chat_files').where('file_id', 'in', ({ selectFrom }) =>
    selectFrom(company.selectFrom('chat_files').select(['file_id', olderBytes]).where(isOfAnonymous).as('files'))
      .select('files.file_id')
      .where('files.older', '<', given.bytes),
  ),
);

const deleteOldFiles = query({ beforeMs: integer() }, {}, (db, given) =>
  db.deleteFrom('chat_files').where('created_at_ms', '<', given.beforeMs).where(isNotAway(db, 'chat_files')),
);
