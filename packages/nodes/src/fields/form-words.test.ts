/** What people read of a field that is wrong: each sentence that a check can say has words in Spanish and Portuguese. */
import { describe, expect, it } from 'vitest';
import { Field } from './field.ts';
import { checkFields, findProblem } from './check-fields.ts';
import { english, formWords } from './form-words.ts';

const options = [{ title: 'Básico' }, { title: 'Full' }];

it.each([
  ['es-MX', 'Enviar', 'o - para omitirlo'],
  ['pt-BR', 'Enviar', 'ou - para pular'],
  ['en-US', 'Send', 'or - to leave it out'],
  ['de-DE', 'Send', 'or - to leave it out'],
  [undefined, 'Send', 'or - to leave it out'],
])('the words around a form are those of %s', (locale, send, leaveOut) => {
  const words = formWords(locale);
  expect([words.send, words.leaveOut('-')]).toEqual([send, leaveOut]);
  // Checks of a canvas measure the English ones.
  expect(words.leaveOut('-').length).toBeLessThanOrEqual(formWords('en').leaveOut('-').length);
});

describe('what is wrong with a field', () => {
  it.each([
    [{ type: 'text', minLength: 2 }, 'a'],
    [{ type: 'text', maxLength: 1 }, 'ab'],
    [{ type: 'text' }, 1],
    [{ type: 'number' }, 'a'],
    [{ type: 'number', integer: true }, 1.5],
    [{ type: 'number', min: -2.5 }, -3],
    [{ type: 'number', max: 2 }, 3],
    [{ type: 'boolean' }, 'a'],
    [{ type: 'date' }, 'a'],
    [{ type: 'date', min: '2031-01-02' }, '2031-01-01'],
    [{ type: 'date', max: '2031-01-02' }, '2031-01-03'],
    [{ type: 'time' }, 'a'],
    [{ type: 'email' }, 'a'],
    [{ type: 'phone' }, 'a'],
    [{ type: 'option', options }, 'a'],
    [{ type: 'option', options, several: true }, 'a'],
    [{ type: 'list', of: 'text' }, 1],
    [{ type: 'list', of: 'number' }, ['a']],
    [{ type: 'list', of: 'text', maxItems: 1 }, ['a', 'b']],
  ])('is said in Spanish and Portuguese: %j, %j', (raw, value) => {
    const field = Field.parse(raw);
    for (const locale of ['es-PE', 'pt-BR']) {
      const message = `"Edad" ${findProblem(field, value, formWords(locale)) ?? ''}.`;
      expect(message).toMatch(/^"Edad" deb?v?e .*\.$/);
      expect(message).not.toMatch(/must|\$\d/);
    }
    const problem = findProblem(field, value, english);
    expect(problem).toMatch(/^must /);
    expect(findProblem(field, value, formWords('de-DE'))).toBe(problem);
    expect(findProblem(field, value, formWords(undefined))).toBe(problem);
  });

  it('is said of what is missing, and of a form as a whole', () => {
    const fields = { x: Field.parse({ type: 'text', label: 'Su "nombre"' }) };
    const judged = (locale?: string) => checkFields(fields, {}, formWords(locale));
    expect(judged()).toMatchObject({ kind: 'invalid', problems: [{ message: '"Su "nombre"" is missing.' }] });
    expect(judged('es')).toMatchObject({ kind: 'invalid', problems: [{ message: '"Su "nombre"" hace falta.' }] });
    expect(formWords('pt-BR').fillIn).toBe('Por favor, preencha o formulário.');
  });
});
