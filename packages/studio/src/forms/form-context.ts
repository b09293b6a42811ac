import type { FieldTexts, Json, Problem } from '@hilo/engine/contract';
import { createContext, useContext } from 'react';
import { type JsonSchema, shownText } from '../canvas/canvas-json.ts';
import type { FieldChoices } from '../expressions/completions.ts';
import { useLanguage } from '../words/words.tsx';
import { fieldText, type FieldWords } from './field-text.ts';
import type { Field } from './shape.ts';
import type { WidgetComponent } from './widget-props.ts';

/** The context of every field of a form. */
export interface FormParts {
  /** What `$ref` looks into. */
  readonly root: JsonSchema;
  /** Which widget a field wants, by dotted name. */
  readonly hints: { readonly [field: string]: string };
  /** What people read beside the fields. */
  readonly texts: FieldTexts;
  readonly problems: readonly Problem[];
  readonly choices: FieldChoices;
  readonly widgets: { readonly [hint: string]: WidgetComponent };
  readonly isReadOnly: boolean;
  /** The whole value: an editor of one field may depend on another. */
  readonly data: Json;
  /** Whether every field is shown as its schema has it, without editors made by hand. */
  readonly isPlain: boolean;
  /** Whether the form is there already: a field that comes later is a new one. */
  readonly isOpen: { readonly current: boolean };
  /** Draws a field of an object; passed by context, since objects contain fields and fields contain objects. */
  readonly FieldView: React.ComponentType<FieldProps>;
}

export interface FieldProps {
  readonly field: Field;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  /** Dotted, for hints. */
  readonly at: string;
  /** The JSON pointer of the value in the canvas. */
  readonly pointer: string;
}

export const FormContext = createContext<FormParts | undefined>(undefined);

export function useForm(): FormParts {
  const form = useContext(FormContext);
  if (form === undefined) throw new Error('A field is outside of a form');
  return form;
}

/** The text of a field by its dotted name, or of one of its values as `mode=park`, in the language of the reader. */
export function useFieldText(): (at: string) => FieldWords | undefined {
  const { texts } = useForm();
  const { locale } = useLanguage();
  return (at) => fieldText(texts, at, locale);
}

/** What the values of a field are called. */
export function useValueNames(at: string): (value: Json) => string {
  const textOf = useFieldText();
  return (value) => textOf(`${at}=${shownText(value)}`)?.label ?? shownText(value);
}

/** The problems of a place. @param isWhole - including those inside it, when it has no fields to show them */
export const problemsAt = (pointer: string, problems: readonly Problem[], isWhole = false): readonly Problem[] =>
  problems.filter((problem) =>
    [problem.pointer, ...(problem.places ?? [])].some((place) => place === pointer || (isWhole && place.startsWith(`${pointer}/`))),
  );
