import type { CallOptions } from '../calls.ts';

/** A row: what is wrong, the path, what is sent, and the answer's status and code. */
export type Row = readonly [what: string, path: string, request: CallOptions, status: number, code: string];

/** JSON of so many levels. */
export const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
