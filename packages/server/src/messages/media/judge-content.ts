import type { MediaLimit, MediaType } from '@hilo/nodes';
import { fileTypeFromBuffer } from 'file-type';
import type { MediaVerdict } from './media-check.ts';

/** The beginning of a file, and what its host says of it. */
export interface Content {
  /** The header, as it came. */
  readonly contentType: string | undefined;
  readonly firstBytes: Uint8Array;
}

/** How much of a file tells its type. */
export const headBytes = 4_100;

/** Judges what a file is: by the header, and by what its bytes say (MED-01, MED-03, MED-05, MED-06). */
export async function judgeContent(
  { contentType, firstBytes }: Content,
  type: MediaType,
  limit: MediaLimit | undefined,
): Promise<MediaVerdict> {
  const declared = essenceOf(contentType);
  if (isPage(declared) || looksLikePage(firstBytes))
    return refused('INVALID_MEDIA_URL', 'The address leads to a web page: give the address of the file itself');
  const allowed = limit?.contentTypes;
  if (allowed === undefined) return fits;
  const taken = `${type} files are taken as ${allowed.join(', ')}`;
  if (!isGeneric(declared) && !isAllowed(declared, allowed))
    return refused('UNSUPPORTED_MEDIA_TYPE', `The file is ${declared} by its header: ${taken}`);
  const found = essenceOf(await typeOf(firstBytes));
  if (found !== '')
    return isAllowed(found, allowed) ? fits : refused('UNSUPPORTED_MEDIA_TYPE', `The file is ${found} by its content: ${taken}`);
  // Sound may begin in ways that nobody knows; a picture, a video or a document says what it is in its first bytes.
  const mayGoByHeader = type === 'audio' && !isGeneric(declared);
  return mayGoByHeader ? fits : refused('UNSUPPORTED_MEDIA_TYPE', `The content of the file is of no known type: ${taken}`);
}

/** What the bytes are. A PNG is one by its signature: that no known chunk follows makes it no other type. */
async function typeOf(firstBytes: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(firstBytes);
  return found?.mime ?? (pngSignature.every((byte, index) => firstBytes[index] === byte) ? 'image/png' : undefined);
}

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const fits: MediaVerdict = { kind: 'fits' };
const refused = (code: 'INVALID_MEDIA_URL' | 'UNSUPPORTED_MEDIA_TYPE', message: string): MediaVerdict => ({
  kind: 'refused',
  code,
  message,
});

/** A content type without its parameters; empty where there is none. */
export const essenceOf = (contentType: string | undefined): string => (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** What says nothing of the content. */
const isGeneric = (declared: string): boolean =>
  declared === '' || declared === 'application/octet-stream' || declared === 'binary/octet-stream';

export const isPage = (declared: string): boolean => declared === 'text/html' || declared === 'application/xhtml+xml';

/** How a page begins, in the words of the MIME Sniffing Standard. */
const pageBegins =
  /^(?:\uFEFF|\u00ef\u00bb\u00bf)?[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[ >\t\n\f\r-]/i;

const looksLikePage = (bytes: Uint8Array): boolean => pageBegins.test(Buffer.from(bytes.subarray(0, 512)).toString('latin1'));

/** Containers whose kinds of content no first byte tells apart. */
const containers: readonly (readonly string[])[] = [
  ['audio/mp4', 'video/mp4', 'audio/x-m4a', 'video/x-m4v', 'application/mp4'],
  ['audio/ogg', 'video/ogg', 'application/ogg'],
  ['audio/3gpp', 'video/3gpp', 'video/3gpp2', 'audio/3gpp2'],
  ['audio/mpeg', 'audio/mp3'],
  ['audio/wav', 'audio/x-wav', 'audio/vnd.wave'],
  ['image/jpeg', 'image/jpg'],
];

/** Whether a type is one of those, by itself or as content of the same container. */
function isAllowed(contentType: string, allowed: readonly string[]): boolean {
  const names = containers.find((container) => container.includes(contentType)) ?? [contentType];
  return allowed.some((pattern) =>
    names.some((name) => (pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern)),
  );
}
