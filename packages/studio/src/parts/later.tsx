// A part of a screen whose code comes after the first picture: mostly it is there before it is opened, and is drawn at once then.
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { loadPart } from './load-part.ts';

interface Later<Props> {
  /** `onLate` is called where it was opened before its code was there, once it is drawn. */
  readonly Part: (props: { readonly of: Props; readonly onLate?: () => void }) => React.ReactNode;
  /** Loads it before it is asked for. */
  readonly load: () => Promise<unknown>;
}

/** @param load - loads the component; a failure is told by the screen around it */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): Later<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadIt = async (): Promise<ComponentType<Props>> => (loaded = await loadPart(load));
  return {
    load: loadIt,
    Part: function Later({ of: props, onLate }) {
      const [Component, setComponent] = useState<ComponentType<Props> | undefined>(() => loaded);
      const [error, setError] = useState<Error>();
      const isLate = useRef(false);
      useEffect(() => {
        // Drawn by now, however many frames that took.
        if (Component !== undefined) return isLate.current ? onLate?.() : undefined;
        isLate.current = true;
        loadIt().then(
          (component) => setComponent(() => component),
          (reason: unknown) => setError(reason instanceof Error ? reason : new Error(String(reason))),
        );
        return undefined;
      }, [Component]);
      if (error !== undefined) throw error;
      return Component === undefined ? null : <Component {...props} />;
    },
  };
}
