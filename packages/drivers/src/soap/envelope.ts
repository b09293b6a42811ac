import type { z } from 'zod';
import type { SoapVersion } from '@hilo/nodes/effects';

type Version = z.output<typeof SoapVersion>;

/** The namespace of each version's envelope. */
export const envelopeNamespaces: { readonly [V in Version]: string } = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
};

export const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance';
