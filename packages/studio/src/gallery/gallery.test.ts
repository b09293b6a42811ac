import { expect, it } from 'vitest';
import { galleryEs } from './gallery-es.ts';
import { gallery } from './gallery.ts';
import { freeId } from './GalleryScreen.tsx';

it('every example is a canvas of its own with its tests, the smallest first', () => {
  expect(gallery.length).toBeGreaterThan(10);
  expect(gallery.filter(({ tests, description }) => tests.length === 0 || description === '')).toEqual([]);
  expect(new Set(gallery.map(({ canvas }) => canvas.id)).size).toBe(gallery.length);
  const sizes = gallery.map(({ canvas }) => canvas.nodes.length);
  expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
});

it('each example is named in Spanish, and nothing else is', () => {
  expect(Object.keys(galleryEs).toSorted()).toEqual(gallery.map(({ canvas }) => canvas.id).toSorted());
});

it('an example gets the first id that is free', () => {
  expect(freeId('booking', new Set())).toBe('booking');
  expect(freeId('booking', new Set(['booking', 'booking-2', 'booking-4']))).toBe('booking-3');
});
