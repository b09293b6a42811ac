import { z } from 'zod';

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
      options.override?.(context);
    },
  });
