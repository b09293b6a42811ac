/** Texts of the fields that every node has, and of those that many standard nodes have under the same name. */
import type { FieldTexts } from '@hilo/engine/contract';
import { help, say } from './said.ts';

/** Of fields that every node has. */
export const commonTexts: FieldTexts = {
  label: say(
    help('Label', 'What the card is called on the canvas; you may leave it out', 'Ask for the name'),
    help('Título', 'Cómo se llama la tarjeta en el lienzo; puede faltar', 'Preguntar el nombre'),
  ),
  notes: say(
    help('Notes', 'For you and your colleagues: nobody else reads them', 'Agreed with support on 3 March'),
    help('Notas', 'Para usted y sus colegas: nadie más las lee', 'Acordado con soporte el 3 de marzo'),
  ),
  mask: say(
    help('Keep secret', 'What this step handles is not shown in executions'),
    help('Mantener en secreto', 'Lo que maneja este paso no se muestra en las ejecuciones'),
  ),
  onError: say(
    help('When it fails', 'Go on by the port “Fails”, or end'),
    help('Cuando falla', 'Seguir por el puerto “Falla”, o terminar'),
  ),
  'onError=port': say('Go on by “Fails”', 'Seguir por “Falla”'),
  'onError=fail': say('End as failed', 'Terminar como fallido'),
  retry: say(
    help('Try again', 'How often it is tried before it counts as failed'),
    help('Reintentar', 'Cuántas veces se intenta antes de darlo por fallido'),
  ),
  'retry.attempts': say('Attempts in all', 'Intentos en total'),
  'retry.delay': say('Wait before the second attempt', 'Espera antes del segundo intento'),
  'retry.factor': say('Each wait is longer by', 'Cada espera se alarga por'),
  'retry.maxDelay': say('Longest wait', 'Espera más larga'),
  'retry.on': say('Only after these causes', 'Solo tras estas causas'),
  'retry.jitter': say(
    help('Spread the attempts', 'So that many do not try at the same moment'),
    help('Repartir los intentos', 'Para que muchos no lo intenten a la vez'),
  ),
  'retry.jitter=full': say('yes', 'sí'),
  'retry.jitter=none': say('no', 'no'),
  hold: say(
    help('While it works', 'What happens when the user writes meanwhile'),
    help('Mientras trabaja', 'Qué pasa si el usuario escribe entretanto'),
  ),
  'hold.enabled': say('Hold the user here', 'Retener al usuario aquí'),
  'hold.message': say('Answer meanwhile', 'Respuesta entretanto'),
  'hold.onMessage': say('Messages meanwhile', 'Mensajes entretanto'),
  'hold.onMessage=discard': say('are dropped', 'se descartan'),
  'hold.onMessage=queue': say('are kept for later', 'se guardan para después'),
};

/** Of fields that many of the standard nodes have under the same name. */
export const sharedTexts: FieldTexts = {
  saveAs: say(
    help('Remember as', 'A name under which later steps find it', 'name'),
    help('Recordar como', 'Un nombre con el que los pasos siguientes lo encuentran', 'nombre'),
  ),
  timeout: say(
    help('Wait at most', 'Then it goes on by the port for it'),
    help('Esperar como máximo', 'Después sigue por el puerto correspondiente'),
  ),
  auth: say(
    help('Sign in with', 'One of the credentials of the company'),
    help('Identificarse con', 'Una de las credenciales de la empresa'),
  ),
  credentialId: say('Credential', 'Credencial'),
  timeZone: say(
    help('Time zone', 'Of the user when left out, else of the company', 'America/Lima'),
    help('Zona horaria', 'Si falta, la del usuario o la de la empresa', 'America/Lima'),
  ),
  week: say('Opening hours', 'Horario'),
  'week.mon': say('Monday', 'lunes'),
  'week.tue': say('Tuesday', 'martes'),
  'week.wed': say('Wednesday', 'miércoles'),
  'week.thu': say('Thursday', 'jueves'),
  'week.fri': say('Friday', 'viernes'),
  'week.sat': say('Saturday', 'sábado'),
  'week.sun': say('Sunday', 'domingo'),
  holidays: say(
    help('Holidays', 'Days on which you stay closed', '2026-12-25'),
    help('Festivos', 'Días en que permanece cerrado', '2026-12-25'),
  ),
  model: say('Model', 'Modelo'),
  fallback: say(help('Second model', 'Asked when the first one fails'), help('Segundo modelo', 'Se le pregunta cuando el primero falla')),
  provider: say('Provider', 'Proveedor'),
  'provider=openai-compatible': say('OpenAI-compatible', 'Compatible con OpenAI'),
  'provider=openai': say('OpenAI', 'OpenAI'),
  'provider=anthropic': say('Anthropic', 'Anthropic'),
  'provider=google': say('Google', 'Google'),
  baseUrl: say(
    help('Address of the provider', 'Ask the provider for it', 'https://api.example.com/v1'),
    help('Dirección del proveedor', 'La indica el proveedor', 'https://api.example.com/v1'),
  ),
  'model.name': say('Name of the model', 'Nombre del modelo'),
  'fallback.name': say('Name of the model', 'Nombre del modelo'),
  temperature: say(help('Imagination', '0 is strict, 1 and more is free'), help('Imaginación', '0 es estricto, 1 o más es libre')),
  maxOutputTokens: say('Longest answer, in tokens', 'Respuesta más larga, en tokens'),
  price: say('Price', 'Precio'),
  'price.input': say('A million tokens read', 'Un millón de tokens leídos'),
  'price.output': say('A million tokens written', 'Un millón de tokens escritos'),
  currency: say(help('Currency', 'Three letters', 'USD'), help('Moneda', 'Tres letras', 'USD')),
  workflowId: say('Workflow', 'Flujo'),
  version: say(help('Version', 'The live one, when left out'), help('Versión', 'La activa, si falta')),
  headers: say('Headers', 'Cabeceras'),
  body: say('Body', 'Cuerpo'),
  minLength: say('At least this many characters', 'Al menos estos caracteres'),
  maxLength: say('At most this many characters', 'Como mucho estos caracteres'),
  min: say('At least', 'Como mínimo'),
  max: say('At most', 'Como máximo'),
  integer: say('Whole numbers only', 'Solo números enteros'),
};
