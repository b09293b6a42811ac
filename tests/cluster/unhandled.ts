type Listener = (error: unknown) => void;

/** Node.js and compatible hosts report unhandled rejections; other hosts do not. */
declare const process:
  | { on?(event: 'unhandledRejection', listener: Listener): void; off?(event: 'unhandledRejection', listener: Listener): void }
  | undefined;

/** Collects unhandled rejections until `end`. */
export function listenForUnhandled(): { end(): readonly unknown[] } {
  const errors: unknown[] = [];
  const listener: Listener = (error) => void errors.push(error);
  const host = typeof process === 'undefined' ? undefined : process;
  host?.on?.('unhandledRejection', listener);
  return {
    end() {
      host?.off?.('unhandledRejection', listener);
      return errors;
    },
  };
}
