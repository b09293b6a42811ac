// The resources of the service: routes, jobs and their parts, each a folder and a line here. Those of a host are mounted in the same way.
import { accessResource } from '../access/resource.ts';
import { auditResource } from '../audit/resource.ts';
import { campaignResource } from '../campaigns/resource.ts';
import { botResource, flowResource } from '../channels/resource.ts';
import { draftLinkResource } from '../chat/draft-links.ts';
import { contactResource, erasureResource, roomResource } from '../contacts/resource.ts';
import { conversationReportResource, conversationResource } from '../conversations/resource.ts';
import { eventResource } from '../events/resource.ts';
import { bulkResource, executionResource } from '../executions/resource.ts';
import { fileResource, uploadResource } from '../files/resource.ts';
import { functionResource } from '../functions/resource.ts';
import { jobResource } from '../jobs/resource.ts';
import { keyResource } from '../keys/resource.ts';
import { messageResource } from '../messages/resource.ts';
import { numberResource } from '../numbers/resource.ts';
import { paymentResource } from '../payments/resource.ts';
import { scheduleResource } from '../schedules/resource.ts';
import { segmentResource } from '../segments/resource.ts';
import { overviewResource, statisticsResource } from '../statistics/resource.ts';
import { tagResource } from '../tags/resource.ts';
import { templateApprovalResource, templateResource } from '../templates/resource.ts';
import { credentialResource } from '../tenants/resource.ts';
import { workspaceResource } from '../tenants/workspace/resource.ts';
import {
  catalogueResource,
  gateResource,
  migrationResource,
  requestResource,
  toolResource,
  workflowResource,
} from '../workflows/resource.ts';
import type { RestTraffic } from '../platform/http/rest.ts';
import type { Route } from '../platform/http/define-route.ts';
import type { Job } from '../platform/jobs/define-job.ts';
import type { Service } from './service.ts';

/** What the routes of a resource may work with. */
export type RouteParts = Service & RestTraffic;

/** A service with parts that it may lack. */
type Having<Part extends keyof Service> = RouteParts & { readonly [Name in Part]-?: NonNullable<Service[Name]> };

/** Mounts routes with what they work with. */
export type MountPart = <Parts extends RouteParts>(parts: Parts, routes: readonly Route<Parts>[]) => void;

/** A resource whose routes are mounted where a service has what they work with. */
export interface Mountable {
  readonly name: string;
  readonly jobs: readonly Job<Service>[];
  /** A company that the operator does not have is unknown before the handler is asked. */
  readonly isOfCompany: boolean;
  readonly mount: (service: RouteParts, mount: MountPart) => void;
}

/** A resource, as far as it is mounted. */
interface Parted<Parts> {
  readonly name: string;
  readonly routes: readonly Route<Parts>[];
  readonly jobs: readonly Job<Service>[];
}

const always = ({ name, routes, jobs }: Parted<RouteParts>): Mountable => ({
  name,
  jobs,
  isOfCompany: false,
  mount: (service, mount) => mount(service, routes),
});

/** A resource for services that have some part. */
const where =
  <Part extends keyof Service>(...needs: readonly Part[]) =>
  ({ name, routes, jobs }: Parted<Having<Part>>, { isOfCompany = false } = {}): Mountable => ({
    name,
    jobs,
    isOfCompany,
    mount(service, mount) {
      if (hasParts(service, needs)) mount(service, routes);
    },
  });

const hasParts = <Part extends keyof Service>(service: RouteParts, parts: readonly Part[]): service is Having<Part> =>
  parts.every((part) => service[part] !== undefined);

/** A resource of a host: each of its routes of operators is of one company, or of all. */
export const ofHost = (resource: Parted<Service>): Mountable => ({ ...always(resource), isOfCompany: true });

/** In the order in which the description of the interface has them. */
export const serviceResources: readonly Mountable[] = [
  always(workflowResource),
  always(numberResource),
  always(overviewResource),
  always(catalogueResource),
  always(executionResource),
  always(messageResource),
  always(botResource),
  where('chat')(draftLinkResource),
  always(auditResource),
  always(gateResource),
  always(migrationResource),
  always(bulkResource),
  always(jobResource),
  always(scheduleResource),
  always(templateResource),
  always(conversationResource),
  always(contactResource),
  always(segmentResource),
  always(campaignResource),
  always(erasureResource),
  always(tagResource),
  always(roomResource),
  always(statisticsResource),
  always(conversationReportResource),
  where('subscriptions')(eventResource),
  where('files')(uploadResource, { isOfCompany: true }),
  where('records')(flowResource),
  where('records')(templateApprovalResource, { isOfCompany: true }),
];

/** Those after the resources of a host: they begin with the records of a company, of which any kind may be asked for. */
export const lastResources: readonly Mountable[] = [
  where('importWorkspace', 'exportWorkspace', 'records')(workspaceResource),
  where('credentialLogins')(credentialResource),
  where('functions')(functionResource),
  where('accounts', 'publicUrl')(accessResource),
  where('files')(fileResource),
  where('keys')(keyResource),
  where('requests')(requestResource),
  where('toolServers')(toolResource),
  where('payments')(paymentResource),
];

/** The kinds of jobs that every service has. */
export const serviceJobs: readonly Job<Service>[] = [...serviceResources, ...lastResources].flatMap(({ jobs }) => jobs);
