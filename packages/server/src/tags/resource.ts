import { buildResource } from '../platform/define-resource.ts';
import { listTags } from './routes.ts';

/** The catalogue of tags. */
export const tagResource = buildResource({ name: 'tags', routes: [listTags] });
