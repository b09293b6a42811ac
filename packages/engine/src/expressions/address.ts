import type { Json } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import { parse } from './parse.ts';

// Addresses of the web with values in them: where in the address a value stands decides how it is inserted.

/** The function around a value, as far as it decides how the value is inserted. */
export type AddressCall = 'raw' | 'encodeURIComponent' | undefined;

/** The name of `raw` or `encodeURIComponent` where an expression as a whole is a call of it. */
export function findAddressCall(expression: string): AddressCall {
  if (!/raw|encodeURIComponent/.test(expression)) return undefined;
  const { op, args } = parse(expression.trim());
  const [name] = args as readonly unknown[];
  return (op === 'call' || op === 'rcall') && (name === 'raw' || name === 'encodeURIComponent') ? name : undefined;
}

/**
 * Builds one address from its parts.
 *
 * @param refuse - throws the error of an address that cannot be made
 */
export function createAddress(refuse: (reason: string) => never) {
  let text = '';
  /** Slashes of the origin so far: `https://` has two, a relative address one or none. */
  let slashes = 0;
  let part: 'start' | 'origin' | 'path' | 'behind' = 'start';
  let segment = '';
  let hasValue = false;

  const closeSegment = (): void => {
    if (part === 'path' && hasValue && segment === '') refuse('a segment of its path is empty');
    if (part === 'path' && hasValue && dotSegment.test(segment)) refuse(`a segment of its path is "${segment}", which names another path`);
    segment = '';
    hasValue = false;
  };
  const scan = (char: string): void => {
    if (part === 'start') part = 'origin';
    if (part === 'behind') return;
    if (char === '?' || char === '#') {
      closeSegment();
      part = 'behind';
    } else if (char === '/' || char === '\\') {
      closeSegment();
      if (part === 'origin' && slashes < 2) slashes += 1;
      else part = 'path';
    } else if (part === 'origin' && slashes === 1) {
      part = 'path'; // a relative address
      segment = char;
    } else segment += char;
  };
  const put = (added: string): void => {
    text += added;
    if (text.length > limits.renderedBytes) refuse(`with its values it has more than ${limits.renderedBytes} bytes`);
  };
  const append = (added: string): void => {
    put(added);
    for (const char of added) scan(char);
  };
  return {
    append,
    /** Inserts a value, as its place demands. @param added - the value as a text */
    insert(value: Json, added: string, call: AddressCall): void {
      if (part === 'start' || call === 'raw') append(added);
      else if (part === 'origin' && slashes !== 1) {
        if (!host.test(added)) refuse('what stands in its host is no part of the name of a host; raw(…) inserts it as it is');
        put(added);
      } else {
        if (part === 'origin') part = 'path'; // a relative address
        if (part === 'path' && value === null) refuse('a value in its path is null');
        const encoded = call === 'encodeURIComponent' ? added : encodeURIComponent(added.toWellFormed());
        put(encoded);
        segment += encoded;
        hasValue = true;
      }
    },
    finish(): string {
      closeSegment();
      return text;
    },
  };
}

/** A segment that a client resolves to another path, in any spelling. */
const dotSegment = /^(?:\.|%2e){1,2}$/i;

/** A name of a host or a part of one, perhaps with a port; or an address of the network. */
const host = /^(?:[\p{L}\p{M}\p{N}._-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/iu;
