import { createHash } from 'node:crypto';
import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { createDialer } from '@hilo/drivers';
import type { Clock } from '@hilo/engine/contract';
import { AwsV4Signer } from 'aws4fetch';
import { makeDirectory } from '../platform/make-directory.ts';
import { formatHostAndPort } from '../platform/public-url.ts';

/** Where files with histories go. */
export interface HistoryPlace {
  /** The destination as logs show it, without a secret. */
  readonly name: string;
  /**
   * Stores a file. The same name replaces it.
   *
   * @param signal - aborts the upload
   * @throws {Error} when the file may not be stored
   */
  put(name: string, content: Uint8Array, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The settings of an S3 client. */
interface PlaceSettings {
  readonly s3Endpoint?: string | undefined;
  readonly s3Region?: string | undefined;
  readonly s3KeyId?: string | undefined;
  readonly s3Secret?: string | undefined;
  readonly s3SessionToken?: string | undefined;
}

/**
 * Opens a folder, or a prefix of an S3-compatible bucket. A bucket is contacted only when there is something to write.
 *
 * @param outbox - a directory, or `s3://bucket/prefix`
 * @throws {Error} one sentence that says what to do: the folder cannot be created, or a setting of the S3 client is missing
 */
export const openHistoryPlace = (
  outbox: string,
  settings: PlaceSettings,
  parts: { readonly clock: Clock; readonly ca?: string | undefined },
): Promise<HistoryPlace> => (outbox.startsWith('s3://') ? openBucket(outbox, settings, parts) : openFolder(outbox));

async function openFolder(directory: string): Promise<HistoryPlace> {
  try {
    await makeDirectory(directory);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The folder of --history-outbox cannot be made (${reason}): name another one`, { cause });
  }
  return {
    name: directory,
    async put(name, content) {
      const path = join(directory, ...name.split('/'));
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(`${path}.new`, content, { mode: 0o600, flush: true });
      await rename(`${path}.new`, path);
      for (const folder of listFoldersBetween(dirname(path), made === undefined ? dirname(path) : dirname(made))) await syncFolder(folder);
    },
    close: async () => undefined,
  };
}

/** From a folder up to one of those above it, both included. */
function listFoldersBetween(lowest: string, highest: string): readonly string[] {
  const isThere = lowest === highest || !lowest.startsWith(`${highest.replace(/[\\/]$/, '')}${sep}`);
  return isThere ? [lowest] : [lowest, ...listFoldersBetween(dirname(lowest), highest)];
}

/** A new name is on the disk with its folder. Windows keeps names by itself, and opens no folder. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const putMs = 60_000;

async function openBucket(
  outbox: string,
  { s3Endpoint, s3Region = 'us-east-1', s3KeyId, s3Secret, s3SessionToken }: PlaceSettings,
  { clock, ca }: { readonly clock: Clock; readonly ca?: string | undefined },
): Promise<HistoryPlace> {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9._/-]*))?$/.exec(outbox) ?? [];
  if (bucket === undefined) throw new Error('--history-outbox names no bucket: write s3://bucket/prefix');
  if (s3KeyId === undefined || s3Secret === undefined)
    throw new Error(`The bucket of --history-outbox asks for keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`);
  const endpoint = URL.parse(s3Endpoint ?? `https://s3.${s3Region}.amazonaws.com`);
  if (endpoint === null || !/^https?:$/.test(endpoint.protocol) || endpoint.username !== '' || endpoint.search !== '')
    throw new Error('AWS_ENDPOINT_URL_S3 is no address: write one such as https://minio.example:9000');
  const dialer = createDialer({ allow: [formatHostAndPort(endpoint)], ca, clock }); // the operator names it, wherever it is
  const base = [endpoint.href.replace(/(?<!\/)\/+$/, ''), bucket, ...prefix.split('/').filter((part) => part !== '')].join('/');
  const key = { accessKeyId: s3KeyId, secretAccessKey: s3Secret, ...(s3SessionToken !== undefined && { sessionToken: s3SessionToken }) };
  return {
    name: outbox,
    async put(name, content, signal) {
      const signed = await new AwsV4Signer({
        ...key,
        service: 's3',
        region: s3Region,
        method: 'PUT',
        url: `${base}/${name}`,
        headers: { 'content-type': 'application/gzip', 'x-amz-content-sha256': createHash('sha256').update(content).digest('hex') },
        datetime: new Date(clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
      }).sign();
      const headers = Object.fromEntries(signed.headers);
      const request = { method: 'PUT', headers, body: content, timeoutMs: putMs, maxRedirects: 0, signal } as const;
      const { status, body } = await dialer.request({ ...request, url: signed.url.href });
      if (status === 200) return;
      const code = /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(Buffer.from(body).toString('utf8'))?.[1];
      throw new Error(`The bucket answered ${status}${code === undefined ? '' : ` ${code}`}`);
    },
    close: dialer.close,
  };
}
