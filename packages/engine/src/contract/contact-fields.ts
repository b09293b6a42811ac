// The fields that a company declares for its contacts: what a value of each type is, wherever it is written.
import type { Json } from './json.ts';

/** The types of fields. */
export const contactFieldTypes = ['text', 'number', 'bool', 'date', 'list'] as const;

/** A field that a company declares for its contacts. */
export interface ContactField {
  readonly key: string;
  readonly label: string;
  readonly type: (typeof contactFieldTypes)[number];
  /** The values that it may have. */
  readonly options?: readonly string[] | undefined;
  /** Whether it tells something of the person that is theirs alone. */
  readonly isPersonal?: boolean | undefined;
}

/** So many fields a company declares at most, and so many characters a value of one has. */
export const contactFieldLimits = { fields: 100, chars: 1_000 } as const;

/** A date of the calendar, such as 2026-02-28. */
function isDate(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : (daysOfMonths[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isShort = (text: string): boolean => text.length <= contactFieldLimits.chars;

/** Why a value is none of a field; `undefined` where it is. */
export function contactFieldProblem(
  { key, type, options }: Pick<ContactField, 'key' | 'type' | 'options'>,
  value: Json,
): string | undefined {
  const refuse = (what: string): string => `"${key}" is ${what}`;
  const isChoice = (text: string): boolean => options === undefined || options.includes(text);
  const choices = (options ?? []).slice(0, 10).join(', ');
  switch (type) {
    case 'text':
      if (typeof value !== 'string' || !isShort(value)) return refuse(`a text of at most ${contactFieldLimits.chars} characters`);
      return isChoice(value) ? undefined : refuse(`one of ${choices}`);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? undefined : refuse('a number');
    case 'bool':
      return typeof value === 'boolean' ? undefined : refuse('true or false');
    case 'date':
      return typeof value === 'string' && isDate(value) ? undefined : refuse('a date such as 2026-12-31');
    case 'list':
      if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) return refuse('a list of texts');
      if (!isShort(value.join(''))) return refuse(`a list of at most ${contactFieldLimits.chars} characters together`);
      return value.every(isChoice) ? undefined : refuse(`a list of ${choices}`);
  }
}
