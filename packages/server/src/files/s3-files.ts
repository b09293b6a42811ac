// Bytes of files in an S3-compatible bucket (`--files s3://bucket/prefix`), beside a store that knows where they are.
import { DriverError } from '@hilo/drivers';
import type { Clock } from '@hilo/engine/contract';
import { bucketRefusal, openS3Bucket, type S3Settings } from '../platform/s3-bucket.ts';
import type { FileBucket } from './file-bytes.ts';

/** A bucket whose connections are closed with the service. */
export interface OpenFileBucket extends FileBucket {
  close(): Promise<void>;
}

/**
 * @param place - `s3://bucket/prefix`
 * @throws {Error} one sentence that says what to do, where a setting of the client is missing
 */
export function openFileBucket(
  place: string,
  settings: S3Settings,
  parts: { readonly clock: Clock; readonly ca?: string | undefined },
): OpenFileBucket {
  const bucket = openS3Bucket(place, '--files', settings, parts);
  const ask = async (expected: readonly number[], asked: Parameters<typeof bucket.request>[0]) => {
    const answer = await bucket.request(asked);
    if (!expected.includes(answer.status)) throw new DriverError('CONNECT_FAILED', bucketRefusal(answer));
    return answer;
  };
  return {
    async put(name, content) {
      await ask([200], { method: 'PUT', name, content, contentType: 'application/octet-stream' });
    },
    async get(name, maxBytes) {
      const { status, body } = await ask([200, 404], { method: 'GET', name, maxBytes });
      return status === 200 ? body : undefined;
    },
    async remove(name) {
      await ask([200, 204, 404], { method: 'DELETE', name });
    },
    close: bucket.close,
  };
}
