import { z } from 'zod';
import { compileExpression } from '../expressions/expression.ts';
import { compileJson, compileText, type JsonTemplate, type TextTemplate } from '../expressions/template.ts';
import { HiloError } from './errors.ts';
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

/** Mistakes of an expression are mistakes of the config: reported with their place, not thrown. */
export function compiledTemplate<Source, Template>(
  source: Source,
  compile: (source: Source) => Template,
  context: z.core.$RefinementCtx,
): Template {
  try {
    return compile(source);
  } catch (error) {
    if (!(error instanceof HiloError)) throw error;
    const expression: unknown = Reflect.get(error.details as object, 'source');
    context.issues.push({ code: 'custom', input: source, message: error.message, params: { code: 'EXPRESSION', source: expression } });
    return z.NEVER;
  }
}
