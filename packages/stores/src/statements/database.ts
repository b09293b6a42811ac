// The query builders of both databases.
import {
  type Dialect,
  DummyDriver,
  Kysely,
  type KyselyPlugin,
  type LimitNode,
  OperationNodeTransformer,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely';
import type { Tables } from '../schema/row-types.ts';

/** Writes statements for one kind of database, and runs none. */
export type Database = Kysely<Tables>;

const createDatabase = (dialect: Omit<Dialect, 'createDriver'>): Database =>
  new Kysely<Tables>({ dialect: { ...dialect, createDriver: () => new DummyDriver() }, plugins: [constantLimits] });

export const sqliteDatabase = (): Database =>
  createDatabase({
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  });

/** @param schema - where the tables are */
export const postgresDatabase = (schema: string): Database =>
  createDatabase({
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }).withSchema(schema);

/**
 * Writes a constant limit into the statement, instead of a parameter: SQLite replans a statement each time its limit is bound, which
 * takes longer than running it.
 */
const constantLimits: KyselyPlugin = {
  transformQuery: ({ node }) => transformer.transformNode(node),
  transformResult: async ({ result }) => result,
};

const transformer = new (class extends OperationNodeTransformer {
  protected override transformLimit({ limit, ...node }: LimitNode): LimitNode {
    const isConstant = ValueNode.is(limit) && typeof limit.value === 'number';
    return { ...node, limit: isConstant ? ValueNode.createImmediate(limit.value) : limit };
  }
})();
