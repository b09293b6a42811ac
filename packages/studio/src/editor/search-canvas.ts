import { type CanvasJson, isRecord } from '../canvas/canvas-json.ts';

/** A variable with the nodes that write and read it. */
export interface VariableUse {
  /** With its scope, such as `$context.order`. */
  readonly path: string;
  readonly writtenAt: readonly string[];
  readonly readAt: readonly string[];
}

/** A path in an expression or as a place to write to. */
const pathPattern = /\$(?:context|user|company)(?:\.[A-Za-z_][\w]*)+/g;
/** Fields whose whole text is the path of a result; a `set` lists its paths as `path`. */
const writingFields: ReadonlySet<string> = new Set(['saveAs', 'path']);

/** Variables by path, in the order of the canvas. */
export function variablesIn({ nodes }: Pick<CanvasJson, 'nodes'>): readonly VariableUse[] {
  const uses = new Map<string, { readonly writtenAt: Set<string>; readonly readAt: Set<string> }>();
  for (const { id, data } of nodes)
    eachText(data, (text, field) => {
      for (const [path] of text.matchAll(pathPattern)) {
        const use = uses.get(path) ?? { writtenAt: new Set<string>(), readAt: new Set<string>() };
        uses.set(path, use);
        (writingFields.has(field) && text === path ? use.writtenAt : use.readAt).add(id);
      }
    });
  return [...uses].map(([path, { writtenAt, readAt }]) => ({ path, writtenAt: [...writtenAt], readAt: [...readAt] }));
}

/** The variables of the conversation, by name: with what is below each of them. */
export function usesByName(canvas: Pick<CanvasJson, 'nodes'>): readonly VariableUse[] {
  const ofConversation = variablesIn(canvas).flatMap((use) => {
    const [scope, name = ''] = use.path.split('.', 2);
    return scope === '$context' && name !== 'executionId' ? [{ ...use, name }] : [];
  });
  return [...Map.groupBy(ofConversation, ({ name }) => name)].map(([path, uses]) => ({
    path,
    writtenAt: [...new Set(uses.flatMap(({ writtenAt }) => writtenAt))],
    readAt: [...new Set(uses.flatMap(({ readAt }) => readAt))],
  }));
}

/** Fields whose text is a code: the kind of a message, of an answer, of a file. */
const codeFields: ReadonlySet<string> = new Set(['type', 'kind']);

/** Every text in a node's data that an author or a user reads. */
export function textsOf(data: unknown): readonly string[] {
  const texts: string[] = [];
  eachText(data, (text, field) => {
    if (!codeFields.has(field)) texts.push(text);
  });
  return texts;
}

function eachText(value: unknown, visit: (text: string, field: string) => void, field = ''): void {
  if (typeof value === 'string') visit(value, field);
  else if (Array.isArray(value)) for (const item of value) eachText(item, visit, field);
  else if (isRecord(value)) for (const [name, item] of Object.entries(value)) eachText(item, visit, name);
}
