/** Finds values and blocks that a text has in the notation of other products: `{name}`, `<%= name %>`, `[[name]]`, `{{name}`, `={{…}}`. */
import { isScopeName } from '../contract/variables.ts';
import { findNotation, findScope, noBlocks } from '../expressions/foreign-notations.ts';
import { findNearestName } from '../expressions/nearest-name.ts';
import { blankExpressions, isTemplate } from '../expressions/template.ts';
import { filledFields } from './filled-fields.ts';
import { findMeantPlace } from './meant-place.ts';

/** What a text has in the notation of another product. */
export interface ForeignNotation {
  readonly start: number;
  readonly end: number;
  /** What stands there now, behind what is written in quotes; this text itself, when left out. */
  readonly says?: string;
  /** What is to be written there, as a remedy for the author. */
  readonly remedy: string;
  /** The same as a text that can take its place; left out where that needs the author. */
  readonly replacement?: string;
}

/** The variables that a canvas reads and writes, by their last name in small letters; `undefined` for a name that several have. */
export type KnownNames = ReadonlyMap<string, string | undefined>;

/** A name or a path, as other products write them. */
const path = String.raw`\$?[\p{L}_][\p{L}\w]{0,60}(?:\??\.[\p{L}_][\p{L}\w]{0,60}|\[\d{1,6}\]){0,8}`;
/** The same with a blank around it, and with what changes it or stands in for it: `name | upper`, `name || "you"`. */
const inside = String.raw`\s{0,3}(?<name>${path})(?<pipe>\s{0,3}(?:\|{1,2}|\?\?)[^{}<>[\]\n%]{0,40})?\s{0,3}`;

/** How sure it is that a text has a notation where it stands: a name that is known, any name, or whatever is in it. */
type Sureness = 'known' | 'any';

const notations: readonly (readonly [pattern: RegExp, sure: Sureness])[] = [
  [new RegExp(String.raw`<%[=-]?${inside};?\s{0,3}-?%>`, 'gu'), 'any'],
  [new RegExp(String.raw`<\?(?:=|php\s{1,3}echo\s)${inside};?\s{0,3}\?>`, 'gu'), 'any'],
  [new RegExp(String.raw`\{%-?${inside}-?%\}`, 'gu'), 'any'],
  [new RegExp(String.raw`(?<![\\\w{])[$#%@]\{${inside}\}(?!\})`, 'gu'), 'any'],
  [new RegExp(String.raw`(?<![\\\w])\{!${inside}\}(?!\})`, 'gu'), 'any'],
  [new RegExp(String.raw`\{\{${inside}\}(?:\s\}(?!\})|(?!\s?\}))`, 'gu'), 'any'],
  [new RegExp(String.raw`(?<!\{)\{(?:\s\{)?${inside}\}\}(?!\})`, 'gu'), 'any'],
  [new RegExp(String.raw`(?<![\\\w$#%@{\])}^])\{${inside}\}(?!\})`, 'gu'), 'any'],
  [new RegExp(String.raw`(?<=[\w$])\{${inside}\}(?!\})`, 'gu'), 'known'],
  [new RegExp(String.raw`(?<!\[)\[\[${inside}\]\](?!\])`, 'gu'), 'any'],
  [new RegExp(String.raw`(?<![\[\w\]])\[${inside}\](?![\](:[])`, 'gu'), 'known'],
  [/\*\|(?<name>[A-Z][\w:]{0,40})\|\*/gu, 'any'],
  [/%\((?<name>[A-Za-z_]\w{0,40})\)[sd](?!\w)/gu, 'any'],
  [new RegExp(String.raw`(?<![\w%'"])%(?<name>[A-Za-z_]\w{1,40})%(?![\w%'"])`, 'gu'), 'known'],
  [/(?<![\w$.])\$(?<name>[A-Za-z_]\w{1,40})(?![\w.([])/gu, 'known'],
];

/** Blocks of template languages: they have no value to write in their place. */
const block =
  /(?:\{%|<%|<\?php)[-=]?\s{0,3}\/?(?:if|else|elif|elsif|elseif|unless|end\w{0,10}|for\w{0,4}|each|case|when|switch|assign|set|capture|include|raw|comment|while)\b[^%?<>\n]{0,120}[%?][}>]/u;

/** What a text has that is read by programs: its braces are meant. */
const code =
  /=>|\bfunction\s?\w{0,40}\(|\b(?:const|let|var|import)\s[\w{][^\n]{0,60}(?:=|from)|\breturn\s?[({<]|^\s{0,9}(?:query|mutation|fragment)\b/mu;

/** Other products' names of fields of the user that this one calls otherwise. */
const userFields: ReadonlyMap<string, string> = new Map(
  Object.entries({
    name: 'names',
    firstname: 'names',
    lastname: 'names',
    fullname: 'names',
    username: 'names',
    tz: 'timeZone',
    lang: 'locale',
    language: 'locale',
  }),
);
/** What a scope by itself most likely means. */
const alone: { readonly [scope: string]: string | undefined } = {
  $user: '$user.names',
  $message: '$message.text',
  $company: '$company.name',
  $bot: '$bot.name',
  $now: '$now',
  $item: '$item',
  $error: '$error.message',
};

/** Longer texts are not searched. */
const longest = 100_000;

/** The first value or block in the notation of another product; `undefined` where the text is meant as it stands. */
export function findForeignNotation(text: string, known: () => KnownNames): ForeignNotation | undefined {
  if (text.length > longest || !/[{[%$]|\*\|/.test(text)) return undefined;
  if (isOfN8n(text)) return { start: 0, end: 1, says: 'at the beginning is sent too', remedy: 'leave it out', replacement: '' };
  const blank = blankExpressions(text);
  const isCode = code.test(blank);
  const found = notations.flatMap(([pattern, sure]) =>
    Array.from(blank.matchAll(pattern), (match) => readNotation(blank, match, isCode ? 'known' : sure, known)).filter(
      (one) => one !== undefined,
    ),
  );
  const place = numbered.exec(text);
  if (place !== null && place[0] !== text) found.push(readPlace(place));
  const blocks = block.exec(blank);
  if (blocks !== null) found.push({ start: blocks.index, end: blocks.index + blocks[0].length, remedy: noBlocks });
  return found.toSorted((left, right) => left.start - right.start)[0];
}

/** `={{$context.name}}` and `=Hello {{$context.name}}`, but neither a rule of signs nor a formula of a spreadsheet. */
const isOfN8n = (text: string): boolean => /^=(?:\{\{|(?!\w{1,20}\()[\p{L}¡¿])/u.test(text) && isTemplate(text);

function readNotation(text: string, match: RegExpExecArray, sure: Sureness, known: () => KnownNames): ForeignNotation | undefined {
  const { name = '', pipe = '' } = match.groups ?? {};
  const [start, end] = [match.index, match.index + match[0].length];
  const isLoose = match[0].startsWith('{ ') && (/[:;=-]$/.test(text.slice(Math.max(0, start - 1), start)) || isInBraces(text, start));
  if (isLoose || isQuotedCode(text, start, end) || isWord.test(name) || isScopeName(match[0])) return undefined;
  const variable = findVariable(name, known());
  const [, fallback] = /^\s*(?:\|{1,2}|\?\?)\s*(?:default\s?[:(]\s?)?("[^"]*"|'[^']*'|-?\d+(?:\.\d+)?)/.exec(pipe) ?? [];
  const isChoice = pipe !== '' && fallback === undefined && match[0].startsWith('{'); // {red|green}: one of them is drawn
  if (variable === undefined && (sure === 'known' || isChoice)) return undefined;
  const value = variable ?? findMeantPlace(name.replaceAll('?.', '.'));
  if (value === undefined) return { start, end, remedy: 'a value is written {{$context.name}}' };
  const changed = fallback === undefined ? findNotation(value, pipe.trim()) : undefined;
  if (changed !== undefined) return { start, end, remedy: changed };
  const written = fallback === undefined ? value : `${value} ?? ${fallback}`;
  const replacement = fallback === undefined && variable === undefined ? `{{${value} ?? ""}}` : `{{${written}}}`;
  return { start, end, remedy: `write {{${written}}}`, replacement };
}

/** Words of programs that stand alone in braces. */
const isWord = /^(?:true|false|null|undefined|return|break|continue|pass|if|else|endif|endfor|end)$/i;

/** The place of a parameter in a template of a provider. */
const numbered = /\{\{\s?\d{1,2}\s?\}\}/;
const readPlace = ({ 0: written, index: start }: RegExpExecArray): ForeignNotation => ({
  start,
  end: start + written.length,
  says: 'is this number, and not the value of a parameter',
  remedy: 'a value is written {{$context.name}}, and a template is sent by a template node',
});

/** Whether it stands between backticks, as code does. */
const isQuotedCode = (text: string, start: number, end: number): boolean =>
  text.indexOf('`', end) >= 0 && (text.slice(0, start).split('`').length - 1) % 2 === 1;

/** Whether a brace before it is still open: `{ orders { id } }`. */
const isInBraces = (text: string, start: number): boolean => {
  const before = text.slice(Math.max(0, start - 1_000), start);
  return before.split('{').length > before.split('}').length;
};

/** The variable that a name of another product most likely is here; `undefined` for one that nobody knows. */
function findVariable(written: string, known: KnownNames): string | undefined {
  const [head = '', ...steps] = written
    .replace(/^\$/, '')
    .replaceAll('?.', '.')
    .split(/\.(?!\[)/);
  const rest = steps.join('.');
  const scope = `$${head.toLowerCase()}`;
  if (isScopeName(scope)) return rest === '' ? alone[scope] : below(scope, rest);
  const other = findScope(head);
  if (other === '$user' && rest !== '') return below(other, rest);
  const [last = ''] = steps.slice(-1);
  const own = known.get((rest === '' ? head : last).toLowerCase());
  if (own !== undefined) return own;
  if (rest !== '' && known.has(head.toLowerCase())) return `${known.get(head.toLowerCase()) ?? `$context.${head}`}.${rest}`;
  if (other === undefined) return undefined;
  if (!other.includes('.') && rest !== '') return other === '$now' ? undefined : below(other, rest);
  return rest === '' ? (other.includes('.') ? other : alone[other]) : undefined;
}

/** A part of a scope; of the scopes that Hilo fills, the field that is called so there. */
function below(scope: string, rest: string): string | undefined {
  const fields = filledFields[scope];
  const [first = '', ...more] = rest.split('.');
  if (fields === undefined || fields.includes(first)) return `${scope}.${rest}`;
  const field = (scope === '$user' ? userFields.get(first.replaceAll('_', '').toLowerCase()) : undefined) ?? findNearestName(first, fields);
  return field === undefined || more.length > 0 ? undefined : `${scope}.${field}`;
}
