// Sets of contacts that are kept by hand.
import { defineTable, key, keyOf, personKeyOf, text } from '@hilo/stores';

/** Who is in which group. */
export const groupMembers = defineTable(
  'contact_groups',
  {
    companyId: key(text()),
    groupName: key(text()),
    personKey: key({ ...keyOf('userId'), encode: personKeyOf }),
    userId: text(),
  },
  {
    moves: 'copied',
    personal: { of: 'person', column: 'personKey' },
    foundBy: 'others',
    indexes: { byPerson: { on: ['companyId', 'personKey'] } },
  },
);

/** Takes a person out of all groups. */
export const leaveGroups = groupMembers.removeWhere({ personKey: groupMembers.columns.personKey }, (rows, { personKey }) =>
  rows.where('person_key', '=', personKey),
);
