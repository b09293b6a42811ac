// What the starts that are tried with one message share.
import type { JsonObject } from '../contract/json.ts';
import type { Routing } from '../contract/node.ts';

/** One place for what starts make of a message: each reading is made at the first call. */
export function createOnce(message: JsonObject): Routing['once'] {
  const made = new Map<unknown, unknown>();
  return <Made>(make: (message: JsonObject) => Made): Made => {
    if (!made.has(make)) made.set(make, make(message));
    return made.get(make) as Made; // kept under the very function that made it
  };
}
