/**
 * The text of a message of Slack as its user typed it: Slack marks up links, mentions and dates, names emoji, escapes three characters, and
 * prefixes the mentioned bot.
 */
import type { Json } from '@hilo/engine/contract';
import { listAt, nameAt } from '../provider-answer.ts';

/**
 * @param message - for the emoji that its blocks spell
 * @param botUser - the user that the app is in this workspace
 */
export function readText(text: string, message: Json, botUser?: string): string {
  const mention = botUser === undefined ? '' : `<@${botUser}>`;
  const spoken = mention !== '' && text.startsWith(mention) ? text.slice(mention.length).trimStart() : text;
  const emoji = spoken.includes(':') ? emojiIn(message) : known;
  return spoken
    .replace(/<(?:mailto|tel):[^|<>]{0,2000}\|([^<>]{0,2000})>/g, '$1')
    .replace(/<(https?:\/\/)([^|<>]{0,2000})(?:\|([^<>]{0,2000}))?>/g, (_, scheme: string, address: string, shown: string | undefined) =>
      // "acme.com" is what was typed where Slack put the scheme before it.
      scheme === 'http://' && shown === address.replace(/\/$/, shown?.endsWith('/') === true ? '/' : '') ? shown : scheme + address,
    )
    .replace(/<(@|#)[A-Z0-9]{1,40}\|([^<>|]{1,200})>/g, '$1$2')
    .replace(/<!(here|channel|everyone)(?:\|[^<>]{0,80})?>/g, '@$1')
    .replace(/<!(?:subteam|date)\^[^|<>]{0,500}\|([^<>]{1,500})>/g, '$1')
    .replace(/:([a-z0-9_'+-]{1,80}):(?::skin-tone-[2-6]:)?/g, (named, name: string) => emoji.get(name) ?? known.get(name) ?? named)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** Emoji that answer a question, for texts that come without blocks, such as those of commands. */
const known: ReadonlyMap<string, string> = new Map([
  ['+1', '👍'],
  ['thumbsup', '👍'],
  ['-1', '👎'],
  ['thumbsdown', '👎'],
  ['ok_hand', '👌'],
  ['white_check_mark', '✅'],
  ['heavy_check_mark', '✔️'],
  ['x', '❌'],
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].map((name, digit): [string, string] => [
    name,
    `${digit}\ufe0f\u20e3`,
  ]),
]);

/** So many parts of a message are looked at for emoji. */
const mostParts = 2_000;

/** The emoji of a message by their names: its blocks spell each, as `1f44d-1f3fd`. */
function emojiIn(message: Json): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let parts = [...listAt(message, 'blocks')];
  for (let looked = 0; parts.length > 0 && looked < mostParts; looked += parts.length) {
    parts = parts.slice(0, mostParts).flatMap((part) => {
      const [name, spelt] = [nameAt(part, 'name'), nameAt(part, 'unicode')];
      if (
        nameAt(part, 'type') === 'emoji' &&
        name !== undefined &&
        spelt !== undefined &&
        /^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,9}$/.test(spelt)
      )
        found.set(name, spelt.split('-').map(toCharacter).join(''));
      return listAt(part, 'elements');
    });
  }
  return found;
}

const toCharacter = (hex: string): string => {
  const code = Number.parseInt(hex, 16);
  return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '' : String.fromCodePoint(code);
};
