import { expressionLanguage } from '../../packages/engine/src/contract/index.ts';

/** A function of the expression language, as the studio's completion shows it. */
interface ListedFunction {
  readonly name: string;
  readonly form: string;
  readonly says: string;
  readonly example: string;
}

/** Every function and macro that is called by its name, for the studio's completion: its worker alone knows the language itself. */
export function functionList(): readonly ListedFunction[] {
  return expressionLanguage.flatMap(({ forms, says, examples }) =>
    forms.flatMap((form) => {
      const name = /^([A-Za-z][\w.]*)\(/.exec(form)?.[1];
      const [example] = examples;
      const shown = example === undefined ? '' : `${example[0]} → ${JSON.stringify(example[1])}`;
      return name === undefined ? [] : [{ name, form, says, example: shown }];
    }),
  );
}
