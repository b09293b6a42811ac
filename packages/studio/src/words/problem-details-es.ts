// What the engine and the standard nodes say of a very field, in Spanish: sentences as they are, with their names and numbers in them.

/** A name in quotes stands for `{q}`, a number for `{n}`, the rest of the sentence for `{rest}`; each is `$1`, `$2` … in Spanish. */
type Sentence = readonly [english: string, spanish: string];

const fields: readonly Sentence[] = [
  ['There is no segment {q}, so that nothing begins for it', 'no hay ningún segmento $1, así que nada empieza para él'],
  ['There is no group {q}, so that nothing begins for it', 'no hay ningún grupo $1, así que nada empieza para él'],
  [
    'The credential {q} is of the kind {q}, with which this fails; it takes {rest}',
    'la credencial $1 es de la clase $2, con la que esto falla; sirve $3',
  ],
  ['There is no field {q} here; did you mean {q}?', 'aquí no hay ningún campo $1; ¿quiso decir $2?'],
  ['The message has no field {q}; did you mean {q}?', 'el mensaje no tiene ningún campo $1; ¿quiso decir $2?'],
  ['{q} has no field {q}; did you mean {q}?', '$1 no tiene ningún campo $2; ¿quiso decir $3?'],
  ['There is no field {q} here; there is {rest}', 'aquí no hay ningún campo $1; hay $2'],
  ['There is no field {q} here; there are {rest}', 'aquí no hay ningún campo $1; hay $2'],
  ['There is no field {q} here', 'aquí no hay ningún campo $1'],
  ['The message has no field {q}: remove it, or use one of {rest}', 'el mensaje no tiene ningún campo $1: quítelo o use uno de $2'],
  ['{q} has no field {q}: remove it, or use one of {rest}', '$1 no tiene ningún campo $2: quítelo o use uno de $3'],
  ['{q} must not be empty', '$1 no puede estar vacío'],
  ['{q} must have at most {n} characters', '$1 puede tener $2 caracteres como máximo'],
  ['{q} must have at least {n} characters', '$1 debe tener al menos $2 caracteres'],
  ['{q} must have a value of at least {n}', '$1 debe valer al menos $2'],
  ['{q} must have a value of at most {n}', '$1 puede valer $2 como máximo'],
  ['{q} must have at least {n} item', '$1 debe tener al menos $2 elemento'],
  ['{q} must have at least {n} items', '$1 debe tener al menos $2 elementos'],
  ['{q} must have at most {n} items', '$1 puede tener $2 elementos como máximo'],
  ['{q} has {n} items: give {n} to {n} items', '$1 tiene $2 elementos: ponga de $3 a $4'],
  ['{q} has {n} characters: shorten it to at most {n}', '$1 tiene $2 caracteres: acórtelo a $3 como máximo'],
  ['{q} is missing: give a text', 'falta $1: escriba un texto'],
  ['{q} is missing: give an object', 'falta $1: ponga un objeto'],
  ['{q} is missing: give an address', 'falta $1: escriba una dirección'],
  ['{q} is missing: give one of {rest}', 'falta $1: elija uno de $2'],
  ['{q} is missing: give a list of {n} to {n} items', 'falta $1: ponga una lista de $2 a $3 elementos'],
  ['{q} is missing: give a number from {n} to {n}, or one {{ expression }}', 'falta $1: ponga un número de $2 a $3, o una {{ expresión }}'],
  ['{q} is {n}: give a number from {n} to {n}', '$1 es $2: ponga un número de $3 a $4'],
  ['{q} is missing; it is called {q}, not {q}', 'falta $1; se llama $2, no $3'],
  ['{q} is a list of values', '$1 es una lista de valores'],
  ['{q} is a list of names', '$1 es una lista de nombres'],
  ['{q} can be compared with a text, a number or a boolean only', '$1 solo puede compararse con un texto, un número o verdadero o falso'],
  ['{q} is not checked here: leave it out', '$1 no se comprueba aquí: quítelo'],
  ['{q} is not a whole address: begin it with https:// and a host', '$1 no es una dirección completa: empiece con https:// y un servidor'],
  ['{q} is longer than {n} characters: shorten the address', '$1 tiene más de $2 caracteres: acorte la dirección'],
  [
    '{q} has a blank, a backslash or a control character: write it percent-encoded',
    '$1 tiene un espacio u otro signo que no va en una dirección: escríbalo con «%»',
  ],
  [
    '{q} begins with {value}: give an address that begins with https:// or http://',
    '$1 empieza con $2: ponga una dirección que empiece con https:// o http://',
  ],
  ['{q} begins with {rest}: give an address that begins with https://', '$1 empieza con $2: ponga una dirección que empiece con https://'],
];

const options: readonly Sentence[] = [
  ['{q} is missing; it must be one of {value}', 'falta $1; debe ser uno de $2'],
  ['{q} is {q}; it must be one of {rest}; did you mean {q}?', '$1 es $2; debe ser uno de $3; ¿quiso decir $4?'],
  ['{q} is {q}; it must be one of {rest}', '$1 es $2; debe ser uno de $3'],
  ['{q} is {value}; it must be one of {rest}', '$1 es $2; debe ser uno de $3'],
  ['{q} is {value}; it must be {rest}', '$1 es $2; debe ser $3'],
  ['{q} must be a multiple of {n}', '$1 debe ser un múltiplo de $2'],
];

const values: readonly Sentence[] = [
  [
    '{q} is not a duration above zero and up to a hundred years; write ISO 8601, such as PT20S, PT2H or P3D',
    '$1 no es una duración mayor que cero y de hasta cien años; escríbala como PT20S, PT2H o P3D',
  ],
  ['{q} is not an instant; write ISO 8601 with a zone, such as {rest}', '$1 no es un momento; escríbalo con su zona, como $2'],
  ['Write the time as {q}, from {q} to {q}', 'escriba la hora como $1, de $2 a $3'],
  ['Write a day of the calendar, such as {n}-{n}-{n}', 'escriba un día del calendario, como $1-$2-$3'],
  [
    'Write a day of the calendar, such as {n}-{n}-{n}, or an expression between {{ and }}',
    'escriba un día del calendario, como $1-$2-$3, o una expresión entre {{ y }}',
  ],
  [
    'There is no time zone of this name: write an IANA name such as {rest}',
    'no hay ninguna zona horaria con ese nombre: escriba uno como $1',
  ],
  ['These hours overlap others of the same day: write them as one', 'estas horas se cruzan con otras del mismo día: júntelas'],
  ['This is never open: give at least one day its hours', 'nunca está abierto: ponga las horas de al menos un día'],
  [
    'This does not close after it opens: hours that go past midnight are written as [{q}, {q}] and, on the next day, [{q}, {q}]',
    'no cierra después de abrir: las horas que pasan la medianoche se escriben como [$1, $2] y, al día siguiente, [$3, $4]',
  ],
  ['Say until when: give "at" an instant, or "opening" the hours', 'diga hasta cuándo: ponga el momento en "at" o las horas en "opening"'],
  ['Give "at", the date that this is before', 'ponga en "at" la fecha antes de la que es esto'],
  ['Give "at", the date of which this is the time', 'ponga en "at" la fecha de la que es esta hora'],
  ['Give "at", the instant that this is before', 'ponga en "at" el momento antes del que es esto'],
  [
    'Name one field of the contact that holds a date, such as {rest}, and nothing else',
    'nombre un solo campo del contacto que tenga una fecha, como $1, y nada más',
  ],
  ['{q} is no cron expression: {rest}', '$1 no es una expresión cron'],
  ['Give a list, or one {{expression}} that gives one', 'ponga una lista, o una sola {{expresión}} que la dé'],
  ['Give a list, or one {{expression}} that gives it', 'ponga una lista, o una sola {{expresión}} que la dé'],
  ['Give a text, or one {{expression}} that gives it', 'escriba un texto, o una sola {{expresión}} que lo dé'],
  ['Give one single {{expression}} that is true or false', 'ponga una sola {{expresión}} que sea verdadera o falsa'],
  [
    'Give a number, an instant, a day such as {q} or a time such as {q}, or one {{expression}} that gives it',
    'ponga un número, un momento, un día como $1 o una hora como $2, o una sola {{expresión}} que lo dé',
  ],
  ['Give {n} to {n} values', 'ponga de $1 a $2 valores'],
  ['The least is more than the most: exchange them', 'el mínimo es mayor que el máximo: cámbielos'],
  ['The percentages total {n}; they must total exactly 100', 'los porcentajes suman $1; deben sumar exactamente 100'],
  [
    'An amount is a whole number above zero, in the smallest unit of the currency: {rest}',
    'un importe es un número entero mayor que cero, en la unidad más pequeña de la moneda: 1250 para 12,50',
  ],
  ['A currency has three capital letters, such as {rest}', 'una moneda tiene tres letras mayúsculas, como $1'],
  [
    'A currency has the three capital letters of ISO 4217, such as {rest}',
    'una moneda tiene las tres letras mayúsculas de ISO 4217, como $1',
  ],
  ['The description of a payment has {n} to {n} characters', 'la descripción de un pago tiene de $1 a $2 caracteres'],
  ['A budget in {rest} needs the price of the model in it', 'para un presupuesto en $1 hace falta el precio del modelo en esa moneda'],
  ['The window is {n} to {n} seconds: {rest}', 'la ventana dura de $1 a $2 segundos: $3'],
  ['The longest burst is shorter than one window: lengthen it', 'la ráfaga más larga es más corta que una ventana: alárguela'],
  ['A number in $memory has at most {n} digits', 'un número en la memoria tiene $1 cifras como máximo'],
  ['A text in $memory has at most {n} characters', 'un texto en la memoria tiene $1 caracteres como máximo'],
  ['Code runs for at most {rest}', 'el código puede correr $1 como máximo'],
];

const names: readonly Sentence[] = [
  [
    '{q} is not a place to write; use $context.name, $memory.name or $user.fields.key',
    'en $1 no se puede escribir; use un nombre como $context.nombre, $memory.nombre o $user.fields.clave',
  ],
  ['{q} is not the place of a variable; write it as $context.name', '$1 no es el lugar de una variable; escríbalo como $context.nombre'],
  ['{q} is not a path; write {rest}, without braces', '$1 no es una ruta; escriba $2, sin llaves'],
  [
    '{q} is not a place in a body; write its steps with dots, such as {rest}',
    '$1 no es un lugar de la respuesta; escriba sus pasos con puntos, como user.id o items[0].code',
  ],
  [
    '{q} is no part of an answer; use status, headers.name or body.name',
    '$1 no es parte de una respuesta; use status, headers.nombre o body.nombre',
  ],
  [
    'A variable name starts with a letter or "_" and has at most {n} letters, digits or "_"',
    'el nombre de una variable empieza con una letra o «_» y tiene hasta $1 letras, cifras o «_»',
  ],
  [
    'The name of a tool is one word such as {rest}, and does not begin with exit_',
    'el nombre de una herramienta es una palabra, como $1, y no empieza con exit_',
  ],
  ['The name of an exit is one word such as {rest}', 'el nombre de una salida es una palabra, como $1'],
  ['This name is reserved; choose another', 'este nombre está reservado; elija otro'],
  ['A name is a constant: what comes from outside goes into values', 'un nombre es fijo: lo que viene de fuera va en los valores'],
  ['Give the event a name', 'dele un nombre al evento'],
  ['A keyword needs at least one visible character', 'una palabra clave necesita al menos un signo visible'],
  ['A workflow id has {n} to {n} letters, digits, {rest}', 'el id de un flujo tiene de $1 a $2 letras, cifras, «_», «-» o «:»'],
  ['A webhook id has {n} to {n} letters, digits, {rest}', 'el id de un webhook tiene de $1 a $2 letras, cifras, «_», «-» o «:»'],
  ['A header has {n} to {n} letters, digits or "-"', 'un encabezado tiene de $1 a $2 letras, cifras o «-»'],
  [
    'A canvas does not set the header {q}: it speaks for the connection, for caches, or for the whole host',
    'un flujo no pone el encabezado $1: habla de la conexión, de cachés o de todo el servidor',
  ],
  ['Name the header with the signature, or a preset', 'nombre el encabezado que trae la firma, o un servicio conocido'],
  ['There is a port {q} already; each case needs one of its own', 'ya hay una salida $1; cada caso necesita la suya'],
  [
    '"add" needs at least one tag id; to take all away use "clear"',
    '"add" necesita al menos una etiqueta; para quitarlas todas use "clear"',
  ],
  ['Write "company", {"group": "NAME"} or {"segment": "NAME"}', 'escriba "company", {"group": "NOMBRE"} o {"segment": "NOMBRE"}'],
  [
    '$context lasts as long as the execution; only $memory takes a "ttl"',
    '$context dura lo que dura la ejecución; solo $memory admite "ttl"',
  ],
  ['"skipIfSet" looks at the place "saveAs" names: name one', '"skipIfSet" mira el lugar que dice "saveAs": nombre uno'],
];

const messages: readonly Sentence[] = [
  ['The message is missing: give an object', 'falta el mensaje'],
  [
    'The message has no options to choose from: add quick_replies or buttons, or choose an "input"',
    'el mensaje no tiene opciones que elegir: agregue opciones o elija qué clase de respuesta se espera',
  ],
  [
    'The type of a message is a constant, for it decides which fields there are: write one of {rest}',
    'la clase de un mensaje es fija, porque decide qué campos hay: escriba uno de $1',
  ],
  ['The message shows no link: write {rest} in it', 'el mensaje no muestra ningún enlace: escriba $1 en él'],
  [
    'Name a variable here, such as $context.payment, so that the message can show its "url"',
    'nombre aquí una variable, como $context.pago, para que el mensaje muestre su "url"',
  ],
  [
    'The options come from an expression, so there are no ports to connect: write them out, or choose an "input"',
    'las opciones vienen de una expresión y no hay salidas que conectar: escríbalas, o elija qué clase de respuesta se espera',
  ],
  [
    'The port of this option would be {q}, which is known only when the flow runs: give it a title without an expression',
    'la salida de esta opción sería $1, que solo se sabe cuando el flujo corre: dele un título sin expresión',
  ],
  [
    'The name is a port, which is known before the flow runs: write it without an expression',
    'el nombre es una salida, que se sabe antes de que el flujo corra: escríbalo sin expresión',
  ],
  ['Say something, or leave it out', 'diga algo, o quítelo'],
  ['Say what to compare with', 'diga con qué se compara'],
  ['Nothing equals null: use "isNull"', 'nada es igual a nulo: use "isNull"'],
  [
    'This would compare with the text itself; put the variable in braces: {rest}',
    'se compararía con el texto mismo; ponga la variable entre llaves: $1',
  ],
  ['{q} is this text itself, and always the same', '$1 es este mismo texto, y siempre igual'],
];

const calls: readonly Sentence[] = [
  ['A base URL is a whole address such as {rest}', 'una dirección base es una dirección completa, como $1'],
  [
    'This is no address to call; write a whole one without user name or password, such as {rest}',
    'esta no es una dirección que se pueda llamar; escriba una completa sin usuario ni contraseña, como $1',
  ],
  [
    'There is no body to send as {rest}; write one, or leave "bodyKind" out',
    'no hay contenido que enviar como $1; escríbalo, o quite "bodyKind"',
  ],
  ['The {rest} is an object of elements, not a text of XML or a list', '«$1» es un objeto de elementos, y no un texto de XML ni una lista'],
  [
    'A list is directly under the name of its element, and not in another list',
    'una lista va directamente bajo el nombre de su elemento, y no en otra lista',
  ],
  ['The prefix of {q} is not among the namespaces', 'el prefijo de $1 no está entre los espacios de nombres'],
  [
    'A statement is a constant: write $1 or ? in it, and the value into "parameters"',
    'una consulta es fija: escriba «?» en ella, y el valor en "parameters"',
  ],
  ['A body that goes out as text must be a text', 'un contenido que sale como texto debe ser un texto'],
  ['There is no statement', 'no hay ninguna consulta'],
  [
    'Instructions hold no {{expressions}}: put values into "input"',
    'las instrucciones no llevan {{expresiones}}: ponga los valores en "input"',
  ],
  ['The question holds no {{expressions}}: put values into "input"', 'la pregunta no lleva {{expresiones}}: ponga los valores en "input"'],
  [
    'An answer is an object: the schema begins with "type": "object"',
    'una respuesta es un objeto: el esquema empieza con "type": "object"',
  ],
  [
    'The inputs of a tool are an object: a schema with "type": "object", of at most {n} characters',
    'las entradas de una herramienta son un objeto: un esquema con "type": "object", de $1 caracteres como máximo',
  ],
  ['A schema is an object, or true or false', 'un esquema es un objeto, o verdadero o falso'],
  ['Here are schemas by name', 'aquí van esquemas por su nombre'],
  ['This is no JSON Schema that can be checked: {rest}', 'este esquema no se puede comprobar: $1'],
];

const expressions: readonly Sentence[] = [
  ['a value is missing at its end', 'falta un valor al final'],
  [
    'the "}}" at its end is missing, or a quote or a bracket in it has no end',
    'falta «}}» al final, o unas comillas o un paréntesis no se cierran',
  ],
  [
    'there is no function {q}; the page on expressions lists those that there are',
    'no hay ninguna función $1; la lista aparece al escribir',
  ],
  ['{rest} is missing: give a default with "??" if it may be', 'no hay $1: dele un valor por defecto con «??» si puede faltar'],
  ['{rest} is missing; give a default with ?? if it may be', 'no hay $1: dele un valor por defecto con «??» si puede faltar'],
];

/** What values are called. */
const types: { readonly [english: string]: string } = {
  'a text': 'un texto',
  'a number': 'un número',
  'a whole number': 'un número entero',
  'true or false': 'verdadero o falso',
  'a list': 'una lista',
  'an object': 'un objeto',
  null: 'nulo',
  'something else': 'otra cosa',
  'an address': 'una dirección',
  true: 'verdadero',
  false: 'falso',
};
/** What a value may be, in words that are made of others. */
const made: readonly (readonly [RegExp, string])[] = [
  [/^a list of (\d+) to (\d+) items/, 'una lista de $1 a $2 elementos'],
  [/^a number from (-?\d+) to (-?\d+)/, 'un número de $1 a $2'],
  [/^one of /, 'uno de '],
  [/^the text /, 'el texto '],
  [/, or one \{\{ ?expression ?\}\}$/, ' o una {{expresión}}'],
  [/; write (\{.*)$/s, '; escriba $1'],
];
function typeIn(english: string): string {
  const whole = types[english];
  if (whole !== undefined) return whole;
  const said = made.reduce((text, [pattern, spanish]) => text.replace(pattern, spanish), english);
  return said.startsWith('el texto ')
    ? said
    : said
        .replaceAll(/\b(?:an? (?:whole number|text|number|list|object|address)|true or false)\b/g, (one) => types[one] ?? one)
        .replaceAll(' or ', ' o ');
}

/** What is in the way of an execution that comes to another version; in brackets, the way to it. */
const plans: readonly Sentence[] = [
  ['Node {q} is not in version {n}{rest}', 'El paso $1 no está en la versión $2$3'],
  ['Node {q} is not in version {n}', 'El paso $1 no está en la versión $2'],
  ['Node {q} is of another type in version {n}{rest}', 'El paso $1 es de otro tipo en la versión $2$3'],
  ['Node {q} is of another type in version {n}', 'El paso $1 es de otro tipo en la versión $2'],
  ['{q} of node {q} differs in version {n}{rest}', '$1 del paso $2 es otro en la versión $3$4'],
  ['{q} of node {q} differs in version {n}', '$1 del paso $2 es otro en la versión $3'],
  ['Port {q} of node {q} leads elsewhere in version {n}{rest}', 'La salida $1 del paso $2 lleva a otro sitio en la versión $3$4'],
  ['Port {q} of node {q} leads elsewhere in version {n}', 'La salida $1 del paso $2 lleva a otro sitio en la versión $3'],
  [
    'The webhook {q} differs in version {n}, which late requests are answered by',
    'El webhook $1, que responde a las peticiones tardías, es otro en la versión $2',
  ],
  ['What failures lead to ({q}) differs in version {n}', 'Adonde llevan los fallos ($1) es otro sitio en la versión $2'],
  ['{q} of the canvas differs in version {n}', '$1 del flujo es otro en la versión $2'],
  ['Node {q}, where it waits, is not in version {n}. {rest}', 'El paso $1, donde espera, no está en la versión $2: elija dónde sigue'],
  [
    '{q} is between two attempts under one idempotency key, and its request differs in version {n}. {rest}',
    '$1 está entre dos intentos, y su petición es otra en la versión $2: espere a que termine, o elija dónde sigue',
  ],
  [
    'At {q} version {n} would not wait as this execution does: {rest}',
    'En $1, la versión $2 no esperaría como esta ejecución: elija dónde sigue',
  ],
  ['It has jumped into workflow {q}: migrate it with that workflow', 'Saltó al flujo $1: tráigala con ese flujo'],
  [
    'It waits for a request to webhook {q}; in version {n} there is no webhook',
    'Espera una petición al webhook $1, que no está en la versión $2',
  ],
  [
    'It waits for a request to webhook {q}; in version {n} the webhook is {q}',
    'Espera una petición al webhook $1; en la versión $2 el webhook es $3',
  ],
  [
    'Version {n} reads {rest} on the way {rest}, and this execution has none. {rest}',
    'La versión $1 lee $2 en el camino $3, y esta ejecución no lo tiene: dele un valor',
  ],
  ['A value of "set" cannot be made of its variables: {rest}', 'Un valor no se puede formar con sus variables: $1'],
];

/** What must hold of an agent, whatever its model answers. */
const laws: readonly Sentence[] = [
  ['never throws ({rest})', 'no falla por dentro ($1)'],
  ['never finishes the execution', 'no termina la ejecución'],
  ['leaves by one of its ports, and not by {rest}', 'sale por una de sus salidas, y no por $1'],
  ['forgets the conversation when it leaves', 'olvida la conversación al salir'],
  ['says why it leaves', 'dice por qué sale'],
  ['writes its transcript at every port', 'escribe su transcripción en cada salida'],
  ['writes no withheld value into its transcript', 'no escribe ningún valor oculto en su transcripción'],
  ['writes the fields of its exit', 'escribe los campos de su salida'],
  ['runs its own tools only', 'usa solo sus propias herramientas'],
  ['runs {q} only after a yes to its question', 'usa $1 solo tras un sí a su pregunta'],
  ['keeps to its calls of tools in a turn', 'respeta sus llamadas a herramientas por turno'],
  ['keeps to its calls of models in a turn', 'respeta sus llamadas al modelo por turno'],
  ['keeps to its turns', 'respeta sus turnos'],
  ['shows no withheld value to a model', 'no muestra ningún valor oculto al modelo'],
  ['takes no mark that a user typed', 'no toma ninguna marca que escribió un usuario'],
  ['sends no withheld value to a server', 'no envía ningún valor oculto a un servidor'],
];

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** The pattern of a sentence: what varies in it is a name without quotes inside, a number, or all of the rest. */
const patternOf = (english: string): RegExp =>
  new RegExp(
    `^${escaped(english).replaceAll(String.raw`\{q\}`, '("[^"]*["…])').replaceAll(String.raw`\{n\}`, String.raw`(-?[\d.]+(?:e[+]\d+)?)`).replaceAll(String.raw`\{value\}`, '([^;]+)').replaceAll(String.raw`\{rest\}`, '(.+)')}$`,
    's',
  );

const all = [fields, options, values, names, messages, calls, expressions, laws, plans]
  .flat()
  .map(([english, spanish]) => [patternOf(english), spanish] as const);

/** A text that the engine and the nodes say of a field or of an expression, in Spanish; nothing where it is not known here. */
export function detailInSpanish(message: string): string | undefined {
  const [, expression, why] = /^Expression (\{\{.*?\}\}): (.*)$/s.exec(message) ?? [];
  if (expression !== undefined && why !== undefined) return `${expression}: ${detailInSpanish(why) ?? why}`;
  const [, name, expected, how, given] = /^("[^"]*"|The message|\S+) must be (.+?), (not|and is) (.+)$/s.exec(message) ?? [];
  if (name !== undefined && expected !== undefined && given !== undefined)
    return `${name === 'The message' ? 'el mensaje' : name} debe ser ${typeIn(expected)}, ${how === 'not' ? 'no' : 'y es'} ${typeIn(given)}`;
  const found = all.find(([pattern]) => pattern.test(message));
  return found === undefined
    ? undefined
    : message.replace(found[0], found[1]).replace(/ and (\d+) more(?=[;?]|$| en el camino )/, ' y $1 más');
}
