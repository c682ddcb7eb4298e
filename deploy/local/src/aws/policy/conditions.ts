import { malformedPolicy } from '../errors.ts';
import { matchesWildcard } from './wildcard.ts';

/** What a request is known by: condition keys in lower case (they are case-insensitive) and their values. */
export type ConditionContext = ReadonlyMap<string, string>;

/** One operator on one key: true when any of the values fits (for negated operators, when none does). */
export interface PolicyCondition {
  readonly operator: string;
  readonly ifExists: boolean;
  /** Condition key in lower case. */
  readonly key: string;
  readonly values: readonly string[];
}

/** `unsupported`: an operator of AWS's that this endpoint does not evaluate. */
type ConditionResult = 'met' | 'unmet' | 'unsupported';

type Comparison = (expected: string, actual: string) => boolean;

const equal: Comparison = (expected, actual) => expected === actual;
const equalIgnoringCase: Comparison = (expected, actual) => expected.toLowerCase() === actual.toLowerCase();
const like: Comparison = (expected, actual) => matchesWildcard(expected, actual);

const POSITIVE: Readonly<Record<string, Comparison>> = {
  StringEquals: equal,
  StringEqualsIgnoreCase: equalIgnoringCase,
  StringLike: like,
  ArnEquals: like,
  ArnLike: like,
  Bool: equalIgnoringCase,
};

const NEGATED: Readonly<Record<string, Comparison>> = {
  StringNotEquals: equal,
  StringNotEqualsIgnoreCase: equalIgnoringCase,
  StringNotLike: like,
  ArnNotEquals: like,
  ArnNotLike: like,
};

const KNOWN_TO_AWS =
  /^(For(Any|All)Values?:)?(String(Not)?(Equals|EqualsIgnoreCase|Like)|Arn(Not)?(Equals|Like)|Bool|Null|(Numeric|Date)(Not)?(Equals|LessThan|LessThanEquals|GreaterThan|GreaterThanEquals)|BinaryEquals|(Not)?IpAddress)(IfExists)?$/;

/** Reads a statement's `Condition`. Throws MalformedPolicyDocument. */
export function parseConditions(block: Readonly<Record<string, unknown>>): readonly PolicyCondition[] {
  return Object.entries(block).flatMap(([name, keys]) => {
    if (!KNOWN_TO_AWS.test(name)) throw malformedPolicy(`Invalid Condition type : ${name}.`);
    if (typeof keys !== 'object' || keys === null || Array.isArray(keys))
      throw malformedPolicy('Syntax errors in policy.');
    const ifExists = name.endsWith('IfExists');
    const operator = ifExists ? name.slice(0, -'IfExists'.length) : name;
    return Object.entries(keys).map(([key, value]) => ({
      operator,
      ifExists,
      key: key.toLowerCase(),
      values: valuesOf(value),
    }));
  });
}

/** Evaluates one condition against what is known of the request. */
export function evaluateCondition(condition: PolicyCondition, context: ConditionContext): ConditionResult {
  const { operator, values } = condition;
  const actual = context.get(condition.key);
  if (operator === 'Null')
    return met(values.some((value) => value.toLowerCase() === String(actual === undefined)));
  const positive = POSITIVE[operator];
  const negated = NEGATED[operator];
  if (positive === undefined && negated === undefined) return 'unsupported';
  if (actual === undefined) return met(condition.ifExists || negated !== undefined);
  if (positive !== undefined) return met(values.some((value) => positive(value, actual)));
  return met(!values.some((value) => negated?.(value, actual)));
}

function met(holds: boolean): ConditionResult {
  return holds ? 'met' : 'unmet';
}

function valuesOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((item) => {
    if (typeof item !== 'string' && typeof item !== 'boolean' && typeof item !== 'number')
      throw malformedPolicy('Syntax errors in policy.');
    return String(item);
  });
}
