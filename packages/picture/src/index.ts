// The entry of @hilo/picture.
export { type Direction, directions } from './card.ts';
export { drawCanvas, type Picture } from './draw-canvas.ts';
