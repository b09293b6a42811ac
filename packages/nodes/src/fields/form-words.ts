/**
 * What a form says to the person who fills it in, in English, Spanish and Portuguese: the words around its questions, and what is wrong with a
 * field. A sentence about a field begins with its name.
 */

/** The words of one language. */
export interface FormWords {
  /** The button that sends the form. */
  readonly send: string;
  /** How a field is left out. @param mark - what is written for it */
  readonly leaveOut: (mark: string) => string;
  /** What is wrong with a form as a whole. */
  readonly fillIn: string;
  readonly tooMuch: string;
  /** What is wrong with a field, as the rest of a sentence. */
  readonly missing: string;
  readonly notUnderstood: string;
  readonly text: string;
  readonly charsOrMore: (count: number) => string;
  readonly charsOrFewer: (count: number) => string;
  readonly number: string;
  readonly wholeNumber: string;
  readonly orMore: (least: number) => string;
  readonly orLess: (most: number) => string;
  readonly yesOrNo: string;
  readonly day: string;
  /** @param day - as ISO 8601 writes it */
  readonly orLater: (day: string) => string;
  readonly orEarlier: (day: string) => string;
  readonly time: string;
  readonly email: string;
  readonly phone: string;
  /** @param options - all of them, in one text */
  readonly oneOf: (options: string) => string;
  readonly someOf: (options: string) => string;
  readonly listOf: { readonly text: string; readonly number: string };
  readonly itemsOrFewer: (count: number) => string;
}

const chars = (count: number): string => `${count} character${count === 1 ? '' : 's'}`;

/** What models, logs and whoever reads another language get. */
export const english: FormWords = {
  send: 'Send',
  leaveOut: (mark) => `or ${mark} to leave it out`,
  fillIn: 'Please fill in the form.',
  tooMuch: 'The form has too much in it: shorten your answers.',
  missing: 'is missing',
  notUnderstood: 'is not understood',
  text: 'must be a text',
  charsOrMore: (count) => `must have ${chars(count)} or more`,
  charsOrFewer: (count) => `must have ${chars(count)} or fewer`,
  number: 'must be a number',
  wholeNumber: 'must be a whole number',
  orMore: (least) => `must be ${least} or more`,
  orLess: (most) => `must be ${most} or less`,
  yesOrNo: 'must be true or false',
  day: 'must be a day such as 2031-04-03',
  orLater: (day) => `must be ${day} or later`,
  orEarlier: (day) => `must be ${day} or earlier`,
  time: 'must be a time such as 15:30',
  email: 'must be an e-mail address',
  phone: 'must be a phone number, as digits with the country code',
  oneOf: (options) => `must be one of ${options}`,
  someOf: (options) => `must be a list of one or more of ${options}, each once`,
  listOf: { text: 'must be a list of texts', number: 'must be a list of numbers' },
  itemsOrFewer: (count) => `must have ${count} items or fewer`,
};

/** A day as both languages write it: `03/04/2031`. */
const written = (day: string): string => day.split('-').toReversed().join('/');

const spanish: FormWords = {
  send: 'Enviar',
  leaveOut: (mark) => `o ${mark} para omitirlo`,
  fillIn: 'Por favor, llene el formulario.',
  tooMuch: 'El formulario tiene demasiado texto: acorte sus respuestas.',
  missing: 'hace falta',
  notUnderstood: 'no se entiende',
  text: 'debe ser un texto',
  charsOrMore: (count) => `debe tener ${count} o más caracteres`,
  charsOrFewer: (count) => `debe tener ${count} caracteres como máximo`,
  number: 'debe ser un número',
  wholeNumber: 'debe ser un número entero',
  orMore: (least) => `debe ser ${least} o más`,
  orLess: (most) => `debe ser ${most} o menos`,
  yesOrNo: 'debe ser sí o no',
  day: 'debe ser una fecha, como 31/12/2031',
  orLater: (day) => `debe ser el ${written(day)} o después`,
  orEarlier: (day) => `debe ser el ${written(day)} o antes`,
  time: 'debe ser una hora, como 15:30',
  email: 'debe ser un correo electrónico',
  phone: 'debe ser un número de teléfono',
  oneOf: (options) => `debe ser una de estas opciones: ${options}`,
  someOf: (options) => `debe ser una o más de estas opciones: ${options}`,
  listOf: { text: 'debe ser una lista', number: 'debe ser una lista de números' },
  itemsOrFewer: (count) => `debe tener ${count} elementos como máximo`,
};

const portuguese: FormWords = {
  send: 'Enviar',
  leaveOut: (mark) => `ou ${mark} para pular`,
  fillIn: 'Por favor, preencha o formulário.',
  tooMuch: 'O formulário tem texto demais: encurte suas respostas.',
  missing: 'é obrigatório',
  notUnderstood: 'não foi entendido',
  text: 'deve ser um texto',
  charsOrMore: (count) => `deve ter ${count} ou mais caracteres`,
  charsOrFewer: (count) => `deve ter no máximo ${count} caracteres`,
  number: 'deve ser um número',
  wholeNumber: 'deve ser um número inteiro',
  orMore: (least) => `deve ser ${least} ou mais`,
  orLess: (most) => `deve ser ${most} ou menos`,
  yesOrNo: 'deve ser sim ou não',
  day: 'deve ser uma data, como 31/12/2031',
  orLater: (day) => `deve ser ${written(day)} ou depois`,
  orEarlier: (day) => `deve ser ${written(day)} ou antes`,
  time: 'deve ser um horário, como 15:30',
  email: 'deve ser um e-mail',
  phone: 'deve ser um número de telefone',
  oneOf: (options) => `deve ser uma destas opções: ${options}`,
  someOf: (options) => `deve ser uma ou mais destas opções: ${options}`,
  listOf: { text: 'deve ser uma lista', number: 'deve ser uma lista de números' },
  itemsOrFewer: (count) => `deve ter no máximo ${count} itens`,
};

const languages: ReadonlyMap<string, FormWords> = new Map([
  ['es', spanish],
  ['pt', portuguese],
]);

/** The words of a locale; English ones where it has none here. */
export const formWords = (locale: string | undefined): FormWords => languages.get(/^[a-z]{2}\b/.exec(locale ?? '')?.[0] ?? '') ?? english;
