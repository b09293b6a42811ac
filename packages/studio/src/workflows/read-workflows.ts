import type { HiloClient, Page, WorkflowSummary } from '../api/client.ts';

/** More workflows than an author looks through. */
const mostRead = 2_000;

/** The workflows of a company, or its archived ones. */
export async function readWorkflows(client: HiloClient, companyId: string, archived = false): Promise<readonly WorkflowSummary[]> {
  const all: WorkflowSummary[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<WorkflowSummary> = await client.workflows(companyId, { archived, ...(cursor !== null && { cursor }) });
    all.push(...page.results);
    cursor = page.nextCursor;
  } while (cursor !== null && all.length < mostRead);
  return all;
}
