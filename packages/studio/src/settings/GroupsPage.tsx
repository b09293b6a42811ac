// The groups and segments of the company: how many people are in a group, and whom the condition of a segment fits.
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Operations } from '../api/operations.ts';
import { Go } from '../parts/Go.tsx';
import { SignedOut } from '../parts/LoginForm.tsx';
import { Loading, Missing } from '../parts/parts.tsx';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { accessWords } from './access-words.ts';
import { readContactFields } from './contact-fields.ts';
import { ReallyDialog } from './ReallyDialog.tsx';
import { SegmentForm } from './SegmentForm.tsx';
import { settingsWords } from './settings-words.ts';

type Segment = Awaited<ReturnType<Operations['getSegment']>>;
type Group = Awaited<ReturnType<Operations['listContactGroups']>>['results'][number];

export function GroupsPage({ recordId }: { readonly recordId: string | undefined }) {
  const { client, companyId, go } = useStudio();
  const { value, error, reload, isSignedOut } = useLoaded(`groups/${companyId}`, async () => {
    const { listContactGroups, listSegments, getCompany } = await client.operations();
    const [groups, segments, { company }] = await Promise.all([
      listContactGroups({ path: { companyId } }),
      listSegments({ path: { companyId } }),
      getCompany({ path: { companyId } }),
    ]);
    return { groups: groups.results, segments: segments.results, fields: readContactFields(company) };
  });
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  if (recordId === undefined) return <Lists groups={value.groups} segments={value.segments} onChanged={reload} />;
  const segment = value.segments.find(({ name }) => name === recordId);
  if (segment === undefined && recordId !== '+')
    return <Missing text={recordId} onBack={() => go({ screen: 'settings', section: 'groups' })} />;
  return (
    <SegmentForm key={recordId} segment={segment} fields={value.fields} groups={value.groups.map(({ name }) => name)} onChanged={reload} />
  );
}

interface ListsProps {
  readonly groups: readonly Group[];
  readonly segments: readonly Segment[];
  readonly onChanged: () => void;
}

function Lists({ groups, segments, onChanged }: ListsProps) {
  const { client, companyId, go, can } = useStudio();
  const say = usePartWords(accessWords);
  const sayAll = usePartWords(settingsWords);
  const { isBusy, reason, act } = useAct();
  const [removing, setRemoving] = useState<string>();
  const remove = (name: string) =>
    act(async () => {
      setRemoving(undefined);
      await (await client.operations()).removeContactGroup({ path: { companyId, group: name } });
      onChanged();
    });
  return (
    <section aria-label={say('groups.title')}>
      <h2>{say('groups.groups')}</h2>
      <p className="help">{say('groups.groupsHelp')}</p>
      <Refused reason={reason} />
      {groups.length === 0 ? (
        <p className="quiet-text">
          {say('groups.noGroups')} <Go view={{ screen: 'settings', section: 'contacts' }}>{sayAll('settings.contacts')}</Go>
        </p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>{sayAll('settings.name')}</th>
              <th>{say('groups.people')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {groups.map(({ name, contacts }) => (
              <tr key={name}>
                <td dir="auto">{name}</td>
                <td data-label={say('groups.people')}>{contacts}</td>
                <td className="buttons">
                  {can('operate') && (
                    <button
                      type="button"
                      disabled={isBusy}
                      aria-label={`${sayAll('settings.remove')}: ${name}`}
                      onClick={() => setRemoving(name)}
                    >
                      {sayAll('settings.remove')}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <header className="page-head">
        <h2>{say('groups.segments')}</h2>
        <span className="spring" />
        {can('operate') && (
          <button type="button" className="primary" onClick={() => go({ screen: 'settings', section: 'groups', recordId: '+' })}>
            <Plus size={14} aria-hidden /> {say('groups.addSegment')}
          </button>
        )}
      </header>
      <p className="help">{say('groups.segmentsHelp')}</p>
      {segments.length === 0 ? (
        <p className="quiet-text">{say('groups.noSegments')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>{sayAll('settings.name')}</th>
              <th>{say('groups.condition')}</th>
            </tr>
          </thead>
          <tbody>
            {segments.map(({ name, condition }) => (
              <tr key={name}>
                <td>
                  <Go view={{ screen: 'settings', section: 'groups', recordId: name }}>{name}</Go>
                </td>
                <td>
                  <code>{condition}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {removing !== undefined && (
        <ReallyDialog
          action={sayAll('settings.remove')}
          question={say('groups.reallyRemoveGroup', { name: removing })}
          onDo={() => remove(removing)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </section>
  );
}
