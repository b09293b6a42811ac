// The versions of a workflow.
import { ArrowLeft } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useEngine } from '../worker/engine-client.ts';
import { SignedOut } from '../parts/LoginForm.tsx';
import { ModeButton } from '../parts/ModeButton.tsx';
import { IconButton, Loading } from '../parts/parts.tsx';
import { useFocusAtOnce } from '../parts/use-focus-kept.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { useWords } from '../words/words.tsx';
import { countChanges } from '../canvas/diff.ts';
import { CanvasDiff } from '../components/CanvasDiff.tsx';
import { BringDialog } from './BringDialog.tsx';
import { ChangesList } from './ChangesList.tsx';
import { GatePanel } from './GatePanel.tsx';
import { useVersionActs } from './use-version-acts.ts';
import { VersionItem } from './VersionItem.tsx';

/** Published versions, and the difference of any two, or of one and the draft. */
export function VersionsScreen({ workflowId }: { readonly workflowId: string }) {
  const { client, companyId, go, worker } = useStudio();
  const engine = useEngine(worker);
  const say = useWords();
  const [chosen, setChosen] = useState<{ readonly from?: string; readonly to?: string }>({});
  const [at, setAt] = useState<string>();
  const { value, error, reload, isSignedOut } = useLoaded(`versions/${workflowId}`, async () => ({
    draft: await client.draft(companyId, workflowId),
    versions: (await client.versions(companyId, workflowId)).results.toReversed(),
    population: await client.population(companyId, workflowId).catch(() => ({ versions: [] })),
  }));
  const { acts, reason, bringing, stopBringing } = useVersionActs(workflowId, value?.draft, reload);
  const from = chosen.from ?? String(value?.versions[0]?.version ?? '');
  const to = chosen.to ?? 'draft';
  const canvasOf = async (name: string) =>
    name === 'draft' ? (await client.draft(companyId, workflowId)).canvas : client.version(companyId, workflowId, Number(name));
  const {
    value: compared,
    error: notCompared,
    reload: compareAgain,
  } = useLoaded(`compare/${workflowId}/${from}/${to}`, async () => {
    if (from === '') return undefined;
    const [before, after] = [await canvasOf(from), await canvasOf(to)];
    return { before, after, changes: await engine.diff(before, after) };
  });
  const changes = compared?.changes;
  const nameOf = (version: string): string => (version === 'draft' ? say('versions.draft').toLowerCase() : `v${version}`);
  const main = useRef<HTMLElement>(null);
  useFocusAtOnce(main, value !== undefined);
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  const places = changes?.nodes.map(({ nodeId }) => nodeId) ?? [];
  const step = (by: number): void => setAt(places[(places.indexOf(at ?? '') + by + places.length) % Math.max(1, places.length)]);
  const standingOn = (wanted: number): number =>
    value.population.versions.filter(({ version }) => version === wanted).reduce((sum, { running, waiting }) => sum + running + waiting, 0);
  return (
    <main
      className="split"
      ref={main}
      tabIndex={-1}
      onKeyDown={(event: KeyboardEvent) => {
        if ((event.target as HTMLElement).closest('input, select') === null && (event.key === '[' || event.key === ']'))
          step(event.key === ']' ? 1 : -1);
      }}
    >
      <header className="top-bar">
        <IconButton label={say('editor.back')} onClick={() => go({ screen: 'editor', workflowId })}>
          <ArrowLeft size={18} aria-hidden />
        </IconButton>
        <h1 dir="auto">
          {value.draft.canvas.name} · {say('versions.title')}
        </h1>
        <span className="spring" />
        {(['from', 'to'] as const).map((side) => (
          <label key={side}>
            {say(`versions.${side}`)}{' '}
            <select value={side === 'from' ? from : to} onChange={({ target }) => setChosen({ ...chosen, [side]: target.value })}>
              {value.versions.map(({ version }) => (
                <option key={version} value={version}>
                  v{version}
                </option>
              ))}
              <option value="draft">{say('versions.draft')}</option>
            </select>
          </label>
        ))}
        <ModeButton />
      </header>
      <div className="stage">
        {compared !== undefined ? (
          <CanvasDiff {...compared} inView={at} />
        ) : (
          from !== '' && <Loading error={notCompared} onRetry={compareAgain} />
        )}
      </div>
      <aside className="side" aria-label={say('versions.title')}>
        {reason !== undefined && (
          <p role="alert" className="field-problem error">
            {reason}
          </p>
        )}
        <GatePanel workflowId={workflowId} gate={value.draft.gate} isPublished={value.versions.length > 0} onChanged={reload} />
        {value.versions.length === 0 && <p className="quiet-text">{say('versions.none')}</p>}
        <ul className="versions">
          {value.versions.map((published, index) => (
            <VersionItem
              key={published.version}
              {...published}
              standing={standingOn(published.version)}
              isNewest={index === 0}
              isWanted={value.population.versions.some(({ version }) => version !== published.version && standingOn(version) > 0)}
              acts={acts}
            />
          ))}
        </ul>
        {changes !== undefined && <h2>{say('versions.compare', { from: nameOf(from), to: nameOf(to) })}</h2>}
        {compared !== undefined &&
          changes !== undefined &&
          (countChanges(changes) === 0 ? (
            <p className="quiet-text">{say('versions.same')}</p>
          ) : (
            <ChangesList changes={changes} nodes={[...compared.after.nodes, ...compared.before.nodes]} onOpen={setAt} />
          ))}
      </aside>
      {bringing !== undefined && <BringDialog {...bringing} onDone={reload} onClose={stopBringing} />}
    </main>
  );
}
