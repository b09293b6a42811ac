/** Says to a person, in Spanish or Portuguese by their locale, what is wrong with a field: `"Edad" debe ser 18 o más.` Other locales read it in English. */
import type { FieldProblem } from './check-fields.ts';

type Sentence = readonly [pattern: RegExp, es: string, pt: string];

/** What is wrong, as the rest of a sentence that begins with the name of its field. */
const sentences: readonly Sentence[] = [
  [/^is missing$/, 'hace falta', 'é obrigatório'],
  [/^is not understood$/, 'no se entiende', 'não foi entendido'],
  [/^must have (\d{1,6}) characters? or more$/, 'debe tener $1 o más caracteres', 'deve ter $1 ou mais caracteres'],
  [/^must have (\d{1,6}) characters? or fewer$/, 'debe tener $1 caracteres como máximo', 'deve ter no máximo $1 caracteres'],
  [/^must be a whole number$/, 'debe ser un número entero', 'deve ser um número inteiro'],
  [/^must be a number$/, 'debe ser un número', 'deve ser um número'],
  [/^must be a text$/, 'debe ser un texto', 'deve ser um texto'],
  [/^must be true or false$/, 'debe ser sí o no', 'deve ser sim ou não'],
  [/^must be a day such as .{1,40}$/, 'debe ser una fecha, como 31/12/2031', 'deve ser uma data, como 31/12/2031'],
  [/^must be (\d{4})-(\d\d)-(\d\d) or later$/, 'debe ser el $3/$2/$1 o después', 'deve ser $3/$2/$1 ou depois'],
  [/^must be (\d{4})-(\d\d)-(\d\d) or earlier$/, 'debe ser el $3/$2/$1 o antes', 'deve ser $3/$2/$1 ou antes'],
  [/^must be (\S{1,40}) or more$/, 'debe ser $1 o más', 'deve ser $1 ou mais'],
  [/^must be (\S{1,40}) or less$/, 'debe ser $1 o menos', 'deve ser $1 ou menos'],
  [/^must be a time such as (.{1,40})$/, 'debe ser una hora, como $1', 'deve ser um horário, como $1'],
  [/^must be an e-mail address$/, 'debe ser un correo electrónico', 'deve ser um e-mail'],
  [/^must be a phone number,.{1,80}$/, 'debe ser un número de teléfono', 'deve ser um número de telefone'],
  [/^must be one of (.{0,520})$/, 'debe ser una de estas opciones: $1', 'deve ser uma destas opções: $1'],
  [
    /^must be a list of one or more of (.{0,520}), each once$/,
    'debe ser una o más de estas opciones: $1',
    'deve ser uma ou mais destas opções: $1',
  ],
  [/^must be a list of numbers$/, 'debe ser una lista de números', 'deve ser uma lista de números'],
  [/^must be a list of texts$/, 'debe ser una lista', 'deve ser uma lista'],
  [/^must have (\d{1,6}) items or fewer$/, 'debe tener $1 elementos como máximo', 'deve ter no máximo $1 itens'],
];

/** Words around the questions of a form. */
interface FormWords {
  readonly send: string;
  /** How a field is left out. @param mark - what is written for it */
  readonly leaveOut: (mark: string) => string;
}

const inEnglish: FormWords = { send: 'Send', leaveOut: (mark) => `or ${mark} to leave it out` };
const words: ReadonlyMap<string, FormWords> = new Map([
  ['es', { send: 'Enviar', leaveOut: (mark) => `o ${mark} para omitirlo` }],
  ['pt', { send: 'Enviar', leaveOut: (mark) => `ou ${mark} para pular` }],
]);

/** The words of a locale; English ones where it has none here. */
export const formWords = (locale: string | undefined): FormWords => words.get(/^[a-z]{2}\b/.exec(locale ?? '')?.[0] ?? '') ?? inEnglish;

/** What is wrong with a form as a whole. */
const wholes: readonly Sentence[] = [
  [/^Please fill in the form\.$/, 'Por favor, llene el formulario.', 'Por favor, preencha o formulário.'],
  [
    /^The form has too much in it: shorten your answers\.$/,
    'El formulario tiene demasiado texto: acorte sus respuestas.',
    'O formulário tem texto demais: encurte suas respostas.',
  ],
];

/** A problem in the words of its reader; as it is for a locale without words here, and where nothing is known of what it says. */
export function sayProblem(problem: FieldProblem, locale: string | undefined): FieldProblem {
  const language = /^(?:es|pt)\b/.exec(locale ?? '')?.[0];
  if (language === undefined) return problem;
  const [, name, rest] = /^("[^\n]{0,200}") (.{1,600})\.$/.exec(problem.message) ?? [];
  const [list, said] = rest === undefined ? [wholes, problem.message] : [sentences, rest];
  const found = list.find(([pattern]) => pattern.test(said));
  if (found === undefined) return problem;
  const [pattern, es, pt] = found;
  const translated = said.replace(pattern, language === 'es' ? es : pt);
  return { ...problem, message: name === undefined ? translated : `${name} ${translated}.` };
}
