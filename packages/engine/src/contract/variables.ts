import { z } from 'zod';
import { isReservedName, variableNamePattern } from '../variables/names.ts';
import { type Path, parsePath } from '../variables/path.ts';
import type { Json } from './json.ts';

/** The names an expression may start with. */
export const scopeNames = [
  '$webhook',
  '$context',
  '$memory',
  '$user',
  '$message',
  '$messages',
  '$input',
  '$output',
  '$item',
  '$error',
  '$tool',
  '$campaign',
  '$bot',
  '$company',
  '$now',
] as const;
/** The name of a scope of variables, with its `$`. */
export type ScopeName = (typeof scopeNames)[number];

/** Whether a value is the name of a scope, such as `$context`. */
export const isScopeName = (name: unknown): name is ScopeName => scopeNames.some((scope) => scope === name);

/** The variables as a visit sees them: this advance's writes first, then the committed ones. */
export interface Variables {
  /** The value at a path whose first step is a scope; `undefined` when it is missing. Own properties only. */
  get(path: Path): Json | undefined;
  /**
   * Counts what expressions cost, in characters looked at or made.
   *
   * @returns whether the advance may continue with them (P20); not counted, when left out
   */
  readonly spend?: ((work: number) => boolean) | undefined;
  /**
   * The address by which a third party resumes the wait of a node; of the only such node, when none is named.
   *
   * @returns in an object, why there is none; nothing where no execution is known
   */
  resumeUrl?(nodeId: string | undefined): string | { readonly refused: string } | undefined;
  /** The instant of the event that is being handled, which `$now` reads: milliseconds since the Unix epoch. */
  readonly nowMs?: number;
}

/** One change of a variable. `undefined` removes it; `ttlMs` is for `$memory` alone. */
export interface Write {
  readonly path: Path;
  readonly value: Json | undefined;
  readonly ttlMs?: number;
}

/** What is said of a text that is none of the places below, behind the text in quotes. */
export const isNoPlace = 'is not a place to write; use $context.name, $memory.name or $user.fields.key';

/** Where an author's node may write: `$context.…`, `$memory.…` or `$user.fields.KEY`. In the canvas a text, here its steps. */
export const VariablePath = z
  .string()
  .meta({ pattern: '^\\$(context|memory|user\\.fields)\\..+', examples: ['$context.answer'] })
  .transform((text, context): Path => {
    const path = parsePath(text);
    const [scope, name] = path ?? [];
    if (path !== undefined && path.length >= 2 && (scope === '$context' || scope === '$memory')) {
      if (scope !== '$context' || name !== 'executionId') return path;
      context.addIssue('$context.executionId is read-only; choose another name');
      return z.NEVER;
    }
    if (path !== undefined && path.length === 3 && scope === '$user' && name === 'fields') return path;
    context.addIssue(`"${text}" ${isNoPlace}`);
    return z.NEVER;
  });

/** The name of a variable, as in a webhook's `variableName` (WEB-16). */
export const VariableName = z
  .string()
  .regex(variableNamePattern, 'A variable name starts with a letter or "_" and has at most 64 letters, digits or "_"')
  .refine((name) => !isReservedName(name), { error: 'This name is reserved; choose another' });
