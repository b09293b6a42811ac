// What differs between two canvases, as a list.
import type { CanvasDiff } from '@hilo/engine/authoring';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { markOf } from '../canvas/diff.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { useFieldPath } from '../forms/field-path.ts';
import { usePortWord, useWords } from '../words/words.tsx';
import { diffWords } from './word-diff.ts';

interface ChangesListProps {
  readonly changes: CanvasDiff;
  /** The nodes of both canvases, those of the newer one first: a node is called as it is called there. */
  readonly nodes: CanvasJson['nodes'];
  readonly onOpen?: (nodeId: string) => void;
}

/** The changes in words: nodes with their fields, edges, settings. */
export function ChangesList({ changes, nodes, onOpen }: ChangesListProps) {
  const say = useWords();
  const portWord = usePortWord();
  const fieldPath = useFieldPath();
  const nameOf = useNodeName({ nodes });
  const typeOf = (nodeId: string): string | undefined => nodes.find(({ id }) => id === nodeId)?.type;
  const targetOf = (nodeId: string | undefined): string => (nodeId === undefined ? '' : nameOf(nodeId));
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
          {kind === 'changed' && (
            <Fields fields={fields} nameOf={(steps) => fieldPath(typeOf(nodeId), steps[0] === 'data' ? steps.slice(1) : steps)} />
          )}
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
            {say(`diff.${kind}`)}: {say('diff.way', { source: nameOf(source), port: portWord(port, typeOf(source)) })}{' '}
            <del>{targetOf(before)}</del> <ins>{targetOf(after)}</ins>
          </li>
        );
      })}
      {changes.settings.length > 0 && (
        <li className="changed">
          <span className="mark" aria-hidden>
            ~
          </span>{' '}
          {say('diff.settings')}
          <Fields fields={changes.settings} nameOf={(steps) => (steps[0] === 'name' ? say('editor.name') : steps.join(' › '))} />
        </li>
      )}
    </ul>
  );
}

type ChangedFields = CanvasDiff['settings'];

interface FieldsProps {
  readonly fields: ChangedFields;
  /** What a field is called, from the steps of its pointer. */
  readonly nameOf: (steps: readonly string[]) => string;
}

function Fields({ fields, nameOf }: FieldsProps) {
  if (fields.length === 0) return null;
  const text = (value: ChangedFields[number]['before']): string =>
    value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <dl>
      {fields.map(({ pointer, before, after }) => (
        <div key={pointer}>
          <dt title={pointer} dir="auto">
            {nameOf(stepsOf(pointer))}
          </dt>
          <dd dir="auto">
            {typeof before === 'string' && typeof after === 'string' ? (
              <Words before={before} after={after} />
            ) : (
              <>
                {before !== undefined && <del>{text(before)}</del>} {after !== undefined && <ins>{text(after)}</ins>}
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A text with the words that it lost and those that it was given. */
function Words({ before, after }: { readonly before: string; readonly after: string }) {
  return diffWords(before, after).map(({ kind, text }, index) => {
    const Part = kind === 'removed' ? 'del' : kind === 'added' ? 'ins' : 'span';
    return <Part key={index}>{text}</Part>;
  });
}

/** The steps of a JSON pointer. */
const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
