// The words of a canvas: what its nodes compare with, offer and read. A search tries them as replies, bodies and inputs.
import { formatPath, isJsonObject, type Json, type JsonObject, type Path } from '@hilo/engine/contract';
import { type CompiledCanvas, findReads } from '@hilo/engine/debug';

/** What a canvas is likely to tell apart. */
export interface Vocabulary {
  /** Texts that it compares with, offers or begins by. */
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  /** The texts and numbers of one node. */
  near(nodeId: string): readonly Json[];
  /** Values that a place is compared with: those of the nodes that read it, or what is kept below it. */
  valuesOf(path: Path): readonly Json[];
  /**
   * Contents for a place, as far as the canvas reads below it: an empty one, each field with each value that is looked for there, and
   * some with all fields at once.
   *
   * @param skipped - steps that what writes there puts around the content, such as `body`
   */
  contentsOf(path: Path, skipped: readonly string[]): readonly Json[];
  /**
   * Contents of which parts are kept at places of their own, as far as the canvas reads below these: one that is likely, and each part with
   * what is looked for at its place.
   */
  contentsIn(parts: readonly { readonly from: Path; readonly path: Path }[]): readonly Json[];
}

/** What is tried where the canvas itself says nothing: something for every kind of answer that a node checks. */
export const usualTexts = [
  'hello',
  'yes',
  '5',
  'ana@example.com',
  '2031-03-12',
  '10:30',
  '+5215512345678',
  '2031-03-08',
  '2031-03-03',
  '2031-03-04',
  '1',
  '2',
  'zzz',
];

/** Most contents that are tried at one place, and for one of several parts. */
const [maxContents, maxOfPart] = [50, 12];

/**
 * Reads the words of some canvases.
 *
 * @param first - the nodes whose words are tried before all others
 */
export function readVocabulary(canvases: readonly CompiledCanvas[], first: readonly string[] = []): Vocabulary {
  const ofNode = new Map<string, readonly Json[]>();
  const reads: Read[] = [];
  for (const { canvas, nodes } of canvases) {
    for (const { id, data } of canvas.nodes) ofNode.set(id, distinct([...(ofNode.get(id) ?? []), ...literalsOf(data)]));
    for (const { id, config } of nodes.values()) reads.push(...findReads(config).map(({ path }) => ({ path, nodeId: id })));
  }
  const copies = canvases.flatMap(listCopies);
  const all = distinct([...first.flatMap((nodeId) => ofNode.get(nodeId) ?? []), ...[...ofNode.values()].flat()]);
  const near = (nodeId: string): readonly Json[] => ofNode.get(nodeId) ?? [];

  const compared = (path: Path, depth: number): readonly Json[] => [
    ...reads.filter((read) => beginsWith(read.path, path)).flatMap(({ nodeId }) => near(nodeId)),
    ...(depth === 0 ? [] : copies.filter(({ from }) => beginsWith(from, path)).flatMap(({ to }) => compared(to, depth - 1))),
  ];
  const valuesOf = (path: Path): readonly Json[] => distinct(compared(path, maxCopies));

  /** The places below a path that are read, also where the whole was copied. */
  const fieldsBelow = (path: Path, depth: number): readonly Path[] => [
    ...reads.flatMap((read) => (beginsWith(read.path, path) ? [read.path.slice(path.length)] : [])),
    ...(depth === 0 ? [] : copies.filter(({ from }) => samePath(from, path)).flatMap(({ to }) => fieldsBelow(to, depth - 1))),
  ];
  const fieldsOfItems = [...fieldsBelow(['$item'], 0), ...canvases.flatMap(listItemFields)];
  const item = withFields({}, fieldsOfItems, guessField);
  const numbered = withFields({}, fieldsOfItems, () => 1);
  const lists: readonly Json[] = [
    [item],
    [item, { ...(item as JsonObject), number: 2, id: 'b' }],
    ['a', 'b'],
    ['10:30', '11:00'],
    [numbered],
    [],
  ];

  const contentsOf = (path: Path, skipped: readonly string[]): readonly Json[] => {
    const below = fieldsBelow(path, maxCopies).map((steps) => dropSteps(steps, skipped));
    const fields = distinctPaths(below.filter((steps) => steps.length > 0));
    if (fields.length === 0) return distinct([{}, ...valuesOf(path), ...lists, ...usualValues, ...all]).slice(0, maxContents);
    const looked = fields.map((steps) => ({
      steps,
      values: distinct([...valuesOf([...path, ...skipped, ...steps]), ...valuesOf([...path, ...steps])]),
    }));
    const fill = (valueOf: (values: readonly Json[], steps: Path) => Json): Json =>
      looked.reduce<Json>((content, { steps, values }) => withValue(content, steps, valueOf(values, steps)), {});
    const likely = fill((values, steps) => values[0] ?? (isListName(steps.at(-1)) ? (lists[1] ?? []) : guessField(String(steps.at(-1)))));
    const single = looked.flatMap(({ steps, values }) =>
      [...values, ...lists, ...usualValues].map((value) => withValue(likely, steps, value)),
    );
    const turned = [0, 1, 2, 3].map((turn) => fill((values) => values[turn] ?? 7));
    return distinct([likely, fill(() => 'x'), fill(() => 7), ...lists.map((list) => fill(() => list)), ...single, ...turned, {}]).slice(
      0,
      maxContents,
    );
  };
  const contentsIn: Vocabulary['contentsIn'] = (parts) => {
    const given = parts.map(({ from, path }) => {
      const [name, values] = [String(from.at(-1)), contentsOf(path, [])];
      if (!isListName(name)) return { from, values: [guessField(name), ...values] };
      // What is read of each item by a macro counts as read of the list.
      const items = { ...(item as JsonObject), ...values.find(isJsonObject) };
      const other = Object.fromEntries(Object.entries(items).map(([field, value]) => [field, value === 'a' ? 'b' : value]));
      return { from, values: [[items, { ...other, number: 2, id: 'b' }], [], ...values] };
    });
    const likely = given.reduce<Json>((content, { from, values }) => withValue(content, from, values[0] ?? null), {});
    return [likely, ...given.flatMap(({ from, values }) => values.slice(1, maxOfPart).map((value) => withValue(likely, from, value)))];
  };
  return {
    texts: all.filter((value) => typeof value === 'string'),
    numbers: all.filter((value) => typeof value === 'number'),
    near,
    valuesOf,
    contentsOf,
    contentsIn,
  };
}

interface Read {
  readonly path: Path;
  readonly nodeId: string;
}

/** A value that a canvas copies from one place to another. */
interface Copy {
  readonly from: Path;
  readonly to: Path;
}

/** A value is followed through so many copies. */
const maxCopies = 3;

/** What `set`, calls of other workflows and loops copy: where a value is compared counts for where it came from. */
function listCopies({ nodes, canvas }: CompiledCanvas): readonly Copy[] {
  return canvas.nodes.flatMap(({ id, data }): readonly Copy[] => {
    const config = nodes.get(id)?.config as
      | {
          readonly assignments?: readonly { readonly path?: Path; readonly value?: unknown }[];
          readonly inputs?: unknown;
          readonly items?: unknown;
        }
      | undefined;
    if (config === undefined) return [];
    const copied = (template: unknown, to: Path): readonly Copy[] => findReads(template).map(({ path }) => ({ from: path, to }));
    const inputs =
      isJsonObject(data['inputs']) && typeof config.inputs === 'object' && config.inputs !== null ? Object.entries(config.inputs) : [];
    return [
      ...(Array.isArray(config.assignments) ? config.assignments : []).flatMap(({ path, value }) =>
        Array.isArray(path) ? copied(value, path) : [],
      ),
      ...inputs.flatMap(([name, template]) => copied(template, ['$input', name])),
    ];
  });
}

/** The fields of items that a canvas reads behind an index, `list[int(n)].name`, or by the name that a macro gives them, `list.map(p, p.name)`. */
function listItemFields({ canvas: { nodes } }: CompiledCanvas): readonly Path[] {
  const names = nodes.flatMap(({ data }) => {
    const text = JSON.stringify(data);
    const items = new Set([...text.matchAll(/\.\w+\(\s*([a-z]\w*)\s*,/gi)].map(([, item = '']) => item));
    return [...text.matchAll(/(?:\]|\b([a-z]\w*))\??\.(\w+)\b(?!\()/gi)].flatMap(([, item, name = '']) =>
      item === undefined || items.has(item) ? [name] : [],
    );
  });
  return [...new Set(names)].map((name) => [name]);
}

const isListName = (step: string | number | undefined): boolean => typeof step === 'string' && /(?:s|list|items)$/.test(step);

const withFields = (content: Json, fields: readonly Path[], valueOf: (name: string) => Json): Json =>
  fields.reduce<Json>((whole, steps) => (steps.length === 0 ? whole : withValue(whole, steps, valueOf(String(steps.at(-1))))), content);

/** What a field of this name is likely to have. */
function guessField(name: string): Json {
  if (/url|picture|image|media|link/i.test(name)) return 'https://files.example/a.png';
  if (/price|amount|number|count|total|quantity|qty|days|size|score|rating|age|stock|weight/i.test(name)) return 1;
  return /date|day$|^at$|At$/.test(name) ? '2031-03-12' : 'a';
}

const samePath = (left: Path, right: Path): boolean => left.length === right.length && beginsWith(left, right);

/** Values of each kind. */
const usualValues: readonly Json[] = [7, 0, true, false, null, 'x', '2031-03-05T10:30:00Z', 'https://files.example/a.pdf'];

const namedFields = /^(?:payload|title|right|value|id|case|keyword|equals)$/;
const listFields = /^(?:cases|keywords|payloads|options|refs|values)$/;

/** The texts and numbers in the data of a node that it may compare with, with the numbers next to them. */
function literalsOf(data: JsonObject): readonly Json[] {
  const found: Json[] = [];
  const visit = (value: Json, name: string): void => {
    if (typeof value === 'string') found.push(...literalsOfText(value, namedFields.test(name) || listFields.test(name)));
    else if (typeof value === 'number')
      found.push(...(/^(?:right|value|min|max|cases|values|minLength|maxLength)$/.test(name) ? around(value) : []));
    else if (typeof value === 'boolean') found.push(value);
    else if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) visit(item, key);
    else if (value !== null) for (const item of value) visit(item, name);
  };
  for (const [name, value] of Object.entries(data)) if (name !== 'label' && name !== 'notes') visit(value, name);
  return distinct(found);
}

function literalsOfText(text: string, isNamed: boolean): readonly Json[] {
  if (!text.includes('{{')) return isNamed && text.length <= 60 ? [text, ...codesIn(text)] : codesIn(text);
  const inside = [...text.matchAll(/\{\{(.*?)\}\}/gs)].map(([, expression = '']) => expression);
  return inside.flatMap((expression) => [
    ...[...expression.matchAll(/'([^']{0,60})'|"([^"]{0,60})"/g)].flatMap(([, single, double]) => splitPattern(single ?? double ?? '')),
    ...[...expression.replace(/'[^']*'|"[^"]*"/g, '').matchAll(/(?<![\w$.])\d{1,9}(?:\.\d+)?\b/g)].flatMap(([number]) =>
      around(Number(number)),
    ),
  ]);
}

/** A text that is compared, and where it is a pattern of words, each of them. */
const splitPattern = (text: string): readonly string[] =>
  text.includes('|')
    ? [text, ...text.replace(/\(\?[a-z]+\)|[\^$()\\]|\\b/g, '').split('|')].filter((word) => word !== '')
    : [text].filter((word) => word !== '');

/** What looks like an example of a code in a text that people read: LU-1234. */
const codesIn = (text: string): readonly string[] => (text.match(/\b[A-Z]{1,6}[-_ ]?\d{2,10}\b/g) ?? []).slice(0, 5);

const around = (value: number): readonly number[] => [value, value - 1, value + 1];

const beginsWith = (path: Path, start: Path): boolean => start.length <= path.length && start.every((step, index) => step === path[index]);

function dropSteps(steps: Path, skipped: readonly string[]): Path {
  return skipped.length > 0 && beginsWith(steps, skipped) ? steps.slice(skipped.length) : steps;
}

/** A copy with a value at a place below it; what is in the way is replaced. */
function withValue(content: Json, [step, ...rest]: Path, value: Json): Json {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const items: readonly Json[] = Array.isArray(content) ? (content as readonly Json[]) : [];
    if (step > 9) return content;
    return Array.from({ length: Math.max(items.length, step + 1) }, (_, index) =>
      index === step ? withValue(items[index] ?? {}, rest, value) : (items[index] ?? {}),
    );
  }
  const fields: JsonObject = isJsonObject(content) ? content : {};
  return { ...fields, [step]: withValue(fields[step] ?? {}, rest, value) };
}

const distinct = (values: readonly Json[]): readonly Json[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value] as const)).values(),
];

const distinctPaths = (paths: readonly Path[]): readonly Path[] => [
  ...new Map(paths.map((path) => [formatPath(path), path] as const)).values(),
];
