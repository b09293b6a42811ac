/**
 * Answers that hold more than is asked for, as people and their keyboards send them: several values in one message, links, documents and codes beside
 * the value, what takes a value back. In doubt there is none (`-`).
 */
import { getPath } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { Input, readAnswer } from '../../ask/input.ts';

/** A Saturday. */
const nowMs = Date.UTC(2026, 10, 28, 18);
const users = { es: { locale: 'es-PE', timeZone: 'America/Lima' }, en: { locale: 'en-US', timeZone: 'America/New_York' } } as const;

it.each<[kind: string, user: keyof typeof users, table: string]>([
  [
    'email',
    'es',
    `mailto:juan@x.com → juan@x.com | <mailto:juan@x.com|juan@x.com> → juan@x.com | juan@x.com. → juan@x.com | (juan@x.com) → juan@x.com
    JUAN@X.COM → JUAN@X.COM | mi correo es juan@x.com → juan@x.com | juan@x.com o ana@x.com → -
    Juan Pérez, 34 años, juan@x.com → juan@x.com | juan@x → - | @juan → - | juan.x.com → - | juan@@x.com → -
    perdón, era ana@x.com → ana@x.com | no, ana@x.com → ana@x.com | juan@gmial.com → juan@gmial.com | juan@gmail.con → juan@gmail.con
    juan(arroba)gmail.com → juan@gmail.com | juan[at]gmail[dot]com → juan@gmail.com | juan+tag@x.com → juan+tag@x.com
    https://x.com/juan@x → - | http://juan@x.com → - | correo:juan@x.com → juan@x.com | email=juan@x.com → juan@x.com
    'juan@x.com' → juan@x.com | juan@x.com, gracias → juan@x.com | juan @ gmail.com → juan@gmail.com
    juan@gmail.com.pe → juan@gmail.com.pe | juan_perez@hotmail.es → juan_perez@hotmail.es | juan@mail,com → juan@mail.com
    twitter.com/@juan → - | sin correo → - | no tengo → - | juan@x.com (personal) → juan@x.com | personal: juan@x.com trabajo: j@y.com → -
    juan @gmail.com → - | correo: juan@x.com → juan@x.com | e-mail=juan@x.com → juan@x.com | mail=juan@x.com → juan@x.com`,
  ],
  [
    'email',
    'en',
    `my email's ana@x.com → ana@x.com | ana@x.com is my email → ana@x.com | sorry, it was ana@x.com → ana@x.com | <ana@x.com> → ana@x.com
    "Ana" <ana@x.com> → ana@x.com | ana@x.com ana@x.com → ana@x.com | Ana Pérez, ana@x.com, 999888777 → ana@x.com
    ana at x dot com → ana@x.com | ana@x.co.uk → ana@x.co.uk`,
  ],
  [
    'phone',
    'es',
    `999 888 777 → 51999888777 | +51 999 888 777 → 51999888777 | Juan Pérez, 34 años, 999888777 → 51999888777
    Juan, 34, 999888777, juan@x.com → 51999888777 | <tel:+51999888777|999888777> → 51999888777 | tel:+51999888777 → 51999888777
    wa.me/51999888777 → 51999888777 | https://wa.me/51999888777 → 51999888777
    https://api.whatsapp.com/send?phone=51999888777 → 51999888777 | DNI 45678912, cel 999888777 → 51999888777 | 999888777 / 988777666 → -
    perdón, era 999888778 → 51999888778 | termina en 777 → - | 999-888-777 → 51999888777 | 999.888.777 → 51999888777
    (01) 444-5566 → 5114445566 | 01 4445566 → 5114445566 | 4445566 → - | 999888777 mi esposa → 51999888777
    el 999888777 de mi mamá → 51999888777 | este mismo → - | pago 1500000000 → - | mi ruc es 20123456789 → - | pedido 999888777 → -
    placa ABC-123 → - | cuenta 19112345678012 → - | 99988877 → - | 9998887777 → - | Juan Pérez, 5/12/1990, 999888777 → 51999888777
    5/12/1990 → - | nací el 05-12-1990 y mi cel es 999888777 → 51999888777 | 05-12-1990 999888777 → 51999888777
    ruc 20123456789 tel 014445566 → 5114445566 | pedido 4567891, cel 999888777 → 51999888777 | dni 45678912 dni 45678913 → -
    dni 999888777 → -`,
  ],
  [
    'number',
    'es',
    `perdón, era 4567 → 4567 | no, 4567 → 4567 | quise decir 4567 → 4567 | Juan Pérez, 34 años, juan@x.com → 34 | juan34@x.com → -
    av. Larco 345 → 345 | 4567-8 → - | 00123 → 123 | tengo 34 → 34 | 34 años 5 meses → - | Soy Juan, tengo 34 años y vivo en Lima → 34
    ABC-123 → - | SKU 4567 → 4567 | 12/34 → - | 1,234 → 1234 | IBAN ES91 2100 0418 4502 0005 1332 → - | #4567 → 4567 | n° 4567 → 4567
    www.4567.com → - | http://x.com/4567 → - | 4567@ → - | 34. → 34 | 34, juan → 34 | juan, 34 → 34 | treinta y cuatro años → 34
    34años → 34 | mi edad: 34 → 34 | 34-35 → - | me equivoqué, son 5 → 5 | son 5, no 4 → 5 | 4* → 4 | *5 → 5 | corrección: 5 → 5
    5 (cinco) → 5 | ok 5 → 5 | creo q 5 → 5 | 4567.com → - | 45.pe → - | 5.Lima → 5`,
  ],
  [
    'date',
    'es',
    `Juan Pérez, 5/12/1990, juan@x.com → 1990-12-05 | nací el 5 de diciembre de 1990 → 1990-12-05 | 5-12-90 → 1990-12-05
    perdón, era el 6 de diciembre → 2026-12-06 | 5 dic → 2026-12-05 | 05121990 → 1990-12-05 | 5.12.1990 → 1990-12-05 | 1990 → -
    diciembre → - | http://x.com/2026/12/05 → - | el 5 o el 6 de diciembre → -`,
  ],
])('a %s, in %s', (kind, user, table) => {
  const input = Input.parse({ kind });
  const rows = table.split(/\n| \| /).map((row) => row.split('→').map((part) => part.trim()));
  const read = (text: string): string =>
    (JSON.stringify(readAnswer({ text }, input, { get: (path) => getPath({ $user: users[user] }, path) }, nowMs)) ?? '-').replaceAll(
      '"',
      '',
    );
  expect(rows.map(([text = '']) => [text, read(text)])).toEqual(rows);
});
