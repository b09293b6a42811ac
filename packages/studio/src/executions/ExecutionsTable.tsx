import type { Execution } from '../api/client.ts';
import type { RowNames } from './use-row-names.ts';
import { Go } from '../parts/Go.tsx';
import { usePersonName } from '../parts/person-name.ts';
import { useMoment } from '../words/moment.ts';
import { useNames, useWords } from '../words/words.tsx';

/** Executions as rows, each of which leads to its screen. */
export function ExecutionsTable({ rows, names }: { readonly rows: readonly Execution[]; readonly names: RowNames }) {
  const say = useWords();
  const instant = useMoment();
  const personName = usePersonName();
  const statusWord = useNames('status');
  const causeWord = useNames('cause');
  const waitWord = useNames('wait');
  return (
    <table>
      <thead>
        <tr>
          <th>{say('executions.status')}</th>
          <th>{say('executions.user')}</th>
          <th>{say('executions.workflow')}</th>
          <th>{say('executions.stands')}</th>
          <th>{say('executions.updated')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ executionId, status, cause, userId, userNames, workflowId, version, wait, updatedAt }) => (
          <tr key={executionId}>
            <td>
              <Go className={`status ${status}`} view={{ screen: 'execution', executionId }}>
                {statusWord(status)}
                {cause === null ? '' : `: ${causeWord(cause)}`}
              </Go>
            </td>
            <td dir="auto" title={userId ?? undefined}>
              {userId === null ? '—' : personName(userNames, userId)}
            </td>
            <td>
              <span dir="auto">{names.ofWorkflow(workflowId)}</span> {version === 'draft' ? say('versions.draft') : `v${version}`}
            </td>
            <td data-label={wait === null ? undefined : say('executions.stands')}>
              {wait === null
                ? '—'
                : `${waitWord(wait.kind)}${wait.dueAt === null ? '' : `, ${say('executions.until', { time: instant(wait.dueAt) })}`}`}
              {wait !== null && (
                <span className="caption" dir="auto">
                  {' '}
                  {names.ofStep({ workflowId, version }, wait.nodeId)}
                </span>
              )}
            </td>
            <td data-label={say('executions.updated')}>{instant(updatedAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
