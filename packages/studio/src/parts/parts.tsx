import { X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { useWords } from '../words/words.tsx';

/** A modal dialog: the platform's own, which keeps the focus inside and closes on Escape. */
export function Dialog({
  title,
  onClose,
  children,
  wide = false,
}: {
  readonly title: string;
  /** Left out where the dialog is ended by its own choice alone. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const say = useWords();
  // A layout effect: it ends before the dialog is removed, so that the focus returns to its former place, and keyboard shortcuts work.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog !== null && !dialog.open) {
      dialog.showModal();
      // The first thing to do in it, not its own button to close.
      dialog.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea, button):not(:disabled)')?.focus();
    }
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={heading}
      closedby={onClose === undefined ? 'none' : 'closerequest'}
      onCancel={ofItself((event) => {
        event.preventDefault();
        onClose?.();
      })}
      // A browser without `closedby` lets a page refuse some presses of Escape, and closes the dialog by the next, if nothing else was pressed between.
      onClose={ofItself(({ currentTarget }) => (onClose === undefined ? currentTarget.showModal() : onClose()))}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        {onClose !== undefined && (
          <IconButton label={say('app.close')} onClick={onClose}>
            <X size={18} aria-hidden />
          </IconButton>
        )}
      </header>
      <div className="dialog-body">{children}</div>
    </dialog>
  );
}

/** What a dialog does about itself: a field for files in it tells in the same words that none was chosen. */
const ofItself =
  (act: (event: SyntheticEvent<HTMLDialogElement>) => void) =>
  (event: SyntheticEvent<HTMLDialogElement>): void => {
    if (event.target === event.currentTarget) act(event);
  };

/** What opens at its own button, until something in it is pressed, it is left, or Escape is pressed, which closes nothing else then. */
export function Menu({
  label,
  sign,
  className = 'menu',
  children,
}: {
  readonly label: string;
  /** What the button shows. */
  readonly sign: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (): void => menu.current?.removeAttribute('open');
  /** The focus is at the menu's button before a dialog opens, which gives it back there. */
  const closeToButton = (): void => {
    close();
    menu.current?.querySelector('summary')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || menu.current?.open !== true) return;
    event.stopPropagation();
    closeToButton();
  };
  return (
    <details
      ref={menu}
      className={className}
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget }) => document.hasFocus() && menu.current?.contains(relatedTarget) === false && close()}
      onClick={({ target }) => target instanceof Element && target.closest('button') !== null && closeToButton()}
    >
      <summary aria-label={label} title={label}>
        {sign}
      </summary>
      <div tabIndex={-1}>{children}</div>
    </details>
  );
}

/** A button with an icon only, and a label for its action. */
export function IconButton({
  label,
  onClick,
  children,
  disabled = false,
  pressed,
  expanded,
  word,
}: {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  readonly expanded?: boolean;
  /** Shown below the icon where a bar has room for it; a part of the label. */
  readonly word?: string;
}) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      onClick={onClick}
      disabled={disabled}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
      {...(expanded !== undefined && { 'aria-expanded': expanded })}
    >
      {children}
      {word !== undefined && (
        <span className="word" aria-hidden>
          {word}
        </span>
      )}
    </button>
  );
}

/** Something that has happened, until it is closed. */
export function Notice({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  const say = useWords();
  return (
    <div className="notice" role="status">
      {text}{' '}
      <button type="button" className="link" onClick={onClose}>
        {say('app.close')}
      </button>
    </div>
  );
}

/** Something that the service does not have, with the way back to what it has. */
export function Missing({ text, onBack }: { readonly text: string; readonly onBack: () => void }) {
  const say = useWords();
  return (
    <div className="page">
      <h1>{say('app.missing')}</h1>
      <p role="alert" dir="auto">
        {text}
      </p>
      <button type="button" onClick={onBack}>
        {say('editor.back')}
      </button>
    </div>
  );
}

/** Something that is read from the service: while it comes, and when it does not. */
export function Loading({ error, onRetry }: { readonly error: string | undefined; readonly onRetry: () => void }) {
  const say = useWords();
  if (error === undefined)
    return (
      <p className="loading" role="status">
        {say('app.loading')}
      </p>
    );
  return (
    <div className="loading" role="alert">
      <p>{say('app.failed', { reason: error })}</p>
      <button type="button" onClick={onRetry}>
        {say('app.again')}
      </button>
    </div>
  );
}

/** A text in pieces: plain parts, and expressions in short form with the whole beside. */
export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'token'; readonly text: string; readonly whole: string };

/** Divides a text at its `{{ … }}`. Put together again, the parts are the text. */
export function textParts(text: string): readonly TextPart[] {
  return text.split(/(\{\{[\s\S]*?\}\})/).flatMap((part): TextPart[] => {
    if (part === '') return [];
    if (!part.startsWith('{{') || !part.endsWith('}}')) return [{ kind: 'text', text: part }];
    return [
      {
        kind: 'token',
        text: part
          .slice(2, -2)
          .trim()
          .replace(/^\$(?:context|company\.settings)\./, ''),
        whole: part,
      },
    ];
  });
}

/** Expressions in a text as tokens: their telling part, the whole on hover. */
export function Tokens({ text }: { readonly text: string }) {
  return textParts(text).map((part, index) =>
    part.kind === 'text' ? (
      part.text
    ) : (
      <code key={index} className="token" title={part.whole}>
        {part.text}
      </code>
    ),
  );
}
