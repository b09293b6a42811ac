import { defineNode, HiloError, instantMs, isTemplate, leave, perform, Template, timer } from '@hilo/engine/contract';
import { z } from 'zod';

const example = '2031-03-01T09:00:00-05:00';

const At = Template.refine(({ source }) => isTemplate(source) || instantMs(source) !== undefined, {
  error: `This is not an instant; write ISO 8601 with a zone, such as ${example}`,
});

/** Waits until an instant. Leaves by `past` at once when that is over, or is this very one. */
export const waitUntil = defineNode({
  type: 'wait-until',
  config: z.strictObject({ at: At }),
  visual: {
    label: 'Wait until',
    category: 'time',
    icon: 'calendar-clock',
    colour: '#d97706',
    description: 'Waits until a date and time. A time that has passed has a way of its own.',
    summary: ({ at }) => at ?? '',
    formHints: { at: 'expression' },
  },
  ports: ['elapsed', 'past'],
  run({ config, variables, nowMs }) {
    const text = config.at(variables);
    const dueAtMs = instantMs(text);
    if (dueAtMs === undefined) throw new HiloError('INVALID_REQUEST', { reason: `"${text}" is not an instant such as ${example}` });
    if (dueAtMs <= nowMs) return leave('past');
    return perform(timer({ dueAtMs, isInterruptible: false }), () => leave('elapsed'));
  },
  waitsBefore: () => ['elapsed'],
});
