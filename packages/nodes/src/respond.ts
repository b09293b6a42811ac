import { defineNode, fail, leave, perform, ValueTemplate } from '@hilo/engine/contract';
import { z } from 'zod';
import { HeaderValue, isHeaderValue } from './api/config.ts';
import { respondWebhook } from './effects/respond-webhook.ts';

/** Headers that say how the answer travels: the server's own to set. */
const transportHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/, 'A header name has letters, digits and "-"')
  .refine((name) => !transportHeaders.has(name.toLowerCase()), { error: 'This header is set by the server; leave it out' });

/** Answers the request of a webhook with `respond: "onFinish"` (WEB-24). The execution goes on. */
export const respond = defineNode({
  type: 'respond',
  config: z.strictObject({
    status: z.int().min(200).max(599).default(200),
    headers: z.record(HeaderName, HeaderValue).default({}),
    body: ValueTemplate.optional(),
  }),
  visual: {
    label: 'Respond',
    category: 'integration',
    icon: 'reply',
    colour: '#0d9488',
    description: 'Answers the system that called the webhook, with a status and a body of your own.',
    summary: ({ status = 200 }) => `Status ${status}`,
    formHints: { body: 'expression', headers: 'expression' },
  },
  facts: { needs: 'a webhook called with `respond: "onFinish"`' },
  ports: ['next'],
  optionalPorts: ['error'],
  run({ config: { status, body, ...config }, variables }) {
    const headers = Object.fromEntries(Object.entries(config.headers).map(([name, text]) => [name, text(variables)]));
    const broken = Object.keys(headers).find((name) => !isHeaderValue(headers[name] ?? ''));
    if (broken !== undefined)
      return fail('INVALID_HEADER', `The value of header "${broken}" has a line break or another character that no header can have`);
    return perform(respondWebhook({ status, headers, body: body?.(variables) ?? null }), () => leave('next'));
  },
});
