// The type of a file of a user by its bytes, and whether it is what its message says: types lie, and so do hosts.
import { fileTypeFromBuffer } from 'file-type';
import { essenceOf, isAllowed, isPage, isPlainText, looksLikePage, typeOf } from '../platform/content-type.ts';
import { tidyFileName } from '../platform/shown-names.ts';

/** What is said of a file. */
export interface SaidOfFile {
  /** The kind that the message says: `image`, `audio`, `video`, `sticker`, or something that may be any file. */
  readonly messageType?: string | undefined;
  /** Its content type, by the message or the host; nothing that counts against its bytes. */
  readonly said?: string | undefined;
}

/** What a file is, or why it is not passed on. */
export type Judged = { readonly type: string; readonly extension: string } | { readonly refusal: string };

/** What bytes may be that come as a message of a type; any other type may be any file. */
const families: { readonly [messageType: string]: readonly string[] } = {
  image: ['image/*'],
  sticker: ['image/*', 'video/*', 'application/gzip'], // moving ones are films or drawings
  audio: ['audio/*', 'video/*'], // a recording in a container of films
  video: ['video/*', 'image/gif', 'image/apng'],
};

/** Types of text: their bytes do not tell which of them they are. */
const isTextType = (type: string): boolean =>
  /^text\/(?!html$)/.test(type) || /^(?:application|image)\/(?:.+\+)?(?:json|xml|yaml|csv)$/.test(type);

/** Older formats of office programs are one container, as their first bytes say. */
const isOffice = (type: string): boolean => /^application\/(?:msword|vnd\.ms-)/.test(type);

/**
 * Judges the bytes of a file.
 *
 * @returns its type by its content; a refusal where a picture, a recording or a film is none
 */
export async function judgeContent(content: Uint8Array, { messageType = '', said: given }: SaidOfFile): Promise<Judged> {
  const said = essenceOf(given);
  const family = Object.hasOwn(families, messageType) ? families[messageType] : undefined;
  const found = essenceOf(await typeOf(content));
  if (family !== undefined && !(found !== '' && isAllowed(found, family))) {
    const what = found !== '' ? found : looksLikePage(content) ? 'a web page' : 'of no known type';
    return { refusal: `The file is ${what} by its content, and comes as ${messageType}` };
  }
  if (found !== '') {
    const type = said !== '' && (isAllowed(said, [found]) || (found === 'application/x-cfb' && isOffice(said))) ? said : found;
    return { type, extension: (await fileTypeFromBuffer(content))?.ext ?? 'bin' };
  }
  if (looksLikePage(content)) return { type: 'text/html', extension: 'html' };
  if (!isPlainText(content)) return { type: 'application/octet-stream', extension: 'bin' };
  return isTextType(said) && !isPage(said) ? { type: said, extension: extensionOf(said) } : { type: 'text/plain', extension: 'txt' };
}

/** Programs that a system runs: none of them is a picture, a recording, a film or a document. */
export const isProgram = (type: string): boolean =>
  /^application\/(?:x-(?:msdownload|elf|mach-binary|ms-shortcut|ms-dos-executable)|java-vm|wasm)$/.test(type);

/** Ends of names that a system runs or opens as a page, whatever the bytes are. */
const endsOfPrograms = new Set(
  'app bat bin cmd com cpl dll exe gadget hta htm html jar js jse lnk mht mhtml mjs msc msi msp pif ps1 reg scr sh shtml svg url vb vbe vbs wsf wsh xht xhtml'.split(
    ' ',
  ),
);

/**
 * What a file is called where it is saved.
 *
 * @param given - its name by whoever sent it; one that promises a program or a page, which its bytes are not, ends with what they are
 */
export function nameOfFile(given: string | undefined, extension: string, otherwise: string): string {
  const name = tidyFileName(given);
  if (name === undefined) return `${otherwise}.${extension}`;
  // Windows leaves dots and spaces at the end out.
  const [, ...ends] = name.split('.').map((part) => part.trim().toLowerCase());
  const end = ends.findLast((part) => part !== '') ?? '';
  return end !== extension && endsOfPrograms.has(end) ? `${name}.${extension}` : name;
}

const extensionOf = (type: string): string => {
  const subtype = type.replace(/^.*[/+]/, '');
  return /^[a-z0-9]{1,5}$/.test(subtype) && subtype !== 'plain' ? subtype : 'txt';
};
