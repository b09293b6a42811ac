/** Phone numbers in two writings: `+52 55 1234 5678`, and `525512345678` as `$user.phone` and answers have it. */

/** Whether two texts are one phone number, of which at least one is written with its +. Digits alone are a phone number for nobody but the + beside them. */
export function samePhone(left: string, right: string): boolean {
  if (!left.startsWith('+') && !right.startsWith('+')) return false;
  const [first, second] = [digitsOf(left), digitsOf(right)];
  return first !== undefined && first === second;
}

/** The digits of a text of up to 15 with the signs that people put between them. */
function digitsOf(text: string): string | undefined {
  if (text.length > 30 || !/^\+? ?\(?\d[\d ().-]{6,28}$/.test(text)) return undefined;
  const digits = text.replaceAll(/\D/g, '');
  return digits.length >= 8 && digits.length <= 15 ? digits : undefined;
}
