// The words of what is done less often in a test.
import type { PartWords } from '../words/part.ts';

const en = {
  'tester.place': 'Send a place',
  'tester.picture': 'Send a picture',
  'tester.contact': 'Send a contact',
  'tester.latitude': 'Latitude',
  'tester.longitude': 'Longitude',
  'tester.placeName': 'Name of the place',
  'tester.pictureUrl': 'Address of the picture (URL)',
  'tester.caption': 'Text below it',
  'tester.phone': 'Phone number',
  'tester.repeat': 'Deliver again',
  'tester.webhook': 'Call the webhook',
  'tester.killed': 'Restart the process',
  'tester.line': 'Line of a script',
  'tester.do': 'Do it',
  'tester.skipAmount': 'How much time to skip',
  'tester.skipUnit': 'Unit of the time to skip',
  'tester.skipAny': 'Skip',
  'tester.follow': 'Keep the waiting node in view',
  'tester.showPictures': 'Load pictures from the internet',
  'tester.contactName': 'Name',
};

export type MoreWord = keyof typeof en;

const es: { readonly [Key in MoreWord]: string } = {
  'tester.place': 'Enviar un lugar',
  'tester.picture': 'Enviar una imagen',
  'tester.contact': 'Enviar un contacto',
  'tester.latitude': 'Latitud',
  'tester.longitude': 'Longitud',
  'tester.placeName': 'Nombre del lugar',
  'tester.pictureUrl': 'Dirección de la imagen (URL)',
  'tester.caption': 'Texto debajo',
  'tester.phone': 'Número de teléfono',
  'tester.repeat': 'Entregar otra vez',
  'tester.webhook': 'Llamar al webhook',
  'tester.killed': 'Reiniciar el proceso',
  'tester.line': 'Línea de un guion',
  'tester.do': 'Hacerlo',
  'tester.skipAmount': 'Cuánto tiempo saltar',
  'tester.skipUnit': 'Unidad del tiempo que se salta',
  'tester.skipAny': 'Saltar',
  'tester.follow': 'Mantener a la vista el nodo que espera',
  'tester.showPictures': 'Cargar imágenes de internet',
  'tester.contactName': 'Nombre',
};

export const moreWords: PartWords<MoreWord> = { en, es };
