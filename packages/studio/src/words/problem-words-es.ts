// Problems of a canvas in Spanish: what is wrong and what to do, by code. The engine says both in English.
import type { Problem } from '@hilo/engine/contract';
import type { ProblemCode } from '@hilo/engine/authoring';
import { detailInSpanish } from './problem-details-es.ts';

/** What is wrong, and what to do. `{subject}` is the variable, `{detail}` what the engine says of the very case. */
type Texts = readonly [message: string, hint: string];

export const spanish: { readonly [Code in ProblemCode]: Texts } = {
  NOT_JSON: ['El texto no es JSON', 'Corrija el JSON en la línea y columna indicadas; JSON no tiene comentarios.'],
  REPEATED_KEY: ['Un objeto tiene dos veces la misma clave', 'Quite una de las dos o cámbiele el nombre.'],
  CANVAS_TOO_LARGE: ['El lienzo es demasiado grande', 'Lleve una parte a otro flujo y llámelo con un paso de flujo.'],
  TOO_DEEP: ['Objetos y listas están anidados a más de 64 niveles', 'Aplane el valor.'],
  TOO_MANY_KEYS: ['Un objeto tiene más de 10.000 claves', 'Divida el objeto o conviértalo en una lista.'],
  FORBIDDEN_KEY: ['Una clave tiene un nombre que no se permite', 'Cámbiele el nombre a la clave.'],
  UNSUPPORTED_SCHEMA_VERSION: ['Esta versión de Hilo no conoce el formato del lienzo', 'Ponga schemaVersion en 1 o actualice Hilo.'],
  INVALID_CANVAS: ['Falta una parte del lienzo o no tiene la forma correcta: {detail}', 'Corrija el valor en el lugar indicado.'],
  UNKNOWN_FIELD: ['Este campo no existe: {detail}', 'Quite el campo o corrija su nombre.'],
  UNKNOWN_NODE_TYPE: ['No hay ningún paso de este tipo', 'Use uno de los tipos de la lista.'],
  INVALID_CONFIG: ['Falta algo en este campo o no tiene la forma correcta: {detail}', 'Corrija el campo.'],
  INVALID_EXPRESSION: [
    'La expresión no es válida: {detail}',
    'Corrija la expresión: los textos van entre comillas y las variables empiezan con «$».',
  ],
  DUPLICATE_NODE_ID: ['Dos pasos tienen el mismo id', 'Dele a cada paso un id propio.'],
  DUPLICATE_EDGE_ID: ['Dos conexiones tienen el mismo id', 'Dele a cada conexión un id propio, o quítelo.'],
  EDGE_TO_NOTHING: ['Una conexión empieza o termina en un paso que no existe, o en una nota', 'Quite la conexión o llévela a un paso.'],
  UNKNOWN_PORT: ['Una conexión sale por un puerto que su paso no tiene', 'Use uno de los puertos del paso.'],
  PORT_NOT_NAMED: ['Una conexión no dice por qué puerto sale, y su paso tiene varios', 'Elija uno de los puertos.'],
  SECOND_EDGE: ['De un puerto salen dos conexiones', 'Deje una; para hacer dos cosas, haga una después de la otra.'],
  SECOND_WEBHOOK: ['El lienzo tiene dos webhooks', 'Deje uno; para más llamadas use «Esperar una llamada» u otro flujo.'],
  SECOND_CATCH: ['El lienzo tiene dos pasos que capturan errores', 'Deje uno.'],
  NO_ENTRY: ['Nada puede empezar: no hay ni inicio ni webhook', 'Agregue un inicio o un webhook.'],
  PORT_WITHOUT_EDGE: ['Una salida necesaria no lleva a ninguna parte', 'Conecte la salida con un paso.'],
  UNREACHABLE_EXIT: ['Lo que llega a estos pasos no puede terminar nunca', 'Conecte uno de ellos, directamente o por otros, con un fin.'],
  BUSY_LOOP: ['Un ciclo puede repetirse para siempre sin esperar', 'Agregue una espera al ciclo, o recorra una lista con «Para cada uno».'],
  UNWRITTEN_VARIABLE: [
    'Aquí se lee {subject}, que no se escribió en todos los caminos hasta aquí',
    'Escríbala en cada camino, dele un valor por defecto o léala con «??».',
  ],
  CHANNEL_LIMIT: [
    'Un canal conectado no acepta este mensaje: {detail}',
    'Acorte o cambie el mensaje, o elija los canales del lienzo en sus ajustes.',
  ],
  UNSUPPORTED_NODE: [
    'El paso no funciona en este tipo de lienzo o en un canal conectado',
    'Quite el paso, o use otro tipo de lienzo u otro canal.',
  ],
  UNRESOLVED_REFERENCE: ['El lienzo nombra algo que no existe o no sirve: {detail}', 'Créelo o corrija el nombre.'],
  UNCONFIRMED_TOOL: [
    'Un modelo puede llamar, sin que el usuario lo acepte, a una herramienta que cuesta dinero o cambia algo',
    'Póngale una pregunta de confirmación a la herramienta, u otro riesgo.',
  ],
  TOOL_MISMATCH: [
    'Lo que un modelo llama como herramienta no lo es, toma otras entradas o es un flujo que espera tiempo, eventos o llamadas',
    'Tome las entradas que tiene, o nombre un flujo de tipo «tool» que termine sin esperar, o una herramienta que la función tenga.',
  ],
  MISSING_DRIVER: ['Este servicio no puede hacer lo que el paso pide', 'Agregue un controlador para ese efecto.'],
  TEMPLATE_NOT_APPROVED: [
    'Una plantilla que el lienzo envía no está aprobada por su proveedor: hasta entonces no se envía nada con ella',
    'Preséntela y espere su aprobación, corrija lo que el proveedor dice o envíe otra plantilla.',
  ],
  REFERENCE_NOT_CHECKED: ['El lienzo nombra algo que esta comprobación no puede conocer', 'Compruebe con la empresa.'],
  UNKNOWN_VARIABLE_FIELD: [
    'Se lee un campo que no se escribe nunca: {subject}',
    'Corrija el nombre; los campos de canales propios se leen con «??».',
  ],
  PORT_LEADS_NOWHERE: [
    'El paso puede salir por un puerto sin conexión, y no hay salida de error que lo reciba',
    'Conecte la salida o la de error; si no, la conversación falla ahí.',
  ],
  WEBHOOK_WITHOUT_METHODS: ['El webhook no acepta ningún método', 'Elija al menos uno; si no, rechaza todas las llamadas.'],
  LIMIT_OF_SOME_CHANNEL: [
    'Un canal del lienzo no acepta este mensaje, otro sí: {detail}',
    'Acorte o cambie el mensaje, o elija los canales del lienzo en sus ajustes.',
  ],
  FLOW_WITHOUT_NAME: ['Un mensaje abre un formulario sin nombrarlo', 'Ponga flow_id o flow_name.'],
  TEXT_AS_JSON: ['El cuerpo se envía como JSON, pero es un texto: sale entre comillas', 'Escriba JSON, o ponga bodyKind en «text».'],
  RAW_IN_ADDRESS: [
    'raw() pone en una dirección un valor que un usuario puede haber escrito',
    'Quite raw(), para que el valor se codifique; déjelo solo si no puede venir de un usuario.',
  ],
  MISREAD_EXPRESSION: ['La expresión hace algo distinto de lo que parece: {detail}', 'Escríbala como dice el mensaje.'],
  CALLBACK_WITHOUT_WAIT: [
    'resumeUrl() nombra un paso que no espera ninguna llamada, o al que ya no se llega',
    'Nombre un paso que espere, detrás del texto con la dirección.',
  ],
  PATH_AS_TEXT: [
    'Un texto tiene el nombre de una variable sin las llaves que la leen, o con las de otro producto',
    'Ponga la variable entre llaves para usar su valor; deje un texto que se quiere tal como está.',
  ],
  OTHER_TYPE: [
    '{subject} se usa como si fuera de otro tipo: no se cumple nunca, o falla ahí',
    'Use un valor del tipo de la variable, o conviértala antes.',
  ],
  WINDOW_SURELY_CLOSED: [
    'Este mensaje solo puede enviarse cuando el usuario lleva 24 horas callado, y el canal lo rechaza: no se envía nunca',
    'Envíe una plantilla en su lugar o antes, o conecte «Ventana cerrada».',
  ],
  WINDOW_MAYBE_CLOSED: [
    'Este mensaje puede enviarse cuando el usuario lleva 24 horas callado, y hay canales que lo rechazan',
    'Envíe una plantilla en este camino, o conecte «Ventana cerrada»; o acorte la espera.',
  ],
  UNREACHABLE_NODE: ['Ningún camino lleva a este paso', 'Conéctelo o quítelo.'],
  SAME_INTERRUPT: ['La misma palabra interrumpe para dos flujos publicados', 'Quítela de uno de los dos.'],
  SAME_KEYWORD: ['Un mensaje empieza dos flujos publicados; solo empieza el primero por su id', 'Quite la palabra de uno de los dos.'],
  SAME_FALLBACK: ['Dos flujos publicados toman todo lo demás; solo empieza el primero por su id', 'Deje uno en la empresa.'],
  WAIT_LONGER_THAN_SESSION: ['La sesión termina antes que la espera', 'Acorte la espera o alargue la sesión.'],
  MORE_PROBLEMS: ['Hay más problemas de los que se muestran', 'Corrija los de la lista y compruebe otra vez.'],
};

/** What a canvas may refer to, in Spanish. */
const referred: readonly (readonly [string, string])[] = [
  ['workflow', 'ningún flujo'],
  ['template', 'ninguna plantilla'],
  ['credential', 'ninguna credencial'],
  ['function', 'ninguna función'],
  ['team', 'ningún equipo'],
  ['operator', 'ninguna persona'],
  ['tag', 'ninguna etiqueta'],
];

/** What the engine says most of a field, in Spanish. */
const details: readonly (readonly [RegExp, string])[] = [
  [
    /^Messages of type (".*") cannot be sent on (.*): choose another type$/,
    'los mensajes de tipo $1 no se pueden enviar por $2: elija otro tipo',
  ],
  [
    /^Files have no caption on (.*): leave "text" out and send it as a message of its own$/,
    'por $1 los archivos no llevan texto: quite "text" y envíelo como un mensaje aparte',
  ],
  [/^(.*) has (\d+) characters, and (.*) shows (\d+): shorten it$/, '$1 tiene $2 caracteres, y $3 muestra $4: acórtelo'],
  [
    /^(.*) has (\d+) characters, and (.*) takes (\d+): shorten it or send it in parts$/,
    '$1 tiene $2 caracteres, y $3 acepta $4: acórtelo o envíelo en partes',
  ],
  [
    /^(.*) has (\d+) bytes, and (.*) takes (\d+): shorten it or send it in parts$/,
    '$1 ocupa $2 bytes, y $3 acepta $4: acórtelo o envíelo en partes',
  ],
  [/^(.*) is blank: write at least one visible character$/, '$1 está en blanco'],
  [/^(.*) is missing$/, 'falta $1'],
  [/^(.*) is empty$/, '$1 está vacío'],
  [/^(.*) is longer than (.*) characters$/, '$1 tiene más de $2 caracteres'],
  ...referred.flatMap(([kind, none]): readonly (readonly [RegExp, string])[] => [
    [new RegExp(`^There is no ${kind} (.*) with version (\\d+)$`), `no hay ${none} $1 con la versión $2`],
    [new RegExp(`^There is no ${kind} (.*)$`), `no hay ${none} $1`],
  ]),
];

/** Channels whose names are words of a language. */
const namedInWords: readonly (readonly [english: string, spanish: string])[] = [
  [' the web chat:', ' el chat web:'],
  [' the web chat ', ' el chat web '],
  [' a channel of your own', ' un canal propio'],
];

/** What the engine says of a field, an expression or a failure, in Spanish; as it is where it is not known here. */
export const detailOf = (message: string): string => {
  const found = details.find(([pattern]) => pattern.test(message));
  if (found === undefined) return detailInSpanish(message) ?? message;
  return namedInWords.reduce((said, [english, own]) => said.replace(english, own), message.replace(found[0], found[1]));
};

/** What the fixes of the engine and of the standard nodes do, in Spanish. */
export const fixes: readonly (readonly [RegExp, string])[] = [
  [/^Rename it to (".*")$/, 'Cambiar el nombre a $1'],
  [/^Remove the edge$/, 'Quitar la conexión'],
  [/^Remove (".*")$/, 'Quitar $1'],
  [/^Write to (.*)$/, 'Escribir en $1'],
  [/^Write (.*)$/, 'Escribir $1'],
  [/^Make it a (.*) node$/, 'Convertirlo en un paso de tipo $1'],
  [/^Make it a list$/, 'Convertirlo en una lista'],
  [/^Put (.*) into (".*")$/, 'Poner $1 dentro de $2'],
  [/^Read (.*)$/, 'Leer $1'],
  [/^Declare the input (.*)$/, 'Declarar la entrada $1'],
  [/^Declare (.*) with an empty default$/, 'Declarar $1 con un valor vacío'],
  [/^Add a (.*) node that leads to (".*")$/, 'Agregar un paso de tipo $1 que lleve a $2'],
  [/^Leave by (".*")$/, 'Salir por $1'],
  [/^Insert a template at "windowClosed"$/, 'Poner una plantilla en «Ventana cerrada»'],
  [/^Lead (".*") to a new end$/, 'Llevar $1 a un fin nuevo'],
  [/^Lead (".*") to (".*")$/, 'Llevar $1 a $2'],
  [/^Take the inputs of the workflow$/, 'Tomar las entradas del flujo'],
  [/^Take the inputs of the function$/, 'Tomar las entradas de la función'],
  [/^Take the inputs of the (.*)$/, 'Tomar las entradas que tiene ($1)'],
  [/^Compare with (.*)$/, 'Comparar con $1'],
];

/** What a fix is called in Spanish; one that is not known here as the service calls it. */
export function fixInSpanish(label: string): string {
  const found = fixes.find(([pattern]) => pattern.test(label));
  return found === undefined ? label : label.replace(found[0], found[1]);
}

/** What is told of a problem. */
export type Told = Pick<Problem, 'code' | 'message' | 'hint' | 'subject'>;

/** A problem as it is said in Spanish; one of a code that is not known here as the service says it. */
export function inSpanish({ code, message, hint, subject = '' }: Told): { readonly message: string; readonly hint: string } {
  const texts = Object.hasOwn(spanish, code) ? spanish[code as ProblemCode] : undefined;
  if (texts === undefined) return { message, hint };
  const [said, advice] = texts;
  return { message: said.replace('{subject}', () => subject || 'una variable').replace('{detail}', () => detailOf(message)), hint: advice };
}
