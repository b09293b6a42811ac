import { isJsonObject, type Json, VariablePath, type Write } from '@hilo/engine/contract';

/** The writes that code asks for, or what is wrong with them. */
export type Patch = { readonly kind: 'writes'; readonly writes: readonly Write[] } | { readonly kind: 'refused'; readonly message: string };

/** Reads what code returned as `{ path: value }`, each path one of `$context`; null writes nothing. */
export function readPatch(value: Json): Patch {
  if (value === null) return { kind: 'writes', writes: [] };
  if (!isJsonObject(value)) return refused('The code returned what is no patch');
  const writes: Write[] = [];
  for (const [text, written] of Object.entries(value)) {
    const { success, data: path } = VariablePath.safeParse(text);
    if (!success || path[0] !== '$context') return refused(`The code may not write to "${text.slice(0, 100)}"`);
    writes.push({ path, value: written });
  }
  return { kind: 'writes', writes };
}

const refused = (what: string): Patch => ({
  kind: 'refused',
  message: `${what}: return { "$context.name": value }, or say in saveAs where the result goes`,
});
