// A prefix of an S3-compatible bucket: requests that are signed with AWS Signature Version 4, without redirects.
import { createHash } from 'node:crypto';
import { createDialer, type DialerRequest, type DialerResponse } from '@hilo/drivers';
import type { Clock } from '@hilo/engine/contract';
import { AwsV4Signer } from 'aws4fetch';
import { formatHostAndPort } from './public-url.ts';

/** The settings of an S3 client. */
export interface S3Settings {
  readonly s3Endpoint?: string | undefined;
  readonly s3Region?: string | undefined;
  readonly s3KeyId?: string | undefined;
  readonly s3Secret?: string | undefined;
  readonly s3SessionToken?: string | undefined;
}

/** What is asked of a bucket. */
interface BucketRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** The name below the prefix: letters, digits and `._~/-` are the same in every spelling of an address. */
  readonly name: string;
  readonly content?: Uint8Array;
  readonly contentType?: string;
  /** The longest answer that is read. */
  readonly maxBytes?: number;
  readonly signal?: DialerRequest['signal'];
}

export interface S3Bucket {
  /** @throws {DriverError} where there is no answer */
  request(asked: BucketRequest): Promise<Pick<DialerResponse, 'status' | 'body'>>;
  close(): Promise<void>;
}

const timeoutMs = 60_000;

/**
 * Opens a prefix of a bucket, which is contacted only when there is something to ask.
 *
 * @param place - `s3://bucket/prefix`
 * @param option - as the operator wrote it, such as `--files`
 * @throws {Error} one sentence that says what to do, where a setting of the client is missing
 */
export function openS3Bucket(
  place: string,
  option: string,
  { s3Endpoint, s3Region = 'us-east-1', s3KeyId, s3Secret, s3SessionToken }: S3Settings,
  { clock, ca }: { readonly clock: Clock; readonly ca?: string | undefined },
): S3Bucket {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9._/-]*))?$/.exec(place) ?? [];
  if (bucket === undefined) throw new Error(`${option} names no bucket: write s3://bucket/prefix`);
  if (s3KeyId === undefined || s3Secret === undefined)
    throw new Error(`The bucket of ${option} asks for keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`);
  const endpoint = URL.parse(s3Endpoint ?? `https://s3.${s3Region}.amazonaws.com`);
  if (endpoint === null || !/^https?:$/.test(endpoint.protocol) || endpoint.username !== '' || endpoint.search !== '')
    throw new Error('AWS_ENDPOINT_URL_S3 is no address: write one such as https://minio.example:9000');
  const dialer = createDialer({ allow: [formatHostAndPort(endpoint)], ca, clock }); // the operator names it, wherever it is
  const base = [endpoint.href.replace(/(?<!\/)\/+$/, ''), bucket, ...prefix.split('/').filter((part) => part !== '')].join('/');
  const key = { accessKeyId: s3KeyId, secretAccessKey: s3Secret, ...(s3SessionToken !== undefined && { sessionToken: s3SessionToken }) };
  return {
    async request({ method, name, content, contentType, maxBytes, signal }) {
      const hash = createHash('sha256')
        .update(content ?? '')
        .digest('hex');
      const signed = await new AwsV4Signer({
        ...key,
        service: 's3',
        region: s3Region,
        method,
        url: `${base}/${name}`,
        headers: { ...(contentType !== undefined && { 'content-type': contentType }), 'x-amz-content-sha256': hash },
        datetime: new Date(clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
      }).sign();
      const headers = Object.fromEntries(signed.headers);
      return dialer.request({ method, url: signed.url.href, headers, body: content, timeoutMs, maxBytes, maxRedirects: 0, signal });
    },
    close: dialer.close,
  };
}

/** What a bucket said instead of doing what it was asked. */
export function bucketRefusal({ status, body }: Pick<DialerResponse, 'status' | 'body'>): string {
  const code = /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(Buffer.from(body).toString('utf8'))?.[1];
  return `The bucket answered ${status}${code === undefined ? '' : ` ${code}`}`;
}
