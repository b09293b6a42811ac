// The routes of files: those of operators, what authors upload included, and one for whoever was given a link.
import { isDialerError } from '@hilo/drivers';
import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { noteAct } from '../platform/http/acts.ts';
import { requireConversation } from '../conversations/conversations.ts';
import { bodyErrorResponses, CompanyQuery, errorResponses, formatInstant, Page } from '../platform/http/admin.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { envelope, withErrorHandler } from '../platform/http/envelope.ts';
import { conversation } from '../platform/http/example-requests.ts';
import { HttpError, invalidRequest, notFound, tooLarge, unavailable } from '../platform/http/errors.ts';
import { ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { mountRoutes } from '../platform/http/mount-routes.ts';
import { readClientAddress } from '../platform/http/socket-address.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import type { FileRow } from '../platform/name-files.ts';
import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenants/companies.ts';
import type { FileSeals } from './file-seals.ts';
import { type Files, maxFileBytes, type UploadedFile } from './files.ts';

/** What the routes of files work with. */
export interface FileRouteParts extends Tenancy {
  readonly files: Pick<Files, 'find' | 'bring' | 'upload' | 'keepFor' | 'uploads' | 'removeUpload'>;
}

type ConversationFileParts = FileRouteParts & Pick<Platform, 'store' | 'clock'>;

const answer = { description: 'The file', content: { '*/*': { schema: z.string().openapi({ format: 'binary' }) } } };

/** Sends a file so that no browser runs or shows anything of it. @throws {HttpError} 404 where its provider does not give it */
async function sendFile(c: Context<HttpEnv>, files: FileRouteParts['files'], row: FileRow): Promise<Response> {
  const { content, type, name = 'file' } = await files.bring(row).catch(explain);
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27');
  return c.body(new Uint8Array(content), 200, {
    'content-type': type,
    'content-disposition': `attachment; filename*=UTF-8''${encoded}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  });
}

function explain(error: unknown): never {
  if (!isDialerError(error)) throw error;
  if (error.code === 'BAD_URL' || error.code === 'TOO_LARGE') throw notFound('FILE_UNAVAILABLE', error.message);
  throw unavailable(`The file is not to be had now: ${error.message}`);
}

const getFile = defineRoute({
  get: '/admin/v1/files/{id}',
  operationId: 'getFile',
  auth: 'operator',
  permission: 'view',
  forAnswering: true,
  tags: ['Files'],
  summary: 'A file by its handle: what a user sent, or an answer that a canvas kept',
  description:
    'It is fetched from its provider when it is first needed, and kept for 30 days. Its type is that of its content. The answer is always a download.',
  params: z.object({ id: z.string().openapi({ description: 'What {{$message.file}} is in a canvas, and "file" in a message' }) }),
  answer,
  refusals: {
    ...errorResponses,
    404: jsonResponse('No such file, none any more (FILE_NOT_FOUND), or its provider does not give it (FILE_UNAVAILABLE)', ErrorBody),
  },
  example: { path: { id: 'HANDLE_ID' } },
  async handle({ c, params: { id } }, { files, companies }: FileRouteParts) {
    const row = await files.find(id);
    if (row === undefined || companies.company(row.companyId) === undefined)
      throw notFound('FILE_NOT_FOUND', `There is no file "${id}": it is older than 30 days, or was erased`);
    return sendFile(c, files, row);
  },
});

const Upload = z
  .object({
    id: z.string().openapi({ description: 'The handle: what mediaUrl of a message takes' }),
    name: z.string(),
    type: z.string().openapi({ description: 'By its content' }),
    bytes: z.int().openapi({ description: 'How long it is' }),
    createdAt: z.string().openapi({ format: 'date-time' }),
  })
  .openapi('UploadedFile');

const showUpload = ({ id, name = 'file', type = '', bytes = 0, createdAtMs }: FileRow): z.output<typeof Upload> => ({
  id,
  name,
  type,
  bytes,
  createdAt: formatInstant(createdAtMs),
});

const ofCompany = z.object({ companyId: z.string() });

const uploadHeaders = z.object({
  'x-filename': z
    .string()
    .optional()
    .openapi({ description: 'Percent-encoded, as encodeURIComponent gives it', pattern: '^[\\x21-\\x7E]+$', example: 'menu.png' }),
});
const uploadBody = { description: 'The file', content: { '*/*': { schema: { type: 'string' as const, format: 'binary' } } } };

/** The file of a request. @throws {HttpError} 400, 413 */
async function readUpload(c: Context<HttpEnv>): Promise<UploadedFile> {
  const content = new Uint8Array(await c.req.arrayBuffer());
  if (content.byteLength > maxFileBytes) throw tooLarge(`The file is larger than ${maxFileBytes} bytes`); // where a host mounts the route
  if (content.byteLength === 0) throw invalidRequest('The body is empty: it is the file itself');
  return { content, contentType: c.req.header('content-type'), name: decodeName(c.req.header('x-filename')) };
}

const upload = defineRoute({
  post: '/admin/v1/companies/{companyId}/files',
  operationId: 'uploadFile',
  auth: 'operator',
  permission: 'edit',
  tags: ['Files'],
  summary: 'Keeps a file of up to 25 MB for the canvases of a company, named by X-Filename',
  description:
    'The body is the file itself: a picture, a recording, a film or a document, by its content. Its handle is valid in every canvas of the company until the file is removed. The same file again changes nothing.',
  params: ofCompany,
  headers: uploadHeaders,
  body: uploadBody,
  streamsUpTo: maxFileBytes,
  answer: jsonResponse('The file is kept', Upload),
  refusals: bodyErrorResponses,
  example: {
    path: { companyId: '1' },
    headers: { 'X-Filename': 'prices.txt' },
    contentType: 'text/plain',
    body: 'A cup of coffee: 3 euros',
  },
  async handle({ c, params: { companyId } }, { files }: FileRouteParts) {
    const row = await files.upload(companyId, await readUpload(c)).catch(refuseUpload);
    noteAct(c, { companyId, kind: 'file', id: row.id, after: showUpload(row) });
    return showUpload(row);
  },
});

const keepForConversation = defineRoute({
  post: '/admin/v1/conversations/{conversationId}/files',
  operationId: 'keepConversationFile',
  auth: 'operator',
  permission: 'operate',
  forAnswering: true,
  tags: ['Conversations'],
  summary: 'Keeps a file of up to 25 MB that an operator sends to the user of a conversation, named by X-Filename',
  description:
    'The body is the file itself. Its handle is what mediaUrl of a message takes. It is among the files of the user: kept for 30 days, and erased with them.',
  params: z.object({ conversationId: z.string() }),
  query: CompanyQuery,
  headers: uploadHeaders,
  body: uploadBody,
  streamsUpTo: maxFileBytes,
  answer: jsonResponse('The file is kept', Upload),
  refusals: bodyErrorResponses,
  example: { ...conversation, headers: { 'X-Filename': 'bill.txt' }, contentType: 'text/plain', body: 'Your bill of May: 30 euros' },
  async handle({ c, params: { conversationId }, query }, parts: ConversationFileParts) {
    const { company, row } = await requireConversation(parts, query.companyId, conversationId);
    const user = { companyId: company.id, botId: row.botId, userId: row.userId };
    const kept = await parts.files.keepFor(user, await readUpload(c)).catch(refuseUpload);
    const { type = '', bytes = 0 } = kept;
    noteAct(c, { companyId: company.id, kind: 'file', id: kept.id, after: { type, bytes } }); // its name may be of the user
    return showUpload(kept);
  },
});

function refuseUpload(error: unknown): never {
  if (!isDialerError(error)) throw error;
  if (error.code === 'TOO_LARGE') throw tooLarge(error.message);
  throw new HttpError(400, 'UNSUPPORTED_MEDIA_TYPE', error.message);
}

/** A name that is not encoded as it should be is none: the file gets one of its type. */
function decodeName(encoded: string | undefined): string | undefined {
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

const listUploads = defineRoute({
  get: '/admin/v1/companies/{companyId}/files',
  operationId: 'listUploadedFiles',
  auth: 'operator',
  permission: 'view',
  tags: ['Files'],
  summary: 'The files that were uploaded for the canvases of a company, oldest first',
  description: 'Each is read by its handle. What users sent is not among them.',
  params: ofCompany,
  answer: jsonResponse('The files', Page(Upload)),
  refusals: errorResponses,
  example: { path: { companyId: '1' } },
  async handle({ params: { companyId } }, { files }: FileRouteParts) {
    const kept = (await files.uploads(companyId)).filter(({ place }) => place !== undefined);
    return { results: kept.map(showUpload), nextCursor: null };
  },
});

const removeUpload = defineRoute({
  delete: '/admin/v1/companies/{companyId}/files/{id}',
  operationId: 'removeUploadedFile',
  auth: 'operator',
  permission: 'edit',
  tags: ['Files'],
  summary: 'Removes an uploaded file',
  description: 'Its links lead nowhere from then on, and a message with its handle is refused (INVALID_MEDIA_URL).',
  params: ofCompany.extend({ id: z.string() }),
  answer: jsonResponse('The file was removed', z.object({ id: z.string() })),
  refusals: errorResponses,
  example: { path: { companyId: '1', id: 'UPLOAD_ID' } },
  async handle({ c, params: { companyId, id } }, { files }: FileRouteParts) {
    if (!(await files.removeUpload(companyId, id))) throw notFound('FILE_NOT_FOUND', `No file "${id}" was uploaded`);
    noteAct(c, { companyId, kind: 'file', id });
    return { id };
  },
});

export const fileRoutes: readonly Route<ConversationFileParts>[] = [getFile, keepForConversation];

/** The files that authors upload, each in the address of its company. */
export const uploadRoutes: readonly Route<FileRouteParts>[] = [upload, listUploads, removeUpload];

interface LinkParts extends FileRouteParts, Pick<Platform, 'clock'> {
  readonly seals: Pick<FileSeals, 'open'>;
  readonly traffic: Pick<Traffic, 'admission' | 'rateLimit'>;
}

/** One answer for every reason, so that it tells nothing to those who guess. */
const leadsNowhere = (): HttpError => notFound('NOT_FOUND', 'This link has expired, its file was erased, or it was never given');

const followLink = defineRoute({
  get: '/files/{token}',
  operationId: 'followFileLink',
  tags: ['Files'],
  summary: 'A file, for whoever was given its link',
  description:
    'Functions, code and models get such links in place of handles: they expire within an hour. Links in messages last as long as the file.',
  auth: 'address',
  params: z.object({ token: z.string().openapi({ description: 'What the link was given with' }) }),
  answer,
  refusals: {
    404: jsonResponse('The link has expired, or was never given; or the provider of the file does not give it', ErrorBody),
    429: jsonResponse('Too many requests: see Retry-After', ErrorBody),
    503: jsonResponse('Overloaded, or the file is not to be had now: see Retry-After', ErrorBody),
  },
  example: { path: { token: 'FILE_TOKEN' } },
  async handle({ c, params: { token } }, { files, seals, companies, clock, traffic }: LinkParts) {
    const claim = seals.open(token);
    await traffic.rateLimit?.consume(claim === undefined ? `files ${readClientAddress(c) ?? ''}` : `file ${claim.fileId}`);
    if (claim === undefined || claim.expiresAtMs <= clock.now() || companies.company(claim.companyId) === undefined) throw leadsNowhere();
    const row = await files.find(claim.fileId);
    if (row?.companyId !== claim.companyId) throw leadsNowhere();
    const entry = traffic.admission.enter({ kind: 'known', holder: claim.companyId });
    try {
      const sent = await sendFile(c, files, row);
      sent.headers.set('cross-origin-resource-policy', 'cross-origin'); // pages with the web chat show pictures from here
      return sent;
    } finally {
      entry.leave();
    }
  },
});

/** The links to files: no credential but the address. */
export function createFileLinks(service: Omit<LinkParts, 'traffic'> & Pick<Platform, 'log'>, traffic: Traffic): OpenAPIHono<HttpEnv> {
  const app = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
  app.use('/files/*', envelope(service, traffic, 'files'));
  mountRoutes(app, { ...service, traffic }, [followLink]);
  return app;
}
