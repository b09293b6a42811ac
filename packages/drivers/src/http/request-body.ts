import { isJsonObject, type Json } from '@hilo/engine/contract';
import type { HttpBodyKind } from '@hilo/nodes/effects';

/** A body with the type it has where the call says no other. */
export interface RequestBody {
  readonly text: string;
  readonly contentType: string;
}

/** Writes a body the way it goes out; `undefined` where there is none. */
export function writeBody(kind: HttpBodyKind, body: Json | undefined): RequestBody | undefined {
  switch (kind) {
    case 'none':
      return undefined;
    case 'json':
      return { text: JSON.stringify(body ?? null), contentType: 'application/json' };
    case 'form': {
      const fields = Object.entries(isJsonObject(body) ? body : {}).map(([name, value]): [string, string] => [name, plain(value)]);
      return { text: new URLSearchParams(fields).toString(), contentType: 'application/x-www-form-urlencoded' };
    }
    case 'text':
      return { text: plain(body ?? ''), contentType: 'text/plain;charset=utf-8' };
  }
}

const plain = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
