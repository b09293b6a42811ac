import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { consent } from './consent.ts';

const changed = { kind: 'changed' };
const variables = { $message: { id: 'wamid.7', type: 'text', text: 'Yes, please' } };

describe('consent', () => {
  it.each(['granted', 'revoked'] as const)('keeps that it is %s, by the message of the user, and continues', (marketing) => {
    const visited = visit(consent, { config: { marketing }, variables, results: [changed] });
    expect(visited.effects).toEqual([{ type: 'consent.change', request: { marketing, evidence: 'wamid.7' } }]);
    expect(visited.by).toBe('next');
  });

  it('takes another proof', () => {
    const config = { marketing: 'granted', evidence: 'Form {{$context.form}}' } as const;
    const visited = visit(consent, { config, variables: { ...variables, $context: { form: 7 } }, results: [changed] });
    expect(visited.effects).toEqual([{ type: 'consent.change', request: { marketing: 'granted', evidence: 'Form 7' } }]);
  });

  it.each([
    ['no message', undefined, {}],
    ['an empty proof', '{{$context.none ?? ""}}', {}],
    ['a proof that is too long', '{{$context.long}}', { evidence: '😀'.repeat(500) }],
  ])('asks with what is there: %s', (_what, evidence, proof) => {
    const config = { marketing: 'granted', ...(evidence !== undefined && { evidence }) } as const;
    const visited = visit(consent, { config, variables: { $context: { long: '😀'.repeat(501) } }, results: [changed] });
    expect(visited.effects).toEqual([{ type: 'consent.change', request: { marketing: 'granted', ...proof } }]);
  });

  it('leaves by error with the cause of a refusal', () => {
    const results = [{ kind: 'refused', cause: 'NO_CONSENT', message: 'stopped' }];
    expect(visit(consent, { config: { marketing: 'granted' }, variables, results })).toMatchObject({
      by: 'error',
      failure: { cause: 'NO_CONSENT' },
    });
  });

  it('shows on the canvas what it does', () => {
    expect(consent.visual.summary?.({ marketing: 'granted' })).toBe('granted');
  });
});
