import type { Bot } from '../service/companies.ts';

/** The webhook a call is for. */
export interface Target {
  readonly companyId: string;
  readonly bot: Bot;
  readonly route: 'production' | 'test';
  readonly workflowId: string;
  readonly nodeId: string;
}
