// What a file is by its bytes, whatever its sender, its name or its host say.
import { fileTypeFromBuffer } from 'file-type';

/** The type by the bytes. A PNG is recognised by its signature, even when an unknown chunk follows. */
export async function typeOf(bytes: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(bytes);
  return found?.mime ?? (pngSignature.every((byte, index) => bytes[index] === byte) ? 'image/png' : undefined);
}

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** A content type without its parameters; empty when undefined. */
export const essenceOf = (contentType: string | undefined): string => (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

export const isPage = (declared: string): boolean => declared === 'text/html' || declared === 'application/xhtml+xml';

/** How an HTML page begins, after the MIME Sniffing Standard. */
const pageBegins =
  /^(?:\uFEFF|\u00ef\u00bb\u00bf)?[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[ >\t\n\f\r-]/i;

export const looksLikePage = (bytes: Uint8Array): boolean => pageBegins.test(Buffer.from(bytes.subarray(0, 512)).toString('latin1'));

/** Containers whose kinds of content cannot be distinguished by their first bytes. */
const containers: readonly (readonly string[])[] = [
  ['audio/mp4', 'video/mp4', 'audio/x-m4a', 'video/x-m4v', 'application/mp4'],
  ['audio/ogg', 'video/ogg', 'application/ogg'],
  ['audio/3gpp', 'video/3gpp', 'video/3gpp2', 'audio/3gpp2'],
  ['audio/mpeg', 'audio/mp3'],
  ['audio/wav', 'audio/x-wav', 'audio/vnd.wave'],
  ['image/jpeg', 'image/jpg'],
];

/** Whether a type is one of those, by itself or as content of the same container. */
export function isAllowed(contentType: string, allowed: readonly string[]): boolean {
  const names = containers.find((container) => container.includes(contentType)) ?? [contentType];
  return allowed.some((pattern) =>
    names.some((name) => (pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern)),
  );
}

/** Whether bytes are text in UTF-8. */
export function isPlainText(content: Uint8Array): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(content).includes('\0');
  } catch {
    return false;
  }
}
