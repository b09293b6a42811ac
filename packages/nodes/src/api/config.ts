// The data of the node `api`, and what it keeps of an answer.
import {
  AddressTemplate,
  compileJson,
  type Failure,
  formatPath,
  getPath,
  isExpression,
  isJsonObject,
  type IsAddress,
  isTemplate,
  Json,
  type JsonTemplate,
  limits,
  parsePath,
  type Path,
  Template,
  TimedDuration,
  ValueTemplate,
  VariablePath,
  type Write,
} from '@hilo/engine/contract';
import { z } from 'zod';
import { isFileHandle } from '../effects/file-handle.ts';
import { HttpBodyKind, HttpFile, HttpMethod, HttpParts, HttpResponseType } from '../effects/http-request.ts';

/** A place in `{ status, headers, body }`. In the canvas a text, here its steps. */
const ResponsePath = z
  .string()
  .meta({ pattern: '^(status|headers|body)([.[].+)?$', examples: ['body.items[0].id', 'headers.etag'] })
  .transform((text, context): Path => {
    const path = parsePath(text);
    if (path !== undefined && ['status', 'headers', 'body'].includes(String(path[0]))) return path;
    context.addIssue(`"${text}" is no part of an answer; use status, headers.name or body.name`);
    return z.NEVER;
  });

/** Parts of an answer, and the variables that keep them. */
export const ResponseMapping = z
  .array(
    z.strictObject({
      path: VariablePath.meta({ description: 'The variable that keeps the part' }),
      from: ResponsePath.meta({ description: 'The part of the answer' }),
      default: Json.optional().meta({
        description: 'The value when the answer has no such part; without a default, the node leaves by "error"',
      }),
    }),
  )
  .min(1)
  .max(limits.assignments);
type ResponseMapping = z.output<typeof ResponseMapping>;

/** The writes of a mapping, or why there are none: then nothing of it is written. */
export function mapResponse(mapping: ResponseMapping, response: Json): readonly Write[] | Failure {
  const writes: Write[] = [];
  for (const { path, from, default: fallback } of mapping) {
    const found = getPath(response, from);
    const value = found === undefined ? fallback : found; // null is a value
    if (value === undefined) {
      const where = formatPath(from);
      return { cause: 'RESPONSE_MAPPING', message: `The answer has no "${where}", and the mapping no default`, details: { from: where } };
    }
    writes.push({ path, value });
  }
  return writes;
}

export const HeaderName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/, 'A header name has letters, digits and "-"');

/** Whether a text may be the value of a header: a line break from a user would begin another header. */
export const isHeaderValue = (text: string): boolean => !/[^\t\x20-\x7e\x80-\xff]/.test(text);

/** The value of a header; checked in the canvas when it has no expression. */
export const HeaderValue = Template.refine(({ source }) => isTemplate(source) || isHeaderValue(source), {
  error: 'The value has a line break or another character that no header can have',
});

/** The URL to call; checked in the canvas when it has no expression. */
export const CallAddress = AddressTemplate.refine(({ source }) => isTemplate(source) || HttpAddress.safeParse(source).success, {
  error: 'This is no address to call; write a whole one without user name or password, such as https://shop.example/orders',
});
/** Without user name and password, which belong in a credential. */
const HttpAddress = z.url({ protocol: /^https?$/ }).regex(/^[^/]*\/\/[^/?#@]*(?:[/?#]|$)/);

/** A reference to a secret, which a canvas never contains itself. */
export const CredentialReference = z.strictObject({
  credentialId: z
    .string()
    .min(1)
    .max(128)
    .meta({ description: 'The id of a credential of the company', examples: ['orders-basic'] }),
});

export const ApiConfig = z
  .strictObject({
    method: HttpMethod.default('GET').meta({ description: 'The HTTP method' }),
    url: CallAddress.meta({
      description:
        'The address to call, without user name or password; behind the host, the value of an expression is percent-encoded as one part of the path or the query',
      examples: ['https://orders.example.com/orders/{{$context.order}}'],
    }),
    query: z.record(z.string(), Template).default({}).meta({ description: 'Query parameters of the address, by name; they are encoded' }),
    headers: z
      .record(HeaderName, HeaderValue)
      .default({})
      .meta({ description: 'Headers of the request, by name; secrets belong in "auth"' }),
    bodyKind: HttpBodyKind.optional().meta({
      description:
        'How the body is sent, json by default; a file is named by its handle, such as {{$message.file}}, or by its address, and multipart is a form with files in it',
    }),
    body: ValueTemplate.optional().meta({
      description: 'The body of the request; of multipart the fields by name, in which a handle is the file',
    }),
    auth: CredentialReference.optional().meta({ description: 'The credential of the company that the call is made with' }),
    clientCertificate: CredentialReference.optional().meta({ description: 'The credential with the client certificate of the call' }),
    timeout: TimedDuration.optional().meta({ description: 'How long the call may take in all' }),
    successStatuses: z
      .array(z.int().min(100).max(599))
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'The statuses that count as success; 200 to 399, when left out' }),
    responseType: HttpResponseType.default('auto').meta({
      description:
        'How the answer is read: as JSON if it is JSON (auto), always as JSON, as text, or kept as a file of up to 25 MB unless it is JSON; its body is then a handle',
    }),
    saveAs: VariablePath.optional().meta({ description: 'Where the answer is kept: status, headers and body' }),
    responseMapping: ResponseMapping.optional().meta({ description: 'Parts of a success, each kept in a variable of its own' }),
  })
  .superRefine((config, context) => {
    const problem = checkAuthoredBody(chooseBodyKind(config), config.body?.source);
    if (problem !== undefined) context.addIssue({ code: 'custom', path: ['body'], message: problem });
  })
  .transform(({ body, ...config }) => ({
    ...config,
    body: takesFiles(config.bodyKind) && body !== undefined ? compileJson(body.source, isFileAddress) : body,
  }));
const takesFiles = (kind: HttpBodyKind | undefined): boolean => kind === 'file' || kind === 'multipart';
/** The address of a file that a body names. */
const isFileAddress: IsAddress = (at) => at.at(-1) === 'url' && !at.includes('fields');
export type ApiConfig = z.output<typeof ApiConfig>;

/** The kind of the body: as configured, else JSON if there is a body. */
export const chooseBodyKind = ({
  bodyKind,
  body,
}: {
  readonly bodyKind?: HttpBodyKind | undefined;
  readonly body?: JsonTemplate | undefined;
}) => bodyKind ?? (body === undefined ? 'none' : 'json');

/** The problem of a body in the canvas; a body that is one expression is checked when it is rendered. */
function checkAuthoredBody(kind: HttpBodyKind, body: Json | undefined): string | undefined {
  if (body === undefined) return kind === 'none' ? undefined : `There is no body to send as ${kind}; write one, or leave "bodyKind" out`;
  if (kind === 'none') return 'This body would not be sent; remove it, or say in "bodyKind" how it goes out';
  return isExpression(body) ? undefined : checkBody(kind, body);
}

/** Why a body cannot be sent as this kind, or `undefined`. */
export function checkBody(kind: HttpBodyKind, body: Json): string | undefined {
  if (kind === 'text' && typeof body !== 'string') return 'A body that goes out as text must be a text';
  if (kind === 'form' && !(isJsonObject(body) && Object.values(body).every((value) => typeof value !== 'object'))) {
    return 'A body that goes out as a form must be an object of texts, numbers and booleans';
  }
  if (kind === 'file') return checkFile(body);
  if (kind === 'multipart' && !HttpParts.safeParse(body).success)
    return 'A body that goes out as multipart must be an object of its fields: texts, numbers, booleans, handles of files, objects with the "url" of a file, its "name" and "type", or lists of these';
  return undefined;
}

/** A body that is a handle alone names the file as one that has it as its address. */
export const namedFile = (body: Json): Json => (typeof body === 'string' && isFileHandle(body) ? { url: body } : body);

function checkFile(body: Json): string | undefined {
  const { success, data } = HttpFile.safeParse(namedFile(body));
  if (!success)
    return 'A body that goes out as a file must be its handle, such as {{$message.file}}, or have a "url", and may have "field", "name", "type" and "fields", all texts but the last';
  return data.fields !== undefined && data.field === undefined ? 'Further "fields" need a "field" for the file beside them' : undefined;
}
