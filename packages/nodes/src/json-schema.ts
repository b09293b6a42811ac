import { z } from 'zod';

/** The schema of a text that is an expression, for a field that takes one in place of its own kind of value. */
export const expressionSchema = { type: 'string', pattern: String.raw`\{\{[\s\S]*\}\}`, description: 'An {{expression}}' } as const;

/** In place of the pattern of zod, which has 200 characters. */
const shortDate = String.raw`^\d{4}-\d{2}-\d{2}$`;

/** What an editor offers and checks where a value has one of some forms, or is an expression: for the `meta` of a field. */
export const orExpression = (...forms: readonly z.core.JSONSchema.JSONSchema[]): { readonly anyOf: z.core.JSONSchema.JSONSchema[] } => ({
  anyOf: [...forms, expressionSchema],
});

/**
 * JSON Schema, draft 2020-12, of what an author writes. zod leaves out the examples of fields whose texts are compiled, since those of
 * a value would not be those of its text; here all examples are texts.
 */
export const authoredSchema = (schema: z.ZodType, options: z.core.ToJSONSchemaParams = {}) =>
  z.toJSONSchema(schema, {
    ...options,
    io: 'input',
    override(context) {
      const { examples } = z.globalRegistry.get(context.zodSchema) ?? {};
      if (Array.isArray(examples)) context.jsonSchema.examples ??= examples;
      if (context.jsonSchema.format === 'date') context.jsonSchema.pattern = shortDate; // an editor shows it
      // A field that says which forms it takes is not any value besides.
      if (context.jsonSchema.anyOf !== undefined) delete context.jsonSchema.$ref;
      options.override?.(context);
    },
  });
