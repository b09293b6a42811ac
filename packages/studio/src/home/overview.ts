// What the service says of a company at a glance.
import type { Operations } from '../api/operations.ts';

export type Overview = Awaited<ReturnType<Operations['getOverview']>>;
