// The rules of a segment as its form shows them, and the condition that they are together. A condition that no form wrote stays a text.

/** The kinds of what a rule can be about. */
export type SubjectKind = 'text' | 'number' | 'bool' | 'date' | 'list' | 'language' | 'zone' | 'consent' | 'instant' | 'half';

/** Something of a contact, by the path that a condition has for it. */
export interface Subject {
  readonly path: string;
  readonly kind: SubjectKind;
  /** As the company calls a field of its own. */
  readonly label?: string;
}

/** How a rule compares; all but `is` of some kinds have a contrary. */
const testsOf = {
  text: ['is', 'isNot', 'contains', 'known', 'unknown'],
  number: ['is', 'isNot', 'atLeast', 'atMost', 'known', 'unknown'],
  bool: ['is', 'isNot'],
  date: ['is', 'before', 'after', 'known', 'unknown'],
  list: ['has', 'hasNot', 'known', 'unknown'],
  language: ['startsWith', 'startsNotWith', 'unknown'],
  zone: ['is', 'isNot', 'unknown'],
  consent: ['is', 'isNot'],
  instant: ['within', 'notWithin'],
  half: ['is'],
} as const satisfies { readonly [kind in SubjectKind]: readonly string[] };
export type Test = (typeof testsOf)[SubjectKind][number];

/** The tests of a kind, in the order of the form. */
export const testsFor = (kind: SubjectKind): readonly Test[] => testsOf[kind];

/** Tests that compare with nothing. */
export const isWithoutValue = (test: Test): boolean => test === 'known' || test === 'unknown';

/** One line of the form. */
export interface Rule {
  readonly path: string;
  readonly test: Test;
  readonly value: string;
}

/** What the form says of whom a segment fits. */
export interface Rules {
  readonly join: 'all' | 'any';
  readonly rules: readonly Rule[];
}

/** Everything that a rule can be about: what every contact has, then the fields of the company. */
export function subjectsOf(
  fields: readonly { readonly key: string; readonly label?: string; readonly type: string }[],
): readonly Subject[] {
  const kinds: { readonly [type: string]: SubjectKind } = { text: 'text', number: 'number', bool: 'bool', date: 'date', list: 'list' };
  return [
    { path: 'user.groups', kind: 'list' },
    { path: 'user.consent', kind: 'consent' },
    { path: 'user.lastInboundAt', kind: 'instant' },
    { path: 'user.lastOutboundAt', kind: 'instant' },
    { path: 'user.firstSeenAt', kind: 'instant' },
    { path: 'user.locale', kind: 'language' },
    { path: 'user.timeZone', kind: 'zone' },
    { path: 'user.names', kind: 'text' },
    ...fields.flatMap(({ key, label, type }) =>
      kinds[type] === undefined ? [] : [{ path: `user.fields.${key}`, kind: kinds[type], ...(label !== undefined && { label }) }],
    ),
    { path: half, kind: 'half' },
  ];
}

/** Every second person by their number: two segments that share people between them. */
const half = 'int(user.phone) % 2';

/** The value that a new rule of a kind begins with. */
export const usualValue = (kind: SubjectKind): string =>
  ({ bool: 'true', consent: 'granted', instant: '30', half: '0', language: 'es' })[kind as string] ?? '';

const quoted = (text: string): string => JSON.stringify(text);

/** What a value is in the condition. @returns undefined for one that is none of its kind */
function writeValue(kind: SubjectKind, value: string): string | undefined {
  if (kind === 'number') return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? value : undefined;
  if (kind === 'bool') return value === 'false' ? 'false' : 'true';
  if (kind === 'half') return value === '1' ? '1' : '0';
  if (kind === 'instant') return /^\d{1,4}$/.test(value) ? value : undefined;
  return value.trim() === '' ? undefined : quoted(value);
}

/** What stands around the value of a test in its condition, by the path that it is about. */
const shapes: { readonly [test in Test]: (path: string) => readonly [before: string, after: string] } = {
  is: (path) => [`${path} == `, ''],
  isNot: (path) => [`!(has(${path}) && ${path} == `, ')'],
  atLeast: (path) => [`${path} >= `, ''],
  atMost: (path) => [`${path} <= `, ''],
  before: (path) => [`${path} < `, ''],
  after: (path) => [`${path} > `, ''],
  contains: (path) => [`${path}.contains(`, ')'],
  startsWith: (path) => [`${path}.startsWith(`, ')'],
  startsNotWith: (path) => [`!(has(${path}) && ${path}.startsWith(`, '))'],
  has: (path) => ['', ` in ${path}`],
  hasNot: (path) => [`!(has(${path}) && `, ` in ${path})`],
  within: (path) => [`${path} > now() - duration("P`, 'D")'],
  notWithin: (path) => [`!(has(${path}) && ${path} > now() - duration("P`, 'D"))'],
  known: (path) => [`has(${path})`, ''],
  unknown: (path) => [`!has(${path})`, ''],
};

/** The condition of one rule; undefined where it is not finished. */
function writeRule({ path, test, value }: Rule, kind: SubjectKind): string | undefined {
  const [before, after] = shapes[test](path);
  const given = isWithoutValue(test) ? '' : writeValue(kind, value);
  return given === undefined ? undefined : `${before}${given}${after}`;
}

/** The condition of some rules; undefined while one of them is not finished, or there is none. */
export function writeRules({ join, rules }: Rules, subjects: readonly Subject[]): string | undefined {
  const kinds = new Map(subjects.map(({ path, kind }) => [path, kind]));
  const written = rules.map((rule) => {
    const kind = kinds.get(rule.path);
    return kind === undefined ? undefined : writeRule(rule, kind);
  });
  if (written.length === 0 || written.includes(undefined)) return undefined;
  return written.join(join === 'all' ? ' && ' : ' || ');
}

/** The parts of a condition between its outermost `&&`, or `||`; those in quotes and brackets are none. */
function split(condition: string, operator: '&&' | '||'): readonly string[] {
  const parts: string[] = [];
  let [from, depth, isQuoted] = [0, 0, false];
  for (let at = 0; at < condition.length; at += 1) {
    const char = condition[at];
    if (isQuoted && char === '\\') at += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === '(' || char === ')')) depth += char === '(' ? 1 : -1;
    else if (!isQuoted && depth === 0 && condition.startsWith(` ${operator} `, at)) {
      parts.push(condition.slice(from, at));
      from = at + operator.length + 2;
      at = from - 1;
    }
  }
  return [...parts, condition.slice(from)];
}

/** The value in a part of a condition, as the form shows it: whatever it is, writing it again is compared with the condition. */
function readValue(text: string): string {
  try {
    const value: unknown = text.startsWith('"') ? JSON.parse(text) : text;
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}

function readRule(part: string, subjects: readonly Subject[]): Rule | undefined {
  for (const { path, kind } of subjects)
    for (const test of testsFor(kind)) {
      const [before, after] = shapes[test](path);
      if (!part.startsWith(before) || !part.endsWith(after) || part.length < before.length + after.length) continue;
      const rule = { path, test, value: readValue(part.slice(before.length, part.length - after.length)) };
      if (writeRule(rule, kind) === part) return rule;
    }
  return undefined;
}

/** The rules of a condition; undefined where it says what no rules say. */
export function readRules(condition: string, subjects: readonly Subject[]): Rules | undefined {
  const all = split(condition, '&&');
  const parts = all.length > 1 ? all : split(condition, '||');
  const rules = parts.map((part) => readRule(part, subjects));
  const found = rules.filter((rule) => rule !== undefined);
  return found.length < rules.length ? undefined : { join: all.length > 1 || parts.length === 1 ? 'all' : 'any', rules: found };
}
