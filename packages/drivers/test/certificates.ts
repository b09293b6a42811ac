import { generate } from 'selfsigned';

/** A certificate with its key, in PEM. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);
const base = { keyType: 'ec', algorithm: 'sha256', notBeforeDate: inDays(-10) } as const;

/** An authority that no machine knows. */
export async function createAuthority(commonName: string): Promise<Pair> {
  const extensions = [
    { name: 'basicConstraints' as const, cA: true, critical: true },
    { name: 'keyUsage' as const, keyCertSign: true, cRLSign: true, critical: true },
  ];
  return pairOf(await generate([{ name: 'commonName', value: commonName }], { ...base, notAfterDate: inDays(10), extensions }));
}

/** A certificate for a server at these names and 127.0.0.1, or for a client. */
export async function createCertificate(ca: Pair, names: readonly string[], endsInDays = 10): Promise<Pair> {
  const altNames = names.map((value) => ({ type: 2 as const, value }));
  const extensions = [{ name: 'subjectAltName' as const, altNames: [...altNames, { type: 7 as const, ip: '127.0.0.1' }] }];
  const subject = [{ name: 'commonName', value: names[0] ?? 'nobody' }];
  return pairOf(await generate(subject, { ...base, notAfterDate: inDays(endsInDays), extensions, ca: { cert: ca.cert, key: ca.key } }));
}

const pairOf = (generated: { readonly cert: string; readonly private: string }): Pair => ({ cert: generated.cert, key: generated.private });
