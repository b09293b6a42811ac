import { type Call, call, type Extension, statementsOver } from '../src/index.ts';

/** Tables that a user of the package might add. */
export const notes: Extension = {
  name: 'notes',
  migrations: [
    ({ integer }) => [`create table notes (id text not null primary key, made_at_ms ${integer} not null)`],
    () => ['alter table notes add column body text'],
  ],
};

interface Note {
  readonly id: string;
  readonly made_at_ms: number;
  readonly body: string | null;
}

const statement = statementsOver<{ readonly notes: Note }>();

const insertNote = statement<{ readonly id: string; readonly body: string }>()((db, { id, body }) =>
  db.insertInto('notes').values({ id, made_at_ms: 1_000, body }).returning('made_at_ms'),
);

const noteOf = statement<{ readonly id: string }>()((db, { id }) => db.selectFrom('notes').select('body').where('id', '=', id));

/** Writes a note. */
export const note = (id: string, body = 'text'): Call => call(insertNote, { id, body });

/** Reads the body of a note. */
export const readNote = (id: string): Call<Pick<Note, 'body'>> => call(noteOf, { id });
