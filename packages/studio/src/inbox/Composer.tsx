// Where an operator types an answer, or sends a file or a template.
import { Paperclip, Send } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type InboxDetails, type InboxTemplate, isOfApp } from '../api/inbox-calls.ts';
import { IconButton } from '../parts/parts.tsx';
import { usePartWords } from '../words/part.ts';
import { useMoment } from '../words/moment.ts';
import { inboxWords } from './inbox-words.ts';

interface ComposerProps {
  readonly details: InboxDetails;
  /** The operator who answers here. */
  readonly me: number | undefined;
  readonly onTake: () => void;
  /** @param key - the same again is the same message. @returns whether it was sent */
  readonly onSend: (text: string, key: string) => Promise<boolean>;
  /** @param key - as of a text. @returns whether it was sent */
  readonly onFile: (file: File, key: string) => Promise<boolean>;
  readonly onTemplate: (
    template: { readonly templateId: string; readonly parameters: { readonly [name: string]: string } },
    key: string,
  ) => Promise<boolean>;
}

/** What is typed, by conversation, with the key of its message: leaving a conversation loses nothing, and sending again sends nothing twice. */
const drafts = new Map<string, Draft>();

interface Draft {
  readonly text: string;
  readonly key: string;
}

/** What was not sent, before what was typed while it was under way: then it is another message. */
const putBack = (unsent: Draft, typed: string | undefined): Draft =>
  typed === undefined ? unsent : { text: `${unsent.text}\n${typed}`, key: crypto.randomUUID() };

/** Where an answer is typed; only templates once the window of the channel is closed, with what was typed kept. */
export function Composer({ details, me, onTake, onSend, onFile, onTemplate }: ComposerProps) {
  const { conversation, window: sending, templates } = details;
  const say = usePartWords(inboxWords);
  const instant = useMoment();
  const id = conversation._id;
  const [draft, setDraft] = useState(() => drafts.get(id) ?? { text: '', key: crypto.randomUUID() });
  const [isSending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const isMine = conversation.operator !== null && (me === undefined || conversation.operator.id === me);
  const canType = isMine && sending.isOpen;
  useEffect(() => {
    if (canType) field.current?.focus();
  }, [canType]);
  const keep = (next: Draft): void => {
    setDraft(next);
    if (next.text === '') drafts.delete(id);
    else drafts.set(id, next);
  };
  const send = async (): Promise<void> => {
    if (draft.text.trim() === '' || isSending || !canType) return;
    setSending(true);
    keep({ text: '', key: crypto.randomUUID() });
    if (!(await onSend(draft.text, draft.key))) keep(putBack(draft, drafts.get(id)?.text));
    setSending(false);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  return (
    <div className="inbox-composer">
      {!isMine && (
        <p className="inbox-notice" role="status">
          {conversation.operator === null
            ? say(isOfApp(conversation) ? 'inbox.ofApp' : 'inbox.ofNobody')
            : say('inbox.ofOther', { name: conversation.operator.names })}{' '}
          {me !== undefined && (
            <button type="button" className="link" onClick={onTake}>
              {say('inbox.take')}
            </button>
          )}
        </p>
      )}
      {!sending.isOpen && (
        <p className="inbox-notice warn" role="status">
          {say('inbox.windowClosed')}
        </p>
      )}
      <textarea
        ref={field}
        rows={2}
        dir="auto"
        value={draft.text}
        readOnly={!canType}
        aria-label={say('inbox.answer')}
        placeholder={canType ? say('inbox.hint') : ''}
        onChange={({ target }) => keep({ text: target.value, key: crypto.randomUUID() })}
        onKeyDown={onKeyDown}
      />
      {sending.isOpen ? (
        <div className="inbox-row">
          <span className="caption">{sending.until !== null && say('inbox.windowUntil', { time: instant(sending.until) })}</span>
          <span className="spring" />
          <FileButton
            isDisabled={!canType || isSending}
            onFile={async (file) => {
              setSending(true);
              await onFile(file, crypto.randomUUID());
              setSending(false);
            }}
          />
          <button
            type="button"
            className="primary"
            disabled={!canType || isSending || draft.text.trim() === ''}
            onClick={() => void send()}
          >
            <Send size={15} aria-hidden /> {say('inbox.send')}
          </button>
        </div>
      ) : (
        <TemplateForm templates={templates} isMine={isMine} onTemplate={onTemplate} />
      )}
    </div>
  );
}

interface FileButtonProps {
  readonly isDisabled: boolean;
  readonly onFile: (file: File) => Promise<void>;
}

/** Chooses a file, which is sent at once. */
function FileButton({ isDisabled, onFile }: FileButtonProps) {
  const say = usePartWords(inboxWords);
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={say('inbox.attach')}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = '';
          if (file !== undefined) void onFile(file);
        }}
      />
      <IconButton label={say('inbox.attach')} disabled={isDisabled} onClick={() => chooser.current?.click()}>
        <Paperclip size={16} aria-hidden />
      </IconButton>
    </>
  );
}

/** Chooses a template, and fills in its parameters. */
function TemplateForm({
  templates,
  isMine,
  onTemplate,
}: {
  readonly templates: readonly InboxTemplate[];
  readonly isMine: boolean;
  readonly onTemplate: ComposerProps['onTemplate'];
}) {
  const say = usePartWords(inboxWords);
  const [chosen, setChosen] = useState(templates[0]?.id ?? '');
  const [values, setValues] = useState<{ readonly [name: string]: string }>({});
  const [key, setKey] = useState(() => crypto.randomUUID());
  const template = templates.find(({ id }) => id === chosen);
  if (template === undefined) return <p className="quiet-text">{say('inbox.noTemplates')}</p>;
  const change = (id: string, next: { readonly [name: string]: string }): void => {
    setChosen(id);
    setValues(next);
    setKey(crypto.randomUUID()); // another message
  };
  const isFilled = template.parameters.every((name) => (values[name] ?? '').trim() !== '');
  const send = async (): Promise<void> => {
    const parameters = Object.fromEntries(template.parameters.map((name) => [name, values[name] ?? '']));
    if (await onTemplate({ templateId: template.id, parameters }, key)) change(template.id, {});
  };
  return (
    <form
      className="inbox-template"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label>
        {say('inbox.template')}{' '}
        <select value={template.id} onChange={({ target }) => change(target.value, {})}>
          {templates.map(({ id, name, language }) => (
            <option key={id} value={id}>
              {name} ({language})
            </option>
          ))}
        </select>
      </label>
      <p className="inbox-preview" dir="auto">
        {template.body.replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (place, name: string) => values[name] || place)}
      </p>
      {template.parameters.map((name) => (
        <label key={name}>
          {name}{' '}
          <input required value={values[name] ?? ''} onChange={({ target }) => change(template.id, { ...values, [name]: target.value })} />
        </label>
      ))}
      <button type="submit" className="primary" disabled={!isMine || !isFilled}>
        {say('inbox.sendTemplate')}
      </button>
    </form>
  );
}
