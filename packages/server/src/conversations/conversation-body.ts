import { isJsonObject, type JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { parseJson } from '../platform/http/parse-json.ts';
import { invalidInput, invalidRequest } from '../platform/http/refusal.ts';
import { isPlain } from '../tenants/workspace/fields.ts';

/** @throws {Refusal} 400 for what is no JSON object; nothing is an empty one */
export function objectIn(text: string): JsonObject {
  const value = text.trim() === '' ? {} : parseJson(text);
  if (!isJsonObject(value)) throw invalidRequest('The body is not a JSON object');
  return value;
}

/** @throws {Refusal} 400 for what is no JSON object, 422 for fields that break a rule */
export function bodyOf<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const { data, error } = schema.safeParse(objectIn(text));
  if (error !== undefined) throw invalidInput(error);
  return data;
}

const Text = (field: string, most: number) =>
  z
    .string(`${field} is a text`)
    .trim()
    .min(1, `${field} is empty`)
    .max(most, `${field} is longer than ${most} characters`)
    .refine(isPlain, `${field} holds NUL or half a character`);
const Number = (field: string) => z.int(`${field} is a whole number`).positive(`${field} is above zero`);

const wanted = { operatorId: Number('operatorId').optional(), teamId: Number('teamId').optional() };

/** An operator begins a conversation. */
export const OpenBody = z.object({
  botId: Text('botId', 128),
  // Exactly as it is written: whether it is one, the bot says (UID-03).
  userId: z.string('userId is a text').min(1, 'userId is empty').max(256, 'userId is longer than 256 characters'),
  ...wanted,
  origin: Text('origin', 500).default('induced_by_operator'),
});

/** Who is to go on with a conversation. */
export const WantedBody = z
  .object(wanted)
  .refine(({ operatorId, teamId }) => operatorId !== undefined || teamId !== undefined, 'give "operatorId", "teamId" or both');

/** Why a conversation ends. Reasons are anybody's words (CON-15). */
export const EndBody = z.object({ reason: Text('reason', 500).optional() });
