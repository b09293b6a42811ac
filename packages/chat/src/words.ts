/** The languages of the chat. */
export const languages = ['en', 'es'] as const;
export type Language = (typeof languages)[number];

const en = {
  chat: 'Chat',
  open: 'Open chat',
  openUnread: (count: number) => `Open chat, ${count} unread`,
  close: 'Close chat',
  startOver: 'Start over',
  chatWith: (name: string) => `Chat with ${name}`,
  messages: 'Messages',
  write: 'Write a message',
  send: 'Send',
  attach: 'Send a file',
  sending: 'Sending',
  sent: 'Sent',
  handled: 'Received by the bot',
  failed: 'Not sent.',
  retry: 'Try again',
  typing: 'Writing…',
  connecting: 'Connecting…',
  offline: 'No connection: what you write is sent once there is one.',
  refused: 'This chat cannot be opened here.',
  tooLong: (surplus: number) => `The text is too long: shorten it by ${surplus} characters, or send it in parts.`,
  tooLarge: 'The file is larger than 5 MB.',
  you: 'You',
  options: 'Options',
  shareLocation: 'Share my location',
  noLocation: 'Your location is not available.',
  location: 'Location',
  file: 'File',
  image: 'Image',
  newTab: 'opens in a new tab',
};

export type Words = typeof en;

const es: Words = {
  chat: 'Chat',
  open: 'Abrir el chat',
  openUnread: (count) => `Abrir el chat, ${count} sin leer`,
  close: 'Cerrar el chat',
  startOver: 'Empezar de nuevo',
  chatWith: (name) => `Chat con ${name}`,
  messages: 'Mensajes',
  write: 'Escribe un mensaje',
  send: 'Enviar',
  attach: 'Enviar un archivo',
  sending: 'Enviando',
  sent: 'Enviado',
  handled: 'Recibido por el bot',
  failed: 'No se envió.',
  retry: 'Reintentar',
  typing: 'Escribiendo…',
  connecting: 'Conectando…',
  offline: 'Sin conexión: lo que escribas se enviará cuando vuelva.',
  refused: 'Este chat no se puede abrir aquí.',
  tooLong: (surplus) => `El texto es demasiado largo: quita ${surplus} caracteres o envíalo en partes.`,
  tooLarge: 'El archivo pesa más de 5 MB.',
  you: 'Tú',
  options: 'Opciones',
  shareLocation: 'Compartir mi ubicación',
  noLocation: 'Tu ubicación no está disponible.',
  location: 'Ubicación',
  file: 'Archivo',
  image: 'Imagen',
  newTab: 'se abre en otra pestaña',
};

/** Every text of the chat, by language. */
export const words: { readonly [Name in Language]: Words } = { en, es };
