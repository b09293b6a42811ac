// What was written into a form of the settings and not sent: the browser asks before its window closes, or goes elsewhere.
import { type FormEvent, useEffect, useRef } from 'react';

const formOf = (part: Element | null): HTMLFormElement | null => part?.querySelector<HTMLFormElement>('form.record-form') ?? null;

/** Watches the form in a part of the page. @returns what the part is given */
export function useUnsent() {
  const ref = useRef<HTMLDivElement>(null);
  /** The form in which something was written since it was sent: another one has taken its place once it is left. */
  const written = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const leaving = (event: BeforeUnloadEvent): void => {
      const form = formOf(ref.current);
      if (form === null) return;
      const isRefused = form.querySelector('[role="alert"]') !== null;
      if (isRefused || written.current === form) event.preventDefault();
    };
    addEventListener('beforeunload', leaving);
    return () => removeEventListener('beforeunload', leaving);
  }, []);
  return {
    ref,
    onInput({ target }: FormEvent) {
      const form = formOf(ref.current);
      if (target instanceof Node && form?.contains(target) === true) written.current = form;
    },
    onSubmit() {
      written.current = null;
    },
  };
}
