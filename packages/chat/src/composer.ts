// What a visitor sends: texts, files, presses of buttons, their location and forms, and what has not arrived yet.
import { type ChoiceButtons, showChoices } from './choices.ts';
import { type Choice, textParagraph } from './content.ts';
import { type FormValues, formText } from './form.ts';
import type { MessageLog } from './log.ts';
import type { Outgoing } from './outgoing.ts';
import type { Page } from './page.ts';
import type { StatusLine } from './status-line.ts';
import type { Words } from './words.ts';

/** The limits of the service: a text in characters, a file in bytes. */
const limits = { textLength: 4_096, fileBytes: 5 * 1024 * 1024 };

interface ComposerParts {
  readonly page: Page;
  readonly words: Words;
  readonly log: Pick<MessageLog, 'addUnsent' | 'keepEndVisible' | 'setTick' | 'setFailed'>;
  readonly status: StatusLine;
  /** Sends by the connection, once there is one. */
  readonly pass: (outgoing: Outgoing) => void;
  /** Called before each message of the visitor. */
  readonly onSend: () => void;
  /** Closes the chat, where that can be done. */
  readonly close: () => void;
}

export interface Composer {
  /** Puts buttons above the field for writing, or none. */
  offer(choices?: ChoiceButtons): void;
  /** Sends a text as if the visitor had written it. */
  sendText(text: string): void;
  /**
   * @param of - the message that the form came with
   * @param reopen - called when the values were not taken
   */
  sendForm(of: string, values: FormValues, reopen: () => void): void;
  /** Shows a message that was written before the page was left. */
  restore(outgoing: Outgoing): void;
  /** The service has this message. */
  confirm(id: string): void;
  /** Marks a message as not sent, with a button that sends it again. */
  fail(id: string): void;
  /** Says that nothing took a form, which can be sent again: its question may be open later. */
  tellUnmatched(id: string): void;
}

const noChoices: ChoiceButtons = { offered: [], asksForLocation: false };

/** An id that the browser gives a message. `crypto.randomUUID` exists only in pages with TLS. */
const newId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** Listens to the field for writing and what stands around it. */
export function createComposer({ page, words, log, status, pass, onSend, close }: ComposerParts): Composer {
  const { input } = page;
  /** Messages that the service has not confirmed, for sending them again. */
  const unconfirmed = new Map<string, Outgoing>();
  /** Forms of this page that were sent. */
  const reopenings = new Map<string, () => void>();

  const offer = (choices = noChoices): void =>
    log.keepEndVisible(() => showChoices(page.choices, choices, { choose, shareLocation }, words));

  const show = (outgoing: Outgoing): void => {
    unconfirmed.set(outgoing.id, outgoing);
    log.addUnsent(outgoing.id, [textParagraph(shownAs(outgoing, words))]);
  };
  const send = (outgoing: Outgoing): void => {
    onSend();
    offer();
    status.clearNotice();
    show(outgoing);
    pass(outgoing);
  };
  const choose = ({ title, payload }: Choice): void => {
    send({ id: newId(), type: 'button', text: title, ...(payload !== undefined && { payload }) });
    input.focus();
  };
  const shareLocation = (): void => {
    const { geolocation } = navigator as { readonly geolocation?: Geolocation }; // not there in pages without TLS
    const fail = (): void => status.notify(words.noLocation);
    if (geolocation === undefined) return fail();
    geolocation.getCurrentPosition(({ coords: { latitude: lat, longitude: long } }) => {
      send({ id: newId(), type: 'location', coordinates: { lat, long } });
    }, fail);
  };
  const sendText = (text: string): void => send({ id: newId(), type: 'text', text });

  listenToInput(page, {
    sendInput() {
      const text = input.value.trim();
      if (text === '' || status.isRefused()) return;
      const surplus = Array.from(text).length - limits.textLength;
      if (surplus > 0) return status.notify(words.tooLong(surplus)); // the text stays: cut off, it would be lost in silence
      input.value = '';
      sendText(text);
    },
    sendFile(file) {
      if (file.size > limits.fileBytes) return status.notify(words.tooLarge);
      send({ id: newId(), type: 'file', file });
    },
    close,
  });
  input.addEventListener('input', status.clearNotice);

  return {
    offer,
    sendText,
    sendForm(of, values, reopen) {
      const id = newId();
      reopenings.set(id, reopen);
      send({ id, type: 'form', of, values });
    },
    restore: show,
    confirm: (id) => void unconfirmed.delete(id),
    tellUnmatched(id) {
      log.setTick(id, 'sent');
      reopenings.get(id)?.();
      status.notify(words.formUnmatched);
    },
    fail(id) {
      reopenings.get(id)?.();
      const outgoing = unconfirmed.get(id);
      const retry = (again: Outgoing) => (): void => {
        log.setTick(id, 'sending');
        pass(again);
      };
      log.setFailed(id, outgoing === undefined ? undefined : retry(outgoing));
    },
  };
}

/** A message of the visitor, as it is shown until the service has it. */
function shownAs(outgoing: Outgoing, words: Words): string {
  if (outgoing.type === 'file') return outgoing.file.name;
  if (outgoing.type === 'form') return formText(outgoing.values);
  return outgoing.type === 'location' ? words.location : outgoing.text;
}

interface InputActions {
  sendInput(): void;
  sendFile(file: File): void;
  close(): void;
}

/** Passes on what the visitor writes, picks and presses in the panel. */
function listenToInput({ form, input, attach, picker, panel, closer }: Page, { sendInput, sendFile, close }: InputActions): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    sendInput();
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
  closer.addEventListener('click', close);
  attach.addEventListener('click', () => picker.click());
  picker.addEventListener('change', () => {
    const [file] = picker.files ?? [];
    picker.value = '';
    if (file !== undefined) sendFile(file);
  });
}
