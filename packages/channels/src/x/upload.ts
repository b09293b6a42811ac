// Files of direct messages: X accepts no URL, so the file is fetched and uploaded before the message.
import type { ChannelContext, SendResult } from '../channel-adapter.ts';
import { callProvider, failedCall, isSuccess, nameAt, numberAt, pathPart, textAt, unauthorized } from '../provider-answer.ts';
import type { XMessage } from './message.ts';

const MB = 1024 * 1024;

/** The media types of X in direct messages, with its names for them. */
const kinds = {
  image: { maxBytes: 5 * MB, category: 'dm_image', contentTypes: /^image\/(?:jpeg|png|webp|gif)$/ },
  video: { maxBytes: 15 * MB, category: 'dm_video', contentTypes: /^video\/(?:mp4|quicktime)$/ },
} as const;

/** A piece of a file in one request. */
const segmentBytes = 3 * MB;

/** What the adapter keeps of a bot: files that X still works on, by the key of their message. */
export interface Uploads {
  readonly pending: Map<string, string>;
}

/** How many uploads are remembered; a forgotten file is uploaded again. In a map, since a cache would reserve their room for each bot. */
const maxPending = 1_000;

type Context = Pick<
  ChannelContext<{ readonly accessToken: string; readonly baseUrl?: string | undefined }, Uploads>,
  'config' | 'state' | 'dialer'
>;

/** @property mediaId - what the message names */
type Uploaded = { readonly kind: 'uploaded'; readonly mediaId: string } | Exclude<SendResult, { readonly kind: 'sent' | 'unknown' }>;

/**
 * Fetches a file and uploads it. No message is sent yet, so that any failure here may be retried. While X still processes a file the
 * message waits; the next attempt asks for the same upload instead of repeating it.
 *
 * @param root - the base URL of X's API, without a trailing slash
 */
export async function uploadMedia(root: string, media: NonNullable<XMessage['media']>, key: string, context: Context): Promise<Uploaded> {
  try {
    const { pending } = context.state;
    const known = pending.get(key);
    if (known === undefined) return await upload(root, media, key, context);
    const answer = await ask(context, 'GET', `${root}/2/media/upload?command=STATUS&media_id=${pathPart(known)}`);
    return settle(key, known, answer, context);
  } catch (error) {
    const failed = failedCall(error);
    if (failed.kind === 'refused') return failed;
    return { ...failed, kind: 'later', message: `The file was not uploaded: ${failed.message}` };
  }
}

async function upload(root: string, { url, kind }: NonNullable<XMessage['media']>, key: string, context: Context): Promise<Uploaded> {
  const { maxBytes, category, contentTypes } = kinds[kind];
  const { status, headers, body } = await context.dialer.request({ method: 'GET', url, maxBytes, maxRedirects: 3 });
  if (status === 429 || status >= 500) return later(`The place of the file answered ${status}`);
  if (status !== 200) return { kind: 'refused', cause: 'INVALID_MEDIA_URL', message: `The place of the file answered ${status}` };
  const contentType = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!contentTypes.test(contentType))
    return {
      kind: 'refused',
      cause: 'UNSUPPORTED_MEDIA_TYPE',
      message: `The file is "${contentType.slice(0, 100)}", which X does not take as ${kind}`,
    };

  const begun = await ask(context, 'POST', `${root}/2/media/upload/initialize`, {
    media_type: contentType,
    media_category: category,
    total_bytes: body.byteLength,
  });
  const mediaId = nameAt(begun.json, 'data', 'id');
  if (!isSuccess(begun) || mediaId === undefined) return uploadFailure(begun);
  const place = `${root}/2/media/upload/${pathPart(mediaId)}`;
  for (let index = 0; index * segmentBytes < body.byteLength; index += 1) {
    const piece = Buffer.from(body.subarray(index * segmentBytes, (index + 1) * segmentBytes)).toString('base64');
    const taken = await ask(context, 'POST', `${place}/append`, { segment_index: index, media: piece });
    if (!isSuccess(taken)) return uploadFailure(taken);
  }
  return settle(key, mediaId, await ask(context, 'POST', `${place}/finalize`), context);
}

/** The status of a completely uploaded file. */
function settle(key: string, mediaId: string, answer: Awaited<ReturnType<typeof ask>>, { state: { pending } }: Context): Uploaded {
  const state = textAt(answer.json, 'data', 'processing_info', 'state');
  pending.delete(key);
  if (!isSuccess(answer)) return uploadFailure(answer);
  if (state === 'failed')
    return { kind: 'refused', cause: 'UNSUPPORTED_MEDIA_TYPE', message: 'X could not work with the file: check its format' };
  if (state === undefined || state === 'succeeded') return { kind: 'uploaded', mediaId };
  const [oldest] = pending.keys();
  if (oldest !== undefined && pending.size >= maxPending) pending.delete(oldest);
  pending.set(key, mediaId);
  const seconds = numberAt(answer.json, 'data', 'processing_info', 'check_after_secs');
  return { kind: 'later', cause: 'MEDIA_PROCESSING', message: 'X works on the file', retryAfterMs: (seconds || 1) * 1_000 };
}

const ask = ({ config: { accessToken }, dialer }: Context, method: 'GET' | 'POST', url: string, body?: object) =>
  callProvider(
    {
      method,
      url,
      headers: { authorization: `Bearer ${accessToken}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    { dialer },
  );

const later = (message: string): Uploaded => ({ kind: 'later', cause: 'MEDIA_UPLOAD_FAILED', message });

function uploadFailure({ status, retryAfterMs }: Awaited<ReturnType<typeof ask>>): Uploaded {
  const message = `X answered ${status} to the upload of the file`;
  if (status === 401) return { kind: 'refused', cause: unauthorized.cause, message };
  if (status >= 400 && status <= 499 && status !== 429) return { kind: 'refused', cause: 'INVALID_MEDIA_URL', message };
  return { kind: 'later', cause: 'MEDIA_UPLOAD_FAILED', message, retryAfterMs };
}
