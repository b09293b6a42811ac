/** The statuses and categories of templates that a workspace knows. */
export const templateStatuses = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'DELETED',
  'DISABLED',
  'PAUSED',
  'IN_APPEAL',
  'PENDING_DELETION',
  'LIMIT_EXCEEDED',
  'ARCHIVED',
] as const;
export const templateCategories = ['UTILITY', 'MARKETING', 'AUTHENTICATION'] as const;
