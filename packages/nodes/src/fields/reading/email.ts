/** Reads an e-mail address as people write it: `ana@example.com.`, `Ana <ana@example.com>`, `a&b@example.com`, `ana@ñandú.example`. */
import { splitText } from '@hilo/engine/contract';
import { foldLetters } from '../../messages/folded-text.ts';
import { saysNotThis } from './beside.ts';
import { clean } from './clean.ts';

/**
 * The only address in an answer, as it is written.
 *
 * @param isStrict - whether it must be the whole answer
 */
export function readEmail(answer: string, isStrict: boolean): string | undefined {
  const text = clean(answer)?.normalize('NFC');
  if (text === undefined) return undefined;
  if (isStrict) return isAddress(text) ? text : undefined;
  if (splitLocal.test(text)) return undefined;
  const whole = writeAt(writeWhole(text));
  const words = whole.split(/[\s<>()[\]{}",;|]/).map(strip);
  const [address, ...others] = new Set(words.filter(isAddress));
  if (address === undefined || others.length > 0 || words.some((word) => word.includes('@') && word !== address)) return undefined;
  const [before = '', behind = ''] = splitText(whole, address);
  return saysNotThis(`${foldLetters(before)} `, foldLetters(behind)) ? undefined : address;
}

/** "ana. perez@example.com", "ana_ perez@example.com": a keyboard put a blank into the name, and what is behind it is somebody else's. */
const splitLocal = /(?:^(?!(?:correo|mail|email)\b)[\p{Ll}\d]{1,40}\.|[\p{L}\d][_-]| \.) [^\s@]{1,64}@/u;

/** Keyboards put a blank or a comma into an address: `ana@gmail. com`, `ana@gmail,com`. Only where nothing else is said. */
const writeWhole = (text: string): string => {
  const [, local, host, ending] = typedApart.exec(text) ?? [];
  return local === undefined || host === undefined || ending === undefined ? text : `${local}@${host}.${ending}`;
};
const typedApart =
  /^([\p{L}\p{M}\p{N}._+-]{1,64})(?: {1,2}@ {1,2}|@ {0,2})([\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,2}) {0,2}[.,] {0,2}((?:com|net|org|edu|gob|gov)(?:\.\p{L}{2})?|[a-z]{2})[.!]?$/iu;

/** An address as it is said, "ana arroba example punto com", or with blanks that a keyboard put around its @. A name such as `@ana` stays. */
function writeAt(text: string): string {
  const [local = '', domain, another] = text.split('@');
  if (another !== undefined) return text;
  if (domain !== undefined && saidDot.test(domain)) return `${local}@${writeDots(domain)}`;
  if (domain !== undefined) return /^ {1,3}/.test(domain) ? `${local.trimEnd()}@${domain.trimStart()}` : text;
  const said =
    / ?[([](?:at|arroba)[)\]] ?| (?:ar{1,2}oba[sz]?e?|chiocciola) | at (?=[\p{L}\p{N}-]{1,63} (?:dot|punto|ponto|punkt) )/iu.exec(text);
  if (said === null) return text;
  const before = writeSpelled(writeSaidSigns(text.slice(0, said.index)));
  // "Ana perez arroba": what is said in several words may be one, and what is read would be somebody else's.
  const neighbour = before.split(' ').at(-2);
  if (neighbour !== undefined && !/[,;:.!()]$/.test(neighbour) && !introductions.has(foldLetters(neighbour))) return text;
  return `${before}@${writeDots(text.slice(said.index + said[0].length))}`;
}

/** A point that is said. */
const saidDot = / (?:dot|punto|ponto|point|punkt) /i;

/** "A n a" and "ana 85" as they are meant where one spells an address, or says the number in it. */
const writeSpelled = (local: string): string =>
  /^[\p{L}\p{N}](?: [\p{L}\p{N}]){1,40}$/u.test(local)
    ? local.replaceAll(' ', '')
    : local.replace(/(?<![\p{L}._-])([\p{L}._-]{2,40}) (\d{1,8})$/u, (written, name: string, number: string) =>
        introductions.has(foldLetters(name)) ? written : `${name}${number}`,
      );

function writeDots(said: string): string {
  let host = said.replace(/ ?[([](?:dot|punto|ponto)[)\]] ?/giu, '.');
  for (let dots = 0; dots < 4; dots += 1) host = host.replace(/^([\p{L}\p{N}.-]{1,63}) (?:dot|punto|ponto|point|punkt) /iu, '$1.');
  return host;
}

/** What may stand before an address that is said. */
const introductions: ReadonlySet<string> = new Set(
  "es is it's its e eh seria son el mi my meu correo correos mail email e-mail gmail address direccion endereco electronico a al to por con con: bueno hola hi oi gracias escribeme escribanme me at en claro si yes sim ok".split(
    ' ',
  ),
);

/** "Ana guion bajo lopez" as "ana_lopez". */
const writeSaidSigns = (local: string): string =>
  local
    .replace(/ (?:gui[oó]n bajo|underscore|underline|sublinhado|unterstrich|tiret bas) /giu, '_')
    .replace(/ (?:gui[oó]n(?: medio)?|dash|hyphen|h[ií]fen|tra[cç]o|tiret|bindestrich|trattino) /giu, '-')
    .replace(/,? (?:punto|ponto|dot|point|punkt),? /giu, '.');

/** A word without the marks that people put around an address. */
const strip = (word: string): string =>
  word
    .replace(/^[\p{Extended_Pictographic}\p{Emoji_Presentation}¿¡]{1,20}/u, '')
    .replace(/(?<![\p{Extended_Pictographic}\p{Emoji_Presentation}])[\p{Extended_Pictographic}\p{Emoji_Presentation}]{1,20}$/u, '')
    .replace(/^(?:mailto:|(?:e-?mail|correo|mail) ?[:=])?/i, '')
    .replace(/[.:!?/]{1,3}$/, '')
    .replace(/^(['*_~])(.{1,320})\1$/u, '$2')
    .replace(/^['*]|['*_.:!?]{1,3}$/g, '');

/** Whether a text is an address: RFC 5321 with the characters of all languages (RFC 6531), without quotes and addresses of machines. */
function isAddress(text: string): boolean {
  const at = text.indexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || text.length > 254 || local.length > 64) return false;
  const atoms = local.split('.');
  const labels = domain.split('.');
  return (
    atoms.every((atom) => atomText.test(atom)) &&
    labels.length >= 2 &&
    labels.every(isLabel) &&
    /^(?:\p{L}[\p{L}\p{M}]{1,62}|xn--.{1,59})$/iu.test(labels.at(-1) ?? '')
  );
}

const atomText = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]{1,64}$/u;
const isLabel = (label: string): boolean => /^[\p{L}\p{M}\p{N}-]{1,63}$/u.test(label) && !label.startsWith('-') && !label.endsWith('-');
