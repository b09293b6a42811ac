import { z } from 'zod';
import { compileExpression } from '../expressions/expression.ts';
import { compileJson, compileText, type Fault, faultsIn, type JsonTemplate, type TextTemplate } from '../expressions/template.ts';
import { isHiloError } from './errors.ts';
import { Json } from './json.ts';
import { isScopeName } from './variables.ts';

/** A text with `{{ … }}`: a text in the canvas, here a function of the variables, compiled once. */
export const Template = z
  .string()
  .meta({ description: 'Text; {{expressions}} are replaced by their values' })
  .transform((text, context): TextTemplate => compiledTemplate(text, compileText, context));

/** Any JSON with `{{ … }}` in its texts; a text that is one single expression keeps the type of its value. */
export const ValueTemplate = Json.meta({
  description: 'Any value; {{expressions}} in its texts are replaced, and one alone keeps its type',
}).transform((value, context): JsonTemplate => compiledTemplate(value, compileJson, context));

/** What a rule compares: a path (`$context.age`), an expression (`{{…}}`), or a constant. */
export const Operand = Json.meta({ description: 'A path such as $context.age, an {{expression}}, or a constant' }).transform(
  (value, context): JsonTemplate => {
    if (typeof value !== 'string' || !isScopeName(/^\$\w+/.exec(value)?.[0])) return compiledTemplate(value, compileJson, context);
    return compiledTemplate(value, (text) => Object.assign(compileExpression(text), { source: value }), context);
  },
);

/** Mistakes of expressions are mistakes of the config: all of them reported with their places, not thrown. */
export function compiledTemplate<Source extends Json, Template>(
  source: Source,
  compile: (source: Source) => Template,
  context: z.core.$RefinementCtx,
): Template {
  try {
    return compile(source);
  } catch (error) {
    if (!isHiloError(error, 'EXPRESSION')) throw error;
    const faults = faultsIn(source);
    for (const fault of faults.length > 0 ? faults : [{ at: [], error }]) context.issues.push(expressionIssue(source, fault));
    return z.NEVER;
  }
}

/** A wrong expression as an issue of the config that it stands in. */
export const expressionIssue = (input: Json, { at, error }: Fault): z.core.$ZodRawIssue => ({
  code: 'custom',
  path: [...at],
  input,
  message: error.message,
  params: { code: 'EXPRESSION', source: error.details.source },
});
