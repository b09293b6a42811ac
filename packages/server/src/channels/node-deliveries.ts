import { createNodeHandler, type NodeHandler, plainQuery, plainSegment } from '../platform/http/node-handler.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import type { ChannelParts } from './channels.ts';
import { handleDelivery } from './handle-delivery.ts';

/** Deliveries of providers on Node's own server. Their verification, once for an address, is left to the framework. */
export const createNodeDeliveries = (service: ChannelParts, traffic: Traffic): NodeHandler =>
  createNodeHandler(service, traffic, {
    surface: 'channels',
    find: (url, method) => (method === 'POST' ? deliveryUrl.exec(url)?.[1] : undefined),
    handle: (call, botId) => handleDelivery(service, traffic, call, botId),
  });

const deliveryUrl = new RegExp(`^/channels/(${plainSegment})/webhook${plainQuery}$`);
