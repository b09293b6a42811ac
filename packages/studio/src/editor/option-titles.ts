import type { Json, JsonObject } from '@hilo/engine/contract';
import { isRecord } from '../canvas/canvas-json.ts';

/** The ports that a node's data names one by one, in order: options of a message by payload or title, branches, cases, routes, exits. */
export function optionTitles(data: JsonObject): readonly string[] {
  const { message, branches, cases, routes, exits, options: ways } = data;
  if (Array.isArray(cases)) return cases.flatMap((one: Json) => (typeof one === 'string' ? [one] : []));
  for (const list of [branches, routes, exits, ways]) if (Array.isArray(list)) return list.map((one: Json) => textOf(one, 'name'));
  if (!isRecord(message)) return [];
  const { quick_replies: replies, buttons } = message;
  const options = Array.isArray(replies)
    ? replies
    : isRecord(buttons) && Array.isArray(buttons['options'])
      ? (buttons['options'] as Json[])
      : [];
  return (options as readonly Json[]).map((option) => textOf(option, 'payload') || textOf(option, 'title'));
}

const textOf = (value: Json, field: string): string => {
  const text = isRecord(value) ? value[field] : undefined;
  return typeof text === 'string' ? text : '';
};

/** An option whose title was edited, by its place among the options. */
export interface EditedOption {
  readonly index: number;
  readonly before: string;
  readonly after: string;
}

/** The one option whose title differs; `undefined` where options were added, removed or moved. */
export function editedOption(before: readonly string[], after: readonly string[]): EditedOption | undefined {
  if (before.length !== after.length) return undefined;
  const changed = before.flatMap((title, index) => (title === after[index] ? [] : [index]));
  const [index] = changed;
  return changed.length !== 1 || index === undefined ? undefined : { index, before: before[index] ?? '', after: after[index] ?? '' };
}

/** An option whose title is that of another port for the moment: its edge has kept the port that it had. */
export interface HeldEdge {
  readonly index: number;
  readonly title: string;
  readonly port: string;
}

/**
 * What becomes of the edge of an option whose title was edited. While a title is written it may be that of another option, such as "No" on
 * the way to "Not now": the edge is held back until the title is its own, so that it does not take the edge of the other option.
 *
 * @param others - the titles of the other options
 * @param ports - the ports by which edges leave the node
 * @param held - what the edit before has held back
 */
export function followOption(
  { index, before, after }: EditedOption,
  others: ReadonlySet<string>,
  ports: ReadonlySet<string>,
  held: HeldEdge | undefined,
): { readonly renamed?: { readonly from: string; readonly to: string }; readonly held?: HeldEdge } {
  const isHeld = held?.index === index && held.title === before;
  const port = isHeld ? held.port : others.has(before) ? undefined : before;
  if (port === undefined) return {};
  const isTaken = others.has(after) || (ports.has(after) && after !== port);
  return isTaken ? { held: { index, title: after, port } } : { renamed: { from: port, to: after } };
}
