import type { Fix, PatchOperation } from '@hilo/engine/contract';
import { type CanvasJson, isRecord, pointerTo } from '../canvas/canvas-json.ts';

/** The beginning of the engine's message about a variable that nothing had written. */
const missing = /^.*?(\$[A-Za-z]+(?:\.[A-Za-z_]\w*)+) is missing\b/;

/**
 * What mends a failure of a test mechanically: the variable that was missing is read with an empty default, at every place where its node
 * reads it. `undefined` where the failure is another one.
 */
export function fixFailure(
  { nodes }: Pick<CanvasJson, 'nodes'>,
  { nodeId, message }: { readonly nodeId?: string; readonly message: string },
): Fix | undefined {
  const path = missing.exec(message)?.[1];
  const index = nodes.findIndex(({ id }) => id === nodeId);
  if (path === undefined || index < 0) return undefined;
  const patch = [...textsIn(nodes[index]?.data, `/nodes/${index}/data`)].flatMap(([pointer, text]): PatchOperation[] => {
    const value = withDefault(text, path);
    return value === text ? [] : [{ op: 'replace', path: pointer, value }];
  });
  return patch.length === 0 ? undefined : { label: `${path} ?? ""`, patch };
}

/** Reads a variable with an empty default wherever the expressions of a text read it without one. Texts in quotes stay. */
export function withDefault(text: string, path: string): string {
  const read = new RegExp(String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<![\w$.])${escapeForPattern(path)}(?![\w.[(]|\s*\?\?)`, 'g');
  return text.replace(/\{\{([\s\S]*?)\}\}/g, (whole, expression: string) => {
    if (expression.trim() === path) return `{{${path} ?? ""}}`;
    const mended = expression.replace(read, (found) => (found === path ? `(${path} ?? "")` : found));
    return mended === expression ? whole : `{{${mended}}}`;
  });
}

const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** Every text in a value, with its JSON pointer. */
function* textsIn(value: unknown, pointer: string): Generator<readonly [pointer: string, text: string]> {
  if (typeof value === 'string') yield [pointer, value];
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* textsIn(item, pointerTo(pointer, String(index)));
  else if (isRecord(value)) for (const [name, item] of Object.entries(value)) yield* textsIn(item, pointerTo(pointer, name));
}
