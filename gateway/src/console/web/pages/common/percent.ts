/** A share of something, as `100 %`, `99 %`, `under 1 %`; never rounded up to all, nor down to nothing. */
export function percent(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0 %';
  if (part >= whole) return '100 %';
  const exact = (part / whole) * 100;
  return exact < 1 ? 'under 1 %' : `${Math.min(99, Math.round(exact))} %`;
}
