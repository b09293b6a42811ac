import type { Json, JsonObject } from '@hilo/engine/contract';
import { isRecord } from '../canvas/canvas-json.ts';

/** The ports that a node's data names one by one, in order: options of a message by payload or title, branches, cases, routes. */
export function optionTitles(data: JsonObject): readonly string[] {
  const { message, branches, cases, routes } = data;
  if (Array.isArray(cases)) return cases.flatMap((one: Json) => (typeof one === 'string' ? [one] : []));
  for (const list of [branches, routes]) if (Array.isArray(list)) return list.map((one: Json) => textOf(one, 'name'));
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
