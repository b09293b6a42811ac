// The node `set`.
import {
  applyWrite,
  type ConfigProblem,
  contactFieldProblem,
  contactFieldTypes,
  defineNode,
  durationBounds,
  durationMs,
  findNearestName,
  formatPath,
  HiloError,
  type Json,
  kindOfTemplate,
  leave,
  limits,
  TimedDuration,
  type UserField,
  type ValueKind,
  ValueTemplate,
  VariablePath,
  type Variables,
  type Write,
} from '@hilo/engine/contract';
import { z } from 'zod';
import { textLength } from './messages/text.ts';

const Assignment = z
  .strictObject({
    path: VariablePath.meta({ description: 'The variable to write' }),
    value: ValueTemplate.meta({ description: 'The new value; a single {{expression}} keeps its type' }),
    ttl: TimedDuration.optional().meta({ description: 'How long $memory keeps it; for ever, when left out' }),
  })
  .superRefine(({ path, value: { source }, ttl }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (path[0] === '$context') {
      if (ttl !== undefined) refuse('ttl', '$context lasts as long as the execution; only $memory takes a "ttl"');
      return;
    }
    if (path[0] === '$user') {
      if (ttl !== undefined) refuse('ttl', 'A field of the contact stays; only $memory takes a "ttl"');
      return;
    }
    if (path.length > 2) refuse('path', 'A variable of $memory is written whole: use $memory.name');
    const lifetime = typeof ttl === 'function' ? undefined : lifetimeProblem(source, ttl);
    if (lifetime !== undefined) refuse('ttl', lifetime);
    const size = JSON.stringify(source).includes('{{') ? undefined : sizeProblem(source);
    if (size !== undefined) refuse('value', size);
  });
type Assignment = z.output<typeof Assignment>;

/**
 * Writes variables (VAR-08) and fields of the contact, one after the other: an assignment sees what earlier ones of the list wrote. A value that turns out invalid at
 * run time, such as a text too long for `$memory`, fails the visit.
 */
export const set = defineNode({
  type: 'set',
  config: z.strictObject({
    assignments: z
      .array(Assignment)
      .min(1)
      .max(limits.assignments)
      .meta({ description: 'The assignments, in order: each sees the values of the earlier ones' }),
  }),
  visual: {
    label: 'Set variables',
    category: 'data',
    icon: 'variable',
    colour: '#0891b2',
    description: "Writes values to the execution's variables, to the memory of the user, or to fields of the contact.",
    summary: ({ assignments }) => assignments?.map(({ path }: { readonly path: string }) => path).join(', ') ?? '',
    formHints: { 'assignments.path': 'variable', 'assignments.value': 'expression', 'assignments.ttl': 'duration' },
  },
  facts: {
    limits: `${limits.assignments} assignments; in $memory ${limits.memoryTextChars} characters of text or ${limits.memoryJsonBytes} bytes of JSON, an object or a list for one day at most`,
  },
  ports: ['next'],
  compile({ assignments }) {
    const [only, ...more] = assignments;
    if (only !== undefined && more.length === 0) return { run: ({ variables }) => leave('next', [createWrite(only, variables)]) };
    return {
      run({ variables }) {
        const writes: Write[] = [];
        let written = variables;
        for (const assignment of assignments) {
          const write = createWrite(assignment, written);
          writes.push(write);
          written = applyWrite(written, write);
        }
        return leave('next', writes);
      },
    };
  },
  // Of months and years; those that were published before can still be run.
  check: ({ assignments }, { userFields }) => [
    ...(userFields === undefined ? [] : checkContactFields(assignments, userFields)),
    ...assignments.flatMap(({ path, value: { source }, ttl }, index): readonly ConfigProblem[] => {
      const [leastMs] = typeof ttl === 'function' ? (durationBounds(ttl) ?? []) : [];
      const message = leastMs === undefined || path[0] !== '$memory' ? undefined : lifetimeProblem(source, leastMs);
      if (message === undefined) return [];
      return [{ code: 'INVALID_CONFIG', severity: 'error', at: ['assignments', index, 'ttl'], message, hint: 'Write at most PT24H.' }];
    }),
  ],
  writingFields: ['assignments'],
  writes: ({ assignments }) => ({ next: assignments.map(({ path }) => formatPath(path)) }),
  writtenKinds({ assignments }) {
    const kinds: { [path: string]: ValueKind | undefined } = {};
    for (const { path, value } of assignments) {
      const [text, kind] = [formatPath(path), kindOfTemplate(value.source)];
      kinds[text] = Object.hasOwn(kinds, text) && kinds[text] !== kind ? undefined : kind;
    }
    return kinds;
  },
  writesBefore: ({ assignments }, [, index]) => assignments.slice(0, Number(index)).map(({ path }) => formatPath(path)),
});

/** Fields of the contact that the company does not declare: to write one fails the visit. */
const checkContactFields = (assignments: readonly Assignment[], declared: readonly UserField[]): readonly ConfigProblem[] =>
  assignments.flatMap(({ path }, index): readonly ConfigProblem[] => {
    const [scope, , key] = path;
    if (scope !== '$user' || typeof key !== 'string' || declared.some((one) => one.key === key)) return [];
    const keys = declared.map((one) => one.key);
    const nearest = findNearestName(key, keys);
    const others = keys.length === 0 ? 'it declares none' : `there are ${keys.join(', ')}`;
    const remedy = nearest === undefined ? others : `did you mean ${nearest}?`;
    const message = `The company declares no field "${key}" of contacts, so that writing it fails; ${remedy}`;
    const hint = 'Name a field of the company, or declare it in the "fields" of the company.';
    const at = ['assignments', index, 'path'];
    const fixed = nearest === undefined ? undefined : `$user.fields.${nearest}`;
    const fix = fixed === undefined ? undefined : { label: `Write ${fixed}`, at, value: fixed };
    return [{ code: 'UNKNOWN_VARIABLE_FIELD', severity: 'warning', at, message, hint, ...(fix !== undefined && { fix }) }];
  });

/** @throws {HiloError} `INVALID_REQUEST` for a value that `$memory` or the field of the contact does not take */
function createWrite({ path, value: template, ttl }: Assignment, variables: Variables): Write {
  const value = template(variables);
  const ttlMs = ttl === undefined ? undefined : durationMs(ttl, variables);
  const ofMemory = path[0] === '$memory' ? (lifetimeProblem(value, ttlMs) ?? sizeProblem(value)) : undefined;
  const problem = ofMemory ?? (path[0] === '$user' ? fieldProblem(String(path[2]), value, variables) : undefined);
  if (problem !== undefined) throw new HiloError('INVALID_REQUEST', { reason: `${formatPath(path)} was not written. ${problem}` });
  return ttlMs === undefined ? { path, value } : { path, value, ttlMs };
}

/** Why a field of the contact does not take a value; `null` removes it. The company declares its fields. */
function fieldProblem(key: string, value: Json, variables: Variables): string | undefined {
  const declared = Declared.safeParse(variables.get(['$company', 'fields', key])).data;
  if (declared === undefined) return `The company declares no field "${key}" for its contacts`;
  if (value === null || declared.type === undefined) return undefined;
  return contactFieldProblem({ key, type: declared.type, options: declared.options }, value);
}

/** A field without a type is one of a simulation whose company declares none: it takes any value. */
const Declared = z.object({ type: z.enum(contactFieldTypes).optional(), options: z.array(z.string()).optional() });

const isObjectOrList = (value: Json): boolean => typeof value === 'object' && value !== null;

/** Why a value cannot be kept that long: objects and lists need a limited time, other values do not (VAR-08). */
function lifetimeProblem(value: Json, ttlMs: number | undefined): string | undefined {
  if (!isObjectOrList(value)) return undefined;
  if (ttlMs === undefined) return 'An object or a list in $memory needs a "ttl", such as PT1H';
  return ttlMs > limits.memoryTtlMs ? `An object or a list stays in $memory for at most ${limits.memoryTtlMs / 1000} seconds` : undefined;
}

/** A number has at most 15 digits before the point: a double is not more precise. */
const maxNumber = 10 ** 15;

function sizeProblem(value: Json): string | undefined {
  if (typeof value === 'string' && textLength(value, 'characters') > limits.memoryTextChars) {
    return `A text in $memory has at most ${limits.memoryTextChars} characters`;
  }
  if (typeof value === 'number' && Math.abs(value) >= maxNumber) return 'A number in $memory has at most 15 digits';
  if (isObjectOrList(value) && textLength(JSON.stringify(value), 'bytes') > limits.memoryJsonBytes) {
    return `An object or a list in $memory has at most ${limits.memoryJsonBytes} bytes as JSON`;
  }
  return undefined;
}
