// Links to files: in place of handles for what has no other way to the bytes, and in messages that send a file on.
import { channelFacts, type MediaType } from '@hilo/nodes';
import { handlesWithin, isFileHandle } from '@hilo/nodes/effects';
import { isDialerError } from '@hilo/drivers';
import type { BoundDriver, Clock, DriverContext, Json, JsonObject } from '@hilo/engine/contract';
import { essenceOf, isAllowed } from '../platform/content-type.ts';
import type { FileRow, PresentFile } from '../platform/name-files.ts';
import type { PublicUrl } from '../platform/public-url.ts';
import type { FileSeals } from './file-seals.ts';
import { endOf, type Files } from './files.ts';

/** How long a link lasts that a function, code or a model was given. */
const linkMs = 3_600_000;
/** So many handles of one request become links. */
const maxLinks = 50;

export interface LinkParts {
  readonly files: Pick<Files, 'find' | 'bring'>;
  readonly seals: Pick<FileSeals, 'seal'>;
  readonly publicUrl: Pick<PublicUrl, 'get'>;
  readonly clock: Pick<Clock, 'now'>;
}

const linkTo = ({ seals, publicUrl }: LinkParts, { companyId, id: fileId }: FileRow, expiresAtMs: number): string =>
  `${publicUrl.get()}/files/${seals.seal({ companyId, fileId, expiresAtMs })}`;

/** Every text of a value, changed. */
function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, change));
  return Object.fromEntries(Object.entries<Json>(value).map(([key, item]) => [key, mapTexts(item, change)]));
}

/** A value in which links stand for the handles of the company's files; anything else that looks like one stays. */
async function linkHandles(parts: LinkParts, companyId: string, value: Json): Promise<Json> {
  const found = new Set<string>();
  mapTexts(value, (text) => {
    for (const [handle] of text.includes('file_') ? text.matchAll(handlesWithin) : []) if (found.size < maxLinks) found.add(handle);
    return text;
  });
  if (found.size === 0) return value;
  const rows = await Promise.all([...found].map(parts.files.find));
  const links = new Map(
    rows.flatMap((row) => (row?.companyId === companyId ? [[row.id, linkTo(parts, row, parts.clock.now() + linkMs)] as const] : [])),
  );
  return mapTexts(value, (text) => text.replace(handlesWithin, (handle) => links.get(handle) ?? handle));
}

/** The driver of an effect whose request has links in place of handles. @param fields - those that have values of the canvas */
export function withLinks({ effect, perform, ...driver }: BoundDriver, parts: LinkParts, fields: readonly string[]): BoundDriver {
  const link = async (request: JsonObject, context: DriverContext): Promise<never> => {
    const linked = await Promise.all(
      fields.flatMap((field) => {
        const value = request[field];
        return value === undefined ? [] : [linkHandles(parts, context.origin.companyId, value).then((one) => [field, one] as const)];
      }),
    );
    return { ...request, ...Object.fromEntries(linked) } as never; // of the same form: texts stand for texts
  };
  return { ...driver, effect, perform: async (request: never, context) => perform(await link(request, context), context) };
}

type Refused = Extract<Awaited<ReturnType<PresentFile>>, { readonly kind: 'refused' }>;
const refused = (code: Refused['code'], message: string): Refused => ({ kind: 'refused', code, message });

/**
 * A message whose files have addresses for the provider where the canvas gave handles: links that last as long as the files. The bytes are
 * fetched first, and judged by the limits of the channel.
 */
export async function presentFile(
  parts: LinkParts,
  message: JsonObject,
  bot: Parameters<PresentFile>[1],
): Promise<{ readonly kind: 'fits'; readonly message: JsonObject } | Refused> {
  const { mediaUrl: handle, type } = message;
  if (type === 'carousel') return presentCards(parts, message, bot);
  if (typeof handle !== 'string' || !isFileHandle(handle)) return { kind: 'fits', message };
  const linked = await linkFor(parts, handle, type, bot);
  if ('code' in linked) return linked;
  const { link: mediaUrl, name } = linked;
  const isUnnamed = type === 'file' && message['filename'] === undefined && name !== undefined;
  return { kind: 'fits', message: { ...message, mediaUrl, ...(isUnnamed && { filename: name }) } };
}

/** The pictures of the cards of a message side by side. */
async function presentCards(parts: LinkParts, message: JsonObject, bot: Parameters<PresentFile>[1]): ReturnType<typeof presentFile> {
  const handles = new Set<string>();
  mapTexts(message, (text) => {
    if (isFileHandle(text)) handles.add(text);
    return text;
  });
  if (handles.size === 0) return { kind: 'fits', message };
  const links = new Map<string, string>();
  for (const handle of handles) {
    const linked = await linkFor(parts, handle, 'image', bot);
    if ('code' in linked) return linked;
    links.set(handle, linked.link);
  }
  const fields = Object.entries(message).map(([name, value]) => [name, mapTexts(value, (text) => links.get(text) ?? text)] as const);
  return { kind: 'fits', message: Object.fromEntries(fields) };
}

/** A link to a file for the provider of a bot, or why the channel does not take it. */
async function linkFor(
  parts: LinkParts,
  handle: string,
  type: Json | undefined,
  { companyId, channel, provider }: Parameters<PresentFile>[1],
): Promise<{ readonly link: string; readonly name: string | undefined } | Refused> {
  const row = await parts.files.find(handle);
  if (row?.companyId !== companyId) return refused('INVALID_MEDIA_URL', 'There is no such file: it is older than 30 days, or was removed');
  if (!parts.publicUrl.get().startsWith('https://') && !withoutProvider.has(provider.kind))
    return refused(
      'INVALID_MEDIA_URL',
      `The provider of the bot fetches files over https alone, and their links begin with ${parts.publicUrl.get()}: start the service with --public-url https://…`,
    );
  try {
    const { content, type: contentType, name } = await parts.files.bring(row);
    const limits: { readonly [Type in MediaType]?: (typeof channelFacts)[typeof channel]['media'][Type] } = channelFacts[channel].media;
    const limit = isMediaType(type) ? limits[type] : undefined;
    if (content.byteLength > (limit?.maxBytes ?? Number.POSITIVE_INFINITY))
      return refused('MEDIA_TOO_LARGE', `The file is larger than ${limit?.maxBytes ?? 0} bytes`);
    if (limit?.contentTypes !== undefined && !isAllowed(essenceOf(contentType), limit.contentTypes))
      return refused('UNSUPPORTED_MEDIA_TYPE', `The file is ${contentType} by its content: ${limit.contentTypes.join(', ')} are taken`);
    return { link: linkTo(parts, row, endOf(row, parts.clock.now())), name };
  } catch (error) {
    if (isDialerError(error)) return refused('INVALID_MEDIA_URL', error.message);
    throw error;
  }
}

/** Kinds of bots whose files no provider fetches: the pages of the web chat do, and nobody. */
const withoutProvider: ReadonlySet<string> = new Set(['web', 'log']);

const mediaTypes: readonly string[] = ['image', 'audio', 'video', 'file', 'sticker'] satisfies readonly MediaType[];
const isMediaType = (type: Json | undefined): type is MediaType => typeof type === 'string' && mediaTypes.includes(type);
