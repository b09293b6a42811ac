// Contacts of the company, a page at a time: searched, added, and changed one by one.
import type { Json } from '@hilo/engine/contract';
import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import type { Operations } from '../api/operations.ts';
import { Go } from '../parts/Go.tsx';
import { SignedOut } from '../parts/LoginForm.tsx';
import { Loading } from '../parts/parts.tsx';
import { Refused, useAct } from '../parts/use-act.tsx';
import { saveFile } from '../parts/save-file.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useSettled } from '../inbox/use-settled.ts';
import { usePersonName } from '../parts/person-name.ts';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useMoment } from '../words/moment.ts';
import { type ContactField, readContactFields, valueOf } from './contact-fields.ts';
import { EmptyList } from './EmptyList.tsx';
import { ImportContacts } from './ImportContacts.tsx';
import { importWords } from './import-words.ts';
import { ReallyDialog } from './ReallyDialog.tsx';
import { settingsWords } from './settings-words.ts';

type Contact = Awaited<ReturnType<Operations['getContact']>>;

export function ContactsPage({ recordId }: { readonly recordId: string | undefined }) {
  const { go } = useStudio();
  if (recordId === undefined) return <ContactList />;
  if (recordId === '+csv') return <ImportContacts onBack={() => go({ screen: 'settings', section: 'contacts' })} />;
  return <ContactEditor id={recordId === '+' ? undefined : recordId} />;
}

function ContactList() {
  const { client, companyId, go, can } = useStudio();
  const personName = usePersonName();
  const say = usePartWords(settingsWords);
  const sayOfImport = usePartWords(importWords);
  const instant = useMoment();
  const [asked, setAsked] = useState('');
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [query, setQuery] = useSettled(asked, (text) => {
    setAsked(text);
    setCursors([]);
  });
  const cursor = cursors.at(-1);
  const { value, error, reload, isSignedOut } = useLoaded(`contacts/${companyId}/${asked}/${cursor ?? ''}`, async () =>
    (await client.operations()).listContacts({
      path: { companyId },
      query: { limit: 50, ...(asked !== '' && { query: asked }), ...(cursor !== undefined && { cursor }) },
    }),
  );
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  return (
    <section aria-label={say('settings.contacts')}>
      <header className="page-head">
        <h2>{say('settings.contacts')}</h2>
        <label>
          {say('settings.search')} <input type="search" value={query} dir="auto" onChange={({ target }) => setQuery(target.value)} />
        </label>
        <span className="spring" />
        {can('operate') && (
          <>
            <button type="button" onClick={() => go({ screen: 'settings', section: 'contacts', recordId: '+csv' })}>
              {sayOfImport('import.title')}
            </button>
            <button type="button" className="primary" onClick={() => go({ screen: 'settings', section: 'contacts', recordId: '+' })}>
              <Plus size={14} aria-hidden /> {say('settings.new')}
            </button>
          </>
        )}
      </header>
      {value === undefined ? (
        <Loading error={error} onRetry={reload} />
      ) : value.results.length === 0 ? (
        asked === '' ? (
          <EmptyList section="contacts" />
        ) : (
          <p className="quiet-text">{say('settings.noMatch', { text: asked })}</p>
        )
      ) : (
        <table className="contacts">
          <thead>
            <tr>
              <th>{say('settings.name')}</th>
              <th>{say('settings.identities')}</th>
              <th>{say('settings.groups')}</th>
              <th>{say('settings.consent')}</th>
              <th>{say('settings.lastSeen')}</th>
            </tr>
          </thead>
          <tbody>
            {value.results.map(({ id, identities, names, groups, consent, lastInboundAt }) => (
              <tr key={id}>
                <td>
                  <Go view={{ screen: 'settings', section: 'contacts', recordId: id }}>{personName(names, nameOf({ identities, id }))}</Go>
                </td>
                <td>
                  <code>{identitiesOf({ identities })}</code>
                </td>
                <td dir="auto" data-label={groups.length > 0 ? say('settings.groups') : undefined}>
                  {groups.join(', ')}
                </td>
                <td data-label={say('settings.consent')}>{say(`settings.consent.${consent.marketing}`)}</td>
                <td data-label={lastInboundAt === undefined ? undefined : say('settings.lastSeen')}>
                  {lastInboundAt === undefined ? '' : instant(lastInboundAt)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="acts">
        {cursors.length > 0 && (
          <button type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
            {say('settings.before')}
          </button>
        )}
        {typeof value?.nextCursor === 'string' && (
          <button type="button" onClick={() => setCursors([...cursors, value.nextCursor ?? ''])}>
            {say('settings.more')}
          </button>
        )}
      </p>
    </section>
  );
}

/** Countries write the mark of a mobile phone before the last eight digits, or leave it out. */
const numberEnd = /^\d+(\d{8})$/;

/** The numbers and accounts by which a contact is known, each once: another spelling of the same number says nothing more. */
function identitiesOf({ identities }: Pick<Contact, 'identities'>): string {
  const byEnd = new Map(identities.toReversed().map(({ value }) => [numberEnd.exec(value)?.[1] ?? value, value]));
  return [...byEnd.values()].reverse().join(', ');
}

/** What a contact is known by while there is no name: a number or an account. */
const nameOf = ({ identities, id }: Pick<Contact, 'identities' | 'id'>): string => identities[0]?.value ?? id;

function ContactEditor({ id }: { readonly id: string | undefined }) {
  const { client, companyId } = useStudio();
  const { value, error, reload } = useLoaded(`contact/${companyId}/${id}`, async () => {
    const { getContact, getCompany } = await client.operations();
    const [contact, { company }] = await Promise.all([
      id === undefined ? undefined : getContact({ path: { companyId, id } }),
      getCompany({ path: { companyId } }),
    ]);
    return { contact, fields: readContactFields(company) };
  });
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  return <ContactForm contact={value.contact} fields={value.fields} />;
}

function ContactForm({ contact, fields }: { readonly contact: Contact | undefined; readonly fields: readonly ContactField[] }) {
  const { client, companyId, go, can } = useStudio();
  const personName = usePersonName();
  const say = usePartWords(settingsWords);
  const form = useId();
  const { isBusy, reason, act } = useAct();
  const [isSaved, setSaved] = useState(false);
  const [value, setValue] = useState({
    id: contact?.id ?? '',
    names: contact?.names ?? '',
    locale: contact?.locale ?? '',
    timeZone: contact?.timeZone ?? '',
    groups: (contact?.groups ?? []).join(', '),
  });
  const [kept, setKept] = useState(() => Object.fromEntries(fields.map(({ key }) => [key, valueOf(contact?.fields, key)])));
  const save = async (): Promise<void> => {
    setSaved(false);
    const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
    const changed = fields.filter(({ key }) => kept[key] !== valueOf(contact?.fields, key));
    await (await client.operations()).changeContact({
      path: { companyId, id: value.id.trim() },
      body: {
        names: orNull(value.names),
        locale: orNull(value.locale),
        timeZone: orNull(value.timeZone),
        groups: value.groups.split(',').flatMap((group) => orNull(group) ?? []),
        ...(changed.length > 0 && { fields: Object.fromEntries(changed.map(({ key, type }) => [key, written(kept[key] ?? '', type)])) }),
      },
    });
    setSaved(true);
    if (contact === undefined) go({ screen: 'settings', section: 'contacts', recordId: value.id.trim() }, { replace: true });
  };
  const field = (name: keyof typeof value, label: string) => (
    <div className="field">
      <label htmlFor={`${form}-${name}`}>{label}</label>
      <input
        id={`${form}-${name}`}
        value={value[name]}
        readOnly={!can('operate')}
        dir="auto"
        onChange={({ target }) => setValue({ ...value, [name]: target.value })}
      />
    </div>
  );
  return (
    <section aria-label={value.names === '' ? value.id : value.names}>
      <button type="button" className="link" onClick={() => go({ screen: 'settings', section: 'contacts' })}>
        ← {say('settings.back')}
      </button>
      <h2 dir="auto">{contact === undefined ? say('settings.new') : personName(contact.names, nameOf(contact))}</h2>
      <form
        className="record-form form"
        onSubmit={(event) => {
          event.preventDefault();
          act(save);
        }}
      >
        {contact === undefined ? (
          field('id', say('settings.phoneId'))
        ) : (
          <p>
            {say('settings.identities')} <code>{identitiesOf(contact)}</code>
          </p>
        )}
        {field('names', say('settings.name'))}
        {field('locale', say('settings.locale'))}
        {field('timeZone', say('settings.timeZone'))}
        {field('groups', say('settings.groups'))}
        {fields.map(({ key, label, type }) => (
          <div className="field" key={key}>
            <label htmlFor={`${form}-own-${key}`} dir="auto">
              {label ?? key}
            </label>
            <input
              id={`${form}-own-${key}`}
              type={type === 'date' ? 'date' : type === 'number' ? 'number' : 'text'}
              step="any"
              value={kept[key] ?? ''}
              readOnly={!can('operate')}
              dir="auto"
              onChange={({ target }) => setKept({ ...kept, [key]: target.value })}
            />
          </div>
        ))}
        {can('operate') && (
          <button type="submit" className="primary" disabled={isBusy || value.id.trim() === ''}>
            {say('settings.save')}
          </button>
        )}
        <Refused reason={reason} />
        {isSaved && <p role="status">{say('settings.saved')}</p>}
      </form>
      {contact !== undefined && can('operate') && <WholeContact contact={contact} />}
    </section>
  );
}

/** What is done to a person as a whole: all that is kept is saved as a file, or erased. */
function WholeContact({ contact: { id, consent } }: { readonly contact: Contact }) {
  const { client, companyId, go } = useStudio();
  const say = usePartWords(importWords);
  const sayAll = usePartWords(settingsWords);
  const { isBusy, reason, act } = useAct();
  const [isErasing, setErasing] = useState(false);
  const [jobId, setJobId] = useState<string>();
  const path = { companyId, id };
  const save = () =>
    act(async () => {
      const kept = await (await client.operations()).exportContact({ path });
      saveFile(`${id}.json`, `${JSON.stringify(kept, null, 2)}\n`, 'application/json');
    });
  const erase = () =>
    act(async () => {
      setErasing(false);
      setJobId((await (await client.operations()).eraseContact({ path })).jobId);
    });
  return (
    <>
      <p>
        {sayAll('settings.consent')}: {sayAll(`settings.consent.${consent.marketing}`)}
        {consent.evidence !== undefined && (
          <>
            {' '}
            · <code>{consent.evidence}</code>
          </>
        )}
      </p>
      <Refused reason={reason} />
      {jobId !== undefined ? (
        <p role="status">
          {say('contact.erasing')}{' '}
          <button type="button" className="link" onClick={() => go({ screen: 'jobs', jobId })}>
            {say('contact.jobs')}
          </button>
        </p>
      ) : (
        <p className="buttons">
          <button type="button" disabled={isBusy} onClick={save}>
            {say('contact.export')}
          </button>
          <button type="button" disabled={isBusy} onClick={() => setErasing(true)}>
            {say('contact.erase')}
          </button>
        </p>
      )}
      {isErasing && (
        <ReallyDialog action={say('contact.erase')} question={say('contact.reallyErase')} onDo={erase} onClose={() => setErasing(false)} />
      )}
    </>
  );
}

/** What was written, as the type of the field has it; nothing takes the value away. */
function written(text: string, type: string): Json {
  if (text.trim() === '') return null;
  if (type === 'number') return Number(text);
  if (type === 'bool') return /^(true|yes|sí|si|1)$/i.test(text.trim());
  return type === 'list' ? text.split(',').map((one) => one.trim()) : text;
}
