// The words of the dialog by which a draft is tried on a phone.
import type { PartWords } from '../words/part.ts';

const en = {
  'tester.onPhone': 'On my phone',
  'phone.about':
    'Point the camera of the phone at the code: the chat opens, and the draft answers there as it is saved. What it does is real, such as calls to other systems. Whoever has the link can use it for an hour.',
  'phone.bot': 'Chat of',
  'phone.code': 'Code that opens the chat on a phone',
  'phone.link': 'Link',
  'phone.open': 'Open it here',
  'phone.none': 'A phone needs a bot with a web chat, and this company has none yet.',
  'phone.connect': 'Connect a web chat',
  'phone.local':
    'This address leads to this computer alone: open the studio by its address in your network, and the code works on a phone.',
  'phone.errors': 'A phone can try the draft once {count} {count|error is|errors are} mended:',
  'phone.show': 'Show',
  'phone.noPage': 'This service has no page of the web chat: it was started without it. “npm start” builds it.',
};

const es: { readonly [Key in keyof typeof en]: string } = {
  'tester.onPhone': 'En mi teléfono',
  'phone.about':
    'Apunta al código con la cámara del teléfono: se abre el chat y contesta el borrador, tal como está guardado. Lo que hace es real, por ejemplo las llamadas a otros sistemas. Quien tenga el enlace puede usarlo durante una hora.',
  'phone.bot': 'Chat de',
  'phone.code': 'Código que abre el chat en un teléfono',
  'phone.link': 'Enlace',
  'phone.open': 'Abrirlo aquí',
  'phone.none': 'Para el teléfono hace falta un bot con chat web, y esta empresa aún no tiene ninguno.',
  'phone.connect': 'Conectar un chat web',
  'phone.local':
    'Esta dirección solo lleva a este ordenador: abre el estudio por su dirección en tu red y el código funcionará en un teléfono.',
  'phone.errors': 'Un teléfono puede probar el borrador cuando se {count|corrija|corrijan} {count} {count|error|errores}:',
  'phone.show': 'Mostrar',
  'phone.noPage': 'Este servicio no tiene la página del chat web: se inició sin ella. «npm start» la construye.',
};

export const phoneWords: PartWords<keyof typeof en> = { en, es };
