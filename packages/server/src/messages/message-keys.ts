// Who wrote a message, where its key tells.

/** What the keys of campaigns' messages begin with: conversations have the right of way before these. */
export const campaignKeyPrefix = 'campaign:';

/** What the keys of messages begin with that the service writes by itself, such as a confirmation. */
export const ownKeyPrefix = 'service:';

interface Keyed {
  readonly idempotencyKey: string;
}

/** Whether a message belongs to a campaign. */
export const isOfCampaign = ({ idempotencyKey }: Keyed): boolean => idempotencyKey.startsWith(campaignKeyPrefix);

/** Whether the service wrote a message by itself. */
export const isByItself = ({ idempotencyKey }: Keyed): boolean => idempotencyKey.startsWith(ownKeyPrefix);
