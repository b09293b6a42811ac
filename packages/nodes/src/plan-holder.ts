import type { PlanHolder, Variables } from '@hilo/engine/contract';

/** Who the plan rules see. Without a company, as where the engine is embedded, no plan limits anything. */
export function planHolder(variables: Variables): PlanHolder {
  if (variables.get(['$company']) === undefined) return { plan: '', kind: 'enterprise' };
  const textAt = (name: string): string => {
    const value = variables.get(['$company', name]);
    return typeof value === 'string' ? value : '';
  };
  return { plan: textAt('plan'), kind: textAt('kind') };
}
