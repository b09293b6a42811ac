import type { Json, Problem } from '@hilo/engine/contract';
import { createContext } from 'react';
import type { JsonSchema } from '../canvas/canvas-json.ts';
import type { FieldChoices } from '../expressions/completions.ts';
import type { Field } from './shape.ts';
import type { WidgetComponent } from './widgets.tsx';

/** The context of every field of a form. */
export interface FormParts {
  /** What `$ref` looks into. */
  readonly root: JsonSchema;
  /** Which widget a field wants, by dotted name. */
  readonly hints: { readonly [field: string]: string };
  readonly problems: readonly Problem[];
  readonly choices: FieldChoices;
  readonly widgets: { readonly [hint: string]: WidgetComponent };
  readonly isReadOnly: boolean;
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

/** The problems of a place. @param isWhole - including those inside it, when it has no fields to show them */
export const problemsAt = (pointer: string, problems: readonly Problem[], isWhole = false): readonly Problem[] =>
  problems.filter((problem) =>
    [problem.pointer, ...(problem.places ?? [])].some((place) => place === pointer || (isWhole && place.startsWith(`${pointer}/`))),
  );
