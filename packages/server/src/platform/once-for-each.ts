/**
 * Makes a value once for each owner, and forgets it with the owner: routes are values that all services of a process share, and what a
 * route keeps belongs to one of them.
 *
 * @example
 * const placesOf = onceForEach((_engine: Engine) => createPool({ streams: 400 }, 0.25));
 */
export function onceForEach<Owner extends object, Value extends object>(make: (owner: Owner) => Value): (owner: Owner) => Value {
  const made = new WeakMap<Owner, Value>();
  return (owner) => {
    const value = made.get(owner) ?? make(owner);
    made.set(owner, value);
    return value;
  };
}
