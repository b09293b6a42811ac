/** A number as people write it, and what they put around it: a sign, a currency before or behind. */
const written = /^([+-]?)\s*(?:(?:[A-Za-z]{0,3}\p{Sc}|([A-Za-z]{3})|S\/\.?)\s*)?([+-]?)(\d[\d.,'’\s]*)(?:\s*(?:\p{Sc}|([A-Za-z]{3})))?$/u;

/** Codes such as `USD`. */
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const isCurrency = (code: string): boolean => currencies.has(code.toUpperCase());

/** `1,200.50` and `1.200,50`: what separates thousands, and what the fraction. */
const readings = {
  point: { whole: /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/, thousands: ',', decimal: '.' },
  comma: { whole: /^(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d+)?$/, thousands: '.', decimal: ',' },
} as const;

/**
 * The number that a person has written: `$120`, `120 USD`, `1,200.50`, `1.200,50`, `1 200,50`. Read as the locale has it where it can
 * be; without a locale, and where the locale has no such number, as the one number that it can be.
 *
 * @returns `undefined` for what is none, may be two, or has more than 15 digits (VAR-08)
 */
export function numberOfPeople(text: string, locale: string | undefined): number | undefined {
  const [, first = '', before, second = '', body = '', behind] = written.exec(text.trim()) ?? [];
  if ([before, behind].some((code) => code !== undefined && !isCurrency(code))) return undefined;
  const digits = withoutBlanks(body.trim());
  if (digits === undefined || digits.replace(/\D/g, '').length > 15 || (first !== '' && second !== '')) return undefined;
  const value = magnitude(digits, locale);
  return value === undefined ? undefined : (first === '-' || second === '-' ? -value : value) + 0; // minus zero is zero
}

/** Blanks and apostrophes separate thousands whatever the locale, and then nothing else does. */
function withoutBlanks(body: string): string | undefined {
  if (!/['’\s]/.test(body)) return body === '' ? undefined : body;
  return /^[1-9]\d{0,2}(?:['’\s]\d{3})+(?:[.,]\d+)?$/.test(body) ? body.replace(/['’\s]/g, '').replace(',', '.') : undefined;
}

function magnitude(digits: string, locale: string | undefined): number | undefined {
  const usual = locale === undefined ? undefined : readAs(digits, decimalOf(locale) === ',' ? 'comma' : 'point');
  if (usual !== undefined) return usual;
  const [point, comma] = [readAs(digits, 'point'), readAs(digits, 'comma')];
  if (point !== undefined && comma !== undefined && point !== comma) return undefined;
  return point ?? comma;
}

function readAs(digits: string, name: keyof typeof readings): number | undefined {
  const { whole, thousands, decimal } = readings[name];
  return whole.test(digits) ? Number(digits.replaceAll(thousands, '').replace(decimal, '.')) : undefined;
}

/** What separates the fraction in a locale; a point where the locale is unknown. */
function decimalOf(locale: string): string | undefined {
  try {
    return new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;
  } catch {
    return undefined;
  }
}
