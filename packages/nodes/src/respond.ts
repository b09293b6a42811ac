import { compileAddress, defineNode, fail, isAnswerHeader, leave, perform, type TextTemplate, ValueTemplate } from '@hilo/engine/contract';
import { z } from 'zod';
import { HeaderName, HeaderValue, isHeaderValue } from './api/config.ts';
import { respondWebhook } from './effects/respond-webhook.ts';
import { renderFields } from './render-fields.ts';

/** The values of these headers are addresses, behind whose host values are percent-encoded. */
const readHeader = (name: string, value: TextTemplate): TextTemplate =>
  /^(?:content-)?location$/i.test(name) ? compileAddress(value.source) : value;

/** Answers the request of a webhook with `respond: "onFinish"` (WEB-24). The execution continues. */
export const respond = defineNode({
  type: 'respond',
  config: z.strictObject({
    status: z.int().min(200).max(599).default(200).meta({ description: 'The HTTP status of the answer' }),
    headers: z
      .record(HeaderName, HeaderValue)
      .default({})
      .meta({ description: 'Headers of the answer, by name' })
      .transform((headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, readHeader(name, value)]))),
    body: ValueTemplate.optional().meta({ description: 'The body: a text as it is, anything else as JSON; none, when left out' }),
  }),
  visual: {
    label: 'Respond',
    category: 'integration',
    icon: 'reply',
    colour: '#0d9488',
    description: 'Answers the system that called the webhook, with your own status and body.',
    summary: ({ status = 200 }) => `Status ${status}`,
    formHints: { body: 'expression', headers: 'expression' },
  },
  facts: {
    needs: 'a webhook called with `respond: "onFinish"`',
    limits: 'headers: Content-Type, Content-Disposition, Location and the like, and names that begin with "X-"',
  },
  ports: ['next'],
  optionalPorts: ['error'],
  effects: [respondWebhook],
  run({ config, variables }) {
    const { status, body } = config;
    const headers = renderFields(config.headers, variables);
    const broken = Object.keys(headers).find((name) => !isHeaderValue(headers[name] ?? ''));
    if (broken !== undefined)
      return fail('INVALID_HEADER', `The value of header "${broken}" has a line break or another character that no header can have`);
    return perform(respondWebhook({ status, headers, body: body?.(variables) ?? null }), () => leave('next'));
  },
  check: ({ headers }) =>
    Object.keys(headers)
      .filter((name) => !isAnswerHeader(name))
      .map((name) => ({
        code: 'INVALID_CONFIG',
        severity: 'error',
        message: `A canvas does not set the header "${name}": it speaks for the connection, for caches, or for the whole host`,
        hint: 'Leave the header out. Content-Type, Content-Disposition, Location and the like may be set, and names of your own that begin with "X-".',
        at: ['headers', name],
      })),
});
