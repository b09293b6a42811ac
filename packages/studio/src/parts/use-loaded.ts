import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { useReason } from '../words/reason.ts';

/** A value that is read from the service, or why it is not. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: string | undefined;
  readonly reload: () => void;
  /** Whether the service has no such thing (404). */
  readonly isMissing: boolean;
  readonly isSignedOut: boolean;
}

/** Loads a value, and again on request. An outdated response is dropped. @param key - identifies the value: another key loads again */
export function useLoaded<Value>(key: string, read: () => Promise<Value>): Loaded<Value> {
  const [state, setState] = useState<{ readonly key: string; readonly value?: Value; readonly error?: unknown }>({ key });
  const [round, setRound] = useState(0);
  const reasonOf = useReason();
  useEffect(() => {
    let isCurrent = true;
    read().then(
      (value) => isCurrent && setState({ key, value }),
      (error: unknown) =>
        isCurrent &&
        setState((before) => ({ key, error, ...(before.key === key && before.value !== undefined && { value: before.value }) })),
    );
    return () => {
      isCurrent = false;
    };
    // `read` is a new function at each render; its value is identified by `key`.
  }, [key, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const mine = state.key === key ? state : { key };
  return {
    value: mine.value,
    error: mine.error === undefined ? undefined : reasonOf(mine.error),
    isMissing: mine.error instanceof ApiError && mine.error.status === 404,
    isSignedOut: mine.error instanceof ApiError && mine.error.status === 401,
    reload,
  };
}
