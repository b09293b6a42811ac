// Records of one kind: the list, and one of them in its form.
import type { Json, JsonObject, Problem } from '@hilo/engine/contract';
import { Plus } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { isRecord, type JsonSchema, shownText } from '../canvas/canvas-json.ts';

import { emptyOf } from '../forms/shape.ts';
import { Go } from '../parts/Go.tsx';
import { SignedOut } from '../parts/LoginForm.tsx';
import { Loading } from '../parts/parts.tsx';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useLanguage, useNames } from '../words/words.tsx';
import { BotLinks } from './BotLinks.tsx';
import { CredentialLogin, isLoggedInWith } from './CredentialLogin.tsx';
import { EmptyList } from './EmptyList.tsx';
import { aboutOf, channelOf, formSchema, formValue, freshId, idOf, isNumbered, type ListedKind, nameOf, providersOf } from './kinds.ts';
import { problemsOf, RecordForm } from './RecordForm.tsx';
import { settingsTexts } from './settings-texts.ts';
import { ReallyDialog } from './ReallyDialog.tsx';
import { settingsWords } from './settings-words.ts';
import { fieldText } from '../forms/field-text.ts';

interface RecordsPageProps {
  readonly kind: ListedKind;
  /** One of them; `+` for a new one. */
  readonly recordId: string | undefined;
}

export function RecordsPage({ kind, recordId }: RecordsPageProps) {
  const { client, companyId, go, can } = useStudio();
  const say = usePartWords(settingsWords);
  const { locale } = useLanguage();
  const { value, error, reload, isSignedOut } = useLoaded(`records/${companyId}/${kind}`, async () =>
    (await client.operations()).listRecords({ path: { companyId, kind } }),
  );
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  const records = value.results as readonly JsonObject[];
  const schema = value.schema as JsonSchema;
  const record = records.find((one) => idOf(one) === recordId);
  if (recordId !== undefined && (recordId === '+' || record !== undefined))
    return <RecordEditor key={recordId} {...{ kind, schema, records, record }} onChanged={reload} />;
  return (
    <section aria-label={say(`settings.${kind}`)}>
      <header className="page-head">
        <h2>{say(`settings.${kind}`)}</h2>
        <span className="spring" />
        {can('operate') && (
          <button type="button" className="primary" onClick={() => go({ screen: 'settings', section: kind, recordId: '+' })}>
            <Plus size={14} aria-hidden /> {say(kind === 'bots' ? 'settings.connect' : 'settings.new')}
          </button>
        )}
      </header>
      {records.length === 0 ? (
        <EmptyList section={kind} />
      ) : (
        <table>
          <thead>
            <tr>
              <th>{say('settings.name')}</th>
              <th>{say('settings.about')}</th>
              <th>{say('settings.id')}</th>
            </tr>
          </thead>
          <tbody>
            {records.map((one) => (
              <tr key={idOf(one)}>
                <td>
                  <Go view={{ screen: 'settings', section: kind, recordId: idOf(one) }}>{nameOf(one)}</Go>
                </td>
                <td dir="auto">{aboutOf(kind, one, (at) => fieldText(settingsTexts[kind], at, locale)?.label)}</td>
                <td data-label={say('settings.id')}>
                  <code>{idOf(one)}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** What is written first in a form: no choice, and no id, which is filled in. */
const firstField = '[data-pointer] :is(textarea, input:not([type="radio"], [type="checkbox"]))';

interface RecordEditorProps {
  readonly kind: ListedKind;
  readonly schema: JsonSchema;
  readonly records: readonly JsonObject[];
  /** `undefined` for a new one. */
  readonly record: JsonObject | undefined;
  readonly onChanged: () => void;
}

function RecordEditor({ kind, schema, records, record, onChanged }: RecordEditorProps) {
  const { client, companyId, go, can } = useStudio();
  const say = usePartWords(settingsWords);
  const field = useId();
  const { isBusy, reason, act } = useAct();
  const form = formSchema(schema);
  const [value, setValue] = useState<JsonObject | undefined>(() =>
    record === undefined ? (kind === 'bots' ? undefined : beginOf(form)) : formValue(record),
  );
  const [ownId, setOwnId] = useState<string>();
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [isSaved, setSaved] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const id = record === undefined ? (ownId ?? freshId(kind, records, value === undefined ? '' : nameOf(value))) : idOf(record);
  const fields = useRef<HTMLFormElement>(null);
  const isBegun = record === undefined && value !== undefined;
  // A new record is written at once, from its name on: its id is made of that.
  useEffect(() => {
    if (isBegun) fields.current?.querySelector<HTMLElement>(firstField)?.focus();
  }, [isBegun]);
  const save = async (): Promise<void> => {
    setProblems([]);
    setSaved(false);
    const kept = kind === 'bots' ? { connectedAt: record?.['connectedAt'] ?? new Date().toISOString() } : {};
    try {
      await (await client.operations()).saveRecord({ path: { companyId, kind, id }, body: { ...kept, ...value } as never });
    } catch (error) {
      setProblems(problemsOf(error));
      throw error;
    }
    setSaved(true);
    onChanged();
    if (record === undefined) go({ screen: 'settings', section: kind, recordId: id }, { replace: true });
  };
  const remove = async (): Promise<void> => {
    setRemoving(false);
    await (await client.operations()).deleteRecord({ path: { companyId, kind, id } });
    onChanged();
    go({ screen: 'settings', section: kind });
  };
  const back = (
    <button type="button" className="link" onClick={() => go({ screen: 'settings', section: kind })}>
      ← {say('settings.back')}
    </button>
  );
  if (value === undefined)
    return (
      <section aria-label={say('settings.connect')}>
        {back}
        <ProviderChoice schema={schema} onChoose={(provider) => setValue(botOf(form, provider))} />
      </section>
    );
  return (
    <section aria-label={record === undefined ? say('settings.new') : nameOf(record)}>
      {back}
      <h2 dir="auto">{record === undefined ? say(kind === 'bots' ? 'settings.connect' : 'settings.new') : nameOf(record)}</h2>
      <form
        ref={fields}
        className="record-form"
        noValidate // the service says what is missing, in words and at its field
        onSubmit={(event) => {
          event.preventDefault();
          act(save);
        }}
      >
        {record === undefined && (
          <div className="field">
            <label htmlFor={field}>{say('settings.id')}</label>
            <input
              id={field}
              value={id}
              required
              spellCheck={false}
              inputMode={isNumbered(kind) ? 'numeric' : 'text'}
              aria-describedby={`${field}-help`}
              onChange={({ target }) => setOwnId(target.value)}
            />
            <p className="help" id={`${field}-help`}>
              {say(isNumbered(kind) ? 'settings.numberHelp' : 'settings.idHelp')}
            </p>
          </div>
        )}
        <RecordForm
          kind={kind}
          schema={form}
          value={value}
          isNew={record === undefined}
          onChange={(change) => setValue((before) => change(before ?? {}))}
          problems={problems}
        />
        {can('operate') && (
          <p className="buttons">
            <button type="submit" className="primary" disabled={isBusy}>
              {say('settings.save')}
            </button>
            {record !== undefined && (
              <button type="button" disabled={isBusy} onClick={() => setRemoving(true)}>
                {say('settings.remove')}
              </button>
            )}
          </p>
        )}
        <Refused reason={reason} />
        {isSaved && <p role="status">{say('settings.saved')}</p>}
      </form>
      {kind === 'credentials' && record !== undefined && can('operate') && isLoggedInWith(record) && <CredentialLogin credentialId={id} />}
      {kind === 'bots' && record !== undefined && <BotLinks botId={id} channel={shownText(record['channel'] ?? '')} />}
      {isRemoving && (
        <ReallyDialog
          action={say('settings.remove')}
          question={say('settings.reallyRemove', { name: nameOf(record ?? {}) })}
          onDo={() => act(remove)}
          onClose={() => setRemoving(false)}
        />
      )}
    </section>
  );
}

/** The two that most begin with come first; what a developer builds, and none at all, come last. */
const rankOf = (provider: string): number => ({ web: -2, 'whatsapp-cloud': -1, custom: 1, log: 2 })[provider] ?? 0;

/** The first step of a bot: which channel. */
function ProviderChoice({ schema, onChoose }: { readonly schema: JsonSchema; readonly onChoose: (provider: string) => void }) {
  const say = usePartWords(settingsWords);
  const channelWord = useNames('channel');
  const { locale } = useLanguage();
  return (
    <>
      <h2>{say('settings.choose')}</h2>
      <ul className="provider-choice">
        {providersOf(schema)
          .toSorted((one, other) => rankOf(one) - rankOf(other))
          .map((provider) => (
            <li key={provider}>
              <button type="button" onClick={() => onChoose(provider)}>
                <b>{fieldText(settingsTexts.bots, `provider.kind=${provider}`, locale)?.label ?? provider}</b>
                {provider !== 'log' && <span className="caption">{channelWord(channelOf(provider))}</span>}
              </button>
            </li>
          ))}
      </ul>
    </>
  );
}

/** What a form begins with: what must be there. */
function beginOf(schema: JsonSchema): JsonObject {
  const empty = emptyOf(schema, schema);
  return isRecord(empty) ? empty : {};
}

/** A bot with a provider, and the channel that it serves. */
function botOf(schema: JsonSchema, kind: string): JsonObject {
  const properties = schema['properties'];
  const provider = isRecord(properties) ? properties['provider'] : undefined;
  const forms = isRecord(provider) ? (provider['oneOf'] ?? provider['anyOf']) : undefined;
  const all: readonly (Json | undefined)[] = Array.isArray(forms) ? forms : [provider];
  const form = all.find((one) => {
    const fields = isRecord(one) ? one['properties'] : undefined;
    const tag = isRecord(fields) ? fields['kind'] : undefined;
    return isRecord(tag) && tag['const'] === kind;
  });
  const empty = isRecord(form) ? emptyOf(form, schema) : {};
  const filled = Object.entries(isRecord(empty) ? empty : {}).filter(
    ([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  // Nobody else has the secret of a web chat, which keys the sessions of its visitors: without one it would not be served.
  const own = kind === 'web' ? { appSecret: randomSecret() } : {};
  return { name: '', channel: channelOf(kind), provider: { ...Object.fromEntries(filled), ...own, kind } };
}

/** A secret of 256 bits, in hexadecimal digits. */
const randomSecret = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
