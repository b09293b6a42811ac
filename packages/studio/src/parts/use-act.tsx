import { useState } from 'react';

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
  const [reason, setReason] = useState<string>();
  return {
    isBusy,
    reason,
    act: (work) => {
      setBusy(true);
      setReason(undefined);
      work()
        .catch((error: unknown) => setReason(error instanceof Error ? error.message : String(error)))
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
