import { isJsonObject, type Json } from '@hilo/engine/contract';
import type { HttpBodyKind } from '@hilo/nodes/effects';

/** A body with the type it has where the call says no other. */
export interface RequestBody {
  readonly content: string | Uint8Array;
  readonly contentType: string;
  /** Whether the type says how the body is divided: then a call cannot say another. */
  readonly hasBoundary?: boolean;
}

/** Writes a body the way it goes out; `undefined` where there is none. A file is fetched first, see `Files`. */
export function writeBody(kind: Exclude<HttpBodyKind, 'file'>, body: Json | undefined): RequestBody | undefined {
  switch (kind) {
    case 'none':
      return undefined;
    case 'json':
      return { content: JSON.stringify(body ?? null), contentType: 'application/json' };
    case 'form': {
      const fields = Object.entries(isJsonObject(body) ? body : {}).map(([name, value]): [string, string] => [name, plain(value)]);
      return { content: new URLSearchParams(fields).toString(), contentType: 'application/x-www-form-urlencoded' };
    }
    case 'text':
      return { content: plain(body ?? ''), contentType: 'text/plain;charset=utf-8' };
  }
}

const plain = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
