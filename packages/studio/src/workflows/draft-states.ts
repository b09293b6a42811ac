import type { WorkflowSummary } from '../api/client.ts';

type Row = Pick<WorkflowSummary, 'publishedVersion' | 'isPublished' | 'errors' | 'warnings'>;

/** How a draft can stand. A workflow may be in several of them. */
export const draftStates = {
  /** No version exists. */
  never: ({ publishedVersion }: Row) => publishedVersion === null,
  /** The latest version is the draft. */
  published: ({ publishedVersion, isPublished }: Row) => publishedVersion !== null && isPublished,
  /** The draft is ahead of the latest version. */
  changed: ({ publishedVersion, isPublished }: Row) => publishedVersion !== null && !isPublished,
  problems: ({ errors, warnings }: Row) => errors + warnings > 0,
} as const;
export type DraftState = keyof typeof draftStates;

/** A state by its name; `undefined` for any other text. */
export const draftStateNamed = (name: string): DraftState | undefined =>
  Object.hasOwn(draftStates, name) ? (name as DraftState) : undefined;
