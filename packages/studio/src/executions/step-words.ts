// What is said of one step of an execution, in English and Spanish.
import { type PartWords, usePartWords } from '../words/part.ts';

const en = {
  'execution.left': 'Left by {port}',
  'execution.asked': 'Asked for {effect}',
  'execution.begins': 'Arrives at {node}',
  'execution.result': 'Result',
  'execution.attempts': 'Attempts',
  'execution.attempt': 'Go to attempt {number}: {effect}',
  'execution.awaited': 'no answer yet',
  'execution.took': 'after {time}',
  'execution.turn': 'In this turn',
  'execution.visit': 'In this visit',
  'execution.step': 'Step {step}',
  'execution.calls': '{who} calls {tools}',
  'execution.says': '{who} answers',
  'execution.cut': '{who} was cut off',
  'execution.noAnswer': '{who} does not answer: {reason}',
  'execution.toolFails': '{who} fails: {reason}',
  'execution.waits': 'Waits',
  'execution.heard': 'The user wrote',
  'execution.output': 'Answer of {tool}',
  'execution.toolError': '{tool} failed',
  'execution.spent': 'Spent so far: {turns} {turns|turn|turns}, {modelCalls} {modelCalls|call|calls} of the model, {toolCalls} of tools',
  'execution.spentCalls': 'Spent so far: {modelCalls} {modelCalls|call|calls} of the model',
  'execution.tokens': '{tokens} {tokens|token|tokens}, as the provider counts',
  'execution.cause': 'Cause',
  'execution.by': 'By {by}',
  'execution.limit': 'Cut at {applied}: configured {configured}, limit {limit}',
  'execution.wrote': 'Written by this step',
  'reason.timeout': 'no answer in time',
  'reason.unreachable': 'not reached',
  'reason.rate-limited': 'too many calls',
  'reason.rejected': 'refused',
  'reason.unavailable': 'not available',
  'reason.malformed': 'unreadable answer',
  'reason.provider-missing': 'its provider is not installed',
  'reason.unknown-tool': 'no such tool',
  'reason.too-large': 'too large an answer',
  'reason.not-found': 'not found',
  'reason.threw': 'ended with an error',
  'reason.crash': 'crashed',
  'reason.memory': 'out of memory',
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
  'execution.turn': 'En este turno',
  'execution.visit': 'En esta visita',
  'execution.step': 'Paso {step}',
  'execution.calls': '{who} llama a {tools}',
  'execution.says': '{who} responde',
  'execution.cut': '{who} quedó a medias',
  'execution.noAnswer': '{who} no responde: {reason}',
  'execution.toolFails': '{who} falla: {reason}',
  'execution.waits': 'Espera',
  'execution.heard': 'El usuario escribió',
  'execution.output': 'Respuesta de {tool}',
  'execution.toolError': '{tool} falló',
  'execution.spent':
    'Gastado hasta aquí: {turns} {turns|turno|turnos}, {modelCalls} {modelCalls|llamada|llamadas} al modelo, {toolCalls} a herramientas',
  'execution.spentCalls': 'Gastado hasta aquí: {modelCalls} {modelCalls|llamada|llamadas} al modelo',
  'execution.tokens': '{tokens} {tokens|token|tokens}, según el proveedor',
  'execution.cause': 'Causa',
  'execution.by': 'Por {by}',
  'execution.limit': 'Cortado a los {applied}: configurado {configured}, límite {limit}',
  'execution.wrote': 'Escrito en este paso',
  'reason.timeout': 'sin respuesta a tiempo',
  'reason.unreachable': 'no se alcanzó',
  'reason.rate-limited': 'demasiadas llamadas',
  'reason.rejected': 'rechazado',
  'reason.unavailable': 'no disponible',
  'reason.malformed': 'respuesta ilegible',
  'reason.provider-missing': 'su proveedor no está instalado',
  'reason.unknown-tool': 'no existe esa herramienta',
  'reason.too-large': 'respuesta demasiado grande',
  'reason.not-found': 'no se encontró',
  'reason.threw': 'terminó con un error',
  'reason.crash': 'se cayó',
  'reason.memory': 'sin memoria',
  'execution.noDifference': 'Ninguna variable difiere entre estos pasos.',
};

export const stepWords: PartWords<keyof typeof en> = { en, es };

const isKnown = (key: string): key is keyof typeof en => Object.hasOwn(en, key);

/** Why a call failed, in words; one of a custom driver as it is. */
export function useReasonWord(): (reason: string) => string {
  const sayOf = usePartWords(stepWords);
  return (reason) => {
    const key = `reason.${reason}`;
    return isKnown(key) ? sayOf(key) : reason;
  };
}
