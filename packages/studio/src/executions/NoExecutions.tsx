// What an empty list of executions says, with the button of the next step.
import { changeWords } from '../change/change-words.ts';
import { type ExecutionFilter, useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useWords } from '../words/words.tsx';

interface NoExecutionsProps {
  readonly filter: ExecutionFilter;
  readonly onFilter: (changed: ExecutionFilter) => void;
}

/** Nothing matches: the filters are taken away. Nothing has run: a workflow is opened, where it is tested and published. */
export function NoExecutions({ filter: { workflowId, ...others }, onFilter }: NoExecutionsProps) {
  const { go, hasScreens } = useStudio();
  const words = useWords();
  const say = usePartWords(changeWords);
  const set = Object.keys(others);
  if (set.length > 0)
    return (
      <div className="empty-list">
        <p className="quiet-text">{words('executions.none')}</p>
        <button type="button" onClick={() => onFilter(Object.fromEntries(set.map((name) => [name, ''])))}>
          {say('executions.all')}
        </button>
      </div>
    );
  return (
    <div className="empty-list">
      <p className="quiet-text">{say(workflowId === undefined ? 'executions.empty' : 'executions.emptyOf')}</p>
      {hasScreens && (
        <button type="button" onClick={() => go(workflowId === undefined ? { screen: 'workflows' } : { screen: 'editor', workflowId })}>
          {say(workflowId === undefined ? 'executions.workflows' : 'executions.editor')}
        </button>
      )}
    </div>
  );
}
