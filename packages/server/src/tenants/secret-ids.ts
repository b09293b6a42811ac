/** What a secret of a bot's provider is kept by. */
export const botSecretId = (botId: string, field: string): string => `bot/${botId}/${field}`;

/** What a secret of a credential is kept by. */
export const credentialSecretId = (credentialId: string, field: string): string => `credential/${credentialId}/${field}`;
