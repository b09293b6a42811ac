export { drawCanvas, type Picture } from './picture/draw-canvas.ts';
