/** The words of what authors of a workflow tell one another, in English and Spanish. */
import type { PartWords } from '../words/part.ts';

const en = {
  'together.here': 'Also here',
  'together.name': '{name} has this workflow open',
  'together.at': '{name} is at this step',
  'together.same': '{names} also {count|has|have} this step open: what you both change in one field is asked about when it is saved.',
  'together.lock': 'Lock',
  'together.lockFor': 'Lock: nobody else can change it until you unlock it',
  'together.unlock': 'Unlock',
  'together.unlockFor': 'Unlock: only you can change it now',
  'together.locked': 'Locked by {name} since {at}: you can read it, test it and comment on it.',
  'together.takeLock': 'Unlock it anyway',
  'together.comments': 'Comments',
  'together.open': '{count} open {count|comment|comments}',
  'together.none': 'Nobody has commented yet.',
  'together.noneOpen': 'All comments are done.',
  'together.showDone': 'Show those that are done',
  'together.ofWhole': 'Whole workflow',
  'together.gone': 'A step that was removed',
  'together.done': 'Done',
  'together.again': 'Open again',
  'together.remove': 'Remove',
  'together.doneBy': 'Done by {name}',
  'together.on': 'Comment on “{node}”',
  'together.onWhole': 'Comment on the workflow',
  'together.add': 'Comment',
  'together.close': 'Close',
} as const;

type TogetherWord = keyof typeof en;

const es: PartWords<TogetherWord>['es'] = {
  'together.here': 'También aquí',
  'together.name': '{name} tiene abierto este flujo',
  'together.at': '{name} está en este paso',
  'together.same': '{names} también {count|tiene|tienen} abierto este paso: si cambian el mismo campo, se pregunta al guardar.',
  'together.lock': 'Bloquear',
  'together.lockFor': 'Bloquear: nadie más puede cambiarlo hasta que lo desbloquee',
  'together.unlock': 'Desbloquear',
  'together.unlockFor': 'Desbloquear: ahora solo usted puede cambiarlo',
  'together.locked': 'Bloqueado por {name} ({at}): puede leerlo, probarlo y comentarlo.',
  'together.takeLock': 'Desbloquear de todos modos',
  'together.comments': 'Comentarios',
  'together.open': '{count} {count|comentario abierto|comentarios abiertos}',
  'together.none': 'Nadie ha comentado todavía.',
  'together.noneOpen': 'Todos los comentarios están resueltos.',
  'together.showDone': 'Mostrar los resueltos',
  'together.ofWhole': 'Todo el flujo',
  'together.gone': 'Un paso que se quitó',
  'together.done': 'Resuelto',
  'together.again': 'Abrir de nuevo',
  'together.remove': 'Quitar',
  'together.doneBy': 'Resuelto por {name}',
  'together.on': 'Comentar «{node}»',
  'together.onWhole': 'Comentar el flujo',
  'together.add': 'Comentar',
  'together.close': 'Cerrar',
};

export const togetherWords: PartWords<TogetherWord> = { en, es };
