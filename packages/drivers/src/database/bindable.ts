import type { Json } from '@hilo/engine/contract';
import { DatabaseFailure } from './database-failure.ts';
import type { ColumnKind } from './session.ts';

/**
 * A value as a column takes it. A column of texts gets a text and one of numbers a number: where a database compares the
 * two it finds unintended rows, such as every word for the number 0.
 *
 * @throws {DatabaseFailure} `invalid`
 */
export function bindable(column: string, value: Json, kind: ColumnKind): Json {
  if (value === null) return null;
  switch (kind) {
    case 'json':
      return JSON.stringify(value);
    case 'text':
      return textOf(value);
    case 'list':
      return Array.isArray(value) ? value : textOf(value);
    case 'number':
      if (typeof value === 'number' || typeof value === 'boolean') return value;
      if (typeof value === 'string' && /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value)) return value;
      throw new DatabaseFailure('invalid', `The column "${column}" takes a number`);
    case 'other':
      return typeof value === 'object' ? JSON.stringify(value) : value;
  }
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
