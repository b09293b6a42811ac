/**
 * How long an answer asks its caller to wait (RFC 9110, 10.2.3).
 *
 * @param value - the header `Retry-After`: seconds, or a date in one of the three forms that HTTP knows (5.6.7)
 * @returns milliseconds, never below zero; `undefined` where the header is absent or says nothing
 */
export function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // All of them are in UTC, though the oldest does not say so.
  const atMs = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)
    ? Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`)
    : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
