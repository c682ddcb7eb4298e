/** What a statement's rows will look like, and what its parameters are, before anything is read. */
import type {
  AskedParameter,
  DescribeRequest,
  StatementDescription,
  WideType,
} from './catalog/description.ts';
import type { CatalogCall } from './clients/catalog-client.ts';
import { describeColumns } from './execution/describing/describe-columns.ts';
import { inferParameterTypes, parameterPlaces } from './execution/describing/parameter-types.ts';
import type { Prepare, PrepareHow } from './prepare.ts';
import type { RunSliced } from './scheduling/sliced-work.ts';

/** Any value of a type: what a column's type is does not depend on it. The text is a `ctid`, too. */
const PLACEHOLDERS: Readonly<Record<WideType, string | number | boolean>> = Object.freeze({
  text: '(0,0)',
  numeric: 1,
  boolean: true,
  binary: 'eA==',
  json: '{}',
  int2: 1,
  int4: 1,
  int8: 1,
  float4: 1.5,
  float8: 1.5,
  date: '2000-01-01',
  time: '00:00:00',
  timestamp: '2000-01-01 00:00:00',
  timestamptz: '2000-01-01 00:00:00+00',
  interval: '1 day',
});

/** A number with a fraction: what is computed of it is as wide as what is computed of any number. */
const FRACTION = 1.5;

function placeholder({ type, isList }: AskedParameter, isWhole: boolean): unknown {
  const value = type === null ? null : type === 'numeric' && !isWhole ? FRACTION : PLACEHOLDERS[type];
  return isList ? [value] : value;
}

/** Stands in for a parameter after ESCAPE, which takes one character. */
const ESCAPE = '!';
/** Only in statements with this word may a parameter stand there, so only their places are looked for. */
const SPEAKS_OF_ESCAPE = /\bescape\b/i;

/** A parameter with the place that it has in the statement. */
type PlacedParameter = AskedParameter & { readonly isEscape?: boolean };

const placeholdersJson = (parameters: readonly PlacedParameter[], isWhole: boolean): string =>
  parameters.length === 0
    ? ''
    : JSON.stringify(parameters.map((one) => (one.isEscape === true ? ESCAPE : placeholder(one, isWhole))));

export async function describeStatement(
  prepare: Prepare,
  { sql, parameters: asked, searchPath = [], rules }: DescribeRequest,
  call: CatalogCall,
  how: PrepareHow & { readonly runSpaced: RunSliced },
): Promise<StatementDescription> {
  const prepared = (parameters: readonly PlacedParameter[], isWhole: boolean) => {
    const parametersJson = placeholdersJson(parameters, isWhole);
    // A table that was never sampled has no columns to tell of but its keys.
    const whole = { firstRowIdx: 0, maxRows: null, consistentRead: false, mayRead: true, searchPath };
    return prepare({ sql, parametersJson, ...whole, rules }, call, how);
  };
  let parameters = asked.map(({ type, isList }) => ({ type: type ?? 'text', isList }));
  let escapes: ReadonlySet<number> = new Set();
  if (asked.some(({ type }) => type === null) || (asked.length > 0 && SPEAKS_OF_ESCAPE.test(sql))) {
    const { query, bindAnew } = await prepared(
      asked.map(() => ({ type: null, isList: false })),
      true,
    );
    const places = parameterPlaces(query());
    ({ escapes } = places);
    const inferred = inferParameterTypes(places, bindAnew().plan, asked.length);
    parameters = asked.map(({ type, isList }, i) => ({
      type: type ?? inferred[i] ?? 'text',
      isList: isList || (type === null && places.lists.has(i)),
    }));
  }
  const hasNumeric = parameters.some(({ type }) => type === 'numeric');
  const placed = parameters.map((one, i) => ({ ...one, isEscape: escapes.has(i) && one.type === 'text' }));
  const { plan } = await prepared(placed, !hasNumeric).catch((error: unknown) => {
    // Where only a whole number may stand, such as LIMIT, the fraction is refused.
    if (!hasNumeric || call.signal.aborted) throw error;
    return prepared(placed, true);
  });
  return { columns: await how.runSpaced(describeColumns(plan)), parameters };
}
