// What nodes have in common that a third party may resume by the address of `resumeUrl`.
import { Duration, type TimedDuration, type WebhookData, type WebhookRequest } from '@hilo/engine/contract';
import { z } from 'zod';

/** Fields of a node that waits for a call. */
export const callbackFields = {
  confirm: z.boolean().default(false).meta({
    description:
      'Whether the address of resumeUrl() shows a page that asks for a confirmation where a browser opens it: programs that scan mails open every link',
  }),
  expires: Duration.optional().meta({
    description: 'How long an address of resumeUrl() is of use; 30 days, or as long as the wait where that is longer, when left out',
  }),
};

const defaultLifeMs = 30 * 86_400_000;

/** How long an address is of use, in milliseconds. */
export const lifeOf = (expiresMs: number | undefined, timeout: TimedDuration | undefined): number =>
  expiresMs ?? Math.max(defaultLifeMs, typeof timeout === 'number' ? timeout : 0);

/** The names of a variable that keeps a call. */
export const callNames: readonly (keyof WebhookData)[] = ['body', 'headers', 'query', 'method', 'mode', 'executionId', 'isNewExecution'];

/** The value of a variable that keeps a call. */
export const writeCallData = ({ body, headers, query, method }: WebhookRequest, executionId: string): WebhookData => ({
  body,
  headers: dropSecretHeaders(headers),
  query,
  method,
  mode: 'resume',
  executionId,
  isNewExecution: false,
});

/** Headers with credentials, also those for this service: left out of variables, which are stored and shown (VAR-03). */
const secretHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'set-cookie',
  'x-api-key',
  'x-service-token',
]);

/** The headers of a request by lower-case name, without those that hold credentials. */
export function dropSecretHeaders(headers: WebhookRequest['headers']): WebhookRequest['headers'] {
  const kept: { [name: string]: string } = {};
  for (const name of Object.keys(headers)) {
    const key = name.trim().toLowerCase();
    if (!secretHeaders.has(key)) kept[key] = headers[name] ?? '';
  }
  return kept;
}
