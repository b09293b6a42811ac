// The problems of a workspace.
import { HiloError, type Problem, pointer } from '@hilo/engine/contract';
import type { z } from 'zod';
import { boundIssues } from '../../platform/bound-issues.ts';
import { inWords, quoteField } from '../../platform/in-words.ts';

const hints = {
  FILE_UNREADABLE: 'Correct the path, or the permissions of the file; relative paths begin at the folder of the workspace file.',
  FILE_OUTSIDE: 'Move the file beside the workspace file or below it, or name it by its absolute path.',
  NOT_JSON: 'Correct the text at the place named; an editor that knows JSON shows it.',
  INVALID_WORKSPACE: 'Correct the value.',
  UNKNOWN_FIELD: 'Remove the field, or correct its name: unknown fields are refused so that a typing error is not overlooked.',
  DUPLICATE_ID: 'Give each its own: ids of bots and functions and client ids are unique among all companies, others in their company.',
  UNRESOLVED_REFERENCE: 'Add what is named to the same company, or correct the name.',
  CONTRADICTION: 'Make the two agree.',
  CHANNEL_LIMIT: 'Change the template so that the provider of its bot can send it, or name another one.',
  MISSING_SECRET: 'Add it: a secret may only be left out where Hilo keeps it already.',
  WORKFLOW_CHANGED:
    'Take the change into the file (`hilo export` writes what is stored), or replace it by that of the file: `hilo serve --overwrite`, or `hilo import`.',
  INVALID_CANVAS: 'Correct the canvas; `hilo validate` shows the place.',
} as const;

/** Why a workspace is refused. */
export type WorkspaceProblemCode = keyof typeof hints;

/** A problem of a workspace; the pointer leads into the file. */
export const workspaceProblem = (code: WorkspaceProblemCode, at: readonly PropertyKey[], message: string): Problem => ({
  code,
  severity: 'error',
  pointer: pointer(at),
  message,
  hint: hints[code],
});

/** A problem of a canvas, as a problem of the workspace that contains it. */
export const canvasProblem = (at: readonly PropertyKey[], name: string, { places: _inCanvas, ...problem }: Problem): Problem => ({
  ...problem,
  pointer: pointer(at),
  message: `${name}${problem.pointer === '' ? '' : ` at ${problem.pointer}`}: ${problem.message}`,
});

/**
 * Checks a value against a schema. A value whose only faults are unknown fields is returned without them, so that it can be checked
 * further.
 *
 * @param at - where the value is in the workspace
 * @param shift - of the places within the value, where it is a part of another one
 */
export function parseShape<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  at: readonly PropertyKey[] = [],
  shift: (path: PropertyKey[]) => PropertyKey[] = (path) => path,
): { readonly value?: z.output<Schema>; readonly problems: readonly Problem[] } {
  const parsed = boundIssues(schema).safeParse(input, { error: inWords });
  if (parsed.success) return { value: parsed.data, problems: [] };
  const { issues } = parsed.error;
  const problems = describeIssues(
    issues.map((issue) => ({ ...issue, path: shift(issue.path) })),
    at,
  );
  if (issues.some(({ code }) => code !== 'unrecognized_keys')) return { problems };
  const copy: unknown = structuredClone(input);
  for (const issue of issues) if (issue.code === 'unrecognized_keys') removeFields(copy, issue.path, issue.keys);
  const { data: value } = schema.safeParse(copy);
  return value === undefined ? { problems } : { value, problems };
}

function removeFields(within: unknown, path: readonly PropertyKey[], keys: readonly string[]): void {
  const place = path.reduce<unknown>((value, step) => (value as { readonly [step: PropertyKey]: unknown })[step], within);
  for (const key of keys) Reflect.deleteProperty(place as object, key);
}

/** Unknown fields of one object that are named: one that is written by a program may have hundreds of thousands. */
const maxUnknown = 1_000;

/** One problem for each thing to mend. */
function describeIssues(issues: readonly z.core.$ZodIssue[], within: readonly PropertyKey[] = []): readonly Problem[] {
  return issues.flatMap((issue): readonly Problem[] => {
    const at = [...within, ...issue.path];
    switch (issue.code) {
      case 'unrecognized_keys':
        return issue.keys
          .slice(0, maxUnknown)
          .map((key) => workspaceProblem('UNKNOWN_FIELD', [...at, key], `There is no field "${key.slice(0, 64)}" here`));
      case 'invalid_union': {
        // Of several alternatives, the one that fails inside the value was most likely meant.
        const meant = issue.errors.find((errors) => errors.length > 0 && errors.every(({ path }) => path.length > 0));
        return meant === undefined ? [workspaceProblem('INVALID_WORKSPACE', at, nameField(issue, at))] : describeIssues(meant, at);
      }
      case 'invalid_key':
        return [workspaceProblem('INVALID_WORKSPACE', at, issue.issues[0]?.message ?? issue.message)];
      default:
        return [workspaceProblem('INVALID_WORKSPACE', at, nameField(issue, at))];
    }
  });
}

/** The schema's own sentence, with the name of the field. The value is never repeated: it may be a secret. */
function nameField(issue: z.core.$ZodIssue, at: readonly PropertyKey[]): string {
  const isWhole = issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union';
  return isWhole ? issue.message : `${quoteField(at)}: ${issue.message}`;
}

/**
 * The error for a workspace with problems.
 *
 * @param place - the source of the import, as messages name it
 */
export const workspaceRefused = (place: string, problems: readonly Problem[]): HiloError<'WORKSPACE_REFUSED'> =>
  new HiloError('WORKSPACE_REFUSED', { place, problems });
