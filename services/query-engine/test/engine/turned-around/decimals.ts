/** Decimals of up to twelve places, exactly, to choose constants by: what is tested computes by itself. */
const PLACES = 12;
const UNIT = 10n ** BigInt(PLACES);

/** In units of the last place; what is beyond it is cut off. */
export function unitsOf(digits: string): bigint {
  const [mantissa = '0', exponent = '0'] = digits.toLowerCase().split('e');
  const negative = mantissa.startsWith('-');
  const [whole = '0', fraction = ''] = mantissa.replace('-', '').split('.');
  const shift = Number(exponent) + PLACES - fraction.length;
  const all = BigInt(whole + fraction);
  const scaled = shift >= 0 ? all * 10n ** BigInt(shift) : all / 10n ** BigInt(-shift);
  return negative ? -scaled : scaled;
}

export function digitsOf(units: bigint): string {
  const negative = units < 0n;
  const text = String(negative ? -units : units).padStart(PLACES + 1, '0');
  const fraction = text.slice(-PLACES).replace(/0+$/, '');
  return `${negative ? '-' : ''}${text.slice(0, -PLACES)}${fraction === '' ? '' : `.${fraction}`}`;
}

export const times = (a: bigint, b: bigint): bigint => (a * b) / UNIT;
/** Zero by zero. */
export const by = (a: bigint, b: bigint): bigint => (b === 0n ? 0n : (a * UNIT) / b);
