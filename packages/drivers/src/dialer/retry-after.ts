/**
 * How long an answer asks its caller to wait (RFC 9110, 10.2.3).
 *
 * @param value - the header `Retry-After`: seconds, or a date
 * @returns milliseconds, never below zero; `undefined` where the header is absent or says nothing
 */
export function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const atMs = /^[A-Z][a-z]{2},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
