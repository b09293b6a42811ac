import type { Service } from '../../src/service/service.ts';

/** The way out of a service from which nothing is ever sent. */
export const nothingSent: Pick<Service, 'outbox' | 'media' | 'conversations'> = {
  outbox: {
    accept: () => Promise.reject(new Error('Nothing is sent here')),
    send: () => Promise.reject(new Error('Nothing is sent here')),
    used: async () => undefined,
    find: async () => undefined,
  },
  media: async () => ({ kind: 'fits' }),
  conversations: {
    open: async () => ({ kind: 'nobody' }),
    say: async () => ({ kind: 'unattended' }),
    end: async () => false,
    transfer: async () => ({ kind: 'ended' }),
    assign: async () => ({ kind: 'ended' }),
    isActive: async () => false,
  },
};
