import type { JsonObject } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { invalidRequest } from '../platform/http/refusal.ts';
import type { Bot } from '../tenants/companies.ts';
import { checkBotId, readUserId } from '../messages/read-send.ts';

const line = (name: string) =>
  z.string(`"${name}" must be a text that is not empty`).refine((text) => text.trim() !== '', `"${name}" must be a text that is not empty`);

/** The body of `POST …/template-messages`, beside its `userId` (TPL-02 to TPL-06). */
const Fields = z.object({
  type: z.literal('template', '"type" must be "template"'),
  templateId: line('templateId'),
  parameters: z
    .record(
      z.string(),
      z.union([z.string(), z.number().transform(String)], 'A parameter is a text or a number'),
      '"parameters" must be an object of names and values',
    )
    .default({}),
  botId: line('botId').optional(),
});

/** The body, for the description of the interface. */
export const TemplateSend = z
  .object({
    type: z.literal('template'),
    templateId: z.string().min(1),
    userId: z.string(),
    parameters: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    botId: z.string().optional(),
  })
  .openapi('TemplateSend');

interface ReadTemplateSend {
  readonly userId: string;
  readonly templateId: string;
  readonly parameters: { readonly [name: string]: string };
}

/**
 * Judges the body of a request to send a template by its fields alone: the recipient first, as for a message (GEN-09).
 *
 * @throws {Refusal} 400 with the code of the first thing that is wrong (ERR-30)
 */
export function readTemplateSend(body: JsonObject, bot: Bot): ReadTemplateSend {
  const userId = readUserId(body['userId'], bot);
  const { data, error } = Fields.safeParse(body);
  if (data === undefined) throw invalidRequest(error.issues[0]?.message ?? 'The body is no template message');
  checkBotId(data.botId, bot);
  return { userId, templateId: data.templateId, parameters: data.parameters };
}
