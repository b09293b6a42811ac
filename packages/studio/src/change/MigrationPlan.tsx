// The waiting executions by verdict, with what to do about each group.
import { type FormEvent, useState } from 'react';
import type { Overlay } from '../board/overlay.ts';
import { type CanvasJson, portKey } from '../canvas/canvas-json.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { CanvasView } from '../components/CanvasView.tsx';
import { textIn } from '../parts/form-text.ts';
import { Loading } from '../parts/parts.tsx';
import { usePartWords } from '../words/part.ts';
import { useDetailText } from '../words/problem-words.ts';
import { acceptableKinds, readValue } from './accepted.ts';
import { changeWords } from './change-words.ts';
import type { Migrating, PlanGroup, Standing } from './use-migration.ts';

interface PlanProps {
  readonly migrating: Migrating;
  /** The content that they would come to. */
  readonly canvas: CanvasJson;
  /** Where a node has its name that the canvas no longer has. */
  readonly before?: Pick<CanvasJson, 'nodes'> | undefined;
}

/** The groups of a plan, and what is decided for each. */
export function MigrationPlan({ migrating, canvas, before }: PlanProps) {
  const nameOf = useNodeName({ nodes: [...canvas.nodes, ...(before?.nodes ?? [])] });
  const { plan, read, error, reload, draft, change, accepted, accept, to } = migrating;
  const say = usePartWords(changeWords);
  if (plan === undefined && error === undefined) return <p role="status">{say('plan.busy', { read })}</p>;
  if (plan === undefined) return <Loading error={error} onRetry={reload} />;
  if (plan.read === 0) return <p className="quiet-text">{say('plan.none')}</p>;
  const renames = Object.entries(plan.nodes);
  return (
    <>
      <p>{say('plan.about', { count: plan.read, version: to })}</p>
      <ul className="change-list">
        {plan.groups.map((group) => (
          <li key={`${group.kind} ${group.nodeId} ${group.message}`}>
            <Group group={group} migrating={migrating} canvas={canvas} nameOf={nameOf} />
          </li>
        ))}
      </ul>
      {draft.nodes === undefined && renames.length > 0 && (
        <p>
          {say('plan.renames', { names: renames.map(([was, after]) => `${nameOf(was)} → ${nameOf(after)}`).join(', ') })}{' '}
          <button type="button" onClick={() => change({ ...draft, nodes: plan.nodes })}>
            {say('plan.rename')}
          </button>
        </p>
      )}
      {acceptableKinds.map((kind) => {
        const count = plan.counts[kind] ?? 0;
        if (count === 0) return null;
        return (
          <label key={kind} className="check">
            <input type="checkbox" checked={accepted.has(kind)} onChange={({ target }) => accept(kind, target.checked)} />{' '}
            {say('plan.accept', { count, kind: say(`plan.kind.${kind}`) })}
          </label>
        );
      })}
    </>
  );
}

function Group({
  group: { kind, nodeId, message, way, needs = [], count },
  migrating,
  canvas,
  nameOf,
}: {
  readonly group: PlanGroup;
  readonly migrating: Migrating;
  readonly canvas: CanvasJson;
  readonly nameOf: (nodeId: string) => string;
}) {
  const { draft } = migrating;
  const say = usePartWords(changeWords);
  const detailOf = useDetailText();
  const [isShown, setShown] = useState(false);
  const isDecided = Object.hasOwn(draft.at ?? {}, nodeId);
  return (
    <>
      <span dir="auto">
        <b>{count}</b> {nodeId !== '' && say('plan.waitsAt', { node: nameOf(nodeId) })}{' '}
        <span className={tone(kind)}>{say(`plan.kind.${kind}`)}</span>
      </span>
      {message !== '' && (
        <p className="help" dir="auto">
          {detailOf(message)}
        </p>
      )}
      {way.length > 1 && (
        <button type="button" className="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {say(isShown ? 'plan.hideWay' : 'plan.way')}
        </button>
      )}
      {isShown && (
        <div className="change-picture">
          <CanvasView canvas={canvas} overlay={wayOverlay(canvas, way)} inView={way.at(-1)} />
        </div>
      )}
      {kind === 'needs' && <Values paths={needs} migrating={migrating} />}
      {nodeId !== '' && (kind === 'refused' || kind === 'needs' || isDecided) && (
        <StandingField nodeId={nodeId} migrating={migrating} canvas={canvas} nameOf={nameOf} />
      )}
    </>
  );
}

const tone = (kind: PlanGroup['kind']): string =>
  kind === 'same' ? 'good' : kind === 'refused' || kind === 'needs' ? 'bad' : kind === 'changed' ? 'warn' : '';

/** The nodes of a way, and the wires between them. */
function wayOverlay(canvas: CanvasJson, way: readonly string[]): Overlay {
  const nodes = new Set(way);
  const steps = new Set(way.slice(1).map((nodeId, index) => JSON.stringify([way[index], nodeId])));
  const ports = canvas.edges
    .filter(({ source, target }) => steps.has(JSON.stringify([source, target])))
    .map(({ source, sourceHandle }) => portKey(source, sourceHandle ?? ''));
  return { way: { nodes, ports: new Set(ports), at: way.at(-1) } };
}

/** What becomes of those that wait at a node. */
function StandingField({
  nodeId,
  migrating: { draft, change },
  canvas,
  nameOf,
}: {
  readonly nodeId: string;
  readonly migrating: Migrating;
  readonly canvas: CanvasJson;
  readonly nameOf: (nodeId: string) => string;
}) {
  const say = usePartWords(changeWords);
  const standing = draft.at?.[nodeId];
  const chosen = standing === undefined || standing === 'keep' ? 'keep' : 'enter' in standing ? `enter ${standing.enter}` : 'cancel';
  const choose = (value: string): void => {
    const next: Standing =
      value === 'keep' ? 'keep' : value === 'cancel' ? { cancel: say('plan.cancelled') } : { enter: value.slice('enter '.length) };
    change({ ...draft, at: { ...draft.at, [nodeId]: next } });
  };
  return (
    <label className="field">
      {say('plan.at', { node: nameOf(nodeId) })}{' '}
      <select value={chosen} onChange={({ target }) => choose(target.value)}>
        <option value="keep">{say('plan.at.keep')}</option>
        <option value="cancel">{say('plan.at.cancel')}</option>
        {canvas.nodes
          .filter(({ type }) => type !== 'note')
          .map(({ id }) => (
            <option key={id} value={`enter ${id}`}>
              {say('plan.at.enter', { node: nameOf(id) })}
            </option>
          ))}
      </select>
    </label>
  );
}

/** A field for each variable that is read, and that nothing has written. */
function Values({ paths, migrating: { draft, change } }: { readonly paths: readonly string[]; readonly migrating: Migrating }) {
  const say = usePartWords(changeWords);
  const set = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const values = paths.map((path) => [path, readValue(textIn(form, path))] as const);
    change({ ...draft, set: { ...draft.set, ...Object.fromEntries(values) } });
  };
  return (
    <form className="form" onSubmit={set}>
      {paths.map((path) => (
        <label key={path} className="field">
          {say('plan.value', { path })} <input name={path} required dir="auto" />
        </label>
      ))}
      <p>
        <button type="submit">{say('plan.set')}</button>
      </p>
    </form>
  );
}
