import { z } from 'zod';
import { isFileHandle } from '../effects/file-handle.ts';
import { type Dialect, mustBe, place } from './dialect.ts';
import { textLength } from './text.ts';

/** The longest accepted URL (MED-01), in code points. */
export const webAddressMax = 2048;

/**
 * The URL of a file (MED-01): `https`, a host, no credentials; or the handle of one, which a canvas sends on. Whether the host is public and the file exists is checked when it is fetched
 * (MED-02). An invalid URL has the code `INVALID_MEDIA_URL`, see `issueCode`.
 */
export const mediaUrl = (dialect: Dialect): z.ZodString => address(dialect, ['https'], { code: 'INVALID_MEDIA_URL' }, isFileHandle);

/** The address that a button opens (MSG-35). Only a browser's own schemes, so that it never runs as a script. */
export const buttonUrl = (dialect: Dialect): z.ZodString => address(dialect, ['https', 'http'], {});

/** @param isOther - whether a text stands for something without being an address */
function address(
  dialect: Dialect,
  schemes: readonly string[],
  params: { readonly code?: string },
  isOther: (text: string) => boolean = () => false,
): z.ZodString {
  return z
    .string({ error: mustBe('an address') })
    .refine((url) => isOther(url) || dialect.isDeferred(url) || webAddressFault(url, schemes) === undefined, {
      error: ({ path, input }) => `${place(path)} ${webAddressFault(String(input), schemes)}`,
      params,
    })
    .meta(dialect.hints({ format: 'uri', maxLength: webAddressMax }));
}

/** Why a URL is invalid and how to correct it, or `undefined`. Stricter than a browser, which repairs its input. */
export function webAddressFault(url: string, schemes: readonly string[]): string | undefined {
  if (textLength(url, 'characters') > webAddressMax) return `is longer than ${webAddressMax} characters: shorten the address`;
  if (/[\p{Cc}\p{Cs}\s\\]/u.test(url)) return 'has a blank, a backslash or a control character: write it percent-encoded';
  const parts = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/iu.exec(url);
  if (parts === null) return `is not a whole address: begin it with ${schemes[0]}:// and a host`;
  const [, scheme = '', authority = ''] = parts;
  if (!schemes.includes(scheme.toLowerCase()))
    return `begins with ${scheme}://: give an address that begins with ${schemes.map((known) => `${known}://`).join(' or ')}`;
  if (authority.includes('@')) return 'holds a user name or password: give an address that needs none';
  if (/^(:|$)/.test(authority) || !Address.safeParse(url).success) return 'has no host that can exist: correct the part after "://"';
  return undefined;
}

/** The grammar of URLs, as implemented by the platform. */
const Address = z.url();

/** The name of a file in its URL: the last part of the path, decoded (MSG-24). */
export function fileNameIn(url: string): string | undefined {
  const path = /^[a-z]+:\/\/[^/?#]*([^?#]*)/iu.exec(url)?.[1] ?? '';
  const name = path.split('/').at(-1) ?? '';
  if (name === '') return undefined;
  const decoded = decodePercent(name);
  return decoded === undefined || /[\p{Cc}/\\]/u.test(decoded) ? name : decoded;
}

function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // a "%" that encodes nothing
  }
}
