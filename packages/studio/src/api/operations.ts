// The operations of the service as @hilo/client has them, and answers that come line by line.
import type { HiloClient as Operations } from '@hilo/client';
import { isRecord } from '../canvas/canvas-json.ts';
import { ApiError } from './api-error.ts';

export type { Operations };

/** Durable work of the service over many executions. */
export type Job = Awaited<ReturnType<Operations['getJob']>>;
/** A row of the record of what operators did. */
export type AuditRow = Awaited<ReturnType<Operations['listAudit']>>['results'][number];

/** Their table is loaded by who needs it: it has every route of the service. @param send - throws for every refusal */
export async function loadOperations(baseUrl: string, send: typeof fetch): Promise<Operations> {
  const { createClient } = await import('@hilo/client');
  return createClient({ baseUrl, fetch: send });
}

/**
 * Reads an answer by lines, each of which is an object of JSON.
 *
 * @param onLine - called with each line but the last
 * @returns the last line
 * @throws {ApiError} where that one tells of a failure: the answer had begun before it
 */
export async function readLines<Last>(response: Response, onLine: (line: { readonly [field: string]: unknown }) => void): Promise<Last> {
  let rest = '';
  let last: unknown;
  const take = (line: string): void => {
    if (line === '') return;
    if (isRecord(last)) onLine(last);
    last = JSON.parse(line);
  };
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let chunk = await reader?.read(); chunk?.value !== undefined; chunk = await reader?.read()) {
    const lines = (rest + chunk.value).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(take);
  }
  take(rest);
  if (!isRecord(last)) throw new ApiError(0, 'NOT_REACHED', 'The answer of the service was cut off');
  const { error, message } = last;
  if (typeof error === 'string') throw new ApiError(500, error, typeof message === 'string' ? message : error, last);
  return last as Last;
}
