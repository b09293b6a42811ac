// The table of workflows: the state of each, a link to its editor, and a menu of what can be done with it.
import type { WorkflowSummary } from '../api/client.ts';
import { Go } from '../parts/Go.tsx';
import { Menu } from '../parts/parts.tsx';
import { useActorName } from '../parts/shown-name.ts';
import { useStudio } from '../studio-context.ts';
import { useMoment } from '../words/moment.ts';
import { useNames, useWords } from '../words/words.tsx';

interface WorkflowsTableProps {
  readonly rows: readonly WorkflowSummary[];
  /** Whether the rows are archived workflows, which can be restored. */
  readonly isArchive: boolean;
  readonly onDuplicate: (workflowId: string) => void;
  readonly onMove: (row: WorkflowSummary) => void;
  readonly onExport: (workflowId: string) => void;
  /** Archives a workflow, or restores it. */
  readonly onArchive: (row: WorkflowSummary) => void;
}

/** Workflows with their state, and what can be done with each. */
export function WorkflowsTable({ rows, isArchive, onDuplicate, onMove, onExport, onArchive }: WorkflowsTableProps) {
  const { can } = useStudio();
  const say = useWords();
  const actorName = useActorName();
  const instant = useMoment();
  const kindWord = useNames('kind');
  return (
    <table className="workflows">
      <thead>
        <tr>
          <th>{say('workflows.name')}</th>
          <th>{say('workflows.kind')}</th>
          <th>{say('workflows.live')}</th>
          <th>{say('workflows.draft')}</th>
          <th>{say('workflows.runs')}</th>
          <th>{say('workflows.edited')}</th>
          <th>
            <span className="visually-hidden">{say('workflows.actionsOfEach')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.workflowId}>
            <td>
              <Go className="workflow-link" view={{ screen: 'editor', workflowId: row.workflowId }}>
                {row.name}
              </Go>
              <br />
              <span className="caption">{row.workflowId}</span>
              {(row.folder ?? '') !== '' && (
                <span className="caption folder" dir="auto">
                  {' '}
                  · {row.folder}
                </span>
              )}
            </td>
            <td>{kindWord(row.kind)}</td>
            <td data-label={say('workflows.live')}>
              {row.publishedVersion === null ? '—' : `v${row.publishedVersion}`}
              {(row.gate ?? null) !== null && (
                <>
                  {' '}
                  <span className="warn">{say(row.gate?.state === 'paused' ? 'workflows.paused' : 'workflows.unpublished')}</span>
                </>
              )}
            </td>
            <td data-label={say('workflows.draft')}>
              {row.publishedVersion === null
                ? say('draft.never')
                : row.isPublished
                  ? say('draft.published')
                  : say('draft.changed', { version: row.publishedVersion })}
              {row.errors > 0 && <span className="bad">, {say('workflows.errors', { count: row.errors })}</span>}
              {row.warnings > 0 && <span className="warn">, {say('workflows.warnings', { count: row.warnings })}</span>}
            </td>
            <td>
              {(['waiting', 'running'] as const)
                .filter((state) => row[state] > 0)
                .map((state) => say(`workflows.${state}`, { count: row[state] }))
                .join(', ')}
              {row.failed24h > 0 && <span className="bad"> {say('workflows.failed', { count: row.failed24h })}</span>}
            </td>
            <td data-label={say('workflows.edited')}>
              {row.updatedAt === null ? '—' : instant(row.updatedAt)}
              {row.savedBy !== null && <span className="caption"> {actorName(row.savedBy)}</span>}
            </td>
            <td>
              <Menu label={say('workflows.actions', { name: row.name })} sign="⋯">
                {can('edit') && (
                  <button type="button" onClick={() => onDuplicate(row.workflowId)}>
                    {say('workflows.duplicate')}
                  </button>
                )}
                {can('edit') && (
                  <button type="button" onClick={() => onMove(row)}>
                    {say('workflows.move')}
                  </button>
                )}
                <button type="button" onClick={() => onExport(row.workflowId)}>
                  {say('workflows.export')}
                </button>
                {can('edit') && (
                  <button type="button" onClick={() => onArchive(row)}>
                    {say(isArchive ? 'workflows.restore' : 'workflows.archive')}
                  </button>
                )}
              </Menu>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
