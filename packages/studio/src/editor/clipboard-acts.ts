import type { ClipboardEvent, RefObject } from 'react';
import type { Point } from '../canvas/canvas-json.ts';
import type { Editing } from './editing.ts';

/** Copies, cuts and pastes nodes as text, unless the author works in a text. @param pointer - where pasted nodes are put */
export const clipboardActs = (
  editing: Editing,
  { isEditable, pointer }: { readonly isEditable: boolean; readonly pointer: RefObject<(() => Point | undefined) | undefined> },
) => ({
  onCopy: (event: ClipboardEvent): void => void copySelected(event, editing),
  onCut(event: ClipboardEvent): void {
    if (isEditable && copySelected(event, editing)) editing.deleteSelected();
  },
  onPaste(event: ClipboardEvent): void {
    if (isEditable && !isInText(event.target)) editing.pasteText(event.clipboardData.getData('text/plain'), pointer.current?.());
  },
});

const isInText = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('input, textarea, [contenteditable="true"]') !== null;

/** Puts the selected nodes on the clipboard, unless a text is meant. @returns whether they are there */
function copySelected(event: ClipboardEvent, editing: Editing): boolean {
  const copied = editing.copied();
  if (copied === undefined || isInText(event.target) || getSelection()?.isCollapsed === false) return false;
  event.preventDefault();
  event.clipboardData.setData('text/plain', copied);
  return true;
}
