import type { Problem } from '@hilo/engine/contract';
import { useId, useState } from 'react';
import { ApiError, type Version } from '../api/client.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { countChanges } from '../canvas/diff.ts';
import { Dialog, Loading } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { ChangesList } from '../versions/ChangesList.tsx';
import type { EngineClient } from '../worker/engine-client.ts';
import { useWords } from '../words/words.tsx';
import { Published } from './Published.tsx';
import { takeoversOf } from './rivals.ts';
import { TakeoverList } from './TakeoverList.tsx';

interface PublishDialogProps {
  readonly canvas: CanvasJson;
  readonly revision: number | undefined;
  readonly problems: readonly Problem[];
  readonly engine: EngineClient;
  readonly onPublished: (version: number) => void;
  readonly onClose: () => void;
}

/** The effect of publishing, in advance: the changes, the problems, and what happens to each waiting execution. */
export function PublishDialog({ canvas, revision, problems, engine, onPublished, onClose }: PublishDialogProps) {
  const { client, companyId } = useStudio();
  const say = useWords();
  const noteId = useId();
  const [note, setNote] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [reason, setReason] = useState<string>();
  const [done, setDone] = useState<Version>();
  const [webhooks, setWebhooks] = useState<{ readonly [channel: string]: string }>({});
  const {
    value: live,
    error: unread,
    reload,
  } = useLoaded(`live/${canvas.id}`, async () => {
    const { results } = await client.versions(companyId, canvas.id);
    const version = results.at(-1)?.version;
    if (version === undefined) return { version: 0 };
    const before = await client.version(companyId, canvas.id, version);
    return { version, before, changes: await engine.diff(before, canvas) };
  });
  const { value: population } = useLoaded(`population/${canvas.id}`, () =>
    client.population(companyId, canvas.id).catch(() => ({ versions: [] })),
  );
  const { value: companyProblems } = useLoaded(`takeovers/${canvas.id}`, () => client.validate(companyId, canvas).catch(() => []));
  const changes = live?.changes;
  const isSame = changes !== undefined && countChanges(changes) === 0;
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.filter(({ severity, code }) => severity === 'warning' && !code.startsWith('SAME_')); // listed apart

  const published = async (version: Version): Promise<void> => {
    setDone(version);
    onPublished(version.version);
    setWebhooks((await client.draft(companyId, canvas.id)).webhooks);
  };
  const publish = async (): Promise<void> => {
    setBusy(true);
    setReason(undefined);
    try {
      await published(
        await client.publish(companyId, canvas.id, { ...(note !== '' && { note }), ...(revision !== undefined && { revision }) }),
      );
    } catch (error) {
      setReason(error instanceof ApiError || error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  /** The content of the version before becomes the draft, and the next version. */
  const publishAgain = async (before: CanvasJson): Promise<void> => {
    const saved = await client.save(companyId, before, (await client.draft(companyId, canvas.id)).revision);
    if (saved.kind !== 'saved') return setReason(saved.kind === 'refused' ? saved.reason : say(`saving.${saved.kind}`));
    return published(await client.publish(companyId, canvas.id, { revision: saved.revision }));
  };

  const before = live?.before;
  if (done !== undefined)
    return (
      <Dialog title={say('publish.title')} onClose={onClose}>
        <Published workflowId={canvas.id} version={done.version} webhooks={webhooks} />
        {live !== undefined && before !== undefined && live.version !== done.version && (
          <button type="button" onClick={() => void publishAgain(before).catch((error: unknown) => setReason(String(error)))}>
            {say('publish.undo', { version: live.version })}
          </button>
        )}
        {reason !== undefined && (
          <p role="alert" className="field-problem error">
            {reason}
          </p>
        )}
        <p className="buttons">
          <button type="button" className="primary" onClick={onClose}>
            {say('app.close')}
          </button>
        </p>
      </Dialog>
    );
  return (
    <Dialog title={say('publish.title')} onClose={onClose} wide>
      {live === undefined && <Loading error={unread} onRetry={reload} />}
      {live?.version === 0 && <p>{say('publish.first')}</p>}
      {live !== undefined && isSame && <p>{say('publish.same', { version: live.version })}</p>}
      {live !== undefined && changes !== undefined && !isSame && <h3>{say('publish.changes', { version: live.version })}</h3>}
      {changes !== undefined && <ChangesList changes={changes} />}
      {(population?.versions ?? [])
        .filter(({ waiting, running }) => waiting + running > 0)
        .map(({ version, waiting, running, nodes }) => (
          <p key={version} className="population">
            {say('publish.waits', { count: waiting + running, version })}{' '}
            {nodes.map(({ nodeId, waiting: here }) => say('publish.waitsAt', { count: here, node: nodeId })).join(', ')}
          </p>
        ))}
      <TakeoverList takeovers={takeoversOf(canvas.id, companyProblems ?? [])} />
      {errors.length > 0 && <h3 className="bad">{say('publish.errors', { count: errors.length })}</h3>}
      {errors.length > 0 && (
        <ul>
          {errors.slice(0, 10).map((problem, index) => (
            <li key={index} dir="auto">
              {problem.message}
            </li>
          ))}
        </ul>
      )}
      {warnings.length > 0 && <h3>{say('publish.warnings', { count: warnings.length })}</h3>}
      {warnings.length > 0 && (
        <ul>
          {warnings.slice(0, 10).map((problem, index) => (
            <li key={index} dir="auto">
              {problem.message}
            </li>
          ))}
        </ul>
      )}
      <div className="field">
        <label htmlFor={noteId}>{say('publish.note')}</label>
        <textarea id={noteId} rows={2} maxLength={1_000} value={note} onChange={({ target }) => setNote(target.value)} />
      </div>
      {reason !== undefined && (
        <p role="alert" className="field-problem error">
          {reason}
        </p>
      )}
      <p className="buttons">
        <button type="button" onClick={onClose}>
          {say('app.cancel')}
        </button>
        <button
          type="button"
          className="primary"
          disabled={errors.length > 0 || isBusy || live === undefined}
          onClick={() => void publish()}
        >
          {isSame && live !== undefined
            ? say('publish.again', { version: live.version })
            : say('publish.do', { version: (live?.version ?? 0) + 1 })}
        </button>
      </p>
    </Dialog>
  );
}
