import { z } from 'zod';
import { type Dialect, list, mustBe, optionalText, place, describe } from './dialect.ts';

/** A phone number in E.164, its leading `+` perhaps forgotten. */
const e164 = /^\+?[1-9][0-9]{1,14}$/;

/** A person's card (MSG-28 to MSG-31). Every field may be left out. */
function contact(dialect: Dialect) {
  const { object } = dialect;
  const line = optionalText(dialect);
  const name = object({
    formatted_name: describe('The whole name as it is shown', line, 'Olga Ruiz'),
    first_name: describe('The first name', line, 'Olga'),
    last_name: describe('The last name', line, 'Ruiz'),
    middle_name: describe('The middle name', line, 'María'),
  });
  const address = object({
    street: describe('The street and the number', line, 'Av. Larco 101'),
    city: describe('The city', line, 'Lima'),
    state: describe('The state or the region', line, 'Lima'),
    zip: describe('The postal code', line, '15074'),
    country: describe('The country by its name', line, 'Peru'),
    country_code: describe('The country by its code of two letters', line, 'PE'),
    type: describe('What the address is used for, such as HOME or WORK', line, 'WORK'),
  });
  const number = object({
    phone: describe('The number, country code first', phone(dialect).exactOptional(), '+51999000111'),
    type: describe('What the number is used for, such as CELL or WORK', line, 'CELL'),
    wa_id: describe('The user of WhatsApp who has this number', line, '51999000111'),
  });
  const mailbox = object({
    email: describe('The e-mail address', email(dialect).exactOptional(), 'olga@acme.test'),
    type: describe('What the e-mail address is used for, such as HOME or WORK', line, 'WORK'),
  });
  return object({
    name: describe('The name of the person', name.exactOptional()),
    phones: describe('The phone numbers of the person', z.array(number, asList).exactOptional()),
    emails: describe('The e-mail addresses of the person', z.array(mailbox, asList).exactOptional()),
    addresses: describe('The postal addresses of the person', z.array(address, asList).exactOptional()),
  });
}

/** One card or more (MSG-27). */
export const contacts = (dialect: Dialect) => list(contact(dialect), { min: 1 });

const asList = { error: mustBe('a list') };

/** The one place where a phone number has a `+`: a missing one is put there (MSG-32). */
const phone = (dialect: Dialect) =>
  z
    .string({ error: mustBe('a phone number') })
    .refine((number) => dialect.isDeferred(number) || e164.test(number), {
      error: ({ path }) => `${place(path)} is not a phone number: give "+" and 2 to 15 digits, country code first`,
    })
    .transform((number) => (e164.test(number) && !number.startsWith('+') ? `+${number}` : number));

const Email = z.email();

const email = (dialect: Dialect) =>
  z
    .string({ error: mustBe('an e-mail address') })
    .refine((address) => dialect.isDeferred(address) || Email.safeParse(address).success, {
      error: ({ path }) => `${place(path)} is not an e-mail address: give one like "name@example.com"`,
    })
    .meta(dialect.hints({ format: 'email' }));
