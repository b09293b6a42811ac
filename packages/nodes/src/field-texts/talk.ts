/** Texts of the nodes that begin a conversation, talk with the user, or hand over to a person. */
import type { FieldTexts } from '@hilo/engine/contract';
import { messageTexts } from './messages.ts';
import { help, say } from './said.ts';
import { typedFieldTexts } from './typed-fields.ts';

export const talkTexts: { readonly [type: string]: FieldTexts } = {
  start: {
    keywords: say(
      help('Begins when somebody writes', 'A word or phrase; Enter writes the next one', 'menu'),
      help('Empieza cuando alguien escribe', 'Una palabra o frase; Intro escribe la siguiente', 'menú'),
    ),
    match: say('The message', 'El mensaje'),
    'match=exact': say('is the word', 'es la palabra'),
    'match=contains': say('has it anywhere', 'la tiene en cualquier parte'),
    'match=words': say('has it as a whole word', 'la tiene como palabra entera'),
    'match=pattern': say('fits the pattern', 'encaja con el patrón'),
    'match=verbatim': say('is it, sign by sign', 'es ella, signo por signo'),
    payloads: say(
      help('Begins by these buttons', 'The value of a button, of a menu, of “Get started”', 'GET_STARTED'),
      help('Empieza con estos botones', 'El valor de un botón, de un menú, de “Empezar”', 'GET_STARTED'),
    ),
    refs: say(
      help('Begins by these links', 'The ref of a link or an advertisement', 'summer-sale'),
      help('Empieza con estos enlaces', 'La referencia de un enlace o un anuncio', 'rebajas'),
    ),
    fallback: say(
      help('Begins with any other message', 'With what begins no other workflow'),
      help('Empieza con cualquier otro mensaje', 'Con lo que no empieza ningún otro flujo'),
    ),
    interrupts: say(
      help('Begins in the middle of another one', 'Even while another workflow waits for an answer, which then ends'),
      help('Empieza en medio de otro', 'Aunque otro flujo espere una respuesta, que entonces termina'),
    ),
    schedule: say(
      help('Begins by the clock', 'At the times of a cron expression'),
      help('Empieza a una hora', 'A las horas de una expresión cron'),
    ),
    'schedule.cron': say(
      help('When', 'Minute, hour, day of the month, month, day of the week', '0 9 * * 1-5'),
      help('Cuándo', 'Minuto, hora, día del mes, mes, día de la semana', '0 9 * * 1-5'),
    ),
    'schedule.timeZone': say(
      help('Time zone', 'The company’s, when left empty', 'America/Lima'),
      help('Zona horaria', 'La de la empresa, si se deja vacía', 'America/Lima'),
    ),
    'schedule.for': say(
      help('For whom', 'Once for the company, or once for each contact'),
      help('Para quién', 'Una vez para la empresa, o una vez para cada contacto'),
    ),
    'schedule.for=company': say('The company, without a user', 'La empresa, sin usuario'),
    'schedule.for.group': say('Contacts of the group', 'Contactos del grupo'),
    'schedule.for.segment': say('Contacts of the segment', 'Contactos del segmento'),
    at: say(
      help('Begins on a date of each contact', 'A field of contacts that holds a date', '{{user.fields.renewal}}'),
      help('Empieza en una fecha de cada contacto', 'Un campo de los contactos con una fecha', '{{user.fields.renovacion}}'),
    ),
    before: say(help('So long before', 'Before that date', 'P7D'), help('Con antelación', 'Antes de esa fecha', 'P7D')),
    time: say(
      help('At this time', 'On the clock of the contact; 09:00, when left empty', '09:00'),
      help('A esta hora', 'En el reloj del contacto; 09:00, si se deja vacía', '09:00'),
    ),
    grace: say(
      help('How late it may begin', 'After the service was away; an hour, when left empty', 'PT1H'),
      help('Con cuánto retraso', 'Si el servicio estuvo parado; una hora, si se deja vacío', 'PT1H'),
    ),
  },
  message: messageTexts,
  ask: {
    ...typedFieldTexts,
    ...messageTexts,
    input: say(
      help('What kind of answer?', 'One of the answers above, or something that is checked'),
      help('¿Qué tipo de respuesta?', 'Una de las respuestas de arriba, o algo que se comprueba'),
    ),
    'input.kind': say('Kind of answer', 'Tipo de respuesta'),
    'input.kind=text': say('Text', 'Texto'),
    'input.kind=number': say('Number', 'Número'),
    'input.kind=email': say('E-mail', 'Correo'),
    'input.kind=phone': say('Phone', 'Teléfono'),
    'input.kind=date': say('Date', 'Fecha'),
    'input.kind=time': say('Time', 'Hora'),
    'input.kind=option': say('From a list', 'De una lista'),
    'input.kind=order': say('Cart', 'Carrito'),
    'input.kind=location': say('Place', 'Lugar'),
    'input.kind=contact': say('Contact', 'Contacto'),
    'input.kind=media': say('File', 'Archivo'),
    'input.like': say(
      help('Looks like', 'A pattern, such as two letters and four digits', '^[A-Z]{2}[0-9]{4}$'),
      help('Tiene la forma', 'Un patrón, como dos letras y cuatro cifras', '^[A-Z]{2}[0-9]{4}$'),
    ),
    'input.strict': say(
      help('Nothing beside it', 'Refuses “about 20” and “20 years”'),
      help('Nada más al lado', 'Rechaza “unos 20” y “20 años”'),
    ),
    'input.find': say(help('Find it in a sentence', 'Accepts “there are 20 of us”'), help('Buscarlo en una frase', 'Acepta “somos 20”')),
    'input.order': say('How 3/4 is meant', 'Cómo se entiende 3/4'),
    'input.order=dayFirst': say('3 April', '3 de abril'),
    'input.order=monthFirst': say('March 4', '4 de marzo'),
    'input.options': say(
      help('The list', 'A variable that holds the answers'),
      help('La lista', 'Una variable que contiene las respuestas'),
    ),
    'input.kind=form': say('Form', 'Formulario'),
    'input.fields': say(
      help('Fields of the form', 'Each is remembered under its name'),
      help('Campos del formulario', 'Cada uno se recuerda con su nombre'),
    ),
    'input.fields.label': say('Label', 'Etiqueta'),
    'input.exchange': say(
      help('Asks a workflow on the way', 'Its answers fill the next screen'),
      help('Consulta un flujo por el camino', 'Sus respuestas llenan la pantalla siguiente'),
    ),
    'input.exchange.workflowId': say('Workflow', 'Flujo'),
    'input.exchange.context': say('What it gets', 'Qué recibe'),
    'input.fallback': say('Where there are no forms', 'Donde no hay formularios'),
    'input.fallback=questions': say('ask one by one', 'preguntar uno por uno'),
    'input.fallback=refuse': say('fail', 'fallar'),
    'input.types': say('Kinds of file', 'Tipos de archivo'),
    'input.types=image': say('Picture', 'Imagen'),
    'input.types=audio': say('Sound', 'Audio'),
    'input.types=video': say('Video', 'Vídeo'),
    'input.types=file': say('File', 'Archivo'),
    'input.types=sticker': say('Sticker', 'Sticker'),
    saveAs: say(
      help('Remember the answer as', 'A name: later steps write it into texts', 'name'),
      help('Recordar la respuesta como', 'Un nombre: los pasos siguientes lo escriben en textos', 'nombre'),
    ),
    attempts: say(
      help('How many tries', 'Then it goes on by the port “Invalid”'),
      help('Cuántos intentos', 'Después sigue por el puerto “No válida”'),
    ),
    invalidMessage: say(
      help('When the answer does not fit', 'The question again, when left out', 'A number, please, such as 4.'),
      help('Cuando la respuesta no vale', 'Si falta, otra vez la pregunta', 'Un número, por favor, como 4.'),
    ),
    timeout: say(
      help('Wait for an answer at most', 'Then it goes on by the port “No reply”'),
      help('Esperar la respuesta como máximo', 'Después sigue por el puerto “Sin respuesta”'),
    ),
    skipIfSet: say(
      help('Do not ask when it is known', 'When the answer is there from before'),
      help('No preguntar si ya se sabe', 'Cuando la respuesta está de antes'),
    ),
    'skipIfSet=boolean': say('yes or no', 'sí o no'),
    'skipIfSet=string': say('when this has a value', 'cuando esto tiene un valor'),
  },
  template: {
    templateId: say(help('Template', 'One that the channel has approved'), help('Plantilla', 'Una que el canal haya aprobado')),
    parameters: say(
      help('Its gaps', 'What stands in each place of the template'),
      help('Sus huecos', 'Qué va en cada lugar de la plantilla'),
    ),
  },
  collect: {
    window: say(
      help('The user is done after a pause of', '1 to 20 seconds'),
      help('El usuario ha terminado tras una pausa de', 'De 1 a 20 segundos'),
    ),
    maxMessages: say('At most this many messages', 'Como mucho estos mensajes'),
    begins: say('It begins', 'Empieza'),
    'begins=withLast': say('with the last message', 'con el último mensaje'),
    'begins=withNext': say('with the next message', 'con el mensaje siguiente'),
    maxWait: say(help('Go on after', 'Even if the user keeps writing'), help('Seguir tras', 'Aunque el usuario siga escribiendo')),
    saveAs: say('Remember the messages as', 'Recordar los mensajes como'),
  },
  handoff: {
    mode: say('Then', 'Después'),
    'mode=park': say('wait until the person is done', 'esperar a que la persona termine'),
    'mode=end': say('end here', 'terminar aquí'),
    teamId: say(help('Team', 'Its number; any team, when left out'), help('Equipo', 'Su número; cualquiera, si falta')),
    operatorId: say(
      help('Person', 'The number of one person; anybody, when left out'),
      help('Persona', 'El número de una persona; cualquiera, si falta'),
    ),
    timeout: say(
      help('Over after a silence of', 'Of both: the user and the person'),
      help('Termina tras un silencio de', 'De ambos: el usuario y la persona'),
    ),
    saveAs: say('Remember how it ended as', 'Recordar cómo terminó como'),
  },
  tags: {
    action: say('Do what', 'Qué hacer'),
    'action=add': say('add', 'añadir'),
    'action=remove': say('remove', 'quitar'),
    'action=replace': say('replace all', 'sustituir todas'),
    'action=clear': say('remove all', 'quitar todas'),
    tags: say(help('Tags', 'Their numbers'), help('Etiquetas', 'Sus números')),
  },
  group: {
    action: say('Do what', 'Qué hacer'),
    'action=add': say('add the user', 'añadir al usuario'),
    'action=remove': say('remove the user', 'quitar al usuario'),
    group: say(help('Group', 'It is made with its first contact', 'vip'), help('Grupo', 'Se crea con su primer contacto', 'vip')),
  },
  consent: {
    marketing: say('Marketing messages', 'Mensajes de marketing'),
    'marketing=granted': say('allowed by the user', 'permitidos por el usuario'),
    'marketing=revoked': say('stopped by the user', 'detenidos por el usuario'),
    evidence: say(
      help('Proof', 'The message of the user, when left out', 'Box of the order form'),
      help('Prueba', 'El mensaje del usuario, si falta', 'Casilla del formulario'),
    ),
  },
  payment: {
    ...messageTexts,
    message: say(help('Message with the link', 'A plain one, when left out'), help('Mensaje con el enlace', 'Uno sencillo, si falta')),
    amount: say(
      help('Amount', 'In the smallest unit: 1250 for 12.50', '1250'),
      help('Importe', 'En la unidad más pequeña: 1250 para 12,50', '1250'),
    ),
    description: say('What is paid for', 'Qué se paga'),
    timeout: say(
      help('Wait for the payment at most', 'Then it goes on by “Time is up”'),
      help('Esperar el pago como máximo', 'Después sigue por “Se acabó el tiempo”'),
    ),
    saveAs: say('Remember the payment as', 'Recordar el pago como'),
  },
};
