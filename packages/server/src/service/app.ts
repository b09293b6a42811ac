// All surfaces of a service over HTTP.
import { OpenAPIHono } from '@hono/zod-openapi';
import { accessRoutes } from '../access/routes.ts';
import { type Door, recordAct, recordActs } from '../audit/record-acts.ts';
import { listAudit } from '../audit/routes.ts';
import { adminCampaignRoutes } from '../campaigns/admin-routes.ts';
import { restCampaignRoutes } from '../campaigns/rest-routes.ts';
import { campaignRoutes } from '../campaigns/routes.ts';
import { createChannels } from '../channels/routes.ts';
import { createChat } from '../chat/routes.ts';
import { contactRoutes } from '../contacts/contact-routes.ts';
import { nameContactFor } from '../contacts/people.ts';
import { erasureRoutes } from '../contacts/erasure/routes.ts';
import { roomRoutes } from '../contacts/routes.ts';
import { conversationRoutes } from '../conversations/admin-routes.ts';
import { inboxRoutes } from '../conversations/inbox-routes.ts';
import { migrationRoutes } from '../workflows/migration-routes.ts';
import { replayRoutes } from '../workflows/replay-routes.ts';
import { authoringRoutes } from '../workflows/authoring-routes.ts';
import { scheduleRoutes } from '../schedules/routes.ts';
import { reportConversations } from '../conversations/routes.ts';
import { bulkRoutes } from '../executions/bulk.ts';
import { createFileLinks, fileRoutes } from '../files/routes.ts';
import { executionRoutes } from '../executions/admin-routes.ts';
import { eventRoutes } from '../events/routes.ts';
import { streamEvents } from '../executions/event-routes.ts';
import { triggerRoutes } from '../executions/trigger-routes.ts';
import { tokenRoutes } from '../functions/admin-routes.ts';
import { createFunctionSurface } from '../functions/routes.ts';
import { checkBot, makeFlowKey } from '../channels/admin-routes.ts';
import { jobRoutes } from '../jobs/routes.ts';
import { listBotMessages } from '../messages/admin-routes.ts';
import { sendRoutes } from '../messages/routes.ts';
import { rotateKeys } from '../keys/routes.ts';
import { describeInterface } from '../operations/openapi.ts';
import { createOperations } from '../operations/routes.ts';
import { paymentRoutes } from '../payments/admin-routes.ts';
import { createPaymentSurface } from '../payments/routes.ts';
import { adminAuth, requireJson } from '../platform/http/auth/admin-auth.ts';
import { requirePermission } from '../platform/http/auth/require-permission.ts';
import { basicAuth } from '../platform/http/auth/basic-auth.ts';
import { createLogin } from '../platform/http/auth/login.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { envelope, withErrorHandler } from '../platform/http/envelope.ts';
import type { Auth, Route } from '../platform/http/define-route.ts';
import { type MountOptions, mountRoutes, refuseRivals } from '../platform/http/mount-routes.ts';
import { requireOwnOrigin } from '../platform/http/own-origin.ts';
import { limitRate } from '../platform/http/rate-limit.ts';
import type { RestTraffic } from '../platform/http/rest.ts';
import { limitTextBody, streamBody } from '../platform/http/read-body.ts';
import { refuseUndeclared } from '../platform/http/unknown-names.ts';
import { createTraffic, type Traffic } from '../platform/http/traffic.ts';
import { createProcessRoutes } from '../processes/routes.ts';
import type { Service } from './service.ts';
import { numberRoutes } from '../numbers/routes.ts';
import { segmentRoutes } from '../segments/routes.ts';
import { overviewRoutes } from '../statistics/overview-routes.ts';
import { getStatistics } from '../statistics/routes.ts';
import { listTags } from '../tags/routes.ts';
import { templateRoutes } from '../templates/manage-routes.ts';
import { sendTemplate } from '../templates/routes.ts';
import { mountOperatorRoutes, ofOwnCompany } from '../tenants/narrow.ts';
import { workspaceRoutes } from '../tenants/workspace/admin-routes.ts';
import { createGateway } from '../webhooks/routes.ts';
import { sendRequest } from '../workflows/request-routes.ts';
import { transcriptRoutes } from '../workflows/transcript-routes.ts';
import { catalogueRoutes, listReferences } from '../workflows/catalogue.ts';
import { callAuthoringServer, createAuthoring } from '../workflows/mcp-routes.ts';
import { listServerTools } from '../workflows/tool-servers.ts';
import { pauseWorkflow, publishVersionAgain, unpauseWorkflow, unpublishWorkflow } from '../workflows/gate-routes.ts';
import { draftRoutes, publishingRoutes } from '../workflows/admin-routes.ts';
import { deleteWorkflow } from '../workflows/delete-workflow.ts';

/**
 * Every surface in one app. `app.routes` lists all of them. Routes with credentials authenticate before anything else (P27). An unknown
 * path or method answers 404 in the error shape; only webhooks answer 405 (GEN-06).
 *
 * @example
 * const service = await openService(settings);
 * const response = await createApp(service).fetch(request);
 */
export function createApp(service: Service, traffic: Traffic = createTraffic(service)): OpenAPIHono<HttpEnv> {
  const app = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
  app.use(envelope(service, traffic, 'unknown'));

  app.route('/', createGateway(service, traffic));
  app.route('/', createChannels(service, traffic));
  const { chat, files, fileSeals: seals, functions, payments, forwarding } = service;
  if (chat !== undefined) app.route('/', createChat({ ...service, chat }, traffic));
  if (files !== undefined && seals !== undefined) app.route('/', createFileLinks({ ...service, files, seals }, traffic));
  if (functions !== undefined) app.route('/', createFunctionSurface({ ...service, functions }, traffic));
  if (payments !== undefined) app.route('/', createPaymentSurface({ ...service, payments }, traffic));
  if (forwarding !== undefined) app.route('/', createProcessRoutes({ ...service, forwarding }, traffic));
  app.route('/', createAdmin(service, traffic));
  app.route(
    '/',
    createOperations(service, traffic, () => describeInterface(app)),
  );
  // The REST API: the earlier host's webhooks above are the only paths below /v1 with another credential.
  app.route('/', createRest(service, traffic));
  refuseRivals(app);
  return app;
}

/** The routes of the REST API. */
const restRoutes: readonly Route<Service & RestTraffic>[] = [
  ...sendRoutes,
  sendTemplate,
  ...restCampaignRoutes,
  ...campaignRoutes,
  listTags,
  ...roomRoutes,
  getStatistics,
  reportConversations,
];

/**
 * The REST API of the specification, `/v1/…`, behind Basic authentication (GEN-04, AUT-01). Each resource is an app of its
 * own; they share authentication, the shapes of errors (ERR-01 to ERR-08) and the limits of a request (P33).
 *
 * @example
 * const service = await openService(settings);
 * const rest = createRest(service);
 * const answer = await rest.request('/v1/campaigns', { headers: { authorization: `Basic ${btoa('id:secret')}` } });
 */
export function createRest(service: Service, traffic: Traffic = createTraffic(service)): OpenAPIHono<HttpEnv> {
  const app = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
  app.openAPIRegistry.registerComponent('securitySchemes', 'basic', { type: 'http', scheme: 'basic' });
  app.use('/v1/*', envelope(service, traffic, 'rest'), basicAuth(service, traffic.failedLogins), limitRate(traffic.rateLimit));
  mountRoutes(app, { ...service, traffic }, [...restRoutes, ...hostRoutes(service, 'basic')]);
  return app;
}

/** Management at `/admin/v1` with its authentication, and the login. Every caller needs the admin token (P27). */
export function createAdmin(service: Service, traffic: Traffic = createTraffic(service)): OpenAPIHono<HttpEnv> {
  const app = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
  const { admission, failedLogins, rateLimit } = traffic;
  const [authenticate, limit] = [adminAuth(service, failedLogins), limitRate(rateLimit)];
  const guard = ({ streamsUpTo, ...needed }: Partial<Pick<Route<never>, 'permission' | 'forAnswering' | 'streamsUpTo'>>) => [
    authenticate,
    requirePermission(needed),
    requireJson,
    limit,
    streamsUpTo === undefined ? limitTextBody(admission) : streamBody(admission, streamsUpTo),
  ];
  app.route(
    '/',
    createLogin(service, traffic, (act, perform) => recordAct(service, { ...act, via: 'http' }, {}, perform)),
  );
  app.use('/admin/*', envelope(service, traffic, 'management'));
  const record = recordActs(service, { via: 'http' }, nameContactFor(service));
  const options: MountOptions = { guards: (route) => [...guard(route), refuseUndeclared(route), record(route)] };
  mountManagement(app, service, options);
  mountAuthoring(app, service, options);
  app.use('/admin/*', ...guard({})); // whatever is not there needs the most
  return app;
}

/** The routes of management that every service has. */
const managementRoutes: readonly Route<Service>[] = [
  ...draftRoutes,
  ...publishingRoutes,
  deleteWorkflow,
  ...authoringRoutes,
  ...transcriptRoutes,
  ...numberRoutes,
  ...overviewRoutes,
  listReferences,
  ...catalogueRoutes,
  ...executionRoutes,
  streamEvents,
  ...triggerRoutes,
  listBotMessages,
  checkBot,
  listAudit,
  pauseWorkflow,
  unpauseWorkflow,
  unpublishWorkflow,
  publishVersionAgain,
  ...migrationRoutes,
  ...replayRoutes,
  ...bulkRoutes,
  ...jobRoutes,
  ...scheduleRoutes,
  ...conversationRoutes,
  ...inboxRoutes,
  ...contactRoutes,
  ...segmentRoutes,
  ...adminCampaignRoutes,
  ...erasureRoutes,
];

/**
 * The management surface, to be mounted at `/admin/v1` behind the host's own authentication: it checks no credential itself. What changes
 * something is put on record with the actor that the host sets as `credential` of the context.
 *
 * @example
 * const service = await openService(settings);
 * app.use('/admin/v1/*', adminAuth);
 * app.route('/admin/v1', createManagement(service));
 */
export function createManagement(service: Service, door: Door = { via: 'host' }): OpenAPIHono<HttpEnv> {
  const app = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
  const record = recordActs(service, door, nameContactFor(service));
  const options: MountOptions = { below: '/admin/v1', guards: (route) => [refuseUndeclared(route), record(route)] };
  mountManagement(app, service, options);
  mountAuthoring(app, service, options);
  return app;
}

/** The routes of a host's resources behind one kind of credential. */
const hostRoutes = ({ resources = [] }: Service, auth: Auth): readonly Route<Service>[] =>
  resources.flatMap(({ routes }) => routes.filter((route) => route.auth === auth));

function mountManagement(app: OpenAPIHono<HttpEnv>, service: Service, options: MountOptions): void {
  const {
    accounts,
    companies,
    files,
    functions,
    keys,
    payments,
    publicUrl,
    subscriptions,
    importWorkspace,
    exportWorkspace,
    records,
    requests,
    toolServers,
  } = service;
  mountOperatorRoutes(app, service, managementRoutes, options);
  const { guards = () => [] } = options;
  const ownCompany: typeof guards = (route) => [...guards(route), ofOwnCompany(service)];
  mountOperatorRoutes(app, service, hostRoutes(service, 'operator'), { ...options, guards: ownCompany });
  // Before the records of a company, of which any kind may be asked for.
  if (subscriptions !== undefined) mountOperatorRoutes(app, { companies, subscriptions }, eventRoutes, options);
  if (records !== undefined) mountOperatorRoutes(app, { companies, channels: service.channels, records }, [makeFlowKey], options);
  if (records !== undefined) mountOperatorRoutes(app, { ...service, records }, templateRoutes, { ...options, guards: ownCompany });
  if (importWorkspace !== undefined && exportWorkspace !== undefined && records !== undefined)
    mountOperatorRoutes(app, { companies, importWorkspace, exportWorkspace, records }, workspaceRoutes, options);
  if (functions !== undefined) mountOperatorRoutes(app, { ...service, functions }, tokenRoutes, options);
  if (accounts !== undefined && publicUrl !== undefined)
    mountOperatorRoutes(app, { companies, accounts, publicUrl }, accessRoutes, options);
  if (files !== undefined) mountOperatorRoutes(app, { companies, files }, fileRoutes, options);
  if (keys !== undefined) mountOperatorRoutes(app, { companies, keys }, [rotateKeys], options);
  if (requests !== undefined) mountOperatorRoutes(app, { companies, nodes: service.nodes, requests }, [sendRequest], options);
  if (toolServers !== undefined) mountOperatorRoutes(app, { companies, toolServers }, [listServerTools], options);
  if (payments !== undefined) mountOperatorRoutes(app, { ...service, payments }, paymentRoutes, options);
}

/**
 * The authoring server. Its tools ask management once more, behind the permissions of the operator whose token the client has; what they
 * change is put on record there.
 */
function mountAuthoring(app: OpenAPIHono<HttpEnv>, service: Service, { guards = () => [], ...options }: MountOptions): void {
  const openAuthoring = createAuthoring(service, (asOperator) => {
    const inner = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
    const record = recordActs(service, { via: 'http' }, nameContactFor(service));
    mountManagement(inner, service, {
      guards: (route) => [asOperator, requirePermission(route), refuseUndeclared(route), record(route)],
    });
    return inner;
  });
  mountOperatorRoutes(app, { ...service, openAuthoring }, [callAuthoringServer], {
    ...options,
    guards: (route) => [...guards(route), requireOwnOrigin(service)],
  });
}
