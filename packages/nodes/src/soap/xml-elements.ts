import { isJsonObject, type Json, type JsonObject, limits } from '@hilo/engine/contract';

/** Prefixes that every envelope declares for itself. */
const ownPrefixes: ReadonlySet<string> = new Set(['xml', 'xmlns', 'soap', 'wsse', 'wsu']);
/** Prefixes that an author may use without declaring them: `@xsi:type` and its values. */
const givenPrefixes = ['xsi', 'xsd'];

/** Names and prefixes in XML, restricted to characters in use. */
const nameStart = String.raw`[\p{L}_]`;
const localName = String.raw`${nameStart}[\p{L}\p{M}\p{N}_.-]*`;
const QualifiedName = new RegExp(`^(?:(${localName}):)?${localName}$`, 'u');
const Prefix = new RegExp(`^${localName}$`, 'u');

/** Characters that XML 1.0 cannot contain, escaped or not. */
const unwritable = /(?![\t\n\r\x7f-\x9f])\p{Cc}|[\ufffe\uffff]/u;

/** Why a prefix cannot be declared, or `undefined`. */
export function prefixProblem(prefix: string): string | undefined {
  if (!Prefix.test(prefix)) return `"${prefix}" is no prefix: it has letters, digits, "_", "-" and "."`;
  return ownPrefixes.has(prefix) || givenPrefixes.includes(prefix)
    ? `The prefix "${prefix}" has its meaning already: choose another`
    : undefined;
}

/**
 * Why values cannot be written as elements, or `undefined`. A key is an element, `@key` an attribute, `#text` the
 * text beside them; a list repeats its element, and null is `xsi:nil`.
 */
export function elementsProblem(elements: JsonObject, namespaces: { readonly [prefix: string]: string }): string | undefined {
  const prefixes = new Set([...Object.keys(namespaces), ...givenPrefixes]);
  let count = 0;

  const nameProblem = (name: string): string | undefined => {
    const [matched, prefix] = QualifiedName.exec(name) ?? [];
    if (matched === undefined) return `"${name}" is no name of an element or attribute`;
    return prefix === undefined || prefixes.has(prefix) ? undefined : `The prefix of "${name}" is not among the namespaces`;
  };
  const textProblem = (value: Json): string | undefined => {
    if (typeof value === 'object') return 'A text or attribute is a text, a number or a boolean';
    if (typeof value === 'string' && (unwritable.test(value) || !value.isWellFormed()))
      return 'A text has a character that XML cannot hold';
    return undefined;
  };
  const valueProblem = (value: Json, depth: number): string | undefined => {
    if (value === null) return undefined;
    if (isJsonObject(value)) return objectProblem(value, depth);
    return typeof value === 'object' ? 'A list is directly under the name of its element, and not in another list' : textProblem(value);
  };
  const objectProblem = (object: JsonObject, depth: number): string | undefined => {
    if (depth > maxDepth) return `Elements are nested more than ${maxDepth} deep`;
    for (const [key, value] of Object.entries(object)) {
      const problem = memberProblem(key, value, depth);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  const memberProblem = (key: string, value: Json, depth: number): string | undefined => {
    if (key === '#text' || key === '@xmlns') return textProblem(value);
    if (key.startsWith('@')) return nameProblem(key.slice(1)) ?? textProblem(value);
    const items = Array.isArray(value) ? (value as readonly Json[]) : [value];
    count += items.length;
    if (count > limits.keys) return `There are more than ${limits.keys} elements`;
    return nameProblem(key) ?? findFirst(items, (item) => valueProblem(item, depth + 1));
  };

  const top = Object.keys(elements).find((key) => key.startsWith('@') || key === '#text');
  return top === undefined ? objectProblem(elements, 1) : `"${top}" belongs to an element, and here elements begin`;
}

/** Less than a value may have, since the envelope adds levels. */
const maxDepth = limits.depth - 4;

function findFirst<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
