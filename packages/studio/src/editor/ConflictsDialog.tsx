// The dialog in which an author chooses between two drafts, place by place.
import { useState } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { type Conflict, type Merge, takeTheirs } from '../canvas/merge.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { useFieldPath } from '../forms/field-path.ts';
import { Dialog } from '../parts/parts.tsx';
import { usePortWord, useWords } from '../words/words.tsx';

/** Where two drafts differ, as their authors call it: the title of the card, and the label of the field or the name of the port. */
function useConflictTitle(canvas: CanvasJson): (conflict: Pick<Conflict, 'at'>) => string {
  const say = useWords();
  const fieldPath = useFieldPath();
  const portWord = usePortWord();
  const titleOf = useNodeName(canvas);
  return ({ at: [part = '', key = '', inside, ...fields] }) => {
    if (part === 'edges') {
      const [nodeId = '', port = ''] = key.split('\0');
      return `${titleOf(nodeId)} › ${portWord(port, canvas.nodes.find(({ id }) => id === nodeId)?.type)}`;
    }
    if (part !== 'nodes') return part === 'name' ? say('editor.name') : [part, key].filter((one) => one !== '').join(' › ');
    const steps = inside === 'data' ? fields : inside === undefined ? [] : [inside, ...fields];
    const path = fieldPath(canvas.nodes.find(({ id }) => id === key)?.type, steps);
    return path === '' ? titleOf(key) : `${titleOf(key)} › ${path}`;
  };
}

/** Both sides of each place that both authors changed, one of which is chosen. */
export function ConflictsDialog({
  merge,
  who,
  onChosen,
}: {
  readonly merge: Merge;
  readonly who: string;
  readonly onChosen: (canvas: CanvasJson) => void;
}) {
  const say = useWords();
  const titleOf = useConflictTitle(merge.canvas);
  const [chosen, setChosen] = useState<ReadonlyMap<Conflict, 'mine' | 'theirs'>>(new Map());
  const shown = (value: Conflict['mine']): string =>
    value === undefined ? say('conflict.gone') : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const save = (): void =>
    onChosen(
      merge.conflicts.reduce(
        (canvas, conflict) => (chosen.get(conflict) === 'theirs' ? takeTheirs(canvas, conflict) : canvas),
        merge.canvas,
      ),
    );
  return (
    <Dialog title={say('conflict.title')} wide>
      {merge.taken.length > 0 && <p>{say('conflict.merged', { count: merge.taken.length, who })}</p>}
      {merge.conflicts.length > 0 && <p>{say('conflict.choose')}</p>}
      {merge.conflicts.map((conflict) => {
        const at = conflict.at.join('/');
        return (
          <fieldset key={at} className="conflict">
            <legend dir="auto">{titleOf(conflict)}</legend>
            {(['mine', 'theirs'] as const).map((side) => (
              <label key={side}>
                <input
                  type="radio"
                  name={at}
                  checked={chosen.get(conflict) === side}
                  onChange={() => setChosen(new Map(chosen).set(conflict, side))}
                />
                <span>{say(`conflict.${side}`)}</span>
                <pre dir="auto">{shown(conflict[side])}</pre>
              </label>
            ))}
          </fieldset>
        );
      })}
      <button type="button" className="primary" disabled={merge.conflicts.some((conflict) => !chosen.has(conflict))} onClick={save}>
        {say('conflict.save')}
      </button>
    </Dialog>
  );
}
