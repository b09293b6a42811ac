// The words of Proof and Changes over the canvas, in English and Spanish.
import type { PartWords } from '../words/part.ts';

const en = {
  'proof.title': 'What the tests cover',
  'proof.count': '{tested} of {count} ports tested',
  'proof.none': 'No test is kept yet. Talk with the draft in Test, then keep the conversation.',
  'proof.busy': 'The tests run …',
  'proof.never': 'Taken by no test',
  'proof.neverAbout': 'Choose one to look for a conversation that takes it: it opens in Test, where it can be kept.',
  'proof.tests': 'Tests, and the ports that only they take',
  'proof.differs': 'goes otherwise',
  'proof.alone': '{count} {count|port|ports}',
  'proof.agents': 'Agents',
  'proof.agentsAbout':
    'Whatever the model answers: every call of a tool, right and wrong, every exit, refusals and nonsense, two in a row.',
  'proof.explore': 'Try every answer',
  'proof.exploring': 'Every answer is tried …',
  'proof.noAgent': 'No agent can run yet: mend the problems first.',
  'proof.worst':
    '{steps} {steps|step|steps}; at most {modelCalls} {modelCalls|call|calls} of the model, {toolCalls} of tools, {messages} {messages|message|messages}',
  'proof.holds': 'It always ends, asks before what needs a yes, and shows nothing that is withheld.',
  'proof.breaks': 'It does not keep this: {law}',
  'changes.title': 'Changes since v{version}',
  'changes.first': 'Nothing is published yet.',
  'changes.none': 'No difference to v{version}.',
  'changes.count': '{count} {count|change|changes} since what is live',
} as const;

type ProofWord = keyof typeof en;

const es: PartWords<ProofWord>['es'] = {
  'proof.title': 'Qué cubren las pruebas',
  'proof.count': '{tested} de {count} puertos probados',
  'proof.none': 'Todavía no se guardó ninguna prueba. Hable con el borrador en Probar y guarde la conversación.',
  'proof.busy': 'Las pruebas corren …',
  'proof.never': 'No los toma ninguna prueba',
  'proof.neverAbout': 'Elija uno para buscar una conversación que lo tome: se abre en Probar, donde se puede guardar.',
  'proof.tests': 'Pruebas, y los puertos que solo ellas toman',
  'proof.differs': 'va de otro modo',
  'proof.alone': '{count} {count|puerto|puertos}',
  'proof.agents': 'Agentes',
  'proof.agentsAbout':
    'Responda lo que responda el modelo: cada llamada a una herramienta, bien y mal, cada salida, rechazos y disparates, dos seguidos.',
  'proof.explore': 'Probar cada respuesta',
  'proof.exploring': 'Se prueba cada respuesta …',
  'proof.noAgent': 'Todavía no puede correr ningún agente: corrija antes los problemas.',
  'proof.worst':
    '{steps} {steps|paso|pasos}; a lo sumo {modelCalls} {modelCalls|llamada|llamadas} al modelo, {toolCalls} a herramientas, {messages} {messages|mensaje|mensajes}',
  'proof.holds': 'Siempre termina, pregunta antes de lo que pide un sí y no muestra nada de lo que se oculta.',
  'proof.breaks': 'No cumple esto: {law}',
  'changes.title': 'Cambios desde v{version}',
  'changes.first': 'Todavía no se publicó nada.',
  'changes.none': 'Ninguna diferencia con v{version}.',
  'changes.count': '{count} {count|cambio|cambios} desde lo publicado',
};

/** The words of what is drawn over a canvas: proof and changes. */
export const proofWords: PartWords<ProofWord> = { en, es };
