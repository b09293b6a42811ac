import type { Channel } from '@hilo/engine/contract';
import { createContext, useContext } from 'react';
import type { HiloClient } from './api/client.ts';
import type { CatalogueEntry } from './canvas/canvas-json.ts';
import type { WidgetComponent } from './forms/widget-props.ts';
import type { WorkerFactory } from './worker/engine-client.ts';

/** The filters of a list of executions; one that is left out matches all. */
export const executionFilters = ['workflowId', 'status', 'userId', 'version', 'nodeId', 'cause', 'channel', 'from', 'to'] as const;
export type ExecutionFilter = { readonly [Name in (typeof executionFilters)[number]]?: string };

/** The filters of the inbox: `whose` is `mine`, `unassigned`, `all`, `team:Support` or `operator:10`, and `q` a part of a name. */
export const inboxFilters = ['whose', 'q'] as const;
export type InboxFilter = { readonly [Name in (typeof inboxFilters)[number]]?: string };

/** The filters of the record of acts: `object` is a kind, or a kind and an id such as `workflow:order`. */
export const auditFilters = ['actor', 'action', 'object', 'from', 'to'] as const;
export type AuditFilter = { readonly [Name in (typeof auditFilters)[number]]?: string };

/** What is drawn over a canvas that is edited. */
export const layers = ['numbers', 'proof', 'changes'] as const;
export type Layer = (typeof layers)[number];

/** Which numbers are looked at first: those since an instant, of a version or of all, of a channel or of all. */
export interface NumbersView {
  readonly from?: string;
  readonly version?: number;
  readonly channel?: Channel;
}

/** The page of a company's settings; `recordId` in a view names one, and `+` a new one. */
export const settingsSections = [
  'bots',
  'templates',
  'credentials',
  'operators',
  'teams',
  'tags',
  'contacts',
  'groups',
  'campaigns',
  'events',
  'access',
  'company',
] as const;
export type SettingsSection = (typeof settingsSections)[number];

/** Where the studio is: a host keeps it in its own address bar. */
export type View =
  | { readonly screen: 'home' }
  | { readonly screen: 'gallery'; readonly exampleId?: string }
  | { readonly screen: 'workflows' }
  | ({ readonly screen: 'editor'; readonly workflowId: string; readonly nodeId?: string; readonly layer?: Layer } & NumbersView)
  | { readonly screen: 'versions'; readonly workflowId: string }
  | ({ readonly screen: 'inbox' } & InboxFilter & { readonly conversationId?: string })
  | { readonly screen: 'settings'; readonly section: SettingsSection; readonly recordId?: string }
  | { readonly screen: 'jobs'; readonly jobId?: string }
  | ({ readonly screen: 'audit' } & AuditFilter)
  | ({ readonly screen: 'executions' } & ExecutionFilter)
  | { readonly screen: 'execution'; readonly executionId: string; readonly step?: number };

/** Whether a screen has a canvas, which has the room that the words of the rail would take. */
export const hasCanvas = ({ screen }: View): boolean => screen === 'editor' || screen === 'versions' || screen === 'execution';

/** The rail's class beside a view; it has its place before its code is there, so that nothing moves when it comes. A bar at the foot has its words everywhere. */
export const railClass = (view: View, isNarrow: boolean): string => (hasCanvas(view) && !isNarrow ? 'rail compact' : 'rail');

/**
 * Shows another view.
 *
 * @param how - `replace`: it is the same place still, such as another step of an execution, and not one to go back from
 */
export type Navigate = (view: View, how?: { readonly replace?: boolean }) => void;

/** The operator's permissions. Forbidden actions are hidden, and the service refuses them anyway. */
export type Permission = 'view' | 'edit' | 'test' | 'publish' | 'operate' | 'answer' | 'admin';

/** Told to the page once a canvas is drawn and checked: what its author may open next is loaded then. */
export const drawnEvent = 'hilo-studio-drawn';

/** Told to the page by whoever has just read how many people of a company wait for an answer: two parts of it say so. */
export const waitingEvent = 'hilo-studio-waiting';
export interface Waiting {
  readonly companyId: string;
  readonly count: number;
}

/** What every screen needs. */
export interface Studio {
  readonly client: HiloClient;
  readonly companyId: string;
  readonly catalogue: ReadonlyMap<string, CatalogueEntry>;
  readonly worker: WorkerFactory;
  readonly widgets: { readonly [hint: string]: WidgetComponent };
  readonly can: (permission: Permission) => boolean;
  /** Whether there are other screens to go to: a part of the studio on a host's page has none. */
  readonly hasScreens: boolean;
  /** Whether a rail leads to them from each. */
  readonly hasRail: boolean;
  /** Whether it is too narrow to edit in. */
  readonly isNarrow: boolean;
  readonly go: Navigate;
  /** The address of a view, for links that open elsewhere too. */
  readonly hrefOf: (view: View) => string;
}

export const StudioContext = createContext<Studio | undefined>(undefined);

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (studio === undefined) throw new Error('This component must be inside HiloStudio');
  return studio;
}
