import { z } from 'zod';

const TagIds = (field: string) => z.array(z.int('a tag id is a whole number'), `${field} is a list of tag ids`);

/**
 * The body that replaces the tags of a room (TAG-03 to TAG-05). Without `tags` it is refused: only an empty list takes all
 * away. Fields that are not known are left alone (GEN-07).
 */
export const TagAssignment = z.object({
  roomId: z.string('roomId is a text').min(1, 'roomId is empty'),
  tags: TagIds('tags'),
  ifTags: TagIds('ifTags').optional(),
});
