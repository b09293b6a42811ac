/**
 * Marks in place of values that no model may see. A value is hidden wherever it stands in what goes to a model, and put back in what comes
 * from it; a mark that somebody else types is none.
 */
import { formatPath, isJsonObject, type Json, parseJsonText, type Path, seenText, type Variables } from '@hilo/engine/contract';
import type { AgentConfig } from './config.ts';
import type { FoundValue } from './long-values.ts';
import { type Redacted, redactOrder, shapes } from './redact.ts';
import { compileValues, isNothing, isOver, type Masked, type Values, type Withheld } from './withheld-values.ts';

/** Shorter values occur in ordinary words. */
const shortest = 3;
/** The most values that get a mark of their own, and that a conversation keeps; further ones are removed for good. */
const mostMarks = 200;
const removed = '[removed]';

const mark = (index: number): string => `[[v${index + 1}]]`;
const marks = /\[\[v(\d{1,4})\]\]/g;

/** The marks of one turn. Values that `redact` finds are added to those that are known. */
export class Mask {
  #known: readonly Masked[];
  /** Values without a mark, for which there was none left. */
  readonly #unmarked: readonly Masked[];
  readonly #redacts: readonly Redacted[];
  #values: Values;

  constructor({ known, unmarked }: Withheld, redacts: readonly Redacted[], values = compileValues({ known, unmarked })) {
    this.#known = known;
    this.#unmarked = unmarked;
    this.#redacts = redactOrder.filter((kind) => redacts.includes(kind));
    this.#values = values;
  }

  /** All values with a mark so far. */
  get known(): readonly Masked[] {
    return this.#known;
  }

  /** The mask of a later message of the same conversation: the paths may have other values by then. */
  next(config: Pick<AgentConfig, 'withhold' | 'redact'>, variables: Variables): Mask {
    const before: Withheld = { known: this.#known, unmarked: this.#unmarked };
    const withheld = addValues(before, config.withhold, variables);
    return new Mask(withheld, config.redact, withheld === before ? this.#values : undefined);
  }

  /** What it hides: the same as long as nothing is added. */
  get values(): object {
    return this.#values;
  }

  /** Hides values in what a user, a tool or an author wrote. What looks like a mark there becomes none. */
  hide(given: Json): Json {
    return mapTexts(given, (text) => this.hideText(text));
  }

  /** Hides values in what a model wrote or what is hidden already: its marks stay. */
  hideAround(given: Json): Json {
    return mapTexts(given, (text) => this.hideAroundText(text));
  }

  /** Hides values in JSON that a model wrote: its escapes hide nothing. What is no JSON is a text. */
  hideAroundJson(text: string): string {
    if (isNothing(this.#values)) return text;
    const given = readJson(text);
    if (given === undefined) return this.hideAroundText(text);
    const hidden = this.hideAround(given);
    return hidden === given ? text : JSON.stringify(hidden);
  }

  hideText(text: string): string {
    const values = this.#values;
    const known = values.hidden.get(text);
    if (known !== undefined) return known;
    const hidden = this.#redact(this.#hideValues(escapeMarks(seenText(text))));
    // A text with a new value is not kept: masks that do not know its mark share the texts.
    if (values === this.#values) values.hidden.set(text, hidden);
    return hidden;
  }

  hideAroundText(text: string): string {
    if (isNothing(this.#values)) return text;
    const { hiddenAround } = this.#values;
    const known = hiddenAround.get(text);
    if (known !== undefined) return known;
    const hidden = splitMarks(text)
      .map((part, index) => (index % 2 === 1 ? part : this.#hideValues(part)))
      .join('');
    hiddenAround.set(text, hidden);
    return hidden;
  }

  /** Puts the values back in what a model wrote. A text that is one mark becomes the value as it was. */
  show(given: Json): Json {
    return this.#show(given, () => true);
  }

  showText(text: string): string {
    return this.#showText(text, () => true);
  }

  /**
   * Leaves withheld values only where a server outside may get them: of the others it sees marks, as a model does.
   *
   * @param given - inputs in which the values are put back: a mark that is left there was typed, and is none
   */
  hideFrom(given: Json, sees: readonly Path[]): Json {
    const seen = sees.map(formatPath);
    const hidden = mapTexts(given, (text) => this.#hideValues(text.replace(marks, escapeMarks)));
    return this.#show(hidden, ({ of }) => seen.some((path) => of === path || of.startsWith(`${path}.`)));
  }

  #show(given: Json, isShown: (value: Masked) => boolean): Json {
    if (typeof given === 'string') {
      const whole = /^\[\[v(\d{1,4})\]\]$/.exec(given)?.[1];
      const value = whole === undefined ? undefined : this.#known[Number(whole) - 1];
      return value !== undefined && isShown(value) ? value.value : this.#showText(given, isShown);
    }
    if (Array.isArray(given)) return given.map((item: Json) => this.#show(item, isShown));
    if (!isJsonObject(given)) return given;
    return Object.fromEntries(Object.entries(given).map(([name, item]) => [name, this.#show(item, isShown)]));
  }

  #showText(text: string, isShown: (value: Masked) => boolean): string {
    return text.replace(marks, (written, number: string) => {
      const value = this.#known[Number(number) - 1];
      return value !== undefined && isShown(value) ? String(value.value) : written;
    });
  }

  /** What each mark stands for, as a line for the model; `undefined` when there is none. */
  describe(): string | undefined {
    if (this.#known.length === 0) return undefined;
    const meanings = this.#known.map(({ of }, index) => `${mark(index)} is ${of}`);
    return `Some values are hidden behind marks: ${meanings.join(', ')}. Write a mark as it is where its value is meant.`;
  }

  #hideValues(text: string): string {
    const { long, guards, find } = this.#values;
    const found = long.find(text);
    if (found === undefined) return removed;
    const parts = splitAt(text, found, (value) => this.#markFor(value));
    if (find === undefined) return parts.join('');
    return parts
      .map((part, index) => {
        if (index % 2 === 1) return part;
        return guards.some((guard) => isOver(guard, part)) ? removed : part.replace(find, (found) => this.#markOf(found));
      })
      .join('');
  }

  #markFor(value: Masked): string {
    const index = this.#known.indexOf(value);
    return index < 0 ? removed : mark(index);
  }

  /** The mark of a text that was found: of the value that it is, else of the longest that is written so. */
  #markOf(found: string): string {
    const { whole, asTheyAre, byLength } = this.#values;
    const known = whole.get(found);
    if (known !== undefined) return known;
    const value = asTheyAre.get(found.toLowerCase()) ?? byLength.find((one) => one.isWhole(found))?.value;
    const marked = value === undefined ? removed : this.#markFor(value);
    whole.set(found, marked);
    return marked;
  }

  #redact(text: string): string {
    let left = text;
    for (const kind of this.#redacts) {
      left = splitMarks(left)
        .map((part, index) =>
          index % 2 === 1 ? part : part.replace(shapes[kind].find, (found) => (shapes[kind].isOne(found) ? this.#add(found, kind) : found)),
        )
        .join('');
    }
    return left;
  }

  #add(value: string, kind: Redacted): string {
    const index = this.#known.findIndex((one) => one.value === value);
    if (index >= 0) return mark(index);
    if (this.#known.length >= mostMarks) return removed;
    this.#known = [...this.#known, { value, of: shapes[kind].words }];
    this.#values = compileValues({ known: this.#known, unmarked: this.#unmarked });
    return mark(this.#known.length - 1);
  }
}

/** The marks for the values that these paths have now, or had at several times, beside those that there are. */
export function maskOf(
  known: readonly Masked[],
  { withhold, redact }: Pick<AgentConfig, 'withhold' | 'redact'>,
  ...times: readonly Pick<Variables, 'get'>[]
): Mask {
  const none: Withheld = { known, unmarked: [] };
  return new Mask(
    times.reduce((withheld, variables) => addValues(withheld, withhold, variables), none),
    redact,
  );
}

/** The values beside those that these paths have now; the same where nothing is new. */
function addValues(before: Withheld, withhold: readonly Path[], variables: Pick<Variables, 'get'>): Withheld {
  const known = [...before.known];
  const unmarked = [...before.unmarked];
  const texts = new Set([...known, ...unmarked].map(({ value }) => String(value)));
  const count = texts.size;
  for (const path of withhold)
    for (const value of leavesOf(variables.get(path))) {
      const text = String(value);
      if (text.length < shortest || texts.has(text)) continue;
      texts.add(text);
      (known.length < mostMarks ? known : unmarked).push({ value, of: formatPath(path) });
    }
  return texts.size === count ? before : { known, unmarked };
}

/** The texts and numbers in a value. */
function leavesOf(value: Json | undefined): readonly (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((item: Json) => leavesOf(item)) : [];
}

function readJson(text: string): Json | undefined {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

/** A text in which nothing looks like the beginning of a mark. */
const escapeMarks = (text: string): string => text.replace(/\[(?=\[)/g, '[ ');

/** A text and its marks in turn: every second part is a mark. */
const splitMarks = (text: string): readonly string[] => text.split(/(\[\[v\d{1,4}\]\])/);

/** The parts of a text around values that it has, with the mark of each between them. */
function splitAt(text: string, found: readonly FoundValue<Masked>[], markFor: (value: Masked) => string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { at, end, value } of found) {
    parts.push(text.slice(from, at), markFor(value));
    from = end;
  }
  return [...parts, text.slice(from)];
}

/** Applies a change to each text of a value, the names of objects too. A number that it would change becomes a text. */
function mapTexts(given: Json, change: (text: string) => string): Json {
  if (typeof given === 'string') return change(given);
  if (typeof given === 'number') {
    const changed = change(String(given));
    return changed === String(given) ? given : changed;
  }
  if (Array.isArray(given)) return given.map((item: Json) => mapTexts(item, change));
  if (!isJsonObject(given)) return given;
  const entries = Object.entries(given);
  const changed = entries.map(([name, item]) => [change(name), mapTexts(item, change)] as const);
  // What has nothing to hide stays the value that it is.
  return changed.every(([name, item], index) => name === entries[index]?.[0] && item === entries[index]?.[1])
    ? given
    : Object.fromEntries(changed);
}
