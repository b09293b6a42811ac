export { type Direction, directions } from './direction.ts';
export { drawCanvas, type Picture } from './draw-canvas.ts';
