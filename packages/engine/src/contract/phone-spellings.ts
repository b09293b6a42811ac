// The spellings of one phone number, where a country has several: providers, address books and CRMs do not agree about the digits that
// mark a mobile phone.

/** A country whose numbers have more than one spelling. */
interface Spelling {
  /** Matches every spelling, digits only. */
  readonly pattern: RegExp;
  /** All spellings of a matched number, the canonical one first. */
  spell(match: RegExpExecArray): readonly string[];
}

const countries: readonly Spelling[] = [
  // Mexico: 1 behind the country marked a mobile phone until 2019; WhatsApp still has it. No area begins with 0 or 1.
  { pattern: /^521?([2-9]\d{9})$/, spell: ([, number]) => [`52${number}`, `521${number}`] },
  // Brazil: a mobile number has 9 before its eight digits since 2016; WhatsApp leaves it out where it did not have it. Eight digits that
  // begin with 2 to 5 are a landline: another phone than the one with 9 in front.
  { pattern: /^55([1-9]{2})9?([016-9]\d{7})$/, spell: ([, area, number]) => [`55${area}9${number}`, `55${area}${number}`] },
  // Argentina: 9 behind the country is the international mark of a mobile phone, 15 behind the area the national one. Areas have two to
  // four digits, and area and number ten.
  { pattern: /^549?((?:11|[23]\d)\d{8})$/, spell: ([, number = '']) => spellArgentine(number) },
  {
    pattern: /^549?(?:(11)15(\d{8})|([23]\d{2})15(\d{7})|([23]\d{3})15(\d{6}))$/,
    spell: ([, ...parts]) => spellArgentine(parts.filter((part) => part !== undefined).join('')),
  },
];

/** Numbers of these countries: nearly no other text is looked at more than once. */
const hasSpellings = /^5[245]/;

/** @param number - area and number, ten digits */
const spellArgentine = (number: string): readonly string[] => [
  `549${number}`,
  `54${number}`,
  ...(number.startsWith('11') ? [2] : [3, 4]).map((area) => `54${number.slice(0, area)}15${number.slice(area)}`),
];

/**
 * All spellings of a phone number, the canonical one first; the number alone where there is one, and for what is no phone number.
 *
 * @param phone - digits only, with the country
 */
export function phoneSpellings(phone: string): readonly string[] {
  if (!hasSpellings.test(phone)) return [phone];
  for (const { pattern, spell } of countries) {
    const match = pattern.exec(phone);
    const spellings = match === null ? [] : spell(match);
    if (spellings.length > 0) return spellings;
  }
  return [phone];
}

/** The text by which a person is one for all bots of a company: of a phone number the canonical spelling, of any other id the id itself. */
export const personOf = (userId: string): string => canonicalSpelling(userId);

/** Whether two spellings are of one phone number. */
export const isSamePhone = (left: string, right: string): boolean => left === right || canonicalSpelling(left) === canonicalSpelling(right);

/** The one spelling by which all spellings of a number are compared; never what is sent to. */
export const canonicalSpelling = (phone: string): string => phoneSpellings(phone)[0] ?? phone;

/** Whether a phone number is a contact's, in any of its spellings. */
export const hasPhone = ({ phone }: { readonly phone: string | null }, named: string): boolean =>
  phone !== null && isSamePhone(phone, named);

/** The spellings of a phone number beside the given one. */
export const otherSpellings = (phone: string): readonly string[] => phoneSpellings(phone).filter((spelling) => spelling !== phone);
