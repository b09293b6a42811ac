// The columns of a CSV of contacts: read of its first line, and what each probably means.
import type { ContactField } from './contact-fields.ts';

/** What a column may be, beside the fields of the company. */
export const ownColumns = ['phone', 'id', 'bsuid', 'names', 'locale', 'timeZone', 'groups', 'consent'] as const;

/** The first line is read of so many characters. */
export const headChars = 100_000;

const separators = [',', ';', '\t', '|'] as const;

/** The names of the columns: those of the first line, as far as a quote does not hold it open. */
export function readHeader(head: string): readonly string[] {
  const text = head.replace(/^\uFEFF/, '');
  const outside: string[] = [];
  let [isQuoted, end] = [false, text.length];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === '\n' || char === '\r')) {
      end = at;
      break;
    } else if (!isQuoted) outside.push(char);
  }
  const counts = separators.map((one) => outside.filter((char) => char === one).length);
  const separator = separators[counts.indexOf(Math.max(...counts))] ?? ',';
  return readFields(text.slice(0, end), separator).map((name) => name.trim());
}

/** The fields of a line: a quote in quotes is doubled, as the service reads it, so that a name is the same there. */
function readFields(line: string, separator: string): readonly string[] {
  const fields: string[] = [];
  let [field, isQuoted] = ['', false];
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? '';
    if (char === '"' && isQuoted && line[at + 1] === '"') {
      field += char;
      at += 1;
    } else if (char === '"') isQuoted = !isQuoted;
    else if (char === separator && !isQuoted) {
      fields.push(field);
      field = '';
    } else field += char;
  }
  return [...fields, field];
}

/** Names of columns as people have them, without accents. */
const usual: { readonly [name in (typeof ownColumns)[number]]: RegExp } = {
  phone: /^(?:phone|phone ?number|mobile|cell|whatsapp|telefono|celular|movil|numero|telefone)$/,
  id: /^(?:id|user ?id|usuario)$/,
  bsuid: /^bsuid$/,
  names: /^(?:names?|full ?name|nombres?|nombre completo|nome)$/,
  locale: /^(?:locale|language|idioma|lengua)$/,
  timeZone: /^(?:time ?zone|zona horaria|huso horario)$/,
  groups: /^(?:groups?|grupos?)$/,
  consent: /^(?:consent|consentimiento|marketing)$/,
};

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[_\-.]/g, ' ')
    .trim();

/** What each column probably is, by its place: nothing is meant twice, and an unknown one is left out. */
export function guessColumns(header: readonly string[], fields: readonly ContactField[]): readonly string[] {
  const taken = new Set<string>();
  return header.map((column) => {
    const name = plain(column);
    const field = fields.find(({ key, label }) => plain(key) === name || (label !== undefined && plain(label) === name));
    const own = ownColumns.find((one) => one.toLowerCase() === column.toLowerCase() || usual[one].test(name));
    const found = field?.key ?? own ?? '';
    if (found === '' || taken.has(found) || !isMappable(column)) return '';
    taken.add(found);
    return found;
  });
}

/** What joins the parts of a map is no part of a name in it. */
export const isMappable = (column: string): boolean => column !== '' && !/[,=]/.test(column);

/** What the columns mean, as the service is told; empty where none means anything. */
export const writeMap = (header: readonly string[], meanings: readonly string[]): string =>
  header.flatMap((column, place) => (meanings[place] ? [`${meanings[place]}=${column}`] : [])).join(',');

/** Whether a column says who a row is of. */
export const saysWho = (meanings: readonly string[]): boolean => meanings.some((one) => one === 'phone' || one === 'id' || one === 'bsuid');
