// What the status of a template means for what sends it.
import type { MessageTemplate } from '../tenants/companies.ts';

/** Statuses into which providers put a template that was sent before: nothing is sent with it until they take that back. */
const heldStatuses: ReadonlySet<string> = new Set(['PAUSED', 'DISABLED', 'REJECTED', 'DELETED']);

/** Whether its provider has stopped a template. */
export const isHeld = (template: Pick<MessageTemplate, 'status'> | undefined): boolean =>
  template !== undefined && heldStatuses.has(template.status);

/** Why what sends a template waits. */
export const heldReason = ({ elementName, status }: Pick<MessageTemplate, 'elementName' | 'status'>): string =>
  `template "${elementName}" is ${status}: its provider has stopped it`;
