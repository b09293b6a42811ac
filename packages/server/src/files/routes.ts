// The routes of files: one for operators, and one for whoever was given a link.
import { isDialerError } from '@hilo/drivers';
import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { errorResponses } from '../platform/http/admin.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { envelope, withErrorHandler } from '../platform/http/envelope.ts';
import { type HttpError, notFound, unavailable } from '../platform/http/errors.ts';
import { ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { mountRoutes } from '../platform/http/mount-routes.ts';
import { readClientAddress } from '../platform/http/socket-address.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import type { FileRow } from '../platform/name-files.ts';
import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenants/companies.ts';
import type { FileSeals } from './file-seals.ts';
import type { Files } from './files.ts';

/** What the routes of files work with. */
export interface FileRouteParts extends Tenancy {
  readonly files: Pick<Files, 'find' | 'bring'>;
}

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

export const fileRoutes: readonly Route<FileRouteParts>[] = [getFile];

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
      return await sendFile(c, files, row);
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
