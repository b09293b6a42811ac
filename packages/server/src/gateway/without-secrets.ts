import type { Json, WebhookRequest } from '@hilo/engine/contract';
import type { Redact } from '../http/redact.ts';

/**
 * A request without the secrets that its headers and its query have in places where nobody looks for them: what is kept of
 * it is shown to people and to other systems (P31).
 */
export const withoutSecrets = ({ headers, query, ...request }: WebhookRequest, redact: Redact): WebhookRequest => ({
  ...request,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)])),
  query: Object.fromEntries(Object.entries(query).map(([name, value]) => [redact(name), redacted(value, redact)])),
});

/** A parameter is a text, or a list of texts. */
function redacted(value: Json, redact: Redact): Json {
  if (typeof value === 'string') return redact(value);
  return Array.isArray(value) ? value.map((item: Json) => redacted(item, redact)) : value;
}
