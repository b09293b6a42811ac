/** Texts of the nodes that decide, keep values, wait, and lead through the workflow. */
import type { FieldTexts } from '@hilo/engine/contract';
import { callbackTexts, methodTexts } from './calls.ts';
import { help, say } from './said.ts';

export const logicTexts: { readonly [type: string]: FieldTexts } = {
  condition: {
    branches: say(
      help('Ways', 'The first whose condition holds is taken; else “Otherwise”'),
      help('Caminos', 'Se toma el primero cuya condición se cumple; si no, “Si no”'),
    ),
    name: say(help('Name of the way', 'It stands at the port', 'yes'), help('Nombre del camino', 'Está en el puerto', 'sí')),
    rule: say('When', 'Cuando'),
    rules: say('Conditions', 'Condiciones'),
    op: say('Comparison', 'Comparación'),
    'op=eq': say('is', 'es'),
    'op=neq': say('is not', 'no es'),
    'op=contains': say('contains', 'contiene'),
    'op=gt': say('is greater than', 'es mayor que'),
    'op=gte': say('is at least', 'es al menos'),
    'op=lt': say('is less than', 'es menor que'),
    'op=lte': say('is at most', 'es como mucho'),
    'op=startsWith': say('begins with', 'empieza con'),
    'op=endsWith': say('ends with', 'termina con'),
    'op=in': say('is one of', 'es uno de'),
    'op=isType': say('is of the kind', 'es del tipo'),
    'op=empty': say('is empty', 'está vacío'),
    'op=exists': say('is known', 'se conoce'),
    'op=expression': say('an expression is true', 'una expresión es verdadera'),
    'op=all': say('all of these', 'todo esto'),
    'op=any': say('one of these', 'algo de esto'),
    'op=not': say('not', 'no'),
    left: say(help('Variable', 'What is looked at', 'size'), help('Variable', 'Lo que se mira', 'cantidad')),
    right: say(help('Value', 'What it is compared with', '5'), help('Valor', 'Con qué se compara', '5')),
    'right=string': say('text', 'texto'),
    'right=number': say('number', 'número'),
    'right=boolean': say('yes or no', 'sí o no'),
    'right=object': say('object', 'objeto'),
    'right=array': say('list', 'lista'),
    'right=null': say('nothing', 'nada'),
    expression: say('Expression', 'Expresión'),
  },
  switch: {
    value: say(
      help('Look at', 'A variable; each of its values has a way of its own'),
      help('Mirar', 'Una variable; cada valor tiene su propio camino'),
    ),
    cases: say(help('Values', 'Each is a way to go on; else “Otherwise”'), help('Valores', 'Cada uno es un camino; si no, “Si no”')),
    'cases=string': say('text', 'texto'),
    'cases=number': say('number', 'número'),
    'cases=boolean': say('yes or no', 'sí o no'),
  },
  random: {
    routes: say('Ways', 'Caminos'),
    'routes.name': say('Name of the way', 'Nombre del camino'),
    'routes.percent': say(help('Share in percent', 'All together are 100'), help('Parte en por ciento', 'Todas juntas son 100')),
  },
  'for-each': {
    items: say(help('For each of', 'A variable that holds a list'), help('Para cada uno de', 'Una variable que contiene una lista')),
  },
  set: {
    assignments: say('Remember', 'Recordar'),
    'assignments.path': say(help('Name', 'Of a variable', 'total'), help('Nombre', 'De una variable', 'total')),
    'assignments.value': say(
      help('Value', 'A text, a number, or from other variables'),
      help('Valor', 'Un texto, un número, o a partir de otras variables'),
    ),
    'assignments.ttl': say(
      help('Forget after', 'Only for what is kept beyond the conversation'),
      help('Olvidar tras', 'Solo para lo que se guarda más allá de la conversación'),
    ),
  },
  code: {
    source: say(
      help('JavaScript', 'Returns what is remembered; “input” holds the values below'),
      help('JavaScript', 'Devuelve lo que se recuerda; “input” contiene los valores de abajo'),
    ),
    input: say('Values for it', 'Valores para él'),
    memoryMb: say('Memory in MB', 'Memoria en MB'),
  },
  delay: { duration: say('Wait for', 'Esperar') },
  'wait-until': {
    at: say(
      help('The moment', 'A variable, or a date with time and zone'),
      help('El momento', 'Una variable, o una fecha con hora y zona'),
    ),
    before: say(
      help('This long before it', 'At the moment itself, when left out'),
      help('Con esta antelación', 'En el momento mismo, si falta'),
    ),
    opening: say(help('Until you open', 'In place of a moment'), help('Hasta que abra', 'En lugar de un momento')),
  },
  'wait-event': {
    name: say('Name of the event', 'Nombre del evento'),
    correlation: say(
      help('Only with', 'A text that both sides know, such as the number of an order'),
      help('Solo con', 'Un texto que ambas partes conocen, como el número de un pedido'),
    ),
  },
  'wait-external': {
    ...callbackTexts,
    methods: say('Methods that are taken', 'Métodos que se aceptan'),
    ...methodTexts('methods'),
    saveAs: say('Remember the call as', 'Recordar la llamada como'),
  },
  'send-event': {
    name: say('Name of the event', 'Nombre del evento'),
    correlation: say(
      help('Only to those with', 'A text that both sides know, such as the number of an order'),
      help('Solo a los que tienen', 'Un texto que ambas partes conocen, como el número de un pedido'),
    ),
    payload: say('What it brings', 'Qué lleva'),
    ttl: say(
      help('Kept for who waits later', 'Not at all, when left out'),
      help('Se guarda para quien espere después', 'No se guarda, si falta'),
    ),
    saveAs: say('Remember how many waited as', 'Recordar cuántos esperaban como'),
  },
  workflow: {
    inputs: say('What it gets', 'Qué recibe'),
    saveAs: say('Remember its results as', 'Recordar sus resultados como'),
    inheritWebhook: say('It sees the call of the webhook', 'Ve la llamada del webhook'),
  },
  jump: {},
  end: {
    outcome: say('Ends as', 'Termina como'),
    'outcome=done': say('done', 'hecho'),
    'outcome=failed': say('failed', 'fallido'),
    outputs: say(help('Results', 'For the workflow that called this one'), help('Resultados', 'Para el flujo que llamó a este')),
  },
  log: {
    name: say('Name of the event', 'Nombre del evento'),
    level: say('How important', 'Qué importancia'),
    'level=info': say('for information', 'información'),
    'level=warn': say('warning', 'aviso'),
    'level=error': say('error', 'error'),
    data: say('What is recorded', 'Qué se registra'),
  },
  note: { text: say('Text', 'Texto') },
  catch: {},
  'business-hours': {},
};
