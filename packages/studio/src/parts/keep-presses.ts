// A press belongs to what was pressed. What comes late (a list, a plan, a picture) may move a button from under a pointer that is held still
// on it: a browser then sends the click to what surrounds both places, and nothing happens.

/** What acts by a click of its own; cards and ports of a canvas have the acts of the canvas. */
const pressable = 'button, a, summary';
/** As far as a pointer trembles in a click, in CSS pixels; who moves further means to let go elsewhere. */
const tremble = 4;

/** Clicks what was pressed within a part of the page where it has moved away before the pointer was let go, until the signal ends it. */
export function keepPresses(root: HTMLElement, signal: AbortSignal): void {
  let pressed: { readonly part: HTMLElement; readonly x: number; readonly y: number } | undefined;
  const press = ({ target, button, clientX: x, clientY: y }: PointerEvent): void => {
    const part = target instanceof Element && button === 0 ? target.closest<HTMLElement>(pressable) : null;
    pressed = part === null ? undefined : { part, x, y };
  };
  const letGo = ({ target, clientX, clientY }: PointerEvent): void => {
    const before = pressed;
    pressed = undefined;
    if (before === undefined || (target instanceof Node && before.part.contains(target))) return;
    if (Math.hypot(clientX - before.x, clientY - before.y) <= tremble) before.part.click();
  };
  root.addEventListener('pointerdown', press, { capture: true, signal });
  root.addEventListener('pointerup', letGo, { capture: true, signal });
  root.addEventListener(
    'pointercancel',
    () => {
      pressed = undefined;
    },
    { capture: true, signal },
  );
}
