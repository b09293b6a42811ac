// What is said of one step of an execution, in English and Spanish.
import type { PartWords } from '../words/part.ts';

const en = {
  'execution.left': 'Left by {port}',
  'execution.asked': 'Asked for {effect}',
  'execution.begins': 'Arrives at {node}',
  'execution.result': 'Result',
  'execution.attempts': 'Attempts',
  'execution.attempt': 'Go to attempt {number}: {effect}',
  'execution.awaited': 'no answer yet',
  'execution.took': 'after {time}',
  'execution.cause': 'Cause',
  'execution.by': 'By {by}',
  'execution.limit': 'Cut at {applied}: configured {configured}, limit {limit}',
  'execution.wrote': 'Written by this step',
  'execution.noDifference': 'No variable differs between these steps.',
} as const;

const es: PartWords<keyof typeof en>['es'] = {
  'execution.left': 'Sale por {port}',
  'execution.asked': 'Pidió {effect}',
  'execution.begins': 'Llega a {node}',
  'execution.result': 'Resultado',
  'execution.attempts': 'Intentos',
  'execution.attempt': 'Ir al intento {number}: {effect}',
  'execution.awaited': 'aún sin respuesta',
  'execution.took': 'tras {time}',
  'execution.cause': 'Causa',
  'execution.by': 'Por {by}',
  'execution.limit': 'Cortado a los {applied}: configurado {configured}, límite {limit}',
  'execution.wrote': 'Escrito en este paso',
  'execution.noDifference': 'Ninguna variable difiere entre estos pasos.',
};

export const stepWords: PartWords<keyof typeof en> = { en, es };
