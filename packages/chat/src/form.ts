/** A form in the log: a label and an input for each field of an `ask`, what is wrong beside each, and the button that sends it. */
import { element } from './elements.ts';
import type { Words } from './words.ts';

type Fields = { readonly [field: string]: unknown };

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The values of a form, as the service reads them: texts, truth values, and lists of what was ticked. */
export type FormValues = { readonly [field: string]: string | boolean | readonly string[] };

/** Sends what was filled in. @param reopen - for values that were not taken: they can be changed, and sent again */
export type SubmitForm = (values: FormValues, reopen: () => void) => void;

/** An input of a field, and its value. */
interface Drawn {
  readonly node: HTMLElement;
  readonly input: HTMLInputElement | HTMLSelectElement | HTMLFieldSetElement;
  /** `undefined` where nothing was filled in. */
  read(): FormValues[string] | undefined;
}

/** Inputs of the browser for the types of fields; a text for every other. */
const inputTypes: { readonly [type: string]: string | undefined } = {
  number: 'number',
  date: 'date',
  time: 'time',
  email: 'email',
  phone: 'tel',
};

/**
 * Draws a form.
 *
 * @param parameters - of the message: `form` with `fields`, `submit` and, after a form with faults, `problems`
 * @param submit - gets the values once the browser finds every input filled in as it should be
 * @returns `undefined` for a message without fields
 */
export function drawForm(parameters: unknown, words: Words, submit: SubmitForm): HTMLFormElement | undefined {
  const { fields, submit: label, problems } = fieldsOf(fieldsOf(parameters)['form']);
  const named = Object.entries(fieldsOf(fields));
  if (named.length === 0) return undefined;
  const found = new Map(listOf(problems).map(({ field, message }) => [textOf(field), textOf(message)]));
  const drawn = named.map(([name, field]) => [name, drawField(fieldsOf(field), name, found.get(name))] as const);
  const button = element('button', { class: 'submit' }, textOf(label) || words.send);
  const form = element('form', { class: 'fields' }, ...drawn.map(([, { node }]) => node), button);
  const setDisabled = (isDisabled: boolean): void => {
    for (const [, { input }] of drawn) input.disabled = isDisabled;
    button.disabled = isDisabled;
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const values = drawn.flatMap(([name, { read }]) => {
      const value = read();
      return value === undefined ? [] : [[name, value] as const];
    });
    setDisabled(true);
    submit(Object.fromEntries(values), () => setDisabled(false));
  });
  return form;
}

/** What was filled in, in one text: for the visitor's own message. */
export const formText = (values: Fields): string =>
  Object.entries(values)
    .filter(([name]) => name !== 'flow_token')
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : textOf(value) || JSON.stringify(value)}`)
    .join('\n');

function drawField(field: Fields, name: string, problem: string | undefined): Drawn {
  const label = textOf(field['label']) || name;
  const isRequired = field['required'] !== false;
  const fault = problem === undefined ? undefined : element('span', { class: 'fault', role: 'alert', dir: 'auto' }, problem);
  const common = { name, ...(isRequired && { required: '' }), ...(problem !== undefined && { 'aria-invalid': 'true' }) };
  const about = textOf(field['description']);
  const around = (input: HTMLInputElement | HTMLSelectElement): HTMLElement =>
    element('label', { dir: 'auto' }, label, about === '' ? undefined : element('small', {}, about), input, fault);
  const { type } = field;
  if (type === 'boolean') {
    const { required: _, ...others } = { required: '', ...common };
    const box = element('input', { ...others, type: 'checkbox' });
    return { input: box, node: element('label', { class: 'tick', dir: 'auto' }, box, ` ${label}`, fault), read: () => box.checked };
  }
  if (type === 'option') return drawOptions(field, label, common, fault, around);
  const input = element('input', { ...common, type: inputTypes[textOf(type)] ?? 'text', dir: 'auto', ...boundsOf(field) });
  return { input, node: around(input), read: () => (input.value === '' ? undefined : input.value) };
}

/** The bounds of a field, as attributes by which the browser checks them. */
function boundsOf({ type, min, max, integer, minLength, maxLength }: Fields): { readonly [attribute: string]: string | undefined } {
  const written = (value: unknown): string | undefined =>
    typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;
  return {
    min: written(min),
    max: written(max),
    minlength: type === 'text' ? written(minLength) : undefined,
    maxlength: type === 'text' ? written(maxLength) : undefined,
    step: type === 'number' ? (integer === true ? '1' : 'any') : undefined,
  };
}

/** A list to choose one from, or boxes to tick. */
function drawOptions(
  { options, several }: Fields,
  label: string,
  common: { readonly [attribute: string]: string },
  fault: HTMLElement | undefined,
  around: (input: HTMLSelectElement) => HTMLElement,
): Drawn {
  const choices = listOf(options).map(({ title, payload }) => ({ title: textOf(title), value: textOf(payload) || textOf(title) }));
  if (several !== true) {
    const shown = choices.map(({ title, value }) => element('option', { value }, title));
    const select = element('select', common, element('option', { value: '' }), ...shown);
    return { input: select, node: around(select), read: () => (select.value === '' ? undefined : select.value) };
  }
  const boxes = choices.map(({ title, value }) => ({ title, box: element('input', { type: 'checkbox', value }) }));
  const ticks = boxes.map(({ title, box }) => element('label', { class: 'tick', dir: 'auto' }, box, ` ${title}`));
  const set = element('fieldset', {}, element('legend', { dir: 'auto' }, label), ...ticks, fault);
  const read = (): readonly string[] | undefined => {
    const ticked = boxes.flatMap(({ box }) => (box.checked ? [box.value] : []));
    return ticked.length === 0 ? undefined : ticked;
  };
  return { input: set, node: set, read };
}
