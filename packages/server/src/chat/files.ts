import { randomBytes } from 'node:crypto';
import { channelFacts, type MediaType } from '@hilo/nodes';
import { call, type Runner } from '@hilo/stores';
import { fileTypeFromBuffer } from 'file-type';
import { sql } from 'kysely';
import type { LaneColumns } from '../messages/messages.ts';
import { isNotAway } from '../platform/database/not-away.ts';
import { statement } from '../platform/database/schema.ts';
import { HttpError } from '../platform/http/errors.ts';

/** The largest file of a visitor. */
export const maxFileBytes = 5 * 1024 * 1024;

/** How long a file is kept. */
const keptMs = 30 * 86_400_000;

/** What one visitor may send in a day, and what all visitors of a bot together may have kept. */
const shares = { ofVisitorADay: 25 * 1024 * 1024, ofBot: 1024 * 1024 * 1024 };

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
  readonly lane: LaneColumns;
  /** The browser's own id of the message. */
  readonly messageId: string;
  readonly contentType: string;
  readonly filename: string | null;
  readonly content: Uint8Array;
}

/** A file as it is kept. */
export interface KeptFile {
  readonly fileId: string;
  readonly type: MediaType;
  readonly contentType: string;
}

/**
 * Stores a visitor's file, once per message, after checking that its bytes match its declared type.
 *
 * @throws {HttpError} 400 `UNSUPPORTED_MEDIA_TYPE` or `MEDIA_TOO_LARGE`, 429 where the visitor or the bot has sent too much
 */
export async function keepFile(runner: Runner, file: SentFile, nowMs: number): Promise<KeptFile> {
  const { lane, messageId, filename, content } = file;
  const contentType = await checkType(file);
  const type = types[contentType] ?? 'file';
  const known = await runner.readOne(call(selectFileOfMessage, { ...lane, messageId }));
  if (known !== undefined) return { fileId: known.file_id, type, contentType };
  const maxBytes = Math.min(maxFileBytes, channelFacts.web.media[type]?.maxBytes ?? maxFileBytes);
  if (content.byteLength > maxBytes)
    throw new HttpError(400, 'MEDIA_TOO_LARGE', `The file has ${content.byteLength} bytes, and ${maxBytes} are taken`);
  await runner.write([call(deleteOldFiles, { beforeMs: nowMs - keptMs })]);
  const sums = await runner.readOne(call(sumBytes, { ...lane, sinceMs: nowMs - dayMs }));
  const [ofVisitor, ofBot] = [Number(sums?.of_visitor ?? 0), Number(sums?.of_bot ?? 0)].map((bytes) => bytes + content.byteLength);
  if ((ofVisitor ?? 0) > shares.ofVisitorADay || (ofBot ?? 0) > shares.ofBot)
    throw new HttpError(429, 'TOO_MANY_REQUESTS', 'Too many files were sent here; try again tomorrow', {
      headers: { 'retry-after': '3600' },
    });
  const fileId = randomBytes(24).toString('base64url');
  const row = { ...lane, fileId, messageId, contentType, filename, bytes: content.byteLength, createdAtMs: nowMs };
  await runner.write([call(insertFile, { ...row, content: Buffer.from(content).toString('base64') })]);
  const kept = await runner.readOne(call(selectFileOfMessage, { ...lane, messageId })); // of two tries at once, one was first
  return { fileId: kept?.file_id ?? fileId, type, contentType };
}

/** A file by its random name, of this bot. */
export async function findFile(
  runner: Runner,
  bot: Pick<LaneColumns, 'companyId' | 'botId'>,
  fileId: string,
  nowMs: number,
): Promise<{ readonly contentType: string; readonly filename: string | null; readonly content: Buffer<ArrayBuffer> } | undefined> {
  const row = await runner.readOne(call(selectFile, { ...bot, fileId, afterMs: nowMs - keptMs }));
  return row && { contentType: row.content_type, filename: row.filename, content: Buffer.from(row.content, 'base64') };
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

function isPlainText(content: Uint8Array): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(content).includes('\0');
  } catch {
    return false;
  }
}

const insertFile = statement<
  LaneColumns & {
    readonly fileId: string;
    readonly messageId: string;
    readonly contentType: string;
    readonly filename: string | null;
    readonly content: string;
    readonly bytes: number;
    readonly createdAtMs: number;
  }
>()((db, given) =>
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

const selectFileOfMessage = statement<LaneColumns & { readonly messageId: string }>()((db, given) =>
  db
    .selectFrom('chat_files')
    .select('file_id')
    .where('company_id', '=', given.companyId)
    .where('bot_id', '=', given.botId)
    .where('user_key', '=', given.userKey)
    .where('message_id', '=', given.messageId),
);

const selectFile = statement<{ readonly companyId: string; readonly botId: string; readonly fileId: string; readonly afterMs: number }>()(
  (db, given) =>
    db
      .selectFrom('chat_files')
      .select(['content_type', 'filename', 'content'])
      .where('file_id', '=', given.fileId)
      .where('company_id', '=', given.companyId)
      .where('bot_id', '=', given.botId)
      .where('created_at_ms', '>', given.afterMs),
);

const sumBytes = statement<LaneColumns & { readonly sinceMs: number }>()((db, given) =>
  db
    .selectFrom('chat_files')
    .select([
      sql<number>`coalesce(sum(bytes), 0)`.as('of_bot'),
      sql<number>`coalesce(sum(case when user_key = ${given.userKey} and created_at_ms >= ${given.sinceMs} then bytes else 0 end), 0)`.as(
        'of_visitor',
      ),
    ])
    .where('company_id', '=', given.companyId)
    .where('bot_id', '=', given.botId),
);

const deleteOldFiles = statement<{ readonly beforeMs: number }>()((db, given) =>
  db.deleteFrom('chat_files').where('created_at_ms', '<', given.beforeMs).where(isNotAway(db, 'chat_files')),
);
