/** Texts of the typed values that a form asks for, or that a language model gives. */
import type { FieldTexts } from '@hilo/engine/contract';
import { say } from './said.ts';

export const typedFieldTexts: FieldTexts = {
  type: say('Kind', 'Tipo'),
  'type=text': say('Text', 'Texto'),
  'type=number': say('Number', 'Número'),
  'type=boolean': say('Yes or no', 'Sí o no'),
  'type=date': say('Date', 'Fecha'),
  'type=time': say('Time', 'Hora'),
  'type=email': say('E-mail', 'Correo'),
  'type=phone': say('Phone', 'Teléfono'),
  'type=option': say('One of these', 'Uno de estos'),
  'type=list': say('List', 'Lista'),
  description: say('What belongs here', 'Qué va aquí'),
  required: say('Must be there', 'Debe estar'),
  options: say('Options', 'Opciones'),
  'options.title': say('What people read', 'Lo que lee la gente'),
  'options.payload': say('Value', 'Valor'),
  'options.description': say('More about it', 'Más sobre ella'),
  several: say('Several at once', 'Varias a la vez'),
  of: say('List of', 'Lista de'),
  'of=text': say('texts', 'textos'),
  'of=number': say('numbers', 'números'),
  maxItems: say('At most this many', 'Como mucho'),
};
