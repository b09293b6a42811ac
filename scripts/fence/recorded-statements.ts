// Stands in for the module that makes statements, and remembers each of them with the file that wrote it.
import * as made from '../../packages/stores/src/statements/statement.ts';
import type { Database } from '../../packages/stores/src/statements/database.ts';
import type { Node } from './unfenced.ts';

export * from '../../packages/stores/src/statements/statement.ts';

type AnyStatement = made.Statement<never, unknown>;
const statements: { readonly file: string; readonly statement: AnyStatement }[] = [];

const record = <Made extends AnyStatement>(statement: Made): Made => {
  const files = (new Error('where it is written').stack ?? '').split('\n').map((line) => /packages\/[^:]+/.exec(line)?.[0]);
  statements.push({ file: files.find((file) => file !== undefined && !/\/(?:of-company|queries)\.ts$/.test(file)) ?? '', statement });
  return statement;
};

// A local module takes precedence over what is exported from the other.
export const statement = ((...given: Parameters<typeof made.statement>) => {
  const define = made.statement(...given);
  return (build: Parameters<typeof define>[0]) => record(define(build));
}) as typeof made.statement;
export const statementsOver = ((...given: Parameters<typeof made.statementsOver>) => {
  const define = made.statementsOver(...given)();
  return () => (build: Parameters<typeof define>[0]) => record(define(build));
}) as typeof made.statementsOver;

/** The trees of all that were made so far; what is written as text alone has none. */
export const recorded = (db: Database): readonly { readonly file: string; readonly node: Node }[] =>
  statements.flatMap(({ file, statement: { build } }) => {
    const query = build(db, places as never);
    return isTree(query) ? [{ file, node: query.toOperationNode() }] : [];
  });

/** The text of each that was made so far. */
export const compiled = (db: Database): readonly { readonly file: string; readonly sql: string }[] =>
  statements.map(({ file, statement: one }) => ({ file, sql: made.compile(one, db).sql }));

const isTree = (query: object): query is { toOperationNode(): Node } => 'toOperationNode' in query;

/** Something in the place of each parameter. */
const places: unknown = new Proxy({}, { get: (_target, name) => ({ name }) });
