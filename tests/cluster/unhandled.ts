type Listener = (error: unknown) => void;

/** Node.js and those like it tell of rejections that nobody handles; elsewhere nobody does. */
declare const process:
  | { on?(event: 'unhandledRejection', listener: Listener): void; off?(event: 'unhandledRejection', listener: Listener): void }
  | undefined;

/** Listens for rejected promises that nobody looks at, until the end. */
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
