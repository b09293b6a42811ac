/** What an operator may do: look, change drafts and their tests, publish, and act upon what runs. */
export const permissions = ['view', 'edit', 'publish', 'operate'] as const;
export type Permission = (typeof permissions)[number];
