import { z } from '@hono/zod-openapi';
import { noteAct } from '../platform/http/acts.ts';
import { errorResponses } from '../platform/http/admin.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import type { Tenancy } from '../tenants/companies.ts';
import type { KeyRotation } from './rotate-keys.ts';

/** What the route works with. */
type KeyParts = Tenancy & { readonly keys: KeyRotation };

/** Encrypts every secret with another master key. */
export const rotateKeys = defineRoute({
  post: '/admin/v1/keys/rotate',
  operationId: 'rotateKeys',
  auth: 'operator',
  permission: 'admin',
  ofAll: true,
  tags: ['Access'],
  summary: 'Encrypts the secrets of all companies with another key, while the service runs',
  description:
    'A key of the file secret.key is made anew; HILO_SECRET_KEY is set by whoever starts the service, with HILO_SECRET_KEY_BEFORE beside it. A rotation that was cut off is completed.',
  answer: jsonResponse(
    'Every secret is encrypted with the key',
    z.object({
      keyId: z.string().openapi({ description: 'Identifies the key without revealing it', example: '3f9a51c07be2d846' }),
      reencrypted: z.int().openapi({ description: 'How many secrets another key had encrypted' }),
    }),
  ),
  refusals: {
    ...errorResponses,
    409: jsonResponse('There is no other key, or a runtime keeps what is sealed: nothing was changed', ErrorBody),
  },
  example: {},
  async handle({ c }, { keys }: KeyParts) {
    const rotated = await keys.rotate();
    noteAct(c, { kind: 'key', id: rotated.keyId, after: { reencrypted: rotated.reencrypted } });
    return { ...rotated };
  },
});
