import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sizeOfCompany } from '../nodes/size-of-company.ts';

it('leaves by "large" from its threshold on, for any company', () =>
  fc.assert(
    fc.property(fc.nat(100_000), fc.integer({ min: 1, max: 100_000 }), (employees, largeFrom) => {
      const config = { employees: '{{$context.employees}}', largeFrom };
      const { by } = visit(sizeOfCompany, { config, variables: { $context: { employees } } });
      expect(by).toBe(employees >= largeFrom ? 'large' : 'small');
    }),
  ));
