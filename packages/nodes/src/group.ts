import { defineNode, fail, leave, perform, Template } from '@hilo/engine/contract';
import { z } from 'zod';
import { changeGroup, GroupAction, GroupName } from './effects/change-group.ts';

/** Puts the user into a group of contacts, or takes them out of it: campaigns and schedules are for groups. */
export const group = defineNode({
  type: 'group',
  config: z.strictObject({
    action: GroupAction.meta({ description: 'Adds the user to the group, or removes them from it' }),
    group: Template.meta({ description: 'The name of the group; it is made with its first contact', examples: ['vip'] }),
  }),
  visual: {
    label: 'Group',
    category: 'people',
    icon: 'users',
    colour: '#ea580c',
    description: 'Puts the user into a group of contacts, or takes them out of it.',
    summary: ({ action, group: name }) => `${action ?? ''} ${typeof name === 'string' ? name : ''}`.trim(),
  },
  names: ['group'],
  ports: ['next'],
  optionalPorts: ['error'],
  supports: { kinds: ['skill'] },
  effects: [changeGroup],
  run({ config: { action, group: name }, variables }) {
    const { data, error } = GroupName.safeParse(name(variables).trim());
    if (data === undefined) return fail('INVALID_GROUP', error.issues[0]?.message ?? 'This is no name of a group');
    return perform(changeGroup({ action, group: data }), (result) =>
      result.kind === 'changed' ? leave('next') : fail(result.cause, result.message),
    );
  },
});
