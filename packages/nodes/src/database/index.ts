// The node `database`.
import {
  defineNode,
  durationMs,
  fail,
  formatPath,
  holdCapMs,
  type Json,
  leave,
  perform,
  planDeadline,
  type Variables,
} from '@hilo/engine/contract';
import type { z } from 'zod';
import { callDatabase } from '../effects/call-database.ts';
import { holdUser, readPlanHolder } from '../outside-call.ts';
import { renderFields } from '../render-fields.ts';
import { conditionProblem, DatabaseConfig } from './config.ts';
import { namesAt } from '../names-at.ts';

/**
 * Queries or changes a database, and stores the result: rows for `list` and `query`, one row for `get`, `{ affectedRows, key }` for
 * `create`, `{ affectedRows }` for `update`, `delete` and statements without rows. `get`, `update` and `delete` that match no row leave by
 * `notFound`.
 *
 * It has its own time limit, 60 s by default and an hour at most; no plan limits it (TMO-03). A database deduplicates nothing: a write
 * that must not be repeated after a crash needs a unique column.
 */
export const database = defineNode({
  type: 'database',
  config: DatabaseConfig,
  visual: {
    label: 'Database',
    category: 'integration',
    icon: 'database',
    colour: '#0d9488',
    description: 'Reads and writes rows of PostgreSQL, MySQL, MariaDB or SQLite.',
    summary: (config) => `${config.operation} ${'table' in config ? config.table : ''}`.trim(),
    formHints: {
      'connection.credentialId': 'credential',
      where: 'expression',
      values: 'expression',
      sql: 'multiline',
      parameters: 'expression',
      timeout: 'duration',
      saveAs: 'variable',
    },
  },
  facts: {
    ports: '`success`, [`notFound`], [`error`]',
    needs: 'a connection, as a credential',
    limits: '60 s if unset, one hour at most; one statement, 1,000 rows, 63 KB',
    holds: 'for its timeout, 60 s if unset, one hour at most',
  },
  ports: ['success'],
  optionalPorts: ({ operation }) => (mayMatchNone.has(operation) ? ['notFound', 'error'] : ['error']),
  effects: [callDatabase],
  // A statement may write, whatever it begins with.
  risk: ({ operation }) => (operation === 'list' || operation === 'get' ? 'read' : 'change'),
  run({ config, variables, hold: holdConfig }) {
    const { timeout, saveAs, operation } = config;
    const timeoutMs = timeout === undefined ? undefined : durationMs(timeout, variables);
    const call = { node: 'database', configuredMs: timeoutMs, hasClientCertificate: false } as const;
    const { cause, appliedMs, limitMs, configuredMs } = planDeadline(readPlanHolder(variables), call);
    const details = { limitMs, configuredMs, appliedMs };
    const rendered = renderRequest(config, variables, appliedMs);
    if (rendered.kind === 'refused') return fail('INVALID_PARAMETERS', rendered.message);
    const hold = holdUser(holdConfig, holdCapMs('database', timeoutMs), variables);

    return perform(
      callDatabase(rendered.request),
      (result) => {
        const createWrites = (value: Json) => (saveAs === undefined ? [] : [{ path: saveAs, value }]);
        switch (result.kind) {
          case 'rows': {
            if (operation !== 'get') return leave('success', createWrites(result.rows));
            const [row] = result.rows;
            return row === undefined ? leave('notFound') : leave('success', createWrites(row));
          }
          case 'changed': {
            const { affectedRows, key } = result;
            if (affectedRows === 0 && mayMatchNone.has(operation)) return leave('notFound');
            return leave('success', createWrites({ affectedRows, ...(key !== undefined && { key }) }));
          }
          case 'failed': {
            const { reason, message, code, outcome, retryAfterMs } = result;
            const known = { outcome, ...(code !== undefined && { code }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
            if (reason === 'timeout') return fail(cause, message, { ...details, ...known });
            return fail(causes[reason], message, { reason, ...known });
          }
        }
      },
      { deadline: { appliedMs, cause, details }, ...(hold !== undefined && { hold }) },
    );
  },
  writingFields: ['saveAs'],
  writes: ({ saveAs }) => ({ success: saveAs === undefined ? [] : [formatPath(saveAs)] }),
  shapes: ({ saveAs, operation }) => (changing.has(operation) ? namesAt(saveAs, ['affectedRows', 'key']) : {}),
  references: ({ connection }) => [
    { kind: 'credential', suits: ['postgresql', 'mysql', 'sqlite'], id: connection.credentialId, at: ['connection', 'credentialId'] },
  ],
});

/** Operations that answer with no row. */
const changing: ReadonlySet<string> = new Set(['create', 'update', 'delete']);

/** Operations that leave by `notFound` when no row matches. */
const mayMatchNone: ReadonlySet<string> = new Set(['get', 'update', 'delete']);

const causes = {
  refused: 'DATABASE_REFUSED',
  unreachable: 'DATABASE_UNREACHABLE',
  'too-large': 'DATABASE_RESULT_TOO_LARGE',
  'unknown-name': 'DATABASE_NAME_UNKNOWN',
  invalid: 'INVALID_PARAMETERS',
  'read-only': 'DATABASE_READ_ONLY',
  constraint: 'DATABASE_CONSTRAINT',
  failed: 'DATABASE_FAILED',
} as const;

type Request = z.output<typeof callDatabase.request>;
type Condition = Extract<Request, { readonly operation: 'delete' }>['where'][number];
type AuthoredCondition = Extract<DatabaseConfig, { readonly operation: 'delete' }>['where'][number];

/** A call with all of its values, or why it cannot be made. */
type Rendered = { readonly kind: 'request'; readonly request: Request } | { readonly kind: 'refused'; readonly message: string };

function renderRequest(config: DatabaseConfig, variables: Variables, timeoutMs: number): Rendered {
  const common = { credentialId: config.connection.credentialId, timeoutMs };
  if (config.operation === 'query') {
    const { operation, sql, readOnly, maxRows } = config;
    const parameters = config.parameters.map((parameter) => parameter(variables));
    return { kind: 'request', request: { ...common, operation, sql, parameters, readOnly, maxRows } };
  }
  const where = 'where' in config ? config.where.map((condition) => renderCondition(condition, variables)) : [];
  const problem = where.map(conditionProblem).find((found) => found !== undefined);
  if (problem !== undefined) return { kind: 'refused', message: problem };
  const { table } = config;
  switch (config.operation) {
    case 'list': {
      const { operation, columns, orderBy, limit, offset } = config;
      const chosen = columns === undefined ? {} : { columns };
      return { kind: 'request', request: { ...common, operation, table, ...chosen, where, orderBy, limit, offset } };
    }
    case 'get': {
      const { operation, columns, orderBy } = config;
      const chosen = columns === undefined ? {} : { columns };
      return { kind: 'request', request: { ...common, operation, table, ...chosen, where, orderBy } };
    }
    case 'create':
      return { kind: 'request', request: { ...common, operation: 'create', table, values: renderFields(config.values, variables) } };
    case 'update':
      return { kind: 'request', request: { ...common, operation: 'update', table, values: renderFields(config.values, variables), where } };
    case 'delete':
      return { kind: 'request', request: { ...common, operation: 'delete', table, where } };
  }
}

const renderCondition = ({ column, op, value }: AuthoredCondition, variables: Variables): Condition => ({
  column,
  op,
  ...(value !== undefined && { value: value(variables) }),
});
