/** Aggregates that other systems answer roughly, and that are answered exactly here. */
import type { AstExpression } from '../parser/ast.ts';

type Call = Extract<AstExpression, { readonly kind: 'FunctionCall' }>;

const distinctCount = (call: Call): Call => ({ ...call, name: 'COUNT', distinct: true });

/** `APPROX_PERCENTILE(x, 0.5)` as the value at that place in the order of x; of other arguments what is refused. */
function percentile(call: Call): Call {
  const [expression, fraction, ...others] = call.arguments;
  if (expression === undefined || fraction === undefined || others.length > 0)
    return { ...call, name: 'PERCENTILE_DISC' };
  const key = { expression, descending: false, nulls: null };
  return { ...call, name: 'PERCENTILE_DISC', arguments: [fraction], withinGroup: [key] };
}

const EXACT: ReadonlyMap<string, (call: Call) => Call> = new Map([
  ...['APPROX_COUNT_DISTINCT', 'APPROX_DISTINCT'].map((name) => [name, distinctCount] as const),
  ...['APPROX_PERCENTILE', 'APPROX_QUANTILE', 'PERCENTILE_APPROX'].map((name) => [name, percentile] as const),
  ['APPROX_MEDIAN', (call) => ({ ...call, name: 'MEDIAN' })],
]);

/** The call whose answer is exact; any other call as it is. */
export function exactCall(call: Call): Call {
  if (call.star) return call;
  return EXACT.get(call.name)?.(call) ?? call;
}
