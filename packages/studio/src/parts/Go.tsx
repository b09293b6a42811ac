// A link to another screen of the studio, which opens elsewhere too.
import type { MouseEvent, ReactNode } from 'react';
import { useStudio, type View } from '../studio-context.ts';

export function Go({ view, children, className }: { readonly view: View; readonly children: ReactNode; readonly className?: string }) {
  const { go, hrefOf } = useStudio();
  const onClick = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(view);
  };
  return (
    <a href={hrefOf(view)} className={className} onClick={onClick} dir="auto">
      {children}
    </a>
  );
}
