// All surfaces of a service over HTTP.
import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { type Door, recordAct, recordActs, recordRefusals } from '../audit/record-acts.ts';
import { createChannels } from '../channels/routes.ts';
import { createChat } from '../chat/routes.ts';
import { nameContactFor } from '../contacts/people.ts';
import { createFileLinks } from '../files/routes.ts';
import { createFunctionSurface } from '../functions/routes.ts';
import { describeInterface } from '../operations/openapi.ts';
import { createOperations } from '../operations/routes.ts';
import { createPaymentSurface } from '../payments/routes.ts';
import type { Admission } from '../platform/http/admission.ts';
import { adminAuth, requireJson } from '../platform/http/auth/admin-auth.ts';
import { requirePermission } from '../platform/http/auth/require-permission.ts';
import { basicAuth } from '../platform/http/auth/basic-auth.ts';
import { createLogin } from '../platform/http/auth/login.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { envelope, withErrorHandler } from '../platform/http/envelope.ts';
import type { Route } from '../platform/http/define-route.ts';
import { type MountOptions, mountRoutes, refuseRivals } from '../platform/http/mount-routes.ts';
import { requireOwnOrigin } from '../platform/http/own-origin.ts';
import { limitRate } from '../platform/http/rate-limit.ts';
import { limitTextBody, streamBody } from '../platform/http/read-body.ts';
import { refuseUndeclared } from '../platform/http/unknown-names.ts';
import { createTraffic, type Traffic } from '../platform/http/traffic.ts';
import { createProcessRoutes } from '../processes/routes.ts';
import type { Service } from './service.ts';
import { lastResources, type Mountable, ofHost, type RouteParts, serviceResources } from './resources.ts';
import { mountOperatorRoutes, ofOwnCompany } from '../tenants/narrow.ts';
import { renderCredentialLogin } from '../tenants/credential-login.ts';
import { createGateway } from '../webhooks/routes.ts';
import { callAuthoringServer, createAuthoring } from '../workflows/mcp-routes.ts';

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
  for (const { mount } of allResources(service))
    mount({ ...service, traffic }, (parts, routes) =>
      mountRoutes(
        app,
        parts,
        routes.filter(({ auth }) => auth === 'basic'),
      ),
    );
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
    limitBody(admission, streamsUpTo),
  ];
  app.route(
    '/',
    createLogin(service, traffic, {
      session: (act, perform) => recordAct(service, { ...act, via: 'http' }, {}, perform),
      refusal: recordRefusals(service),
    }),
  );
  if (service.credentialLogins !== undefined)
    app.get('/admin/v1/credentials/login', envelope(service, traffic, 'management'), renderCredentialLogin);
  app.use('/admin/*', envelope(service, traffic, 'management'));
  const record = recordActs(service, { via: 'http' }, nameContactFor(service));
  const options: MountOptions = { guards: (route) => [...guard(route), refuseUndeclared(route), record(route)] };
  mountManagement(app, { ...service, traffic }, options);
  mountAuthoring(app, { ...service, traffic }, options);
  app.use('/admin/*', ...guard({})); // whatever is not there needs the most
  return app;
}

/**
 * The management surface, to be mounted at `/admin/v1` behind the host's own authentication: it checks no credential itself. What changes
 * something is put on record with the actor that the host sets as `credential` of the context.
 *
 * @param admission - limits bodies, of each route as it says; left out where the host does
 * @example
 * const service = await openService(settings);
 * app.use('/admin/v1/*', adminAuth);
 * app.route('/admin/v1', createManagement(service));
 */
export function createManagement(service: Service, door: Door = { via: 'host' }, admission?: Admission): OpenAPIHono<HttpEnv> {
  const app = withErrorHandler(new OpenAPIHono<HttpEnv>(), service);
  const record = recordActs(service, door, nameContactFor(service));
  const limits = ({ streamsUpTo }: Pick<Route<never>, 'streamsUpTo'>) =>
    admission === undefined ? [] : [limitBody(admission, streamsUpTo)];
  const options: MountOptions = { below: '/admin/v1', guards: (route) => [...limits(route), refuseUndeclared(route), record(route)] };
  const parts = { ...service, traffic: createTraffic(service) };
  mountManagement(app, parts, options);
  mountAuthoring(app, parts, options);
  return app;
}

/** Each door limits a body as its route says: a file of contacts that one of them cuts off could not be imported there. */
const limitBody = (admission: Admission, streamsUpTo: number | undefined): MiddlewareHandler<HttpEnv> =>
  streamsUpTo === undefined ? limitTextBody(admission) : streamBody(admission, streamsUpTo);

/** The resources of the service and of its host, in the order in which they are mounted. */
const allResources = ({ resources = [] }: Service): readonly Mountable[] => [
  ...serviceResources,
  ...resources.map(ofHost),
  ...lastResources,
];

function mountManagement(app: OpenAPIHono<HttpEnv>, service: RouteParts, options: MountOptions): void {
  const { guards = () => [] } = options;
  const ownCompany: typeof guards = (route) => [...guards(route), ofOwnCompany(service)];
  for (const { mount, isOfCompany } of allResources(service))
    mount(service, (parts, routes) =>
      mountOperatorRoutes(
        app,
        parts,
        routes.filter(({ auth }) => auth === 'operator'),
        { ...options, guards: isOfCompany ? ownCompany : guards },
      ),
    );
}

/**
 * The authoring server. Its tools ask management once more, behind the permissions of the operator whose token the client has; what they
 * change is put on record there.
 */
function mountAuthoring(app: OpenAPIHono<HttpEnv>, service: RouteParts, { guards = () => [], ...options }: MountOptions): void {
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
