import type { Channel, Json } from '@hilo/engine/contract';

/** Something of the company that a field can name. */
interface Choosable {
  readonly id: string;
  readonly name: string;
}

/** What a form knows of its surroundings: what fields are completed from, and what their values stand against. */
export interface FieldChoices {
  /** `always` and `sometimes`: written on every, or on some ways to the node; `canvas`: written anywhere in the canvas. */
  readonly variables: readonly { readonly path: string; readonly where: 'always' | 'sometimes' | 'canvas' }[];
  readonly workflows: readonly Choosable[];
  readonly credentials: readonly Choosable[];
  readonly templates: readonly (Choosable & { readonly body?: string | null })[];
  /** That the company has bots on. */
  readonly channels: readonly Channel[];
  /** What a path was at the end of the last test; `undefined` where it was nothing. */
  readonly valueOf: (path: string) => Json | undefined;
}

/** One thing that can be written here. */
interface Choice {
  readonly label: string;
  readonly apply: string;
  readonly detail: string;
  readonly section: { readonly name: string; readonly rank: number };
}

export interface Completions {
  readonly from: number;
  readonly options: Choice[];
}

const sections = {
  always: { name: 'Written on every way to here', rank: 0 },
  sometimes: { name: 'Only on some ways', rank: 1 },
  canvas: { name: 'Written in this canvas', rank: 1 },
  scopes: { name: 'Known from outside', rank: 2 },
  functions: { name: 'Functions', rank: 3 },
} as const;

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

const functions: readonly (readonly [string, string])[] = [
  ['size(x)', 'length of a text, a list or an object'],
  ['string(x)', 'as a text'],
  ['int(x)', 'as a whole number'],
  ['has(x.y)', 'whether it is there'],
  ['?? ', 'a default where the left side is missing'],
];

/**
 * What can be completed in a text at a position: inside `{{ … }}`, after `$`, and after `{{` itself. What only some ways write comes with a
 * default, so that it can be published.
 */
export function completionsAt(text: string, position: number, { variables }: FieldChoices): Completions | null {
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
  const options: Choice[] = [
    ...variables.map(
      ({ path, where }): Choice => ({
        label: path,
        apply: inserted(where === 'sometimes' ? `${path} ?? ""` : path),
        detail: '',
        section: sections[where],
      }),
    ),
    ...scopes.map(([path, detail]): Choice => ({ label: path, apply: inserted(path), detail, section: sections.scopes })),
    ...(isInside && !dollar
      ? functions.map(([name, detail]): Choice => ({ label: name, apply: name, detail, section: sections.functions }))
      : []),
  ];
  return { from: position - word.length, options };
}
