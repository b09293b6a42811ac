import { Duration } from '@hilo/engine/contract';

/**
 * A text on one line, which {@link lineToText} reverses: line breaks, other control characters, lone surrogates and blanks at either
 * end are escaped.
 *
 * @param reserved - first characters that have another meaning at the place of the text
 */
export function textToLine(text: string, reserved = ''): string {
  const escaped = text.replace(/[\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, (char) =>
    char === '\\' ? '\\\\' : char === '\n' ? '\\n' : unicodeEscape(char),
  );
  const framed = escaped.replace(/^\s|\s$/g, unicodeEscape);
  const first = framed.charAt(0);
  return first !== '' && reserved.includes(first) ? unicodeEscape(first) + framed.slice(1) : framed;
}

/** Reads what {@link textToLine} wrote. A backslash before anything else is a backslash. */
export const lineToText = (line: string): string =>
  line.replace(/\\(?:u([0-9a-f]{4})|(n)|\\)/g, (_escape, hex?: string, lineBreak?: string) =>
    hex !== undefined ? String.fromCharCode(Number.parseInt(hex, 16)) : lineBreak === undefined ? '\\' : '\n',
  );

const unicodeEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** Milliseconds of `2h`, `1d12h`, `+10s` or an ISO 8601 duration; `undefined` for anything else, and for zero or less. */
export function readDuration(text: string): number | undefined {
  const written = text.trim().replace(/^\+/, '');
  if (written.startsWith('P')) return Duration.safeParse(written).data;
  if (!/^(?:\d+(?:ms|[dhms]))+$/.test(written)) return undefined;
  let totalMs = 0;
  for (const [, amount, unit] of written.matchAll(/(\d+)(ms|[dhms])/g)) {
    totalMs += Number(amount) * (units.find(([name]) => name === unit)?.[1] ?? 0);
  }
  return totalMs > 0 && Number.isSafeInteger(totalMs) ? totalMs : undefined;
}

/** Milliseconds as `1d12h`; what {@link readDuration} reads. Parts of a millisecond are left out. */
export function writeDuration(durationMs: number): string {
  let restMs = Math.floor(durationMs);
  const parts = units.map(([unit, unitMs]) => {
    const amount = Math.floor(restMs / unitMs);
    restMs -= amount * unitMs;
    return amount === 0 ? '' : `${amount}${unit}`;
  });
  return parts.join('') || '0s';
}
