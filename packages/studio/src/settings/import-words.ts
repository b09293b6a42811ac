// The words of the import of contacts, and of what is done to a contact as a whole, in English and Spanish.
import type { PartWords } from '../words/part.ts';

const en = {
  'import.title': 'Import a CSV',
  'import.file': 'File',
  'import.help': 'A first line with the names of the columns, then a line for each person. The same file again changes nothing.',
  'import.columns': 'What the columns are',
  'import.column': 'Column “{name}”',
  'import.leftOut': 'left out',
  'import.unmappable': 'its name holds a comma or “=”',
  'import.who': 'Say which column has the phone number or the id.',
  'import.phone': 'Phone number',
  'import.id': 'Id',
  'import.bsuid': 'Business-scoped id',
  'import.names': 'Name',
  'import.locale': 'Language',
  'import.timeZone': 'Time zone',
  'import.groups': 'Groups, with “;” between',
  'import.consent': 'Marketing: granted or revoked',
  'import.count': 'Count first',
  'import.begin': 'Import',
  'import.rows': '{count} {count|row|rows} so far',
  'import.would': 'New: {created}. Changed: {changed}. As they are: {unchanged}. The same person again: {duplicates}. Left out: {refused}.',
  'import.done':
    'Imported. New: {created}. Changed: {changed}. As they were: {unchanged}. The same person again: {duplicates}. Left out: {refused}.',
  'import.line': 'Line {line}: {problem}',
  'import.moreProblems': '… and more',
  'contact.export': 'Save all that is kept of them',
  'contact.erase': 'Erase',
  'contact.reallyErase':
    'Erase this person? Their messages, files, answers and variables go with them, what runs is cancelled, and nothing brings it back. Counts stay.',
  'contact.erasing': 'It is being erased: see how far it is under Jobs.',
  'contact.jobs': 'Jobs',
} as const;

export type ImportWord = keyof typeof en;

const es: PartWords<ImportWord>['es'] = {
  'import.title': 'Importar un CSV',
  'import.file': 'Archivo',
  'import.help': 'Una primera línea con los nombres de las columnas y luego una por persona. El mismo archivo otra vez no cambia nada.',
  'import.columns': 'Qué son las columnas',
  'import.column': 'Columna «{name}»',
  'import.leftOut': 'no se importa',
  'import.unmappable': 'su nombre tiene una coma o «=»',
  'import.who': 'Diga qué columna tiene el teléfono o el id.',
  'import.phone': 'Teléfono',
  'import.id': 'Id',
  'import.bsuid': 'Id propio de la empresa',
  'import.names': 'Nombre',
  'import.locale': 'Idioma',
  'import.timeZone': 'Zona horaria',
  'import.groups': 'Grupos, separados por «;»',
  'import.consent': 'Publicidad: granted o revoked',
  'import.count': 'Contar primero',
  'import.begin': 'Importar',
  'import.rows': '{count} {count|fila|filas} hasta ahora',
  'import.would':
    'Nuevos: {created}. Cambiados: {changed}. Igual que antes: {unchanged}. La misma persona otra vez: {duplicates}. No se importan: {refused}.',
  'import.done':
    'Importado. Nuevos: {created}. Cambiados: {changed}. Igual que antes: {unchanged}. La misma persona otra vez: {duplicates}. No se importaron: {refused}.',
  'import.line': 'Línea {line}: {problem}',
  'import.moreProblems': '… y más',
  'contact.export': 'Guardar todo lo que se sabe de la persona',
  'contact.erase': 'Borrar a la persona',
  'contact.reallyErase':
    '¿Borrar a esta persona? Con ella se van sus mensajes, archivos, respuestas y variables, se cancela lo que está en marcha y nada lo recupera. Las cuentas se quedan.',
  'contact.erasing': 'Se está borrando: vea en Tareas cuánto falta.',
  'contact.jobs': 'Tareas',
};

export const importWords: PartWords<ImportWord> = { en, es };
