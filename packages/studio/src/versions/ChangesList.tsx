import type { CanvasDiff } from '@hilo/engine/authoring';
import { markOf } from '../canvas/diff.ts';
import { usePortWord, useWords } from '../words/words.tsx';

interface ChangesListProps {
  readonly changes: CanvasDiff;
  /** What a node is called, in one of the two canvases. */
  readonly nameOf: (nodeId: string) => string;
  readonly onOpen?: (nodeId: string) => void;
}

/** The changes in words: nodes with their fields, edges, settings. Texts are shown side by side. */
export function ChangesList({ changes, nameOf, onOpen }: ChangesListProps) {
  const say = useWords();
  const portWord = usePortWord();
  const sign = { added: '+', removed: '−', changed: '~' } as const;
  const named = (nodeId: string) =>
    onOpen === undefined ? (
      <b dir="auto">{nameOf(nodeId)}</b>
    ) : (
      <button type="button" className="link" onClick={() => onOpen(nodeId)}>
        {nameOf(nodeId)}
      </button>
    );
  return (
    <ul className="changes">
      {changes.nodes.map(({ nodeId, kind, fields }) => (
        <li key={nodeId} className={kind}>
          <span className="mark" aria-hidden>
            {sign[kind]}
          </span>{' '}
          {say(`diff.${kind}`)}: {named(nodeId)}
          {kind === 'changed' && <Fields fields={fields} />}
        </li>
      ))}
      {changes.edges.map((edge) => {
        const { source, port = '', before, after } = edge;
        const kind = markOf(edge);
        return (
          <li key={`${source}\0${port}`} className={kind}>
            <span className="mark" aria-hidden>
              {sign[kind]}
            </span>{' '}
            {say(`diff.${kind}`)}: {say('diff.way', { source: nameOf(source), port: portWord(port, undefined) })} <del>{before}</del>{' '}
            <ins>{after}</ins>
          </li>
        );
      })}
      {changes.settings.length > 0 && (
        <li className="changed">
          <span className="mark" aria-hidden>
            ~
          </span>{' '}
          {say('diff.settings')}
          <Fields fields={changes.settings} />
        </li>
      )}
    </ul>
  );
}

type ChangedFields = CanvasDiff['settings'];

function Fields({ fields }: { readonly fields: ChangedFields }) {
  if (fields.length === 0) return null;
  const text = (value: ChangedFields[number]['before']): string =>
    value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <dl>
      {fields.map(({ pointer, before, after }) => (
        <div key={pointer}>
          <dt>
            <code>{pointer}</code>
          </dt>
          <dd dir="auto">
            {before !== undefined && <del>{text(before)}</del>} {after !== undefined && <ins>{text(after)}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
