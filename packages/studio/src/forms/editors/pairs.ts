/** Values by name, such as headers of a call: which can be written as lines, and how a line is changed. */
import type { Json, JsonObject } from '@hilo/engine/contract';
import { isRecord } from '../../canvas/canvas-json.ts';

/** Whether every value is a text. */
export const isPairs = (value: Json | undefined): boolean =>
  value === undefined || (isRecord(value) && Object.values(value).every((one) => typeof one === 'string'));

/** Another name for a value, at its place; unchanged where another value has that name. */
export const withName = (value: JsonObject, before: string, after: string): JsonObject =>
  before !== after && Object.hasOwn(value, after)
    ? value
    : Object.fromEntries(Object.entries(value).map(([name, one]) => [name === before ? after : name, one]));

/** A name that no value has yet. */
export function freeName(value: JsonObject, wanted = 'name'): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}${number}`;
    if (!Object.hasOwn(value, name)) return name;
  }
}

/** A text with what stands for each placeholder; one without a value stays as it is written. */
export const filledIn = (body: string, values: JsonObject): string =>
  body.replace(/\{\{([^{}]+)\}\}/g, (whole, written: string) => {
    const name = written.trim();
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return typeof value === 'string' && value !== '' ? value : whole;
  });
