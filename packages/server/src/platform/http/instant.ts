/** An instant as the interface gives it: ISO 8601, in UTC. */
export const instant = (atMs: number): string => new Date(atMs).toISOString();
