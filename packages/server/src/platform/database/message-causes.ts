import type { Migration } from '@hilo/stores';

/** Why a message failed, or why no workflow took it. */
export const messageCauses: Migration = () => ['alter table messages add column cause text'];
