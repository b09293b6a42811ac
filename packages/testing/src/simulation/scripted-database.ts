import type { Driver, JsonObject } from '@hilo/engine/contract';
import type { callDatabase } from '@hilo/nodes/effects';

type Perform = Driver<typeof callDatabase>;

/** What a database answers that keeps nothing: the row that was asked for, whatever it is, and as done what it is told. */
export function answerOfDatabase(request: Parameters<Perform>[0]): Awaited<ReturnType<Perform>> {
  switch (request.operation) {
    case 'list':
    case 'query':
      return { kind: 'rows', rows: [] };
    case 'get': {
      const row: JsonObject = Object.fromEntries(request.where.map(({ column, value }) => [column, value ?? null]));
      return { kind: 'rows', rows: [row] };
    }
    case 'create':
      return { kind: 'changed', affectedRows: 1, key: { id: 1 } };
    case 'update':
    case 'delete':
      return { kind: 'changed', affectedRows: 1 };
  }
}
