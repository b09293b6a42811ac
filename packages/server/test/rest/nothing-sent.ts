// The parts of a service that would send messages, for tests in which nothing is sent.
import { channelAdapters } from '@hilo/channels';
import { standardNodes } from '@hilo/nodes';
import { createVirtualClock } from '@hilo/testing';
import { createChannelRegistry } from '../../src/channels/channels.ts';
import { createNotices } from '../../src/channels/notices.ts';
import { performedEffects } from '../../src/service/performed-effects.ts';
import type { Service } from '../../src/service/service.ts';
import { createSimulationWork } from '../../src/platform/canvas-work/simulation-work.ts';
import { createCanvasWork } from '../../src/platform/canvas-work/canvas-work.ts';

type SendingParts = Pick<
  Service,
  'nodes' | 'effects' | 'canvasWork' | 'simulations' | 'channels' | 'outbox' | 'media' | 'conversations' | 'inbox'
>;

/** The sending parts of a service that never sends. All share them but for what listens, which would keep every service of a run. */
export const nothingSent = (): SendingParts => ({ ...shared, channels: { ...shared.channels, notices: createNotices() } });

const shared: SendingParts = {
  nodes: standardNodes,
  canvasWork: createCanvasWork({ nodes: standardNodes, clock: createVirtualClock() }),
  simulations: createSimulationWork({ nodes: standardNodes, clock: createVirtualClock() }),
  effects: performedEffects({ drivers: [] }),
  channels: createChannelRegistry({
    adapters: channelAdapters,
    dialer: { request: () => Promise.reject(new Error('Nothing is sent here')) },
    clock: createVirtualClock(),
    log: { info() {}, warn() {}, error() {} },
  }),
  outbox: {
    accept: () => Promise.reject(new Error('Nothing is sent here')),
    send: () => Promise.reject(new Error('Nothing is sent here')),
    used: async () => undefined,
    find: async () => undefined,
  },
  media: async () => ({ kind: 'fits' }),
  conversations: {
    open: async () => ({ kind: 'no-operator' }),
    send: async () => ({ kind: 'unattended' }),
    sendTemplate: async () => ({ kind: 'unattended' }),
    end: async () => false,
    transfer: async () => ({ kind: 'ended' }),
    assign: async () => ({ kind: 'ended' }),
    takeOver: async () => 'duplicate',
    questionPausedUntil: () => undefined,
    isActive: async () => false,
  },
  inbox: { changed() {}, listen: () => () => {}, state: async () => '' },
};
