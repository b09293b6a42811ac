/** The kinds of variables, as far as a canvas tells them, and the expressions that fail with values of those kinds. */
import type { Canvas } from '../contract/canvas.ts';
import type { ValueKind } from '../contract/json.ts';
import type { CheckSurroundings, WrittenForm } from '../contract/node.ts';
import type { Problem } from '../contract/problem.ts';
import { inferKind } from '../expressions/expression.ts';
import { findExpressions, isExpression, kindOfTemplate } from '../expressions/template.ts';
import { formatPath, parsePath, type Path } from '../variables/path.ts';
import { filledFields } from './filled-fields.ts';
import { ownMessageFields } from './check-variables.ts';
import { maxProblems, placedProblem, shorten } from './problem-codes.ts';
import type { ParsedNode } from './read-node.ts';

/** The kind of value that a variable surely has where it has any: by its path, or by that in braces. */
export type Typing = NonNullable<CheckSurroundings['typeOf']>;

/** Fields of scopes that Hilo fills with texts. */
const textFields: { readonly [scope: string]: readonly string[] | undefined } = {
  $user: filledFields['$user']?.filter((name) => name !== 'fields'),
  $bot: filledFields['$bot'],
  $company: ['id', 'name', 'plan', 'kind', 'locale', 'timeZone'],
  $message: [...ownMessageFields, 'text', 'payload', 'replyTo'],
};

/** The kinds that variables surely have: of declared inputs and variables, of what Hilo fills, and of what all nodes agree to write. */
export function createTyping({ settings, variables }: Canvas, nodes: readonly ParsedNode[]): Typing {
  const declared: { readonly [scope: string]: Canvas['variables'] | undefined } = { $input: settings.inputs, $context: variables };
  const written = listWritten(nodes);
  const ofVariable = (given: string): ValueKind | undefined => {
    const [scope, name, ...below] = parsePath(/^\{\{\s{0,9}([^{}\s]{1,200})\s{0,9}\}\}$/.exec(given)?.[1] ?? given) ?? [];
    if (typeof scope !== 'string' || typeof name !== 'string' || below.length > 0) return undefined;
    if (textFields[scope]?.includes(name) === true) return 'string';
    const names = declared[scope] ?? {};
    const type = Object.hasOwn(names, name) ? names[name]?.type : undefined;
    if (type !== undefined) return type === 'any' ? undefined : type;
    return scope === '$context' ? written.get(name) : undefined;
  };
  const kindOfPath = (path: Path): LanguageKind | 'any' => {
    const type = path.length === 2 ? ofVariable(formatPath(path)) : undefined;
    return type === undefined ? 'any' : languageKinds[type];
  };
  return (given) => ofVariable(given) ?? (isExpression(given) ? kindOfTemplate(given, kindOfPath) : undefined);
}

/** The kinds of the language by those of JSON values. */
const languageKinds = { string: 'text', number: 'number', boolean: 'bool', object: 'object', array: 'list' } as const;
type LanguageKind = (typeof languageKinds)[ValueKind];

/** The kinds of the variables in `$context` by what writes them: none of those that nodes write differently, or in part. */
function listWritten(nodes: readonly ParsedNode[]): ReadonlyMap<string, ValueKind | undefined> {
  const kinds = new Map<string, ValueKind | undefined>();
  const add = ([scope, name, ...below]: Path, kind: ValueKind | undefined): void => {
    if (scope !== '$context' || typeof name !== 'string') return;
    const own = below.length > 0 ? undefined : kind;
    kinds.set(name, kinds.has(name) && kinds.get(name) !== own ? undefined : own);
  };
  for (const { read, definition, mayWrite } of nodes) {
    if (mayWrite === undefined) return new Map(); // it may be any
    for (const path of mayWrite) add(path, undefined);
    if (read === undefined || definition.writingFields?.length === 0) continue; // what it only finds there, others have written
    const known = definition.writtenKinds(read.config);
    for (const text of new Set(Object.values(definition.writes(read.config)).flat())) {
      const path = parsePath(text);
      if (path !== undefined) add(path, Object.hasOwn(known, text) ? known[text] : undefined);
    }
  }
  return kinds;
}

/** The forms of the texts in `$context`, where all nodes that write a variable write one form. */
export function createForms(nodes: readonly ParsedNode[]): NonNullable<CheckSurroundings['formOf']> {
  const forms = new Map<string, WrittenForm | undefined>();
  for (const { read, definition, mayWrite } of nodes) {
    if (mayWrite === undefined) return () => undefined; // it may be any
    for (const path of mayWrite) forms.set(formatPath(path), undefined);
    if (read === undefined || definition.writingFields?.length === 0) continue;
    const known = definition.writtenForms(read.config);
    for (const path of new Set(Object.values(definition.writes(read.config)).flat())) {
      const form = Object.hasOwn(known, path) ? known[path] : undefined;
      forms.set(path, forms.has(path) && forms.get(path)?.says !== form?.says ? undefined : form);
    }
  }
  return (given) => forms.get(/^\{\{\s{0,9}([^{}\s]{1,200})\s{0,9}\}\}$/.exec(given)?.[1] ?? given);
}

/** The kinds as an author knows them. */
const words: { readonly [Kind in ValueKind]: string } = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

/** Expressions that fail, never hold, or are likely meant otherwise, whatever values their variables have, as far as the kinds of those are known. */
export function checkKinds(nodes: readonly ParsedNode[], typeOf: Typing): readonly Problem[] {
  const problems: Problem[] = [];
  for (const { id, index, templates } of nodes) {
    for (const { source, at } of findExpressions(templates)) {
      if (problems.length > maxProblems) return problems;
      const typed = new Map<string, ValueKind>();
      const kindOfVariable = (path: Path): LanguageKind | 'any' => {
        const type = path.length === 2 ? typeOf(formatPath(path)) : undefined;
        if (type !== undefined) typed.set(formatPath(path), type);
        return type === undefined ? 'any' : languageKinds[type];
      };
      const inferred = inferKind(source, kindOfVariable);
      if (!('reason' in inferred)) {
        for (const said of inferred.misread) {
          const message = `{{${shorten(source, 100)}}} may be meant otherwise: ${said}`;
          problems.push(placedProblem('MISREAD_EXPRESSION', [['nodes', index, 'data', ...at]], message, id));
        }
        continue;
      }
      if (typed.size === 0) continue;
      const known = [...typed].map(([name, type]) => `${shorten(name, 100)} is ${words[type]}`).join(', ');
      const message = `{{${shorten(source, 100)}}} cannot work: ${shorten(inferred.reason, 250)}; ${shorten(known, 150)}`;
      problems.push(placedProblem('OTHER_TYPE', [['nodes', index, 'data', ...at]], message, id));
    }
  }
  return problems;
}
