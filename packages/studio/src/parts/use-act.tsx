import { useState } from 'react';
import { useReason } from '../words/reason.ts';

/** An act of a person that the service may refuse. */
export interface Act {
  readonly isBusy: boolean;
  /** Why the last one was refused; nothing while another is under way. */
  readonly reason: string | undefined;
  readonly act: (work: () => Promise<unknown>) => void;
}

/** One act at a time, with the reason where it is refused. */
export function useAct(): Act {
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<{ readonly error: unknown }>();
  const reasonOf = useReason();
  return {
    isBusy,
    reason: refused === undefined ? undefined : reasonOf(refused.error),
    act: (work) => {
      setBusy(true);
      setRefused(undefined);
      work()
        .catch((error: unknown) => setRefused({ error }))
        .finally(() => setBusy(false));
    },
  };
}

/** Why something was refused; nothing where it was not. */
export const Refused = ({ reason }: { readonly reason: string | undefined }) =>
  reason === undefined ? null : (
    <p role="alert" className="field-problem error" dir="auto">
      {reason}
    </p>
  );
