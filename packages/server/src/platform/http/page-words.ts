// The words of pages that people open who may not read English: what was sent to them leads there, or they log in.
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

/** The languages of these pages. */
export const pageLanguages = ['en', 'es', 'pt'] as const;
export type PageLanguage = (typeof pageLanguages)[number];

const en = {
  logIn: 'Log in',
  logInWith: (name: string) => `Log in with ${name}`,
  loggedIn: 'Logged in',
  goOn: 'Go on',
  adminToken: 'Admin token',
  where: 'Where is it?',
  whereToken: (variable: string, file: string) =>
    `The admin token is ${variable}, or without that in the file ${file} of the data directory.`,
  wrongToken: 'That is not the admin token.',
  confirmTitle: 'Please confirm',
  confirmText: 'Press the button to go on.',
  confirm: 'Confirm',
  thanks: 'Thank you',
  mayClose: 'You can close this page now.',
  backToTalk: 'You can close this page and go back to the conversation.',
  testPayment: 'Test payment',
  noMoneyMoves: 'This is a test: no money moves. Choose how it ends.',
  approve: 'Approve',
  reject: 'Reject',
  payment: {
    requested: 'This payment is being prepared.',
    pending: 'This payment is under way.',
    approved: 'This payment was approved.',
    rejected: 'This payment was rejected.',
    expired: 'The time for this payment is over.',
  },
  refused: 'This does not work',
  gone: 'There is nothing at this address: it was used, has expired, or was never given. Ask for a new one.',
  later: 'This cannot be shown right now. Try again in a minute.',
};

/** The words of one language. */
export type PageWords = typeof en;

const es: PageWords = {
  logIn: 'Entrar',
  logInWith: (name) => `Entrar con ${name}`,
  loggedIn: 'Sesión iniciada',
  goOn: 'Continuar',
  adminToken: 'Token de administración',
  where: '¿Dónde está?',
  whereToken: (variable, file) =>
    `El token de administración es ${variable} o, si no está, el del archivo ${file} del directorio de datos.`,
  wrongToken: 'Ese no es el token de administración.',
  confirmTitle: 'Confirme, por favor',
  confirmText: 'Pulse el botón para continuar.',
  confirm: 'Confirmar',
  thanks: 'Gracias',
  mayClose: 'Ya puede cerrar esta página.',
  backToTalk: 'Puede cerrar esta página y volver a la conversación.',
  testPayment: 'Pago de prueba',
  noMoneyMoves: 'Es una prueba: no se mueve dinero. Elija cómo termina.',
  approve: 'Aprobar',
  reject: 'Rechazar',
  payment: {
    requested: 'Este pago se está preparando.',
    pending: 'Este pago está en curso.',
    approved: 'Este pago fue aprobado.',
    rejected: 'Este pago fue rechazado.',
    expired: 'El plazo de este pago terminó.',
  },
  refused: 'Esto no funciona',
  gone: 'No hay nada en esta dirección: ya se usó, venció o nunca existió. Pida una nueva.',
  later: 'Esto no se puede mostrar ahora. Inténtelo de nuevo en un minuto.',
};

const pt: PageWords = {
  logIn: 'Entrar',
  logInWith: (name) => `Entrar com ${name}`,
  loggedIn: 'Sessão iniciada',
  goOn: 'Continuar',
  adminToken: 'Token de administração',
  where: 'Onde está?',
  whereToken: (variable, file) => `O token de administração é ${variable} ou, se não houver, o do arquivo ${file} do diretório de dados.`,
  wrongToken: 'Esse não é o token de administração.',
  confirmTitle: 'Confirme, por favor',
  confirmText: 'Aperte o botão para continuar.',
  confirm: 'Confirmar',
  thanks: 'Obrigado',
  mayClose: 'Você já pode fechar esta página.',
  backToTalk: 'Você pode fechar esta página e voltar à conversa.',
  testPayment: 'Pagamento de teste',
  noMoneyMoves: 'Isto é um teste: nenhum dinheiro é movimentado. Escolha como termina.',
  approve: 'Aprovar',
  reject: 'Recusar',
  payment: {
    requested: 'Este pagamento está sendo preparado.',
    pending: 'Este pagamento está em andamento.',
    approved: 'Este pagamento foi aprovado.',
    rejected: 'Este pagamento foi recusado.',
    expired: 'O prazo deste pagamento terminou.',
  },
  refused: 'Isto não funciona',
  gone: 'Não há nada neste endereço: já foi usado, expirou ou nunca existiu. Peça um novo.',
  later: 'Isto não pode ser mostrado agora. Tente de novo em um minuto.',
};

const words: { readonly [language in PageLanguage]: PageWords } = { en, es, pt };

/** The language of a page, and its words: the first one that the browser asks for and that there is, else English. */
export function readPageWords(c: Context): { readonly language: PageLanguage; readonly words: PageWords } {
  const wanted = accepts(c, {
    header: 'Accept-Language',
    supports: [...pageLanguages],
    default: 'en',
    match: (given, { default: otherwise }) =>
      given
        .filter(({ q }) => q > 0)
        .toSorted((one, other) => other.q - one.q)
        .map(({ type }) => type.toLowerCase().split('-')[0] ?? '')
        .find(isPageLanguage) ?? otherwise,
  });
  const language = isPageLanguage(wanted) ? wanted : 'en';
  return { language, words: words[language] };
}

const isPageLanguage = (text: string): text is PageLanguage => pageLanguages.some((one) => one === text);
