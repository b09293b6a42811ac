/** The due times of a company, so that its timers are found however many another company has that were due before. */
export const timersByCompany = (): readonly string[] => [
  'create index executions_due_by_company on executions (company_id, due_at_ms, id) where due_at_ms is not null',
];
