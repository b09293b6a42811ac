import type { JsonObject, JsonTemplate, Variables } from '@hilo/engine/contract';
import type { z } from 'zod';
import type { callDatabase } from '../effects/call-database.ts';
import { conditionProblem, type DatabaseConfig } from './config.ts';

type Request = z.output<typeof callDatabase.request>;
type Condition = Extract<Request, { readonly operation: 'delete' }>['where'][number];
type AuthoredCondition = Extract<DatabaseConfig, { readonly operation: 'delete' }>['where'][number];

/** A call with all of its values, or why it cannot be made. */
type Rendered = { readonly kind: 'request'; readonly request: Request } | { readonly kind: 'refused'; readonly message: string };

export function renderRequest(config: DatabaseConfig, variables: Variables, timeoutMs: number): Rendered {
  const common = { credentialId: config.connection.credentialId, timeoutMs };
  if (config.operation === 'query') {
    const { operation, sql, readOnly, maxRows } = config;
    const parameters = config.parameters.map((parameter) => parameter(variables));
    return { kind: 'request', request: { ...common, operation, sql, parameters, readOnly, maxRows } };
  }
  const where = 'where' in config ? config.where.map((condition) => rendered(condition, variables)) : [];
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
      return { kind: 'request', request: { ...common, operation: 'create', table, values: valuesOf(config.values, variables) } };
    case 'update':
      return { kind: 'request', request: { ...common, operation: 'update', table, values: valuesOf(config.values, variables), where } };
    case 'delete':
      return { kind: 'request', request: { ...common, operation: 'delete', table, where } };
  }
}

const valuesOf = (templates: { readonly [column: string]: JsonTemplate }, variables: Variables): JsonObject =>
  Object.fromEntries(Object.entries(templates).map(([column, value]) => [column, value(variables)]));

const rendered = ({ column, op, value }: AuthoredCondition, variables: Variables): Condition => ({
  column,
  op,
  ...(value !== undefined && { value: value(variables) }),
});
