/** What kind of file bytes or a content type stand for. Containers such as MP4 and Ogg hold sound as well as pictures that move. */
export type FileFamily = 'picture' | 'recording' | 'document' | 'web page';

const documents = /^(?:text\/(?!html)|application\/(?!octet-stream|xhtml|ogg|mp4))/;

/**
 * The family of a content type.
 *
 * @param type - with or without parameters
 * @returns `undefined` for a type that says nothing about the content, such as `application/octet-stream`
 */
export function classifyType(type: string | undefined): FileFamily | undefined {
  const essence = (type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (essence === 'text/html' || essence === 'application/xhtml+xml') return 'web page';
  if (essence.startsWith('image/')) return 'picture';
  if (/^(?:audio|video)\//.test(essence) || essence === 'application/ogg' || essence === 'application/mp4') return 'recording';
  return documents.test(essence) ? 'document' : undefined;
}

/** Where a signature begins, and its bytes as Latin-1. */
const signatures: readonly (readonly [family: FileFamily, at: number, signature: string])[] = [
  ['picture', 0, '\x89PNG\r\n\x1a\n'],
  ['picture', 0, '\xff\xd8\xff'], // JPEG
  ['picture', 0, 'GIF8'],
  ['picture', 8, 'WEBP'],
  ['recording', 4, 'ftyp'], // MP4, 3GPP, M4A
  ['recording', 0, 'OggS'],
  ['recording', 0, 'ID3'], // MP3
  ['recording', 0, '#!AMR'],
  ['recording', 8, 'WAVE'],
  ['document', 0, '%PDF-'],
  ['document', 0, 'PK\x03\x04'], // ZIP, and the formats of office programs
  ['document', 0, '\xd0\xcf\x11\xe0'], // their older ones
];

const page = /^\s*<(?:!doctype html|html|head|body)\b/i;

/** The family of a file by its first bytes; `undefined` for bytes without a known signature, such as those of a text. */
export function classifyBytes(bytes: Uint8Array): FileFamily | undefined {
  const text = Buffer.from(bytes.subarray(0, 64)).toString('latin1');
  if (page.test(text)) return 'web page';
  return signatures.find(([, at, signature]) => text.startsWith(signature, at))?.[0];
}
