import type { Problem } from '@hilo/engine/contract';
import { type RefObject, useEffect, useState } from 'react';
import { useHandler } from '../parts/identity.ts';
import { focusField, focusPlace } from './editor-keys.ts';
import type { EditorStore } from './editor-store.ts';
import { fieldOf } from './problem-parts.ts';

/**
 * Where an author looks and works: what is brought into view, which panel is open, and which element has the focus.
 *
 * @param root - the element of the editor
 * @param nodeId - the node that is looked at first
 */
export function usePlaces(store: EditorStore, root: RefObject<HTMLElement | null>, nodeId: string | undefined) {
  const [inView, setInView] = useState<string | readonly string[] | undefined>(nodeId);
  /** Whether the form was opened from the outline, where its author goes on. */
  const [isByOutline, setByOutline] = useState(false);
  useEffect(() => root.current?.focus(), []); // its keys work while the focus is inside
  useEffect(
    () =>
      store.subscribe(({ panel, shown }, before) => {
        if (panel !== before.panel) setByOutline((is) => is && (panel === 'form' || panel === 'outline'));
        if (shown !== undefined && shown.way !== before.shown?.way) setInView(shown.way.map((step) => step.nodeId));
      }),
    [store],
  );

  const openNode = useHandler((id: string): void => {
    store.getState().select([id]);
    store.getState().open('form');
    setInView(id);
  });
  const openProblem = (problem: Problem): void => {
    const field = fieldOf(problem, store.getState().history.canvas);
    const id = field?.nodeId ?? problem.nodeId;
    if (id === undefined) return store.getState().open('settings');
    openNode(id);
    requestAnimationFrame(() => {
      const pointer = CSS.escape(field?.pointer ?? '');
      const place = document.querySelector<HTMLElement>(`[data-pointer="${pointer}"] :is(input, textarea, select, .cm-content)`);
      place?.focus();
    });
    return undefined;
  };
  const openFromOutline = (id: string, field?: 'label'): void => {
    openNode(id);
    setByOutline(true);
    requestAnimationFrame(() => focusField(root.current, field));
  };
  const backToOutline = (): void => {
    store.getState().open('outline');
    requestAnimationFrame(() => focusPlace(root.current, undefined));
  };
  /** Closes the panel; the focus does not go with it. */
  const closePanel = (): void => {
    const { open, show, selected } = store.getState();
    open(undefined);
    show(undefined);
    requestAnimationFrame(() => root.current?.contains(document.activeElement) === true || focusPlace(root.current, [...selected][0]));
  };
  return { inView, setInView, isByOutline, openNode, openProblem, openFromOutline, backToOutline, closePanel };
}

export type Places = ReturnType<typeof usePlaces>;
