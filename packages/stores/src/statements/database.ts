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
 * Writes a limit that is always the same into the statement, instead of a place for it: SQLite plans a statement anew each
 * time its limit is given, which takes longer than to run it.
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
