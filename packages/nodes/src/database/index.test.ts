import type { Json, JsonObject } from '@hilo/engine/contract';
import { visit, type VisitOptions } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { database } from './index.ts';

const connection = { credentialId: 'shop' };
const table = 'orders';
const where = [{ column: 'id', value: '{{$context.id}}' }];
const variables = { $context: { id: 7, name: "O'Hara" } };
const get = { operation: 'get', connection, table, where };
const request = (config: JsonObject, options: VisitOptions = {}) =>
  visit(database, { config: { connection, ...config }, variables, ...options }).effects[0]?.request;
const accepts = (config: JsonObject) => database.config.safeParse({ connection, ...config }).success;
const answered = (config: JsonObject, result: JsonObject) =>
  visit(database, { config: { connection, saveAs: '$context.result', ...config }, variables, results: [result] });

describe('the request of database', () => {
  const common = { credentialId: 'shop', timeoutMs: 60_000 };
  const condition = { column: 'id', op: 'eq', value: 7 };

  it.each<[JsonObject, JsonObject]>([
    [
      { operation: 'list', table },
      { operation: 'list', table, where: [], orderBy: [], limit: 100, offset: 0 },
    ],
    [
      { operation: 'list', table, columns: ['id'], where, orderBy: [{ column: 'id' }], limit: 5, offset: 10 },
      {
        operation: 'list',
        table,
        columns: ['id'],
        where: [condition],
        orderBy: [{ column: 'id', direction: 'asc' }],
        limit: 5,
        offset: 10,
      },
    ],
    [
      { operation: 'get', table, where },
      { operation: 'get', table, where: [condition], orderBy: [] },
    ],
    [
      { operation: 'create', table, values: { name: '{{$context.name}}', at: null } },
      { operation: 'create', table, values: { name: "O'Hara", at: null } },
    ],
    [
      { operation: 'update', table, values: { name: 'x' }, where },
      { operation: 'update', table, values: { name: 'x' }, where: [condition] },
    ],
    [
      {
        operation: 'delete',
        table,
        where: [
          { column: 'id', op: 'in', value: ['{{$context.id}}', 8] },
          { column: 'at', op: 'isNull' },
        ],
      },
      {
        operation: 'delete',
        table,
        where: [
          { column: 'id', op: 'in', value: [7, 8] },
          { column: 'at', op: 'isNull' },
        ],
      },
    ],
    [
      { operation: 'query', sql: 'select $1', parameters: ['{{$context.name}}'] },
      { operation: 'query', sql: 'select $1', parameters: ["O'Hara"], readOnly: true, maxRows: 1_000 },
    ],
  ])('has its values beside the names: %j (T13)', (config, expected) => {
    expect(request(config)).toEqual({ ...common, ...expected });
  });

  it.each<[string, Json, string]>([
    ['eq', { $gt: '' }, 'an object'],
    ['eq', [1], 'a list'],
    ['eq', null, 'nothing'],
    ['like', {}, 'an object'],
    ['in', 'text', 'no list'],
    ['in', [[1]], 'a list in a list'],
    ['in', [null], 'nothing in a list'],
    ['in', Array.from({ length: 1_001 }, () => 1), 'too long a list'],
  ])('is not made where "%s" meets %j: %s (T13)', (op, value) => {
    const config = { operation: 'delete', connection, table, where: [{ column: 'id', op, value: '{{$context.v}}' }] };
    const { by, failure, effects } = visit(database, { config, variables: { $context: { v: value } } });
    expect({ by, cause: failure?.cause, effects }).toEqual({ by: 'error', cause: 'INVALID_PARAMETERS', effects: [] });
  });
});

describe('the config of database', () => {
  const update = { operation: 'update', table, values: { a: 1 } };
  it.each<[string, JsonObject]>([
    ['no operation', { table }],
    ['an operation that does not exist', { operation: 'drop', table }],
    ['a table from outside', { operation: 'list', table: '{{$context.table}}' }],
    ['an empty table', { operation: 'list', table: '' }],
    ['a column from outside', { operation: 'list', table, columns: ['{{$context.column}}'] }],
    ['a list to equal', { ...get, where: [{ column: 'a', value: ['{{$context.a}}'] }] }],
    ['an object to compare with', { ...get, where: [{ column: 'a', op: 'gt', value: { b: 1 } }] }],
    ['a text to be in', { ...get, where: [{ column: 'a', op: 'in', value: 'a, b' }] }],
    ['a list of lists to be in', { ...get, where: [{ column: 'a', op: 'in', value: [[1]] }] }],
    ['an order from outside', { operation: 'list', table, orderBy: [{ column: '{{$context.column}}' }] }],
    ['an order of its own', { operation: 'list', table, orderBy: [{ column: 'a', direction: 'asc; drop table orders' }] }],
    ['a condition on a column from outside', { ...get, where: [{ column: '{{$context.column}}', value: 1 }] }],
    ['values for a column from outside', { operation: 'create', table, values: { '{{$context.column}}': 1 } }],
    ['values that are all from outside', { operation: 'create', table, values: '{{$webhook.hook.body}}' }],
    ['no values', { operation: 'create', table, values: {} }],
    ['an update of every row', { ...update, where: [] }],
    ['an update without a condition', update],
    ['a removal of every row', { operation: 'delete', table, where: [] }],
    ['a condition without a value', { ...get, where: [{ column: 'a' }] }],
    ['a condition with a value that nobody asked for', { ...get, where: [{ column: 'a', op: 'isNull', value: 1 }] }],
    ['a comparison with null', { ...get, where: [{ column: 'a', value: null }] }],
    ['a comparison that does not exist', { ...get, where: [{ column: 'a', op: '= 1 or', value: 1 }] }],
    ['a limit from outside', { operation: 'list', table, limit: '{{$context.limit}}' }],
    ['a limit that is too high', { operation: 'list', table, limit: 1_001 }],
    ['a statement with a value in it', { operation: 'query', sql: "select '{{$context.name}}'" }],
    ['no statement', { operation: 'query', sql: ' ' }],
    ['parameters that are no list', { operation: 'query', sql: 'select 1', parameters: '{{$context.list}}' }],
    ['an address in place of a connection', { operation: 'list', table, connection: { host: 'db.test' } }],
    ['a field of another operation', { operation: 'delete', table, where, values: {} }],
    ['a time-out in seconds', { operation: 'list', table, timeout: 20 }],
  ])('refuses %s', (_what, config) => {
    expect(accepts(config)).toBe(false);
  });

  it('refers to its connection', () => {
    expect(database.references(database.config.parse(get))).toEqual([
      { kind: 'credential', suits: ['postgresql', 'mysql', 'sqlite'], id: 'shop', at: ['connection', 'credentialId'] },
    ]);
  });

  it('has a port for no row only where there can be one', () => {
    const ports = (config: JsonObject) => database.optionalPorts(database.config.parse({ connection, ...config }));
    expect(ports(get)).toEqual(['notFound', 'error']);
    expect(ports({ operation: 'list', table })).toEqual(['error']);
  });
});

describe('the answer to database', () => {
  const rows = (...all: readonly JsonObject[]) => ({ kind: 'rows', rows: all });

  it('is a list of rows, one row, or the change', () => {
    const written = (config: JsonObject, result: JsonObject) => answered(config, result).writes['$context.result'];
    expect(written({ operation: 'list', table }, rows({ id: 1 }, { id: 2 }))).toEqual([{ id: 1 }, { id: 2 }]);
    expect(written({ operation: 'list', table }, rows())).toEqual([]);
    expect(written(get, rows({ id: 1 }))).toEqual({ id: 1 });
    expect(written({ operation: 'query', sql: 'select 1' }, rows({ a: 1 }))).toEqual([{ a: 1 }]);
    expect(written({ operation: 'create', table, values: { a: 1 } }, { kind: 'changed', affectedRows: 1, key: { id: 3 } })).toEqual({
      affectedRows: 1,
      key: { id: 3 },
    });
    expect(written({ operation: 'delete', table, where }, { kind: 'changed', affectedRows: 2 })).toEqual({ affectedRows: 2 });
  });

  it('leaves by notFound where there was no row', () => {
    expect(answered(get, rows()).by).toBe('notFound');
    expect(answered({ operation: 'delete', table, where }, { kind: 'changed', affectedRows: 0 }).by).toBe('notFound');
    expect(answered({ operation: 'query', sql: 'delete from a', readOnly: false }, { kind: 'changed', affectedRows: 0 }).by).toBe(
      'success',
    );
  });

  it.each([
    ['refused', 'DATABASE_REFUSED'],
    ['unreachable', 'DATABASE_UNREACHABLE'],
    ['too-large', 'DATABASE_RESULT_TOO_LARGE'],
    ['unknown-name', 'DATABASE_NAME_UNKNOWN'],
    ['invalid', 'INVALID_PARAMETERS'],
    ['read-only', 'DATABASE_READ_ONLY'],
    ['constraint', 'DATABASE_CONSTRAINT'],
    ['failed', 'DATABASE_FAILED'],
  ])('that is %s is an error with the cause %s, and with its outcome (P5)', (reason, cause) => {
    const result = { kind: 'failed', reason, message: 'Not this', code: '23505', outcome: 'unknown', retryAfterMs: 5 };
    const { by, failure } = answered(get, result);
    expect({ by, failure }).toEqual({
      by: 'error',
      failure: { cause, message: 'Not this', details: { reason, code: '23505', outcome: 'unknown', retryAfterMs: 5 } },
    });
  });

  it('has its own time limit, of an hour at most, under any plan (TMO-03, TMO-07, RET-03)', () => {
    const $company = { plan: 'free', kind: 'self-service' };
    const late = { kind: 'failed', reason: 'timeout', message: 'Too late', outcome: 'unknown' };
    const after = (timeout?: string) =>
      visit(database, {
        config: { ...get, ...(timeout !== undefined && { timeout }) },
        variables: { ...variables, $company },
        results: [late],
        hold: {},
      });
    expect(after().failure).toMatchObject({ cause: 'TIMEOUT', details: { limitMs: null, configuredMs: null, appliedMs: 60_000 } });
    expect(after('PT2M').effects[0]?.request).toMatchObject({ timeoutMs: 120_000 });
    expect(after('PT5H').failure).toMatchObject({ details: { configuredMs: 18_000_000, appliedMs: 3_600_000 } });
    const held = (timeout: string) => visit(database, { config: { ...get, timeout }, variables, hold: {} }).outcome;
    expect(held('PT2M')).toMatchObject({ hold: { capMs: 120_000 } });
    expect(held('PT5H')).toMatchObject({ hold: { capMs: 3_600_000 } });
  });
});
