import { isJsonObject, type Json, JsonObject } from '@hilo/engine/contract';
import { type RouteConfig, z } from '@hono/zod-openapi';

/** A body in JSON whose form a schema says. */
export interface JsonContent<Schema extends z.ZodType> {
  readonly description: string;
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}

/** The body of a request. */
export type BodyContent = NonNullable<NonNullable<RouteConfig['request']>['body']>;

/** A body of any type, or an answer without one. */
export type OtherContent = RouteConfig['responses'][string];

/** A response with a JSON body, for the description of the interface. */
export const jsonResponse = <Schema extends z.ZodType>(description: string, schema: Schema): JsonContent<Schema> => ({
  description,
  content: { 'application/json': { schema } },
});

/** The body of a simple error (ERR-07). */
export const ErrorBody = z.object({ error: z.string(), message: z.string() }).openapi('Problem');

/** What a route answers that is of one user or execution, where cells divide them. */
export const otherCell = {
  421: {
    ...jsonResponse('This user or execution belongs to another cell (--cell): X-Hilo-Cell names it; nothing was done', ErrorBody),
    headers: { 'X-Hilo-Cell': { description: 'The cell to ask', schema: { type: 'string' as const, examples: ['b'] } } },
  },
};

const Languages = z.record(z.string(), z.string());

/** The body of a full error (ERR-01, ERR-05). */
export const FullError = z
  .object({
    message: z.union([z.string(), z.array(z.string())]),
    statusMessage: z.string(),
    status: z.int().openapi({ description: '0 for a failure; not the HTTP status' }),
    error: z.object({
      code: z.string(),
      key: z.string(),
      description: z.string(),
      developerMessages: Languages,
      clientMessages: Languages,
    }),
    validationError: z.record(z.string(), z.array(Languages)),
  })
  .openapi('FullError');

/** A body that is described by its schema but checked by its own reader, which reports more. */
export const jsonBody = (description: string, schema: object = { type: 'object' }) => ({
  description,
  content: { 'application/json': { schema } },
});

/** The same for a reader that refuses unknown fields, here and in the objects within whose fields are listed. */
export const closedBody = (description: string, schema: JsonObject) => jsonBody(description, closeObjects(schema));

/** The fields of a closed object with their types: what is inside them is described elsewhere. */
export function outlineOf(schema: z.ZodObject): JsonObject {
  const { properties, required = [] } = JsonObject.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  const fields = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, field]) =>
    isJsonObject(field) ? [[name, outlineField(field)] as const] : [],
  );
  return { type: 'object', required, properties: Object.fromEntries(fields) };
}

function outlineField({ type = 'object', description = '', examples = [] }: JsonObject): JsonObject {
  return { type, ...(description !== '' && { description, examples }), ...(type === 'array' && { items: { type: 'object' } }) };
}

/** Says of each object schema that lists its fields that it has no other ones. */
function closeObjects(schema: JsonObject): JsonObject {
  const within = Object.entries(schema).map(([key, part]) => [key, closePart(part)] as const);
  return { ...Object.fromEntries(within), ...(isJsonObject(schema['properties']) && { additionalProperties: false }) };
}

function closePart(part: Json): Json {
  if (Array.isArray(part)) return part.map(closePart);
  return isJsonObject(part) ? closeObjects(part) : part;
}
