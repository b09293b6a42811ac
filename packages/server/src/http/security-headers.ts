/** What every answer says to a browser, unless it has a reason to say otherwise: nothing here is to be run, framed or kept (T20). */
export const securityHeaders: readonly (readonly [string, string])[] = Object.entries({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});
