// The words of what a step asks the world for, loaded with the screens that tell of calls: their types are names for developers.
import { type PartWords, usePartWords } from './part.ts';
import { useWords } from './words.tsx';

const en = {
  'effect.message.send': 'a message',
  'effect.template.send': 'a template',
  'effect.http.request': 'a call of a service',
  'effect.soap.call': 'a call of a SOAP service',
  'effect.database.call': 'the database',
  'effect.function.call': 'a function',
  'effect.code.run': 'its code',
  'effect.model.ask': 'an answer of the AI model',
  'effect.mcp.call': 'a tool of an MCP server',
  'effect.payment.open': 'a page to pay on',
  'effect.handoff.open': 'a person',
  'effect.webhook.respond': 'an answer to the webhook',
  'effect.event.send': 'an event',
  'effect.log.event': 'a line of the log',
  'effect.tags.change': 'a change of tags',
  'effect.consent.change': 'a change of consent',
  'effect.group.change': 'a change of groups',
  'call.line': 'Asks for {what}',
  'outcome.answered': 'answered',
  'outcome.changed': 'changed',
  'outcome.done': 'done',
  'outcome.failed': 'failed',
  'outcome.fault': 'answered with a fault',
  'outcome.invalid': 'unusable',
  'outcome.noAgent': 'nobody there',
  'outcome.opened': 'opened',
  'outcome.refused': 'refused',
  'outcome.returned': 'came back',
  'outcome.rows': 'answered',
  'outcome.sent': 'sent',
  'outcome.unknown': 'unknown whether it was done',
  'outcome.unreachable': 'not reached',
  'outcome.windowClosed': 'window closed',
} as const;

type EffectWord = keyof typeof en;

const es: PartWords<EffectWord>['es'] = {
  'effect.message.send': 'un mensaje',
  'effect.template.send': 'una plantilla',
  'effect.http.request': 'una llamada a un servicio',
  'effect.soap.call': 'una llamada a un servicio SOAP',
  'effect.database.call': 'la base de datos',
  'effect.function.call': 'una función',
  'effect.code.run': 'su código',
  'effect.model.ask': 'una respuesta del modelo de IA',
  'effect.mcp.call': 'una herramienta de un servidor MCP',
  'effect.payment.open': 'una página de pago',
  'effect.handoff.open': 'una persona',
  'effect.webhook.respond': 'una respuesta al webhook',
  'effect.event.send': 'un evento',
  'effect.log.event': 'una línea del registro',
  'effect.tags.change': 'un cambio de etiquetas',
  'effect.consent.change': 'un cambio de consentimiento',
  'effect.group.change': 'un cambio de grupos',
  'call.line': 'Pide {what}',
  'outcome.answered': 'respondió',
  'outcome.changed': 'cambió',
  'outcome.done': 'hecho',
  'outcome.failed': 'falló',
  'outcome.fault': 'respondió con un fallo',
  'outcome.invalid': 'inservible',
  'outcome.noAgent': 'no hay nadie',
  'outcome.opened': 'abierto',
  'outcome.refused': 'rechazado',
  'outcome.returned': 'volvió',
  'outcome.rows': 'respondió',
  'outcome.sent': 'enviado',
  'outcome.unknown': 'no se sabe si se hizo',
  'outcome.unreachable': 'no se alcanzó',
  'outcome.windowClosed': 'ventana cerrada',
};

/** Exported for the test that no effect of the standard nodes is without a word. */
export const effectWords: PartWords<EffectWord> = { en, es };

const isKnown = (key: string): key is EffectWord => Object.hasOwn(en, key);

/** What an effect is called; one of a custom node by its type. An HTTP call whose request is given is called by its method and URL. */
export function useEffectWord(): (effect: string, request?: unknown) => string {
  const say = usePartWords(effectWords);
  return (effect, request) => {
    const called = effect === 'http.request' ? calledBy(request) : undefined;
    const key = `effect.${effect}`;
    return called ?? (isKnown(key) ? say(key) : effect);
  };
}

/** How an effect ended, in words: the status of a response, and what a custom node calls it, as they are. */
export function useOutcomeWord(): (outcome: string) => string {
  const say = usePartWords(effectWords);
  return (outcome) => {
    const key = `outcome.${outcome}`;
    return isKnown(key) ? say(key) : outcome;
  };
}

function calledBy(request: unknown): string | undefined {
  if (typeof request !== 'object' || request === null || !('method' in request) || !('url' in request)) return undefined;
  const { method, url } = request;
  return typeof method === 'string' && typeof url === 'string' ? `${method} ${url}` : undefined;
}

/** A line of a conversation that tells of a call. */
export function useCallLine(): (effect: string, what?: string) => string {
  const say = usePartWords(effectWords);
  const wordOf = useEffectWord();
  return (effect, what) => say('call.line', { what: what ?? wordOf(effect) });
}

/** What is seen at a point of a replayed conversation: an effect, `wait.` and what is waited for, or `ended.` and how. */
export function useSeenWord(names: {
  readonly wait: (kind: string) => string;
  readonly status: (status: string) => string;
}): (what: string) => string {
  const say = useWords();
  const wordOf = useEffectWord();
  return (what) => {
    const [kind, ...rest] = what.split('.');
    const of = rest.join('.');
    if (kind === 'wait') return say('tester.waits', { what: names.wait(of) });
    if (kind === 'ended') return say('tester.ended', { status: names.status(of) });
    return wordOf(what);
  };
}
