/** Texts of the fields that nodes have in common which are called from outside. */
import { type FieldTexts, WebhookMethod } from '@hilo/engine/contract';
import { help, say } from './said.ts';

/** The values of a field with methods of HTTP. */
export const methodTexts = (field: string): FieldTexts =>
  Object.fromEntries(WebhookMethod.options.map((method) => [`${field}=${method}`, say(method, method)]));

export const callbackTexts: FieldTexts = {
  confirm: say(
    help('Ask for a confirmation', 'The address shows a page with a button first'),
    help('Pedir confirmación', 'La dirección muestra antes una página con un botón'),
  ),
  expires: say(
    help('The address is good for', '30 days, when left out', 'P7D'),
    help('La dirección vale durante', '30 días, si falta', 'P7D'),
  ),
};
