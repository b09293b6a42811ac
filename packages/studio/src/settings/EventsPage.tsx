// Who is told of what happens in the company: addresses with the events that each hears, what is on its way, and its last answers.
import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import type { Operations } from '../api/operations.ts';
import { Go } from '../parts/Go.tsx';
import { SignedOut } from '../parts/LoginForm.tsx';
import { Loading, Missing } from '../parts/parts.tsx';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useMoment } from '../words/moment.ts';
import { accessWords } from './access-words.ts';
import { Copied } from './Copied.tsx';
import { ReallyDialog } from './ReallyDialog.tsx';
import { settingsWords } from './settings-words.ts';

type Subscription = Awaited<ReturnType<Operations['getEventSubscription']>>;
type Delivery = Awaited<ReturnType<Operations['listEventDeliveries']>>['results'][number];

/** The kinds of events, by which one subscribes to all of a kind; `*` is everything. */
type Kind = Delivery['type'] extends infer Name ? (Name extends `${infer Begin}.${string}` ? Begin : never) : never;
const kinds = ['message', 'execution', 'contact', 'conversation', 'workflow', 'campaign', 'job'] as const satisfies readonly Kind[];

const dayMs = 86_400_000;

export function EventsPage({ recordId }: { readonly recordId: string | undefined }) {
  /** The secret that was drawn for the newest one, by its id: it is shown until this page is left. */
  const [drawn, setDrawn] = useState<{ readonly id: string; readonly secret: string }>();
  if (recordId === undefined) return <SubscriptionList />;
  if (recordId === '+') return <SubscriptionForm onMade={setDrawn} />;
  return <OneSubscription key={recordId} id={recordId} secret={drawn?.id === recordId ? drawn.secret : undefined} />;
}

function SubscriptionList() {
  const { client, companyId, go, can } = useStudio();
  const say = usePartWords(accessWords);
  const eventWords = useEventWords();
  const { value, error, reload, isSignedOut } = useLoaded(`events/${companyId}`, async () =>
    (await client.operations()).listEventSubscriptions({ path: { companyId } }),
  );
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  return (
    <section aria-label={say('events.title')}>
      <header className="page-head">
        <h2>{say('events.title')}</h2>
        <span className="spring" />
        {can('admin') && (
          <button type="button" className="primary" onClick={() => go({ screen: 'settings', section: 'events', recordId: '+' })}>
            <Plus size={14} aria-hidden /> {say('events.add')}
          </button>
        )}
      </header>
      {value.results.length === 0 ? (
        <p className="quiet-text">{say('events.none')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>{say('events.address')}</th>
              <th>{say('events.what')}</th>
              <th>{say('events.state')}</th>
            </tr>
          </thead>
          <tbody>
            {value.results.map(({ id, url, events, paused }) => (
              <tr key={id}>
                <td>
                  <Go view={{ screen: 'settings', section: 'events', recordId: id }} dir="ltr">
                    {url}
                  </Go>
                </td>
                <td>{eventWords(events)}</td>
                <td>{paused && say('events.paused')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** What a subscription hears, in words; a single event by its name. */
function useEventWords(): (events: readonly string[]) => string {
  const say = usePartWords(accessWords);
  return (events) =>
    events
      .map((name) => {
        const kind = kinds.find((one) => name === `${one}.*`);
        return name === '*' ? say('events.every') : kind === undefined ? name : say(`events.${kind}`);
      })
      .join(' · ');
}

function OneSubscription({ id, secret }: { readonly id: string; readonly secret: string | undefined }) {
  const { client, companyId, go } = useStudio();
  const say = usePartWords(accessWords);
  const { value, error, reload, isMissing, isSignedOut } = useLoaded(`event/${companyId}/${id}`, async () => {
    const { getEventSubscription, listEventDeliveries } = await client.operations();
    const path = { companyId, subscriptionId: id };
    const [subscription, deliveries] = await Promise.all([
      getEventSubscription({ path }),
      listEventDeliveries({ path, query: { limit: 20 } }),
    ]);
    return { subscription, deliveries: deliveries.results };
  });
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  if (isMissing) return <Missing text={id} onBack={() => go({ screen: 'settings', section: 'events' })} />;
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  return (
    <>
      {secret !== undefined && (
        <div role="status">
          <Copied label={say('events.secretIs')} text={secret} />
        </div>
      )}
      <SubscriptionForm subscription={value.subscription} onChanged={reload} />
      <Deliveries deliveries={value.deliveries} />
    </>
  );
}

interface SubscriptionFormProps {
  /** `undefined` for a new one. */
  readonly subscription?: Subscription;
  readonly onMade?: (drawn: { readonly id: string; readonly secret: string }) => void;
  readonly onChanged?: () => void;
}

function SubscriptionForm({ subscription, onMade, onChanged }: SubscriptionFormProps) {
  const { client, companyId, go, can } = useStudio();
  const say = usePartWords(accessWords);
  const sayAll = usePartWords(settingsWords);
  const form = useId();
  const { isBusy, reason, act } = useAct();
  const [url, setUrl] = useState(subscription?.url ?? '');
  const [events, setEvents] = useState<readonly string[]>(subscription?.events ?? ['*']);
  const [isSaved, setSaved] = useState(false);
  const save = async (): Promise<void> => {
    const { addEventSubscription, changeEventSubscription } = await client.operations();
    setSaved(false);
    if (subscription === undefined) {
      const made = await addEventSubscription({ path: { companyId }, body: { url: url.trim(), events } });
      if (made.secret !== undefined) onMade?.({ id: made.id, secret: made.secret });
      return go({ screen: 'settings', section: 'events', recordId: made.id }, { replace: true });
    }
    await changeEventSubscription({ path: { companyId, subscriptionId: subscription.id }, body: { url: url.trim(), events } });
    setSaved(true);
    return onChanged?.();
  };
  const isEvery = events.includes('*');
  const put = (name: string, isOn: boolean): void =>
    setEvents(isOn ? [...events.filter((one) => one !== '*'), name] : events.filter((one) => one !== name));
  // What is subscribed to one by one is kept, and has a box of its own.
  const single = events.filter((name) => name !== '*' && !kinds.some((kind) => name === `${kind}.*`));
  return (
    <section aria-label={subscription?.url ?? say('events.add')}>
      <button type="button" className="link" onClick={() => go({ screen: 'settings', section: 'events' })}>
        ← {sayAll('settings.back')}
      </button>
      <h2 dir="ltr">{subscription?.url ?? say('events.add')}</h2>
      <form
        className="record-form form"
        onSubmit={(event) => {
          event.preventDefault();
          act(save);
        }}
      >
        <div className="field">
          <label htmlFor={`${form}-url`}>{say('events.address')}</label>
          <input
            id={`${form}-url`}
            type="url"
            required
            value={url}
            readOnly={!can('admin')}
            placeholder="https://example.com/hook"
            dir="ltr"
            onChange={({ target }) => setUrl(target.value)}
          />
        </div>
        <fieldset disabled={!can('admin')}>
          <legend>{say('events.what')}</legend>
          <label>
            <input type="checkbox" checked={isEvery} onChange={({ target }) => setEvents(target.checked ? ['*'] : [])} />
            {say('events.every')}
          </label>
          {!isEvery &&
            [...kinds.map((kind) => [`${kind}.*`, say(`events.${kind}`)] as const), ...single.map((name) => [name, name] as const)].map(
              ([name, label]) => (
                <label key={name}>
                  <input type="checkbox" checked={events.includes(name)} onChange={({ target }) => put(name, target.checked)} />
                  {label}
                </label>
              ),
            )}
        </fieldset>
        {can('admin') && (
          <button type="submit" className="primary" disabled={isBusy || events.length === 0}>
            {sayAll('settings.save')}
          </button>
        )}
        <Refused reason={reason} />
        {isSaved && <p role="status">{sayAll('settings.saved')}</p>}
      </form>
      {subscription !== undefined && <SubscriptionActs subscription={subscription} onChanged={onChanged} />}
    </section>
  );
}

function SubscriptionActs({
  subscription: { id, url, paused, pending, parked },
  onChanged,
}: {
  readonly subscription: Subscription;
  readonly onChanged: (() => void) | undefined;
}) {
  const { client, companyId, go, can } = useStudio();
  const say = usePartWords(accessWords);
  const sayAll = usePartWords(settingsWords);
  const { isBusy, reason, act } = useAct();
  const [again, setAgain] = useState<number>();
  const [isRemoving, setRemoving] = useState(false);
  const path = { companyId, subscriptionId: id };
  const turn = () =>
    act(async () => {
      const { pauseEventSubscription, resumeEventSubscription } = await client.operations();
      await (paused ? resumeEventSubscription : pauseEventSubscription)({ path });
      onChanged?.();
    });
  const replay = () =>
    act(async () => {
      const from = new Date(Date.now() - dayMs).toISOString();
      const { replayed } = await (await client.operations()).replayEvents({ path, query: { from } });
      setAgain(replayed);
      onChanged?.();
    });
  const remove = () =>
    act(async () => {
      setRemoving(false);
      await (await client.operations()).removeEventSubscription({ path });
      go({ screen: 'settings', section: 'events' });
    });
  return (
    <>
      <p role="status">
        {[
          ...(paused ? [say('events.paused')] : []),
          say('events.waiting', { count: pending }),
          ...(parked > 0 ? [say('events.parked', { count: parked })] : []),
          ...(again === undefined ? [] : [say('events.sentAgain', { count: again })]),
        ].join(' · ')}
      </p>
      <p className="buttons">
        {can('operate') && (
          <>
            <button type="button" disabled={isBusy} onClick={turn}>
              {say(paused ? 'events.resume' : 'events.pause')}
            </button>
            <button type="button" disabled={isBusy} onClick={replay}>
              {say('events.again')}
            </button>
          </>
        )}
        {can('admin') && (
          <button type="button" disabled={isBusy} onClick={() => setRemoving(true)}>
            {sayAll('settings.remove')}
          </button>
        )}
      </p>
      <Refused reason={reason} />
      {isRemoving && (
        <ReallyDialog
          action={sayAll('settings.remove')}
          question={say('events.reallyRemove', { address: url })}
          onDo={remove}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
}

function Deliveries({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const say = usePartWords(accessWords);
  const instant = useMoment();
  return (
    <section aria-label={say('events.deliveries')}>
      <h3>{say('events.deliveries')}</h3>
      {deliveries.length === 0 ? (
        <p className="quiet-text">{say('events.noDeliveries')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>{say('events.event')}</th>
              <th>{say('events.when')}</th>
              <th>{say('events.state')}</th>
              <th>{say('events.answer')}</th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map(({ id, type, timestamp, state, lastAnswer }) => (
              <tr key={id}>
                <td>
                  <code>{type}</code>
                </td>
                <td>{instant(timestamp)}</td>
                <td className={state === 'parked' ? 'bad' : ''}>{say(`events.state.${state}`)}</td>
                <td dir="auto" data-label={say('events.answer')}>
                  {lastAnswer === null ? '' : (lastAnswer.status ?? lastAnswer.code)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
