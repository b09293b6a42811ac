/**
 * What keeps a value from being a schema of zod 4, as the rest of a sentence that names its place; `undefined` for one that is a schema.
 * Only zod 4 marks its schemas with `_zod`: one of zod 3 has the same methods, and fails where it is read for editors or compiled.
 */
export function refuseSchema(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null) return 'is missing, or no schema: make it with z.strictObject({ … }) of zod 4';
  if ('_zod' in given) return undefined;
  return '_def' in given && 'safeParse' in given
    ? 'is a schema of zod 3, and Hilo reads those of zod 4: run npm install zod@4 in the project'
    : 'is no schema: make it with z.strictObject({ … }) of zod 4';
}

/**
 * Requires a schema of zod 4.
 *
 * @throws {TypeError} that says what is wrong with a schema, where it is none of zod 4
 */
export function requireSchema(place: string, given: unknown): void {
  const wrong = refuseSchema(given);
  if (wrong !== undefined) throw new TypeError(`${place} ${wrong}`);
}
