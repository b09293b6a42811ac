import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** The script of the chat, as it is sent. */
export interface ChatWidget {
  readonly script: Uint8Array<ArrayBuffer>;
  readonly compressed: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** Where `@hilo/chat` was built. */
const builtWidget = (): string => fileURLToPath(new URL('dist/chat.js', import.meta.resolve('@hilo/chat/package.json')));

/** Reads the built script. @returns `undefined` where it was not built */
export async function findWidget(path?: string): Promise<ChatWidget | undefined> {
  try {
    const script = new Uint8Array(await readFile(path ?? builtWidget()));
    const compressed = new Uint8Array(await promisify(gzip)(script));
    return { script, compressed, etag: `"${createHash('sha256').update(script).digest('base64url').slice(0, 22)}"` };
  } catch {
    return undefined;
  }
}
