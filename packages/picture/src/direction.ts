/** Where edges lead on a picture: from left to right, or from top to bottom. */
export const directions = ['right', 'down'] as const;
export type Direction = (typeof directions)[number];

/** A size with width and height exchanged. */
export const turnedBox = <Box extends { readonly width: number; readonly height: number }>(box: Box): Box => ({
  ...box,
  width: box.height,
  height: box.width,
});

/** A place with its coordinates exchanged. */
export const turnedPoint = <Place extends { readonly x: number; readonly y: number }>(place: Place): Place => ({
  ...place,
  x: place.y,
  y: place.x,
});
