import { createNodeDeliveries } from '../channels/routes.ts';
import { createNodeGateway } from '../webhooks/routes.ts';
import { type Listening, type ListenOptions, listen } from '../platform/http/listen.ts';
import { createTraffic } from '../platform/http/traffic.ts';
import { createApp } from './app.ts';
import type { Service } from './service.ts';

/**
 * Serves every surface on its own port. Webhooks of customers and of providers are answered before the framework, by the function that
 * the framework's route calls.
 *
 * @example
 * const service = await openService(settings);
 * const { close } = await serve(service, settings);
 *
 * @throws the error of `node:net` for an address that is in use or not local
 */
export function serve(service: Service, options: ListenOptions): Promise<Listening> {
  const traffic = createTraffic(service);
  const [answerWebhook, answerDelivery] = [createNodeGateway(service, traffic), createNodeDeliveries(service, traffic)];
  const onLimit = service.limitReports?.report;
  return listen(createApp(service, traffic).fetch, {
    ...options,
    addresses: traffic.addresses,
    ...(onLimit !== undefined && { onLimit }),
    before: (incoming, outgoing) => answerWebhook(incoming, outgoing) || answerDelivery(incoming, outgoing),
  });
}
