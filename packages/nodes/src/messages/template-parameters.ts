import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';

/** What a template says, with `{{name}}` placeholders. */
export interface TemplateContent {
  readonly body: string | undefined;
  readonly components: JsonObject | readonly JsonObject[] | undefined;
}

/** A place for a value: `{{code}}`, `{{ 1 }}`. A blank one is no place, and stays as it is. */
const placeholder = /\{\{([^{}]*)\}\}/g;

/** A text with a value at each place that has one; values put in are never looked at again. */
export const fillPlaces = (text: string, values: { readonly [name: string]: string }): string =>
  text.replace(placeholder, (place, inside: string) => {
    const name = inside.trim();
    return Object.hasOwn(values, name) ? (values[name] ?? place) : place;
  });

/** One component of a template as providers name them, in small letters. */
export interface TemplateComponent {
  readonly type: 'header' | 'body' | 'footer' | 'buttons';
  /** The format of a header: `text`, `image`, `video`, `document` or `location`. */
  readonly format: string;
  readonly text: string;
  readonly buttons: readonly TemplateButton[];
}

export interface TemplateButton {
  /** `url`, `quick_reply`, `phone_number`, `copy_code`, … */
  readonly type: string;
  readonly url: string;
  readonly payload: string;
}

/**
 * The components of a template, in the order header, body, footer, buttons: from a list with a `type` each, or from an object
 * with a member each. The body beside them counts where they have none.
 */
export function readComponents({ body, components }: TemplateContent): readonly TemplateComponent[] {
  const listed: readonly Json[] = Array.isArray(components)
    ? components
    : Object.entries(components ?? {}).map(([type, value]: readonly [string, Json]) => normalizeMember(type, value));
  const read = listed.flatMap((value) => readComponent(value) ?? []);
  const all =
    body === undefined || read.some(({ type }) => type === 'body')
      ? read
      : [...read, { type: 'body', format: 'text', text: body, buttons: [] } as const];
  return order.flatMap((type) => all.filter((component) => component.type === type));
}

const order = ['header', 'body', 'footer', 'buttons'] as const;

/** `"body": "Hi {{1}}"`, `"body": { "text": … }` and `"buttons": [ … ]` are equivalent to entries of a list. */
function normalizeMember(type: string, value: Json): JsonObject {
  if (typeof value === 'string') return { type, text: value };
  if (Array.isArray(value)) return { type, buttons: value };
  return isJsonObject(value) ? { ...value, type } : { type };
}

function readComponent(value: Json): TemplateComponent | undefined {
  if (!isJsonObject(value)) return undefined;
  const fields = value;
  const type = order.find((name) => name === readText(fields['type']).toLowerCase());
  if (type === undefined) return undefined;
  const buttons = Array.isArray(fields['buttons']) ? (fields['buttons'] as readonly Json[]) : [];
  return {
    type,
    format: readText(fields['format']).toLowerCase() || 'text',
    text: readText(fields['text']),
    buttons: buttons.map((button) => {
      const own: JsonObject = isJsonObject(button) ? button : {};
      return { type: readText(own['type']).toLowerCase(), url: readText(own['url']), payload: readText(own['payload']) };
    }),
  };
}

const readText = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** A place in a template: what its parameter is called, and what the provider calls it. */
export interface TemplatePlace {
  readonly parameter: string;
  readonly placeholder: string;
}

/** The places of a text, each once; numbers in their own order ({{2}} before {{10}}), names in that of the text. */
export function listPlaces(text: string, numbered: (number: string) => string = (number) => number): readonly TemplatePlace[] {
  const names = [...new Set([...text.matchAll(placeholder)].map(([, inside = '']) => inside.trim()))].filter((name) => name !== '');
  const areNumbers = names.every((name) => /^\d+$/.test(name));
  const sorted = areNumbers ? names.toSorted((a, b) => Number(a) - Number(b)) : names;
  return sorted.map((name) => ({ placeholder: name, parameter: /^\d+$/.test(name) ? numbered(name) : name }));
}

/** What a parameter of a header is called: `header.1` for {{1}}, `total` for {{total}}. */
export const listHeaderPlaces = ({ text }: TemplateComponent): readonly TemplatePlace[] => listPlaces(text, (number) => `header.${number}`);
/** What a parameter of the button at an index is called: `button.0.1`. */
export const listButtonPlaces = (text: string, index: number): readonly TemplatePlace[] =>
  listPlaces(text, (number) => `button.${index}.${number}`);

/**
 * The names of a template's parameters (TPL-05): by placeholder (`total` for {{total}} in any component), by number
 * for the body (`1`), `header.1`, `header.link` and `header.filename` for media, `header.latitude`, `header.longitude`, `header.name` and
 * `header.address` for a location, `button.0.1` for the button at that index.
 */
export function templateParameters(template: TemplateContent): {
  readonly required: ReadonlySet<string>;
  readonly optional: ReadonlySet<string>;
} {
  const required = new Set<string>();
  const optional = new Set<string>();
  for (const component of readComponents(template)) {
    if (component.type === 'header' && component.format === 'text')
      listHeaderPlaces(component).forEach(({ parameter }) => required.add(parameter));
    if (component.type === 'header' && isMedia(component.format)) required.add('header.link');
    if (component.type === 'header' && component.format === 'document') optional.add('header.filename');
    if (component.type === 'header' && component.format === 'location') locationParameters.forEach((parameter) => required.add(parameter));
    if (component.type === 'body') listPlaces(component.text).forEach(({ parameter }) => required.add(parameter));
    for (const [index, { type, url, payload }] of component.buttons.entries()) {
      if (type === 'url') listButtonPlaces(url, index).forEach(({ parameter }) => required.add(parameter));
      else if (type === 'copy_code') required.add(`button.${index}.1`);
      else if (type === 'quick_reply' && listPlaces(payload).length > 0)
        listButtonPlaces(payload, index).forEach(({ parameter }) => required.add(parameter));
      else if (type === 'quick_reply') optional.add(`button.${index}.1`);
    }
  }
  return { required, optional };
}

/** A value for each parameter that a template requires, short and of every form that a provider may want: a text, a number, degrees. */
export const sampleParameters = (template: TemplateContent): JsonObject =>
  Object.fromEntries([...templateParameters(template).required].map((name) => [name, '1']));

/** The parameters of a header with a location: the provider requires all of them. */
const locationParameters = ['header.latitude', 'header.longitude', 'header.name', 'header.address'] as const;

/** Whether the header of a template has a file: an image, a video or a document. */
export const isMedia = (format: string): boolean => ['image', 'video', 'document'].includes(format);
