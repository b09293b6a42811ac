import type { CallOptions } from '../calls.ts';

/** A row: the defect, the path, the request, and the answer's status and code. */
export type Row = readonly [what: string, path: string, request: CallOptions, status: number, code: string];

/** JSON with this many levels. */
export const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
