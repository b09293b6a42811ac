// Colours, JSON and numbers, as the command line prints them.
import { styleText } from 'node:util';
import { escapeUnseen, seenText } from '@hilo/engine/contract';

type Format = Parameters<typeof styleText>[0];

/** Colours a text where the reader wants colours: on a terminal, unless `NO_COLOR` is set; `FORCE_COLOR` insists. */
export type Paint = (format: Format, text: string) => string;

/** Colours for one stream: each may or may not be a terminal. */
export const painter =
  (stream: NodeJS.WriteStream): Paint =>
  (format, text) =>
    styleText(format, text, { stream });

/** Prints a value as indented JSON on standard output, for programs. */
export const printJson = (value: unknown): void => void process.stdout.write(`${toSafeJson(value, 2)}\n`);

/** JSON that means the same, in which what a terminal would obey and what nobody sees is escaped. */
export const toSafeJson = (value: unknown, indent = 0): string => escapeUnseen(JSON.stringify(value, null, indent));

/** A number with the name of what it counts, given in the plural: `1 company`, `2 companies`. */
export const formatCount = (number: number, plural: string): string => `${number} ${number === 1 ? makeSingular(plural) : plural}`;

/** The singular of a regular plural. */
export const makeSingular = (plural: string): string => plural.replace(/ies$/, 'y').replace(/s$/, '');

/** The width of the terminal in characters, between 40 and 140; 100 when there is no terminal. */
export const getColumns = (stream: NodeJS.WriteStream): number => Math.max(40, Math.min(stream.columns ?? 100, 140));

/** The same for a table: where there is no terminal each row is one line, as programs that search it want it. */
export const getTableColumns = (stream: NodeJS.WriteStream): number => (stream.columns === undefined ? 10_000 : getColumns(stream));

/**
 * A text that cannot control the terminal and is as it looks: control characters, those that change the direction of writing, and those
 * that nobody sees become visible signs. Line breaks and tabs become blanks.
 */
export const printable = (text: string): string =>
  seenText(text, '\ufffd')
    .replace(/[\t\n\r\u2028\u2029]/g, ' ')
    .replace(control, visibleSign);

/** The same for a text of several lines. */
export const printableLines = (text: string): string =>
  seenText(text, '\ufffd')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, '  ')
    .replace(controlExceptBreak, visibleSign);

// Control characters, and the marks that make a line read otherwise than it is.
const control = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const controlExceptBreak = /[^\P{Cc}\n]|[\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The picture of a control character from Unicode's own table of them; for others the sign for what cannot be shown. */
const visibleSign = (char: string): string => {
  const code = char.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
};
