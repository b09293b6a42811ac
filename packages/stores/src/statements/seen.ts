import { statement } from './statement.ts';

/** A delivery id, and what a repetition of it is answered. */
export type SeenValues = { readonly key: string; readonly untilMs: number; readonly answer: string };

/** Writes no row for an id that was seen before. */
export const insertSeen = statement<SeenValues>()((db, { key, untilMs, answer }) =>
  db
    .insertInto('seen')
    .values({ key, until_ms: untilMs, answer })
    .onConflict((conflict) => conflict.column('key').doNothing()),
);

export const seenAnswer = statement<{ readonly key: string }>()((db, { key }) =>
  db.selectFrom('seen').select('answer').where('key', '=', key),
);
