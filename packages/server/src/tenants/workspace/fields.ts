import { instantMs, tidyName } from '@hilo/engine/contract';
import { z } from 'zod';
import { asSeen } from '../../platform/shown-names.ts';

/** Whether people can read a text, and a file can hold it: no NUL, no half of a character. */
export const isPlain = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** A text that can be shown and stored in a file. */
export const Text = z.string().refine(isPlain, { error: 'A text must not hold NUL or half a character' });

/** A name that people give and read: never empty. */
export const Name = asSeen('A name', Text.min(1).max(500));

/** What somebody else is called, who is not there to be refused: without what nobody sees; none, where nothing is left. */
export const GivenName = Text.max(500).transform((names) => tidyName(names) || undefined);

/** An id that a workspace assigns: bots, rooms, campaigns and conversations. Used in URLs. */
export const Id = z.string().regex(/^[\w.:@-]{1,128}$/, 'An id has 1 to 128 letters, digits, "_", ".", ":", "@" or "-"');

/** Companies, operators, teams and tags have numbers. */
export const NumberId = z.int().positive();

/** A user's id, as their channel reports it. */
export const UserId = Text.min(1).max(256);

/** ISO 8601 with a zone in the file, milliseconds since the Unix epoch here. */
export const Instant = z.string().transform((text, context) => {
  const atMs = utcMs(text) ?? instantMs(text);
  if (atMs !== undefined) return atMs;
  context.addIssue(`"${text.slice(0, 64)}" is not an instant; write ISO 8601 with a zone, such as 2031-03-01T09:00:00-05:00`);
  return z.NEVER;
});

/** The form that files of many conversations have, read at a tenth of the cost; `undefined` for every other. */
function utcMs(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(text)) return undefined;
  const instant = new Date(text);
  const isReal = !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text.slice(0, 19));
  return isReal ? instant.getTime() : undefined;
}

/** What may be absent, or null, which is the same. */
export const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? undefined);

/** In the schema of a field: it is written, and never read again. A form shows it as a password. */
export const isSecretField = { writeOnly: true } as const;

/** A secret of a provider, a client or a credential. Exports leave it out; when missing, the stored one is kept. */
export const Secret = optional(Text.min(1).max(16_384)).meta(isSecretField);

/** A secret that is sent in a header: no blanks at its ends, and only characters that HTTP allows. */
export const HeaderSecret = optional(
  z.string().regex(/^[\x21-\x7e]{16,4096}$/, 'It must be 16 to 4,096 printable ASCII characters without blanks: it travels in a header'),
).meta(isSecretField);

/** A list; none, when left out. */
export const list = <Schema extends z.ZodType>(item: Schema) => z.array(item).default([]);

/** Counts. */
export const Count = z.int().nonnegative();
