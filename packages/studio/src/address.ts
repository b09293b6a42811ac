// The addresses of the studio.
import {
  type AuditFilter,
  auditFilters,
  type ExecutionFilter,
  executionFilters,
  type InboxFilter,
  inboxFilters,
  layers,
  settingsSections,
  type View,
} from './studio-context.ts';
import { allChannels } from './tester/channel-named.ts';

/** Where the application is: its company and its view. */
export interface Place {
  readonly companyId: string | undefined;
  readonly view: View;
}

/**
 * Parses a path below the studio's own: `` , `1`, `1/order`, `1/order/versions`, `1/executions`, `1/executions/abc?step=3`, `1/inbox/conv_1`. Any other path is
 * the list of workflows.
 */
export function readAddress(path: string, search: string): Place {
  const [companyId, second, third, fourth] = path
    .split('/')
    .filter((part) => part !== '')
    .map(decodePart);
  const params = new URLSearchParams(search);
  const param = (name: string): string | undefined => params.get(name) ?? undefined;
  // Without a slash behind it, a company is its home.
  if (companyId !== undefined && second === undefined && !path.endsWith('/')) return { companyId, view: { screen: 'home' } };
  if (companyId === undefined || second === undefined) return { companyId, view: { screen: 'workflows' } };
  if (second === 'executions' && third !== undefined) {
    const step = Number(params.get('step') ?? Number.NaN);
    return { companyId, view: { screen: 'execution', executionId: third, ...(Number.isSafeInteger(step) && step >= 0 && { step }) } };
  }
  const filterOf = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = param(name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  if (second === 'examples') return { companyId, view: { screen: 'gallery', ...(third !== undefined && { exampleId: third }) } };
  if (second === 'inbox') {
    const filter: InboxFilter = filterOf(inboxFilters);
    return { companyId, view: { screen: 'inbox', ...filter, ...(third !== undefined && { conversationId: third }) } };
  }
  if (second === 'settings') {
    const section = settingsSections.find((name) => name === third) ?? 'bots';
    return { companyId, view: { screen: 'settings', section, ...(fourth !== undefined && { recordId: fourth }) } };
  }
  if (second === 'jobs') return { companyId, view: { screen: 'jobs', ...(third !== undefined && { jobId: third }) } };
  if (second === 'audit') {
    const filter: AuditFilter = filterOf(auditFilters);
    return { companyId, view: { screen: 'audit', ...filter } };
  }
  if (second === 'executions') {
    const filter: ExecutionFilter = filterOf(executionFilters);
    return { companyId, view: { screen: 'executions', ...filter } };
  }
  if (third === 'versions') return { companyId, view: { screen: 'versions', workflowId: second } };
  const [nodeId, from, version] = [param('node'), param('from'), Number(param('version') ?? Number.NaN)];
  const channel = allChannels.find((name) => name === param('channel'));
  const layer = layers.find((name) => name === param('view'));
  return {
    companyId,
    view: {
      screen: 'editor',
      workflowId: second,
      ...(nodeId !== undefined && { nodeId }),
      ...(layer !== undefined && { layer }),
      ...(layer === 'numbers' && from !== undefined && !Number.isNaN(Date.parse(from)) && { from }),
      ...(layer === 'numbers' && Number.isSafeInteger(version) && version > 0 && { version }),
      ...(layer === 'numbers' && channel !== undefined && { channel }),
    },
  };
}

/** The address of a place, below the studio's own path. A workflow with the id of a screen, such as `executions`, is reached by the list alone. */
export function writeAddress(companyId: string, view: View): string {
  const company = encodeURIComponent(companyId);
  const query = (values: { readonly [name: string]: string | number | undefined }): string => {
    const params = new URLSearchParams(
      Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    return params.size === 0 ? '' : `?${params}`;
  };
  switch (view.screen) {
    case 'workflows':
      return `${company}/`;
    case 'editor':
      return `${company}/${encodeURIComponent(view.workflowId)}${query({
        node: view.nodeId,
        view: view.layer,
        from: view.from,
        version: view.version,
        channel: view.channel,
      })}`;
    case 'versions':
      return `${company}/${encodeURIComponent(view.workflowId)}/versions`;
    case 'home':
      return company;
    case 'gallery':
      return `${company}/examples${view.exampleId === undefined ? '' : `/${encodeURIComponent(view.exampleId)}`}`;
    case 'inbox': {
      const open = view.conversationId === undefined ? '' : `/${encodeURIComponent(view.conversationId)}`;
      return `${company}/inbox${open}${query(Object.fromEntries(inboxFilters.map((name) => [name, view[name]])))}`;
    }
    case 'settings':
      return `${company}/settings/${view.section}${view.recordId === undefined ? '' : `/${encodeURIComponent(view.recordId)}`}`;
    case 'jobs':
      return `${company}/jobs${view.jobId === undefined ? '' : `/${encodeURIComponent(view.jobId)}`}`;
    case 'audit':
      return `${company}/audit${query(Object.fromEntries(auditFilters.map((name) => [name, view[name]])))}`;
    case 'executions':
      return `${company}/executions${query(Object.fromEntries(executionFilters.map((name) => [name, view[name]])))}`;
    case 'execution':
      return `${company}/executions/${encodeURIComponent(view.executionId)}${query({ step: view.step })}`;
  }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
