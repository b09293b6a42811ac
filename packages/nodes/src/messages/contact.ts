import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import { mustBe, place } from './explain.ts';
import { list, optionalText } from './fields.ts';

/** A phone number in E.164, its leading `+` perhaps forgotten. */
const e164 = /^\+?[1-9][0-9]{1,14}$/;

/** A person's card (MSG-28 to MSG-31). Every field may be left out. */
function contact(dialect: Dialect) {
  const { object } = dialect;
  const line = optionalText(dialect);
  const name = object({ formatted_name: line, first_name: line, last_name: line, middle_name: line });
  const address = object({ street: line, city: line, state: line, zip: line, country: line, country_code: line, type: line });
  return object({
    name: name.exactOptional(),
    phones: z.array(object({ phone: phone(dialect).exactOptional(), type: line, wa_id: line }), asList).exactOptional(),
    emails: z.array(object({ email: email(dialect).exactOptional(), type: line }), asList).exactOptional(),
    addresses: z.array(address, asList).exactOptional(),
  });
}

/** One card or more (MSG-27). */
export const contacts = (dialect: Dialect) => list(contact(dialect), { min: 1 });

const asList = { error: mustBe('a list') };

/** The one place where a phone number has a `+`: a missing one is put there (MSG-32). */
const phone = (dialect: Dialect) =>
  z
    .string({ error: mustBe('a phone number') })
    .refine((number) => dialect.isOpen(number) || e164.test(number), {
      error: ({ path }) => `${place(path)} is not a phone number: give "+" and 2 to 15 digits, country code first`,
    })
    .transform((number) => (e164.test(number) && !number.startsWith('+') ? `+${number}` : number));

const Email = z.email();

const email = (dialect: Dialect) =>
  z
    .string({ error: mustBe('an e-mail address') })
    .refine((address) => dialect.isOpen(address) || Email.safeParse(address).success, {
      error: ({ path }) => `${place(path)} is not an e-mail address: give one like "name@example.com"`,
    })
    .meta(dialect.hints({ format: 'email' }));
