import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { postgresDatabase, sqliteDatabase } from '../../packages/stores/src/statements/database.ts';
import { compile } from '../../packages/stores/src/statements/statement.ts';
import { connectTo, type Place } from './fill.ts';
import type { Question } from './questions.ts';

/**
 * What the database does for each question.
 *
 * @throws {Error} when it goes through a table of conversations or users from end to end
 */
export async function plansOf(place: Place, questions: readonly Question[]): Promise<ReadonlyMap<Question, readonly string[]>> {
  const plans =
    place.databaseUrl === undefined
      ? sqlitePlans(join(place.data, 'hilo.db'), questions)
      : await postgresPlans(place.databaseUrl, questions);
  for (const [{ title }, plan] of plans) {
    const scan = plan.find((line) => /^SCAN (?:conversation|found|users)|Seq Scan on (?:conversation|users)/.test(line));
    if (scan !== undefined) throw new Error(`"${title}" goes through a whole table: ${scan}`);
  }
  return plans;
}

function sqlitePlans(path: string, questions: readonly Question[]): ReadonlyMap<Question, readonly string[]> {
  const database = new DatabaseSync(path, { readOnly: true });
  const lines = (sql: string): readonly string[] =>
    database
      .prepare(`explain query plan ${sql}`)
      .all()
      .map(({ detail }) => String(detail));
  const plans = new Map(
    questions.map((question) => [question, question.statements.flatMap((statement) => lines(compile(statement, sqliteDatabase()).sql))]),
  );
  database.close();
  return plans;
}

/** The plan for any values, which PostgreSQL keeps for a statement that is prepared. */
async function postgresPlans(url: string, questions: readonly Question[]): Promise<ReadonlyMap<Question, readonly string[]>> {
  const { database, schema } = await connectTo(url);
  await database.query('set plan_cache_mode = force_generic_plan');
  const plans = new Map<Question, readonly string[]>();
  for (const question of questions) {
    const plan: string[] = [];
    for (const statement of question.statements) {
      const { sql } = compile(statement, postgresDatabase(schema));
      const places = Math.max(0, ...[...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
      await database.query(`prepare asked as ${sql}`);
      const explained = await database.query(
        `explain (costs off) execute asked(${Array.from({ length: places }, () => 'null').join(', ')})`,
      );
      await database.query('deallocate asked');
      plan.push(
        ...explained.rows.map((row) =>
          String(row['QUERY PLAN'])
            .trim()
            .replace(/^->\s+/, ''),
        ),
      );
    }
    plans.set(question, plan);
  }
  await database.end();
  return plans;
}
