/** Numbers as `numeric` has them: digits and a point, no exponent. */

const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The exponents that DynamoDB's numbers and doubles have, and more. */
const EXPONENT_MAX = 1_000;

/** A JSON number without an exponent: the same value, each digit kept. Null for what is no number. */
export function plainNumber(token: string): string | null {
  const parts = PARTS.exec(token);
  if (parts === null) return null;
  const [, sign = '', whole = '', fraction = '', exponent] = parts;
  if (exponent === undefined) return token;
  const shift = Number(exponent);
  if (Math.abs(shift) > EXPONENT_MAX) return null;
  const digits = whole + fraction;
  const point = whole.length + shift;
  const left = (point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0')).replace(/^0+(?=\d)/, '');
  const right = point < 0 ? '0'.repeat(-point) + digits : digits.slice(point);
  return `${sign}${left}${right === '' ? '' : `.${right}`}`;
}
