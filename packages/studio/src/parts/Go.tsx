// Links to other screens of the studio, which open elsewhere too.
import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { useStudio, type View } from '../studio-context.ts';

/** Acts on a click, save one that opens the address of the link in a tab or window of its own. */
export const onPlainClick =
  (act: (event: MouseEvent<HTMLAnchorElement>) => void) =>
  (event: MouseEvent<HTMLAnchorElement>): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    act(event);
  };

interface GoProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick'> {
  readonly view: View;
  /** Whether the view replaces the current entry of the browser's history. */
  readonly replaces?: boolean;
}

export function Go({ view, replaces = false, children, ...rest }: GoProps) {
  const { go, hrefOf } = useStudio();
  return (
    <a dir="auto" {...rest} href={hrefOf(view)} onClick={onPlainClick(() => go(view, { replace: replaces }))}>
      {children}
    </a>
  );
}
