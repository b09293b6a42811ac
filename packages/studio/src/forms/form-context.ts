import type { Json, Problem } from '@hilo/engine/contract';
import { createContext } from 'react';
import type { JsonSchema } from '../canvas/canvas-json.ts';
import type { FieldChoices } from '../expressions/completions.ts';
import type { Field } from './shape.ts';
import type { WidgetComponent } from './widgets.tsx';

/** What every field of a form knows. */
export interface FormParts {
  /** What `$ref` looks into. */
  readonly root: JsonSchema;
  /** Which widget a field wants, by dotted name. */
  readonly hints: { readonly [field: string]: string };
  readonly problems: readonly Problem[];
  readonly choices: FieldChoices;
  readonly widgets: { readonly [hint: string]: WidgetComponent };
  readonly isReadOnly: boolean;
  /** Draws a field of an object; here, because objects stand in fields and fields in objects. */
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

/** What is wrong at a place. @param isWhole - also what is wrong within it: no field of its own is there to say so */
export const problemsAt = (pointer: string, problems: readonly Problem[], isWhole = false): readonly Problem[] =>
  problems.filter((problem) =>
    [problem.pointer, ...(problem.places ?? [])].some((place) => place === pointer || (isWhole && place.startsWith(`${pointer}/`))),
  );
