// Places that people write and paste where they cannot send one, or do not know how.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Input, readAnswer } from '../../ask/input.ts';

const read = (text: string) => readAnswer({ text }, Input.parse({ kind: 'location' }), { get: () => undefined });
const lima = { lat: -12.1211, long: -77.0297 };

describe('a place in words', () => {
  it.each([
    '-12.1211, -77.0297',
    '-12.1211,-77.0297',
    '(-12.1211, -77.0297)',
    '-12.1211 -77.0297',
    '-12.1211°, -77.0297°',
    'geo:-12.1211,-77.0297',
    'geo:-12.1211,-77.0297?z=17',
    'https://maps.google.com/?q=-12.1211,-77.0297',
    'https://www.google.com/maps?q=-12.1211,-77.0297&z=17',
    'https://www.google.com/maps/search/?api=1&query=-12.1211%2C-77.0297',
    'https://www.google.com/maps/search/-12.1211,+-77.0297',
    'https://www.google.com.pe/maps/place/Parque+Kennedy/@-12.9,-77.9,17z/data=!3m1!4b1!4m6!3m5!1s0x0!8m2!3d-12.1211!4d-77.0297',
    'https://www.google.com/maps/@-12.1211,-77.0297,15z',
    'https://maps.apple.com/?ll=-12.1211,-77.0297&q=Casa',
    'https://waze.com/ul?ll=-12.1211,-77.0297&navigate=yes',
    'https://www.waze.com/ul?ll=-12.1211%2C-77.0297',
    'https://www.openstreetmap.org/?mlat=-12.1211&mlon=-77.0297#map=17/-12.1/-77.0',
    'Estoy aquí: https://maps.google.com/?q=-12.1211,-77.0297 gracias',
  ])('is read: %s', (text) => {
    expect(read(text)).toEqual(lima);
  });

  it.each([
    '',
    'Av. Larco 123',
    'https://maps.app.goo.gl/abc',
    'https://goo.gl/maps/abc',
    '-91.1211, -77.0297',
    '-12.1211, -181.0297',
    '12.5, 77.3',
    '19.99, 25.50',
    '-12.1211',
    'https://maps.google.com/?q=Av+Larco+123',
    'https://example.com/?q=-12.1211,-77.0297',
    'https://evil.example/maps.google.com/?q=-12.1211,-77.0297',
    'https://maps.google.com/?q=-12.1,-77.0 o https://maps.google.com/?q=-12.2,-77.1',
    'tengo -12.1211, -77.0297 soles',
  ])('is none: %s', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('is any place on the map, as maps write it', () => {
    const degrees = (max: number) =>
      fc.integer({ min: -max * 1_000_000, max: max * 1_000_000 }).map((millionths) => millionths / 1_000_000);
    fc.assert(
      fc.property(degrees(90), degrees(180), (lat, long) => {
        const place = { lat: Number(lat.toFixed(6)) + 0, long: Number(long.toFixed(6)) + 0 };
        const [north, east] = [lat.toFixed(6), long.toFixed(6)];
        expect(read(`https://maps.google.com/?q=${north},${east}`)).toEqual({ lat: place.lat, long: place.long });
        expect(read(`${north}, ${east}`)).toEqual({ lat: place.lat, long: place.long });
      }),
    );
  });
});
