import { defineNode, durationMs, fail, formatPath, holdCapMs, type Json, leave, perform, planDeadline } from '@hilo/engine/contract';
import { callDatabase } from '../effects/call-database.ts';
import { holdUser } from '../hold.ts';
import { planHolder } from '../plan-holder.ts';
import { DatabaseConfig } from './config.ts';
import { renderRequest } from './request.ts';

/**
 * Asks a database, or changes it, and keeps what came of it: rows for `list` and `query`, one row for `get`,
 * `{ affectedRows, key }` for `create`, `{ affectedRows }` for `update`, `delete` and statements without rows. `get`,
 * `update` and `delete` that meet no row leave by `notFound`.
 *
 * Its time is its own, 60 s if unset and an hour at most; no plan limits it (TMO-03). A database knows no idempotency key:
 * what must not be done twice after a crash needs a unique column.
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
    holds: 'for its time-out, 60 s if unset, one hour at most',
  },
  ports: ['success'],
  optionalPorts: ({ operation }) => (meetsNothing.has(operation) ? ['notFound', 'error'] : ['error']),
  effects: [callDatabase],
  run({ config, variables, hold: holdConfig }) {
    const { timeout, saveAs, operation } = config;
    const timeoutMs = timeout === undefined ? undefined : durationMs(timeout, variables);
    const call = { node: 'database', configuredMs: timeoutMs, hasClientCertificate: false } as const;
    const { cause, appliedMs, limitMs, configuredMs } = planDeadline(planHolder(variables), call);
    const details = { limitMs, configuredMs, appliedMs };
    const rendered = renderRequest(config, variables, appliedMs);
    if (rendered.kind === 'refused') return fail('INVALID_PARAMETERS', rendered.message);
    const hold = holdUser(holdConfig, holdCapMs('database', timeoutMs), variables);

    return perform(
      callDatabase(rendered.request),
      (result) => {
        const kept = (value: Json) => (saveAs === undefined ? [] : [{ path: saveAs, value }]);
        switch (result.kind) {
          case 'rows': {
            if (operation !== 'get') return leave('success', kept(result.rows));
            const [row] = result.rows;
            return row === undefined ? leave('notFound') : leave('success', kept(row));
          }
          case 'changed': {
            const { affectedRows, key } = result;
            if (affectedRows === 0 && meetsNothing.has(operation)) return leave('notFound');
            return leave('success', kept({ affectedRows, ...(key !== undefined && { key }) }));
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
  writes: ({ saveAs }) => ({ success: saveAs === undefined ? [] : [formatPath(saveAs)] }),
  references: ({ connection }) => [{ kind: 'credential', id: connection.credentialId, at: ['connection', 'credentialId'] }],
});

/** Operations that may meet no row at all. */
const meetsNothing: ReadonlySet<string> = new Set(['get', 'update', 'delete']);

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
