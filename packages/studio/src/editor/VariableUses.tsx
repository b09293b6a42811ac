// The variables of a workflow: where each is written and read, and another name for it everywhere.
import { Pencil } from 'lucide-react';
import { useId, useState } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { IconButton } from '../parts/parts.tsx';
import { usePartWords } from '../words/part.ts';
import { useWords } from '../words/words.tsx';
import { mayBeNamed, nameTyped } from './declared.ts';
import { declaredWords } from './declared-words.ts';
import { usesByName, type VariableUse } from './search-canvas.ts';

interface VariableUsesProps {
  readonly canvas: CanvasJson;
  readonly isReadOnly: boolean;
  readonly onOpen: (nodeId: string) => void;
  readonly onRename: (before: string, after: string) => void;
}

export function VariableUses({ canvas, isReadOnly, onOpen, onRename }: VariableUsesProps) {
  const say = usePartWords(declaredWords);
  const uses = usesByName(canvas);
  const names = new Set([...uses.map(({ path }) => path), ...Object.keys(canvas.variables ?? {})]);
  if (uses.length === 0) return null;
  return (
    <section aria-label={say('uses.title')}>
      <h3>{say('uses.title')}</h3>
      <ul className="plain">
        {uses.map((use) => (
          <Use
            key={use.path}
            {...{ canvas, use, isReadOnly, onOpen }}
            isTaken={(wanted) => !mayBeNamed(wanted) || names.has(wanted)}
            onRename={(after) => onRename(use.path, after)}
          />
        ))}
      </ul>
    </section>
  );
}

interface UseProps extends Pick<VariableUsesProps, 'canvas' | 'isReadOnly' | 'onOpen'> {
  readonly use: VariableUse;
  readonly isTaken: (name: string) => boolean;
  readonly onRename: (after: string) => void;
}

function Use({ canvas, use: { path, writtenAt, readAt }, isReadOnly, onOpen, isTaken, onRename }: UseProps) {
  const say = usePartWords(declaredWords);
  const words = useWords();
  const nameOf = useNodeName(canvas);
  const id = useId();
  const [wanted, setWanted] = useState<string>();
  const places = (nodeIds: readonly string[]) =>
    nodeIds.map((nodeId) => (
      <button key={nodeId} type="button" className="link" dir="auto" onClick={() => onOpen(nodeId)}>
        {nameOf(nodeId)}
      </button>
    ));
  const isWrong = wanted !== undefined && wanted !== path && isTaken(wanted);
  return (
    <li>
      <p className="sentence">
        <b dir="auto">{path}</b>
        {!isReadOnly && wanted === undefined && (
          <IconButton label={`${say('uses.rename')}: ${path}`} onClick={() => setWanted(path)}>
            <Pencil size={13} aria-hidden />
          </IconButton>
        )}
      </p>
      {wanted !== undefined && (
        <form
          className="sentence"
          onSubmit={(event) => {
            event.preventDefault();
            if (isWrong) return;
            setWanted(undefined);
            if (wanted !== path) onRename(wanted);
          }}
        >
          <label className="visually-hidden" htmlFor={id}>
            {say('uses.newName', { name: path })}
          </label>
          <input
            id={id}
            type="text"
            value={wanted}
            autoFocus
            spellCheck={false}
            dir="auto"
            aria-invalid={isWrong}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => setWanted(nameTyped(target.value))}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              event.stopPropagation(); // the panel stays
              setWanted(undefined);
            }}
          />
          <button type="submit" className="primary" disabled={isWrong}>
            {say('uses.everywhere')}
          </button>
          <button type="button" onClick={() => setWanted(undefined)}>
            {words('app.cancel')}
          </button>
          {isWrong && (
            <p role="alert" className="field-problem error">
              {say('uses.taken')}
            </p>
          )}
        </form>
      )}
      {(
        [
          ['uses.written', writtenAt],
          ['uses.read', readAt],
        ] as const
      ).map(
        ([word, nodeIds]) =>
          nodeIds.length > 0 && (
            <p key={word} className="places">
              <span>{say(word)}: </span>
              {places(nodeIds)}
            </p>
          ),
      )}
    </li>
  );
}
