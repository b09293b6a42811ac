/** Node.js has `setImmediate`, a worker of a browser has `MessageChannel`; the package's own types know no platform. */
declare const setImmediate: ((callback: () => void) => unknown) | undefined;
declare const MessageChannel: new () => {
  readonly port1: { onmessage: (() => void) | null };
  readonly port2: { postMessage(message: null): void };
};

/** A turn of the event loop: every promise that can settle has settled. */
export const turn = (): Promise<void> =>
  new Promise<void>((resolve) => {
    if (typeof setImmediate === 'function') return void setImmediate(resolve);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
