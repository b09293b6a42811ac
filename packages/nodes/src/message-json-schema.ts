import { isJsonObject, type Json, JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { StrictMessage } from './messages/message.ts';

const Expression: JsonObject = { type: 'string', pattern: String.raw`\{\{`, description: 'An {{expression}}' };

/**
 * The kinds of a message in a canvas as JSON Schemas, for editors and forms: those of {@link StrictMessage}, where besides an
 * expression may stand for a list, an object or a choice. Only the message's type is always written out: it chooses the form.
 */
export function messageVariants(): readonly Json[] {
  const { oneOf } = JsonObject.parse(z.toJSONSchema(StrictMessage, { io: 'input' }));
  const variants = Array.isArray(oneOf) ? oneOf.map((variant: Json) => withExpressions(variant, ['type'])) : [];
  return [...variants, Expression];
}

/** A schema whose inner schemas take expressions, but for the fields named. */
function withExpressions(schema: Json, except: readonly string[] = []): Json {
  if (!isJsonObject(schema)) return schema;
  const { properties, items } = schema;
  const open = ([field, inner]: [string, Json]) => [field, except.includes(field) ? inner : orExpression(inner)] as const;
  return {
    ...schema,
    ...(isJsonObject(properties) ? { properties: Object.fromEntries(Object.entries(properties).map(open)) } : {}),
    ...(items === undefined ? {} : { items: orExpression(items) }),
  };
}

/**
 * A text takes an expression as it is; so does what is a number or a flag (`anyOf`), and a constant needs none. The description
 * stays at the field, where editors and forms look for it.
 */
function orExpression(schema: Json): Json {
  if (!isJsonObject(schema) || 'const' in schema || 'anyOf' in schema) return schema;
  if (schema['type'] === 'string' && !('enum' in schema)) return schema;
  const { description, ...form } = schema;
  return { ...(description !== undefined && { description }), anyOf: [withExpressions(form), Expression] };
}
