// Why the service refused something, in Spanish, by the code of the refusal: one table for every screen.
import { ApiError } from '../api/api-error.ts';
import { detailInSpanish } from './problem-details-es.ts';

/** `{q}` stands for the first name that the service puts in quotes. */
const sentences: { readonly [code: string]: string } = {
  ANSWER_TOO_LARGE: 'La respuesta es demasiado grande',
  BOT_NOT_FOUND: 'No hay ningún bot {q}',
  CAMPAIGN_NOT_FOUND: 'No hay ninguna campaña {q}; quizá se eliminó',
  CELL_ELSEWHERE: 'Esto se atiende en otra parte del servicio: ábralo en su otra dirección',
  CHILD: 'La ejecución {q} la llamó otra: reintente la que la llamó',
  COMMENT_NOT_FOUND: 'No hay ningún comentario {q}; quizá se eliminó',
  COMPANY_EXISTS: 'La empresa ya está aquí: no se importó nada',
  COMPANY_NOT_FOUND: 'No hay ninguna empresa {q}',
  CONTACT_NOT_FOUND: 'No hay ningún contacto {q}; quizá se eliminó',
  CONTINUED_ALREADY: 'La ejecución {q} ya se continuó en otra: diga que quiere hacerlo otra vez',
  CONVERSATION_ACTIVE: 'Una persona atiende a este usuario: termine la conversación e inténtelo de nuevo',
  CONVERSATION_NOT_FOUND: 'No hay ninguna conversación {q}',
  CREDENTIAL_NOT_FOUND: 'No hay ninguna credencial {q}',
  DRAFT_CHANGED: 'El borrador se guardó entretanto: mírelo, y hágalo otra vez',
  EXECUTION_ERASED: 'La ejecución {q} se borró junto con los datos de su persona',
  EXECUTION_NOT_FOUND: 'No hay ninguna ejecución {q}',
  EXECUTION_NOT_WAITING: 'La ejecución {q} no espera esto: entretanto siguió o terminó',
  FILE_NOT_FOUND: 'No hay ningún archivo {q}: es demasiado antiguo o se borró',
  FILE_UNAVAILABLE: 'El archivo no está disponible ahora: inténtelo más tarde',
  FILTER_EMPTY: 'El filtro abarca demasiado: acótelo más',
  FORBIDDEN: 'Su cuenta no tiene permiso para esto',
  FUNCTION_NOT_FOUND: 'No hay ninguna función {q}',
  GONE: 'Esto ya no se ofrece',
  GROUP_NOT_FOUND: 'No hay ningún grupo {q}; quizá se eliminó',
  HISTORY_GONE: 'El historial de la ejecución {q} ya no está completo: empiece su flujo otra vez',
  HISTORY_MASKED: 'Desde ese paso hay valores ocultos en el historial: elija un paso anterior, o dé los valores',
  INVALID_CANVAS: 'El flujo {q} tiene problemas: corríjalos primero',
  INVALID_INPUT: 'El flujo {q} no puede empezar: le falta un dato, o no es como lo espera',
  INVALID_MIGRATION: 'El traslado del flujo {q} no encaja con las dos versiones',
  INVALID_PARAMETERS: 'Los valores no son los que la plantilla {q} espera',
  INVALID_TEMPLATE: 'La plantilla {q} no se puede enviar: no está aprobada o está incompleta',
  INVALID_TIME_ZONE: 'No existe la zona horaria {q}; escriba una como America/Lima',
  INVALID_LOCALE: 'No existe el idioma {q}; escriba un idioma y un país, como es-PE',
  INVALID_USER_ID: '{q} no es un id de usuario que este canal tenga: escriba solo las cifras del teléfono, con el código del país',
  JOB_ENDED: 'El trabajo {q} ya terminó',
  JOB_NOT_ENDED: 'El trabajo {q} sigue en marcha: cancélelo o espere a que termine',
  JOB_NOT_FOUND: 'No hay ningún trabajo {q}',
  JOB_NOT_UNDOABLE: 'Lo que hizo el trabajo {q} no se puede deshacer',
  JUMPED: 'La ejecución continuó en otro flujo: reintente desde allí',
  KEY_NOT_ROTATED: 'La clave no se cambió',
  LIMIT_REACHED: 'La empresa llegó a su límite: espere, o pida que lo suban',
  MCP_SERVER_FAILED: 'El servidor de herramientas no respondió como debe',
  MEDIA_TOO_LARGE: 'El archivo es demasiado grande',
  MESSAGE_NOT_FOUND: 'No hay ningún mensaje {q}',
  MESSAGE_NOT_SET_ASIDE: 'El mensaje {q} no quedó apartado: no hay nada que entregar de nuevo',
  METHOD_NOT_ALLOWED: 'Esto no se puede hacer con lo que hay en esa dirección',
  MOVE_REFUSED: 'La empresa no se puede mover así: no se cambió nada',
  NAME_TAKEN: 'El nombre {q} ya está en uso: elija otro',
  NEEDS_VALUE: 'Falta un valor para continuar desde ahí',
  NODE_GONE: 'El paso ya no está en esa versión: elija otro paso',
  NODE_NOT_FOUND: 'No hay ningún paso {q}',
  NOT_BEGUN: 'La ejecución todavía no había empezado: no hay paso desde el cual continuar',
  NOT_ENDED_BADLY: 'La ejecución {q} no falló, ni expiró, ni se canceló: de las demás se hace una copia',
  NOT_FOUND: 'Eso no está aquí',
  NOT_REACHED: 'No se pudo llegar al servicio',
  NO_HTTP: 'Este servicio no hace llamadas a otros',
  OPERATOR_NOT_FOUND: 'No hay tal persona en la empresa',
  OUTSIDE_SESSION_WINDOW: 'El usuario no ha escrito en 24 horas: ahora solo se le puede enviar una plantilla',
  PAYMENT_NOT_FOUND: 'No hay ningún pago {q}',
  PLAN_CHANGED: 'Algo cambió desde que lo miró: mírelo de nuevo y confirme',
  PROVIDER_INCOMPLETE: 'Al proveedor del bot {q} le faltan datos: complételos en sus ajustes',
  PROVIDER_REFUSED: 'El proveedor lo rechazó',
  PROVIDER_UNAUTHORIZED: 'El proveedor no acepta la credencial: escríbala de nuevo en los ajustes del bot',
  PROVIDER_UNAVAILABLE: 'El proveedor no responde ahora: inténtelo más tarde',
  PROVIDER_UNSUPPORTED: 'El proveedor de este bot no ofrece esto',
  RECORD_IN_USE: 'No se eliminó nada: otras partes lo usan',
  RECORD_NOT_FOUND: 'Eso ya no está: quizá se eliminó',
  RETRY_OPEN: 'Ya hay un reintento en marcha',
  ROOM_NOT_FOUND: 'La conversación no tiene un lugar que pueda llevar etiquetas',
  SEGMENT_NOT_FOUND: 'No hay ningún segmento {q}; quizá se eliminó',
  START_ENDED: 'El comienzo {q} ya pasó y no se puede cancelar',
  START_NOT_FOUND: 'No hay ningún comienzo {q}',
  STEP_NOT_FOUND: 'La ejecución no tiene ese paso',
  STORE_CONFLICT: 'Otro lo cambió en el mismo instante: inténtelo de nuevo',
  STORE_UNAVAILABLE: 'El servicio no puede guardar ahora: inténtelo de nuevo en un momento',
  SUBSCRIPTION_NOT_FOUND: 'No hay ninguna suscripción {q}',
  TEAM_NOT_FOUND: 'No hay tal equipo',
  TEMPLATE_EXISTS: 'La plantilla {q} ya existe: use la que hay, o elija otro nombre',
  TEMPLATE_STOPPED: 'La campaña {q} no puede seguir: el proveedor detuvo su plantilla',
  TEST_ROUTE: 'Es una prueba de un borrador, y así no se puede continuar',
  TOKEN_NOT_FOUND: 'No hay ninguna clave {q}; quizá se eliminó',
  TOO_MANY_REQUESTS: 'Son demasiadas peticiones seguidas: espere un momento',
  TOO_MANY_SIGNALS: 'Hay demasiadas señales en espera: aguarde a que se reciban',
  TOO_MANY_STARTS: 'La empresa tiene en espera todos los comienzos que puede tener: cancele uno primero',
  TOO_MANY_SUBSCRIPTIONS: 'La empresa tiene todas las suscripciones que puede tener: elimine una primero',
  TOO_MANY_TOKENS: 'El servicio tiene todas las claves que puede tener: revoque una primero',
  TOO_MANY_USERS: 'El servicio tiene todos los usuarios que puede tener: elimine uno primero',
  TRANSCRIPT_CHANGED: 'La prueba se guardó entretanto: mírela, y guárdela otra vez',
  TRANSCRIPT_NOT_FOUND: 'No hay ninguna prueba {q}; quizá se eliminó',
  UNAUTHORIZED: 'Su sesión terminó o los datos no son correctos: inicie sesión de nuevo',
  UNAVAILABLE: 'El servicio no puede atenderlo ahora: inténtelo de nuevo en un momento',
  UNSUPPORTED_MEDIA_TYPE: 'No se aceptan archivos de este tipo',
  USER_NOT_FOUND: 'No hay ningún usuario {q}; quizá se eliminó',
  VALUE_REFUSED: 'Un valor no se puede escribir ahí',
  VERSION_NOT_FOUND: 'El flujo {q} no tiene esa versión',
  WAITS_FOR_CHILD: 'La ejecución {q} espera a otro flujo: entre en el paso que lo llama',
  WAIT_DIFFERS: 'El paso espera otra cosa en esa versión: elija otro paso',
  WEBHOOK_RENAMED: 'El webhook se llama de otra forma en esa versión: elija otro paso',
  WORKFLOW_ARCHIVED: 'El flujo {q} está archivado: restáurelo primero',
  WORKFLOW_IN_USE: 'El flujo todavía se usa: no se eliminó nada',
  WORKFLOW_LOCKED: 'Otra persona bloqueó este flujo: pregúntele, o quite el bloqueo',
  WORKFLOW_NOT_FOUND: 'No hay ningún flujo {q}',
  WORKFLOW_PAUSED: 'El flujo {q} está en pausa: reanúdelo, o inténtelo más tarde',
  WORKSPACE_REFUSED: 'No se importó nada: hay algo que corregir',
};

/** Codes that say nothing but the status: what was wrong is in the sentence, which is told as it is where it is not known in Spanish. */
const statuses: { readonly [status: number]: string } = {
  400: 'El servicio no lo aceptó',
  404: 'Eso no está aquí',
  409: 'Ahora no se puede hacer',
  413: 'Es demasiado grande',
  422: 'El servicio no lo aceptó',
};

/** Whether a code has its sentence here. */
export const isKnownRefusal = (code: string): boolean => Object.hasOwn(sentences, code);

/** Why something was refused, in Spanish. */
export function refusalInSpanish(error: unknown): string {
  if (!(error instanceof ApiError)) return detailInSpanish(textOf(error)) ?? textOf(error);
  const { code, status, message } = error;
  const known = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
  if (known !== undefined) {
    const [name = ''] = /"[^"]{1,200}"/.exec(message) ?? [];
    return known.replace(name === '' ? / ?\{q\}/ : '{q}', () => name).trim();
  }
  const [, field = '', said = message] = /^([\w.[\]]{1,80}): (.*)$/s.exec(message) ?? [];
  const detail = detailInSpanish(message) ?? detailInSpanish(said);
  const lead = statuses[status] ?? (status >= 500 ? 'El servicio falló' : 'El servicio no lo aceptó');
  if (detail !== undefined) return field === '' ? detail : `${field}: ${detail}`;
  return message === '' ? lead : `${lead}: ${message}`;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
