// What the chats of the web channel share.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { WebConfig } from '@hilo/channels';
import type { ChannelRegistry } from '../channels/channels.ts';
import type { Outbox } from '../messages/messages.ts';
import type { FileNames } from '../platform/name-files.ts';
import type { Platform } from '../platform/platform.ts';
import type { PublicUrl } from '../platform/public-url.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { Bot, Tenancy } from '../tenants/companies.ts';
import type { ChatStreams } from './streams.ts';

/** What the chat of the web channel works with. */
export type ChatParts = Pick<Platform, 'settings' | 'engine' | 'store' | 'clock' | 'isAccepting' | 'log'> &
  Tenancy & {
    readonly channels: ChannelRegistry;
    readonly outbox: Pick<Outbox, 'accept'>;
    readonly conversations: Pick<Conversations, 'takeOver'>;
    readonly chat: Chat;
    readonly files?: FileNames;
  };

/** A bot of the web channel. */
export interface ChatBot {
  readonly bot: Bot;
  readonly config: WebConfig;
}

/** A bot as the adapter of its channel has it. */
export const describeToAdapter = ({ bot, config }: ChatBot, { clock }: Pick<ChatParts, 'clock'>) => ({
  bot: { companyId: bot.companyId, id: bot.id, channel: bot.channel, userIdFormat: bot.settings.userIdFormat },
  config,
  clock,
});

/** What the chats of one process share. */
export interface Chat {
  readonly streams: ChatStreams;
  /** Where files that visitors sent are read. */
  readonly publicUrl: Pick<PublicUrl, 'get'>;
  /** The built script that pages load; `undefined` when it was not built. */
  readonly widget: ChatWidget | undefined;
}

export { findFile } from './files.ts';
export { type ChatStreams, createChatStreams } from './streams.ts';

/** The script of the chat, as it is sent. */
export interface ChatWidget {
  readonly script: Uint8Array<ArrayBuffer>;
  readonly compressed: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** Where `@hilo/chat` was built. */
const locateWidget = (): string => fileURLToPath(new URL('dist/chat.js', import.meta.resolve('@hilo/chat/package.json')));

/** Reads the built script. @returns `undefined` when it was not built */
export async function findWidget(path?: string): Promise<ChatWidget | undefined> {
  try {
    const script = new Uint8Array(await readFile(path ?? locateWidget()));
    const compressed = new Uint8Array(await promisify(gzip)(script));
    return { script, compressed, etag: `"${createHash('sha256').update(script).digest('base64url').slice(0, 22)}"` };
  } catch {
    return undefined;
  }
}
