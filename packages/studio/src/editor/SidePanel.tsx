// The frame of the editor's panel.
import { ArrowLeft, X } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { IconButton } from '../parts/parts.tsx';
import { useWords } from '../words/words.tsx';

const least = 320;
const most = 560;
const step = 16;
const usual = 376;

/** The panel at the end of the editor: closed by its button, and made wider and narrower at its edge, by pointer or by arrow keys. */
export function SidePanel({
  label,
  onClose,
  onBack,
  children,
}: {
  readonly label: string;
  readonly onClose: () => void;
  /** Leads to the outline that it was opened from. */
  readonly onBack?: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  const say = useWords();
  const [width, setWidth] = useState(lastWidth);
  const resize = (wanted: number): void => {
    lastWidth = Math.max(least, Math.min(most, wanted));
    setWidth(lastWidth);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const panel = event.currentTarget.parentElement?.getBoundingClientRect();
    if (panel === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const isLeftToRight = getComputedStyle(event.currentTarget).direction === 'ltr';
    resize(isLeftToRight ? panel.right - event.clientX : event.clientX - panel.left);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const by = { ArrowLeft: step, ArrowRight: -step }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    resize(width + by);
  };
  return (
    <aside className="side" aria-label={label} style={{ width }}>
      <div
        className="edge"
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={say('editor.width')}
        aria-valuemin={least}
        aria-valuemax={most}
        aria-valuenow={width}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
        onKeyDown={onKeyDown}
      />
      {onBack !== undefined && (
        <button type="button" className="link back" onClick={onBack}>
          <ArrowLeft size={14} aria-hidden /> {say('outline.back')}
        </button>
      )}
      <IconButton label={say('app.close')} onClick={onClose}>
        <X size={16} aria-hidden />
      </IconButton>
      {children}
    </aside>
  );
}

/** As the author left it, for the next panel of this page. */
let lastWidth = usual;
