// The rules of the clock in a canvas.
import type { Canvas } from '@hilo/engine/contract';
import { start } from '../start.ts';
import type { ScheduleRule } from './rule.ts';
import { clockFields } from './schedule-config.ts';

/** The rules by which a canvas begins by the clock. A start that cannot be read has none: publishing refuses it. */
export function readSchedules({ nodes }: Pick<Canvas, 'nodes'>): readonly ScheduleRule[] {
  return nodes.flatMap(({ id, type, data }) => {
    if (type !== start.type || (data['schedule'] === undefined && data['at'] === undefined)) return [];
    const clock = Object.fromEntries(Object.entries(data).filter(([name]) => name in clockFields));
    return start.config.safeParse(clock).data?.rules(id) ?? [];
  });
}
