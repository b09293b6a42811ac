// Which headers of an answer the author of a canvas may set: one rule for the check, for hosts and for the service.

/** The headers that a canvas may set on its response. */
const answerHeaders: ReadonlySet<string> = new Set([
  'allow',
  'content-disposition',
  'content-language',
  'content-type',
  'etag',
  'last-modified',
  'location',
  'retry-after',
]);

/** Names with "x-" are the author's own, except those that browsers, proxies and this service and its callers act upon. */
const actedUponHeaders =
  /^x-(?:accel-|amz-|cache|cdn-|content-|dns-|download-options|envoy-|forwarded|frame-options|hilo-|http-method|litespeed-|lighttpd-|middleware-|original-|permitted-|powered-by|real-ip|request-id|reproxy-|rewrite-|robots-tag|sendfile|ua-compatible|varnish|webkit-|xss-)/;

/**
 * Whether a canvas may set this header of an answer. Every other one is refused: they speak for the whole origin, which
 * companies share (`Strict-Transport-Security`, `Access-Control-Allow-Origin`, cookies), for caches, or for the connection (T20, P28).
 */
export function isAnswerHeader(name: string): boolean {
  const known = name.toLowerCase();
  return answerHeaders.has(known) || (known.startsWith('x-') && !actedUponHeaders.test(known));
}
