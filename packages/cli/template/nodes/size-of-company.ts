import { defineNode, leave, Template } from '@hilo/engine/node-kit';
import { z } from 'zod';

/** Leaves by `large` from a number of employees on, else by `small`. Anything but a number is small. */
export const sizeOfCompany = defineNode({
  type: 'size-of-company',
  config: z.strictObject({
    employees: Template.meta({ description: 'How many people it has', examples: ['{{$context.employees}}'] }),
    largeFrom: z.int().min(1).default(250).meta({ description: 'From how many people on a company is large' }),
  }),
  visual: {
    label: 'Size of company',
    category: 'logic',
    icon: 'building',
    colour: '#0f766e',
    description: 'Chooses a way by the number of employees.',
    summary: ({ largeFrom = 250 }) => `large from ${largeFrom}`,
  },
  ports: ['large', 'small'],
  run: ({ config: { employees, largeFrom }, variables }) => leave(Number(employees(variables)) >= largeFrom ? 'large' : 'small'),
});
