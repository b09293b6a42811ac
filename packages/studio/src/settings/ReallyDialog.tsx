// Asks once more before something is removed or revoked for good.
import { Dialog } from '../parts/parts.tsx';

interface ReallyDialogProps {
  /** What is done, as its button says it. */
  readonly action: string;
  /** What becomes of what it is done to. */
  readonly question: string;
  readonly onDo: () => void;
  readonly onClose: () => void;
}

export function ReallyDialog({ action, question, onDo, onClose }: ReallyDialogProps) {
  return (
    <Dialog title={action} onClose={onClose}>
      <p>{question}</p>
      <p className="buttons">
        <button type="button" className="primary" onClick={onDo}>
          {action}
        </button>
      </p>
    </Dialog>
  );
}
