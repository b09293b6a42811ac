// The columns of a CSV of contacts: as its first line has them, and what they mean.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { guessColumns, readHeader, saysWho, writeMap } from './import-columns.ts';

const fields = [
  { key: 'city', label: 'Ciudad', type: 'text' },
  { key: 'age', type: 'number' },
];

it('are those of the first line, with any separator, and with what quotes hold', () => {
  const name = fc.stringMatching(/^[a-záñ ;,|\t\n"]{1,12}$/).filter((text) => text.trim() === text);
  fc.assert(
    fc.property(fc.array(name, { minLength: 2, maxLength: 8 }), fc.constantFrom(',', ';', '\t', '|'), (names, separator) => {
      const line = names.map((one) => `"${one.replaceAll('"', '""')}"`).join(separator);
      expect(readHeader(`\uFEFF${line}\r\n1${separator}2`)).toEqual(names);
    }),
  );
  expect(readHeader('phone')).toEqual(['phone']);
  expect(readHeader('Celular;Nombre\n519;"Ana')).toEqual(['Celular', 'Nombre']);
});

it('mean what people call so, each once', () => {
  const header = ['Teléfono', 'NOMBRE', 'Ciudad', 'age', 'Celular', 'Otra', 'Nombre, apellido', 'Grupo'];
  const meanings = guessColumns(header, fields);
  expect(meanings).toEqual(['phone', 'names', 'city', 'age', '', '', '', 'groups']);
  expect(writeMap(header, meanings)).toBe('phone=Teléfono,names=NOMBRE,city=Ciudad,age=age,groups=Grupo');
  expect([saysWho(meanings), saysWho(['names', ''])]).toEqual([true, false]);
});
