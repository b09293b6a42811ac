// The panel of a chat in a host's page: opened and closed by its button, by the page's own code, and by another chat that opens.
import { findHiloChat } from './api.ts';
import type { Page } from './page.ts';

/** The event by which a chat tells others in the page that it was opened: one is open at a time. */
const openedEvent = 'hilo-chat-opened';

export interface PanelControl {
  isOpen(): boolean;
  close(): void;
}

/** A chat that is a page of its own has no button, and stays open. */
export const alwaysOpen: PanelControl = { isOpen: () => true, close: () => undefined };

/** The panel beside its button. @param onChange - called once it is open or closed */
export function controlPanel(page: Page, bot: string, onChange: (isOpen: boolean) => void): PanelControl {
  const shared = findHiloChat();
  const { launcher, panel } = page;
  let isOpen = false;

  const setOpen = (open: boolean): void => {
    if (isOpen !== open) shared.emit(open ? 'open' : 'close', { bot });
    isOpen = open;
    panel.hidden = !open;
    launcher.setAttribute('aria-expanded', String(open));
    if (open) dispatchEvent(new CustomEvent(openedEvent, { detail: page }));
    onChange(open);
  };
  const close = (): void => {
    if (!isOpen) return;
    setOpen(false);
    launcher.focus();
  };
  shared.register({ bot, open: () => setOpen(true), close });
  launcher.addEventListener('click', () => (isOpen ? close() : setOpen(true)));
  addEventListener(openedEvent, (event) => {
    if (isOpen && event instanceof CustomEvent && event.detail !== page) setOpen(false);
  });
  return { isOpen: () => isOpen, close };
}
