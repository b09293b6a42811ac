// The words of the settings of a workflow, and of the variables that it declares.
import type { PartWords } from '../words/part.ts';

const en = {
  'settings.description': 'Description',
  'settings.sessionExpiry': 'Session expiry',
  'settings.variables': 'Variables',
  'declared.about': 'A variable that is listed here is there from the start, with the value that it begins with.',
  'declared.variable': 'Variable {number}',
  'declared.name': 'Name',
  'declared.type': 'Kind of value',
  'declared.default': 'Begins with',
  'declared.nothing': 'nothing',
  'declared.means': 'What it is for',
  'declared.add': 'Add a variable',
  'declared.yes': 'yes',
  'declared.no': 'no',
  'declared.type.string': 'text',
  'declared.type.number': 'number',
  'declared.type.boolean': 'yes or no',
  'declared.type.object': 'fields (JSON)',
  'declared.type.array': 'list (JSON)',
  'declared.type.any': 'any (JSON)',
};

const es: { readonly [Key in keyof typeof en]: string } = {
  'settings.description': 'Descripción',
  'settings.sessionExpiry': 'Caducidad de la sesión',
  'settings.variables': 'Variables',
  'declared.about': 'Una variable de esta lista existe desde el principio, con el valor con el que empieza.',
  'declared.variable': 'Variable {number}',
  'declared.name': 'Nombre',
  'declared.type': 'Tipo de valor',
  'declared.default': 'Empieza con',
  'declared.nothing': 'nada',
  'declared.means': 'Para qué sirve',
  'declared.add': 'Agregar una variable',
  'declared.yes': 'sí',
  'declared.no': 'no',
  'declared.type.string': 'texto',
  'declared.type.number': 'número',
  'declared.type.boolean': 'sí o no',
  'declared.type.object': 'campos (JSON)',
  'declared.type.array': 'lista (JSON)',
  'declared.type.any': 'cualquiera (JSON)',
};

export const declaredWords: PartWords<keyof typeof en> = { en, es };
