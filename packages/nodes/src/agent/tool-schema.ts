/** The inputs of a tool of an MCP server: the JSON Schema that the server listed when the author added the tool. */
import { isJsonObject, type Json, JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { describeProblem, keepChecked } from '../ai-task/output-schema.ts';

/** A pinned schema: a run lists no tools, so that a server cannot change what an agent may do. */
export interface ToolSchema {
  readonly source: JsonObject;
  /** The inputs that the schema names. */
  readonly names: readonly string[];
  /**
   * Why a value is invalid, or `undefined`. What is not checked here, such as patterns, the server checks itself.
   *
   * @param fixed - inputs that the author fills in, and the value must not have
   */
  problem(value: JsonObject, fixed: readonly string[]): string | undefined;
}

const maxSchemaChars = 16_384;

export const ToolSchema = JsonObject.meta({ description: 'The JSON Schema of the inputs, as the server lists it' }).transform(
  (source, context): ToolSchema => {
    if (JSON.stringify(source).length > maxSchemaChars || (source['type'] ?? 'object') !== 'object') {
      const message = `The inputs of a tool are an object: a schema with "type": "object", of at most ${maxSchemaChars} characters`;
      context.addIssue({ code: 'custom', path: [], message });
      return z.NEVER;
    }
    const properties = source['properties'] ?? {};
    let compiled: { readonly key: string; readonly schema: z.ZodType } | undefined;
    return {
      source,
      names: isJsonObject(properties) ? Object.keys(properties) : [],
      problem(value, fixed) {
        const filled = fixed.find((name) => Object.hasOwn(value, name));
        if (filled !== undefined) return `"${filled}" is filled in already: leave it out.`;
        const key = fixed.join('\0');
        if (compiled?.key !== key) compiled = { key, schema: compile(withoutInputs(source, fixed)) };
        return describeProblem(compiled.schema.safeParse(value));
      },
    };
  },
);

/** A schema that cannot be compiled accepts any object: the server has the last word. */
function compile(source: JsonObject): z.ZodType {
  const kept = keepChecked(source);
  try {
    return z.fromJSONSchema(isJsonObject(kept) ? kept : {});
  } catch {
    return z.record(z.string(), z.unknown());
  }
}

/** A schema as a model sees it: without the inputs that it does not choose. */
export function withoutInputs(source: JsonObject, fixed: readonly string[]): JsonObject {
  const { properties, required, ...others } = source;
  const isChosen = (name: Json): boolean => typeof name === 'string' && !fixed.includes(name);
  return {
    ...others,
    type: 'object',
    ...(properties !== undefined &&
      isJsonObject(properties) && { properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isChosen(name))) }),
    ...(Array.isArray(required) && { required: (required as readonly Json[]).filter(isChosen) }),
  };
}
