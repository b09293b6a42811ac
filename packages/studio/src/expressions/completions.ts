import type { Channel, Json, JsonObject } from '@hilo/engine/contract';
import { isRecord } from '../canvas/canvas-json.ts';
import functions from './functions.json' with { type: 'json' };

/** Something of the company that a field can name. */
interface Choosable {
  readonly id: string;
  readonly name: string;
}

/** A tool that a function offers. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly inputSchema: JsonObject;
}

/** What a form knows of its surroundings: what fields are completed from, and what their values stand against. */
export interface FieldChoices {
  /** `always` and `sometimes`: written on every, or on some ways to the node; `canvas`: written anywhere in the canvas. */
  readonly variables: readonly { readonly path: string; readonly where: 'always' | 'sometimes' | 'canvas' }[];
  readonly workflows: readonly (Choosable & { readonly kind?: string; readonly inputs?: JsonObject })[];
  /** Deployed functions; left out where none is asked for. */
  readonly functions?: readonly (Choosable & { readonly tools?: readonly OfferedTool[] })[];
  readonly credentials: readonly Choosable[];
  readonly templates: readonly (Choosable & { readonly body?: string | null })[];
  /** People and teams who take over; left out where the author may not see them, or none is asked for. */
  readonly operators?: readonly Numbered[];
  readonly teams?: readonly Numbered[];
  /** The channels that the company has bots on. */
  readonly channels: readonly Channel[];
  /** What a path was at the end of the last test; `undefined` where it was nothing. */
  readonly valueOf: (path: string) => Json | undefined;
  /** The fields that a variable is known to have, whatever the last test was, such as those of the answer of a call. */
  readonly fieldsOf?: (path: string) => readonly string[];
}

/** Somebody, by the number that canvases name. */
interface Numbered {
  readonly id: number;
  readonly name: string;
}

/** One thing that can be written here. */
interface Choice {
  /** What is compared with what was written. */
  readonly label: string;
  /** What is shown, where that is another text: a variable without its scope. */
  readonly displayLabel?: string;
  readonly apply: string;
  readonly detail: string;
  readonly section: { readonly name: string; readonly rank: number };
  /** What it does, beside the list. */
  readonly info?: string;
}

/** What is said of functions and of what the engine provides, by name, in another language than English. */
export interface SaidElsewhere {
  readonly scopesInSpanish: { readonly [path: string]: string };
  readonly functionsInSpanish: { readonly [name: string]: string };
}

export interface Completions {
  readonly from: number;
  readonly options: Choice[];
}

/** The groups of a list of completions, in its order. */
const ranks = { always: 0, sometimes: 1, canvas: 1, fields: 0, scopes: 2, functions: 3 } as const;
export type CompletionGroup = keyof typeof ranks;

/** Variables that the engine provides. */
const scopes: readonly (readonly [string, string])[] = [
  ['$user.names', 'the name that the channel gave'],
  ['$user.phone', 'digits, or null'],
  ['$user.id', 'the user of the bot'],
  ['$message.text', 'the last message of the user'],
  ['$messages', 'the burst of messages that was collected'],
  ['$error.cause', 'why the last node failed'],
  ['$error.message', 'the same, in words'],
  ['$bot.name', 'the bot'],
  ['$company.name', 'the company'],
  ['$company.settings', "the company's own settings"],
  ['$context.executionId', 'the execution itself'],
];

/** Written by no node: it is known everywhere, and seldom wanted. */
const executionId = '$context.executionId';

/** The path of a variable, without the scope that most have. */
const shownPath = (path: string): string => path.replace(/^\$context\./, '');

/**
 * What can be completed in a text at a position: inside `{{ … }}`, after `$`, and after `{{` itself. What only some ways write comes with a
 * default, so that it can be published.
 */
export function completionsAt(
  text: string,
  position: number,
  { variables, valueOf, fieldsOf = () => [] }: FieldChoices,
  titles: { readonly [Group in CompletionGroup]: string },
  said?: SaidElsewhere,
): Completions | null {
  const before = text.slice(0, position);
  const opened = before.lastIndexOf('{{');
  const isInside = opened >= 0 && before.indexOf('}}', opened) < 0;
  const word = /\$?[A-Za-z_][\w.]*$|\$$/.exec(before)?.[0] ?? '';
  const dollar = word.startsWith('$');
  if (!isInside && !dollar) return null;
  if (isInside && word === '' && !/\{\{\s*$/.test(before)) return null;
  const isClosed = text.slice(position).trimStart().startsWith('}}');
  const inserted = (expression: string): string =>
    isInside ? (isClosed || word !== '' ? expression : `${expression}}}`) : `{{${expression}}}`;
  const sectionOf = (group: CompletionGroup) => ({ name: titles[group], rank: ranks[group] });

  const owner = /^(\$[A-Za-z][\w.]*)\.\w*$/.exec(word)?.[1];
  const value = owner === undefined ? undefined : valueOf(owner);
  const fields = owner === undefined ? [] : [...new Set([...fieldsOf(owner), ...(isRecord(value) ? Object.keys(value) : [])])];
  const options: Choice[] = [
    ...fields
      .filter((field) => /^[A-Za-z_]\w*$/.test(field)) // others are read by get()
      .map((field): Choice => {
        const known: Json | undefined = isRecord(value) ? value[field] : undefined;
        return {
          label: `${owner}.${field}`,
          displayLabel: field,
          apply: inserted(`${owner}.${field}`),
          detail: known === undefined ? '' : JSON.stringify(known).slice(0, 40),
          section: sectionOf('fields'),
        };
      }),
    ...variables
      .filter(({ path }) => path !== executionId)
      .map(({ path, where }): Choice => {
        const last = valueOf(path);
        return {
          label: path,
          displayLabel: shownPath(path),
          apply: inserted(where === 'sometimes' ? `${path} ?? ""` : path),
          detail: last === undefined ? '' : JSON.stringify(last).slice(0, 40),
          section: sectionOf(where),
        };
      }),
    ...scopes.map(
      ([path, detail]): Choice => ({
        label: path,
        apply: inserted(path),
        detail: said?.scopesInSpanish[path] ?? detail,
        section: sectionOf('scopes'),
      }),
    ),
    ...(isInside && !dollar
      ? functions.map(
          ({ name, form, says, example }): Choice => ({
            label: name,
            apply: `${name}(`,
            detail: form.slice(name.length),
            section: sectionOf('functions'),
            info: [said?.functionsInSpanish[name] ?? says, example].filter((line) => line !== '').join('\n'),
          }),
        )
      : []),
  ];
  return { from: position - word.length, options };
}
