// Files of users, answers that canvases keep as files, and what authors uploaded: what is known of each, and the bytes of those that are kept in the store.
import type { JsonObject } from '@hilo/engine/contract';
import { defineTable, flag, integer, json, key, keyOf, oneOf, optional, plain, text } from '@hilo/stores';

/** What a handle stands for. A file of a message has no bytes here until something first needs them. */
export const files = defineTable(
  'files',
  {
    companyId: text(),
    id: key(plain()),
    /** Empty, like the user, for an answer that an execution without a user keeps. */
    botId: text(),
    userId: text(),
    userKey: keyOf('userId'),
    /** Where its bytes are, once they were fetched. */
    place: optional(oneOf(['store', 'bucket'])),
    name: optional(text()),
    /** By its content. */
    type: optional(plain()),
    bytes: optional(integer()),
    /** What the message says of it, and the address of its user, by which it is fetched. */
    source: optional(json<{ readonly message: JsonObject; readonly address?: string | undefined }>()),
    createdAtMs: integer(),
    /** Set on what an author uploaded for canvases: it is kept until somebody removes it. */
    isLasting: optional(flag()),
  },
  {
    moves: 'copied',
    unique: 'id',
    personal: { of: 'user', column: 'userKey', among: 'botId' },
    foundBy: 'others',
    indexes: {
      byUser: { on: ['companyId', 'botId', 'userKey'] },
      byAge: { on: ['createdAtMs', 'companyId'] },
    },
  },
);

/** The bytes of files, in parts that are read and moved one by one. */
export const fileParts = defineTable(
  'file_parts',
  {
    companyId: text(),
    fileId: key(plain()),
    number: key(integer()),
    botId: text(),
    userId: text(),
    userKey: keyOf('userId'),
    /** In base64. */
    content: plain(),
  },
  {
    moves: 'copied',
    personal: { of: 'user', column: 'userKey', among: 'botId' },
    foundBy: 'others',
    indexes: { byUser: { on: ['companyId', 'botId', 'userKey'] } },
  },
);

/** Files that visitors of chats sent. */
export const chatFiles = defineTable(
  'chat_files',
  {
    /** Random: the address is the permission to read the file. */
    fileId: key(plain()),
    companyId: text(),
    botId: text(),
    userKey: plain(),
    /** The browser's own id of the message: the same one again is the same file. */
    messageId: plain(),
    contentType: plain(),
    filename: optional(plain()),
    /** In base64. */
    content: plain(),
    bytes: integer(),
    createdAtMs: integer(),
  },
  {
    moves: 'copied',
    unique: 'fileId',
    personal: { of: 'user', column: 'userKey', among: 'botId' },
    foundBy: 'others',
    // Sums by user and by bot are read in the indexes alone.
    indexes: {
      byMessage: { on: ['companyId', 'botId', 'userKey', 'messageId'], isUnique: true },
      byBot: { on: ['companyId', 'botId', 'createdAtMs', 'userKey', 'bytes'] },
      byAge: { on: ['createdAtMs'] },
    },
  },
);
