// What an author most likely means by a value of a config that is refused: the same value in a shape that the schema of the node takes.
import { divideData } from '../contract/common-data.ts';
import { parseJsonText } from '../contract/exact-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';
import type { NodeDefinition } from '../contract/node.ts';
import { type Fix, pointer } from '../contract/problem.ts';
import { isScopeName } from '../contract/variables.ts';
import { findMeantConstant } from '../contract/field-names.ts';
import { isTemplate } from '../expressions/template.ts';
import { getPath } from '../variables/path.ts';
import { applyPatch } from './apply-patch.ts';
import { collectFindings, describeIssue, type Finding } from './config-issues.ts';
import { shorten } from './problem-codes.ts';

/** Data of more characters is not read again for each guess. */
const longestData = 20_000;
/** A longer text is meant as it stands. */
const longestText = 400;

/** A node whose data is refused at a place. */
export interface RefusedData {
  readonly definition: NodeDefinition;
  readonly data: JsonObject;
  /** The steps inside the data. */
  readonly at: readonly string[];
  /** Where the data is in the canvas. */
  readonly within: readonly string[];
}

/** The first guess that the schema takes, as a fix; none where no guess is taken. */
export function findMeantValue({ definition, data, at, within }: RefusedData): readonly Fix[] {
  if (at.length === 0 || JSON.stringify(data).length > longestData) return [];
  const before = readFindings(definition, data);
  const value = getPath(data, at);
  const guesses =
    value === undefined
      ? listGathered(data, at, before)
      : [...listGuesses(value).map((guess) => ({ ...guess, at })), ...listAround(data, at)];
  for (const guess of guesses) {
    const changed = applyPatch(data, [{ op: 'replace', path: pointer(guess.at), value: guess.value }]);
    if (!isJsonObject(changed as Json)) continue;
    const after = readFindings(definition, changed as JsonObject);
    if (after.length >= before.length || after.some((finding) => isAbout(finding, at) || isOfList(finding, guess.at))) continue;
    return [{ label: guess.label, patch: [{ op: 'replace', path: pointer([...within, ...guess.at]), value: guess.value }] }];
  }
  return [];
}

/** Whether the schema takes the data at a place. */
export function isTaken({ definition, data, at }: RefusedData, value: Json): boolean {
  const changed = applyPatch(data, [{ op: 'replace', path: pointer(at), value }]);
  return isJsonObject(changed as Json) && !readFindings(definition, changed as JsonObject).some((finding) => isAbout(finding, at));
}

function readFindings({ config, type }: NodeDefinition, data: JsonObject): readonly Finding[] {
  try {
    return collectFindings(config.safeParse(divideData(data).config, { error: describeIssue }).error?.issues ?? [], 'INVALID_CONFIG');
  } catch {
    return [{ code: 'INVALID_CONFIG', at: [], message: type }]; // a definition of a host threw
  }
}

/** Whether a finding is at a place, inside it or around it. */
const isAbout = (finding: Finding, at: readonly string[]): boolean =>
  finding.at.slice(0, at.length).every((step, index) => String(step) === at[index]);

/** Whether a finding is at a list that was put around what stood there, or at its only item: that is then no list that was meant. */
const isOfList = (finding: Finding, at: readonly string[]): boolean =>
  isAbout(finding, at) && (finding.at.length <= at.length || (finding.at.length === at.length + 1 && finding.at.at(-1) === 0));

/** A list that belongs into another one, where one of its items is refused. */
function listAround(data: JsonObject, at: readonly string[]): readonly (Guess & Pick<RefusedData, 'at'>)[] {
  const parent = at.slice(0, -1);
  const list = parent.length === 0 ? undefined : getPath(data, parent);
  return Array.isArray(list) ? [{ ...asList(list), at: parent }] : [];
}

interface Guess {
  readonly label: string;
  readonly value: Json;
}

/** `Write {"kind":"number"}`. */
const writing = (value: Json): Guess => ({
  label: `Write ${typeof value === 'string' ? `"${shorten(value, 100)}"` : shorten(JSON.stringify(value), 100)}`,
  value,
});
const asList = (value: Json): Guess => ({ label: 'Make it a list', value: [value] });

function listGuesses(value: Json): readonly Guess[] {
  if (typeof value === 'string') return value.length > longestText ? [] : listGuessesOfText(value);
  if (typeof value === 'number' || typeof value === 'boolean') return [writing(String(value)), asList(value)];
  if (Array.isArray(value)) return listGuessesOfList(value);
  if (!isJsonObject(value)) return [];
  const values = Object.values(value);
  return [asList(value), ...(values.length > 0 && values.every(isJsonObject) ? [writing(values)] : [])];
}

/** The options of a menu, by their titles or as they are; of one item perhaps this alone. */
function listGuessesOfList(list: readonly Json[]): readonly Guess[] {
  const titled = list.length > 0 && list.every((item) => typeof item === 'string') ? list.map((title) => ({ title })) : undefined;
  return [
    ...(list.length === 1 ? list.slice(0, 1).map(writing) : []),
    ...[titled, list].flatMap((options) => (options === undefined ? [] : [writing({ options })])),
  ];
}

function listGuessesOfText(text: string): readonly Guess[] {
  const bare = text.replace(/^\s*\{\{(.*)\}\}\s*$/s, '$1').trim();
  const isVariable = isScopeName(/^\$\w+/.exec(text)?.[0]);
  const range = /^\s*(\d{1,2}:\d\d)\s?(?:-|–|to|a)\s?(\d{1,2}:\d\d)\s*$/
    .exec(text)
    ?.slice(1)
    .map((time) => time.padStart(5, '0'));
  return [
    ...(isVariable && !isTemplate(text) ? [writing(`{{${text}}}`)] : []),
    ...readLiteral(text).map(writing),
    writing({ kind: text.trim() }),
    writing({ type: 'text', text }),
    writing({ title: text }),
    writing({ credentialId: text }),
    writing({ text }),
    ...[findMeantConstant(text, ['text', 'number', 'boolean', 'date', 'time', 'email', 'phone'])].flatMap((type) =>
      type === undefined ? [] : [writing({ type })],
    ),
    writing({ op: 'expression', expression: `{{${bare}}}` }),
    ...(range === undefined ? [] : [writing(range), writing([range])]),
    asList(text),
    ...readLiteral(text).map(asList),
    ...readDay(text).map(writing),
    ...readInstant(text).map(writing),
    ...(/^[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?:[/:?].*)?$/.test(text) ? [writing(`https://${text}`)] : []),
    ...(text === text.trim() ? [] : [writing(text.trim())]),
  ];
}

/** A number, a truth value, an object or a list that is written as a text. */
function readLiteral(text: string): readonly Json[] {
  if (/^-?\d{1,15}(?:\.\d{1,9})?$/.test(text)) return [Number(text)];
  if (/^(?:true|false)$/i.test(text)) return [text.toLowerCase() === 'true'];
  if (!/^\s*[[{]/.test(text) || /^\s*\{\{/.test(text) || /\d{16}/.test(text)) return [];
  try {
    return [parseJsonText(text)];
  } catch {
    return []; // it is a text with a bracket at its beginning
  }
}

/** `25-12-2031` and `25/12/2031`; a day and a month that may be either are not guessed. */
function readDay(text: string): readonly string[] {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(text) ?? [];
  if (year === '' || (Number(day) <= 12 && day !== month)) return [];
  return [`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`];
}

/** `2031-03-03 10:00`, which has no zone: that of the user, else of the company. */
function readInstant(text: string): readonly string[] {
  const [, day = '', time = ''] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::00(?:\.0+)?)?$/.exec(text) ?? [];
  return time === '' ? [] : [`{{instant("${day}", "${time}")}}`];
}

/** What belongs into a field that is missing stands beside it: `{ path, value }` in place of `{ assignments: [{ path, value }] }`. */
function listGathered(data: JsonObject, at: readonly string[], findings: readonly Finding[]): readonly (Guess & Pick<RefusedData, 'at'>)[] {
  const parent = at.slice(0, -1);
  const around = parent.length === 0 ? data : getPath(data, parent);
  const field = at.at(-1) ?? '';
  const unknown = findings.flatMap(({ code, at: [...steps] }) =>
    code === 'UNKNOWN_FIELD' && steps.length === at.length && steps.slice(0, -1).every((step, index) => String(step) === parent[index])
      ? [String(steps.at(-1))]
      : [],
  );
  if (!isJsonObject(around) || unknown.length === 0) return [];
  const [beside, kept] = [true, false].map((isMoved) =>
    Object.fromEntries(Object.entries(around).filter(([name]) => unknown.includes(name) === isMoved)),
  );
  if (beside === undefined || kept === undefined) return [];
  const assigned = Object.entries(beside).map(([path, given]) => ({ path, value: given }));
  const label = `Put ${unknown.map((name) => `"${shorten(name, 40)}"`).join(', ')} into "${field}"`;
  return [[beside], beside, assigned].map((value) => ({ label, at: parent, value: { ...kept, [field]: value } }));
}
