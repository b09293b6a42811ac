import {
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
import type { Tables } from '../tables.ts';

/** Writes statements for one kind of database, and runs none. */
export type Database = Kysely<Tables>;

export const sqliteDatabase = (): Database =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    plugins: [constantLimits],
  });

/** @param schema - where the tables are */
export const postgresDatabase = (schema: string): Database =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [constantLimits],
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
