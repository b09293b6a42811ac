import type { Channel } from '@hilo/engine/contract';
import type { MediaType } from '@hilo/nodes';

/** A file that is to be sent. */
export interface MediaFile {
  readonly type: MediaType;
  readonly url: string;
  readonly channel: Channel;
  /** Whose message it is: a host that fails is left alone for this company only (P24). */
  readonly companyId: string;
}

/** Whether a file can be sent, and the code of the specification where it cannot (ERR-06). */
export type MediaVerdict =
  | { readonly kind: 'fits' }
  | {
      readonly kind: 'refused';
      readonly code: 'INVALID_MEDIA_URL' | 'MEDIA_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE';
      /** What is wrong, without the path and the query of the address: those may be secret. */
      readonly message: string;
    };

/** Looks at a file where it lies, before its channel is told of it (MED-01 to MED-06). */
export type MediaCheck = (file: MediaFile) => Promise<MediaVerdict>;
