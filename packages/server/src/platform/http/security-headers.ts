/** What every answer says to a browser, unless it has a reason to say otherwise: nothing here is to be run, framed or kept (T20). */
export const securityHeaders: readonly (readonly [string, string])[] = Object.entries({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});

/**
 * What every answer to the holder of an API key says to caches, whatever else it says: an address of a webhook names no company, so that a
 * shared cache would give one company's answer to another (P28).
 */
export const keyedAnswerHeaders: readonly (readonly [string, string])[] = [
  ['cache-control', 'private, no-store'],
  ['vary', 'x-api-key'],
];
