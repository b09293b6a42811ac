// Editors of fields that come on their own, like the editor of expressions.
import { lazy } from 'react';
import { loadPart } from '../../parts/load-part.ts';
import type { EditorProps } from './editor-props.ts';
import type * as Rare from './rare-editors.ts';

export const loadRareEditors = (): Promise<typeof Rare> => import('./rare-editors.ts');

/** An editor of `rare-editors.ts`, by its name. */
export const loadRare = (name: keyof typeof Rare): React.ComponentType<EditorProps> =>
  lazy(() => loadPart(() => loadRareEditors().then((editors) => ({ default: editors[name] }))));
