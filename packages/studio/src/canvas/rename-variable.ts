// Another name for a variable of the conversation, wherever a canvas writes or reads it.
import type { Command } from './commands.ts';
import { isRecord } from './canvas-json.ts';

/** Renames `$context.before` and all that is below it. The names are those that a variable may have: letters, digits and `_`. */
export const renameVariable =
  (before: string, after: string): Command =>
  (canvas) => {
    const path = new RegExp(`\\$context\\.${before}(?!\\w)`, 'g');
    const within = <Value>(value: Value): Value => {
      if (typeof value === 'string') return value.replace(path, () => `$context.${after}`) as Value;
      if (Array.isArray(value)) return value.map(within) as Value;
      return isRecord(value) ? (Object.fromEntries(Object.entries(value).map(([name, one]) => [name, within(one)])) as Value) : value;
    };
    const { variables } = canvas;
    return {
      ...canvas,
      nodes: canvas.nodes.map((node) => (node.data === undefined ? node : { ...node, data: within(node.data) })),
      ...(canvas.settings !== undefined && { settings: within(canvas.settings) }),
      ...(variables !== undefined && {
        variables: Object.fromEntries(Object.entries(variables).map(([name, one]) => [name === before ? after : name, one])),
      }),
    };
  };
