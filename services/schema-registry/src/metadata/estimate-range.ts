/** What a figure is likely to be, and what it may be as far as a sample tells. */
export interface EstimateRange {
  readonly low: number;
  readonly estimate: number;
  readonly high: number;
}

/** An estimate within its range, both within bounds that hold in any case. */
export function estimateRange(
  { low, estimate, high }: EstimateRange,
  bounds: { readonly min: number; readonly max: number },
): EstimateRange {
  const within = (figure: number): number =>
    Math.min(Math.max(figure, bounds.min), Math.max(bounds.max, bounds.min));
  const best = within(estimate);
  return Object.freeze({
    low: rounded(Math.min(within(low), best)),
    estimate: rounded(best),
    high: rounded(Math.max(within(high), best)),
  });
}

/** Three digits: more would say what no sample knows, and would change the table's version with every sample. */
function rounded(figure: number): number {
  return figure < 1000 ? Number(figure.toPrecision(3)) : Math.round(Number(figure.toPrecision(3)));
}
