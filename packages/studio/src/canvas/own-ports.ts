/** The ports that authors name themselves: an exit that is called `approved` is no payment. */

/** What ports of a type are called that has some of its author's, besides those. */
const named: { readonly [type: string]: readonly string[] } = {
  agent: ['limit'],
  ask: ['answered', 'other', 'invalid'],
  condition: ['else'],
  decide: ['otherwise'],
  random: [],
  switch: ['else'],
};
const everywhere: readonly string[] = ['timeout', 'windowClosed', 'error'];

/** Whether a port of a node of this type has the name that its author gave it. */
export const isOwnPort = (type: string | undefined, port: string): boolean =>
  type !== undefined && Object.hasOwn(named, type) && named[type]?.includes(port) === false && !everywhere.includes(port);
