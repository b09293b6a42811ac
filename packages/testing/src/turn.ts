/** Node.js and every browser-like host of tests has one of its kind; the package's own types know no platform. */
declare const setImmediate: (callback: () => void) => unknown;

/** A turn of the event loop: every promise that can go on has gone on. */
export const turn = (): Promise<void> => new Promise<void>((resolve) => void setImmediate(resolve));
