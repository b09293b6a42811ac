// Schemas of what one person types and another reads: a refusal says which sign nobody sees. Names of people who are not there to be
// refused are tidied instead (`tidyName`).
import { tidyName, unseenInName, unseenInText } from '@hilo/engine/contract';
import { showsNothing } from '@hilo/nodes/effects';
import type { z } from 'zod';

/** A name without what nobody sees, which makes one name look like another. @param field - how a refusal calls it */
export const asSeen = <Schema extends z.ZodType<string, unknown>>(field: string, schema: Schema) =>
  schema.superRefine((name, context) => {
    const problem = name !== '' && showsNothing(name) ? 'shows nothing' : unseenInName(name);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: `${field} ${problem}` });
  });

/** The same of a text of several lines, such as a comment. */
export const asSeenText = <Schema extends z.ZodType<string, unknown>>(field: string, schema: Schema) =>
  schema.superRefine((text, context) => {
    const problem = unseenInText(text);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: `${field} ${problem}` });
  });

/** What a workflow is called where it is listed: a draft may be named by signs that nobody sees until it is published, or not at all. */
export const shownWorkflow = ({ id, name }: { readonly id: string; readonly name: string }): string => tidyName(name) || id;

/** The name of a file, without a path or a sign that a header or a file system could take for something else; its end names its type. */
export function tidyFileName(name: string | undefined): string | undefined {
  const tidy = tidyName((name ?? '').replaceAll(/\p{Cc}|["\\/<>:|?*]/gu, '_'))
    .slice(-200)
    .toWellFormed()
    .trim();
  return tidy === '' || /^\.+$/.test(tidy) ? undefined : tidy;
}
