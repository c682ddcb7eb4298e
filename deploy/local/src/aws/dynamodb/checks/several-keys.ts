import { dynamoValidation } from '../../errors.ts';
import type { Condition, Predicate } from '../expression/condition.ts';
import type { Placeholders } from '../expression/placeholders.ts';
import type { AttributeValue } from '../input.ts';
import type { IndexSchema } from '../table-schema.ts';

/** What a key condition says of one key attribute. */
export interface KeyPredicate {
  readonly name: string;
  readonly operator: string;
  readonly values: readonly AttributeValue[];
}

/** Whether a key of the index is made of several attributes. */
export function hasSeveralKeys({ partitionKeys, sortKeys }: IndexSchema): boolean {
  return partitionKeys.length > 1 || sortKeys.length > 1;
}

/**
 * Reads a key condition on such an index, and refuses what DynamoDB refuses (Developer Guide, "Multi-attribute keys
 * pattern"): every partition key attribute has to be bound by `=`, sort key attributes from left to right without gaps,
 * an inequality last. Throws ValidationException.
 */
export function severalKeysCondition(
  { partitionKeys, sortKeys }: IndexSchema,
  condition: Condition,
  placeholders: Placeholders,
): readonly KeyPredicate[] {
  const predicates = condition.predicates.map((one) => keyPredicate(one, placeholders));
  const found = new Map(predicates.map((one) => [one.name, one]));
  const isKey = (name: string): boolean => [...partitionKeys, ...sortKeys].some((key) => key.name === name);
  const isSupported = ({ name, operator }: KeyPredicate): boolean => isKey(name) && OPERATORS.has(operator);
  if (!condition.conjunctive || !predicates.every(isSupported)) throw unsupported();
  if (found.size < predicates.length)
    throw dynamoValidation('KeyConditionExpressions must only contain one condition per key');
  for (const { name } of partitionKeys) {
    if (!found.has(name)) throw dynamoValidation(`Query condition missed key schema element: ${name}`);
    if (found.get(name)?.operator !== '=') throw unsupported();
  }
  // What comes before the last attribute that is asked about has to be bound by `=`, each of it.
  const last = sortKeys.findLastIndex(({ name }) => found.has(name));
  const open = sortKeys
    .slice(0, Math.max(0, last))
    .findIndex(({ name }) => found.get(name)?.operator !== '=');
  if (open >= 0)
    throw dynamoValidation(
      `RANGE key attributes ${sortKeys[open]?.name} must have equality conditions specified in the query because a ` +
        `condition is present on key attribute ${sortKeys.slice(open + 1).find(({ name }) => found.has(name))?.name}`,
    );
  return predicates;
}

const OPERATORS: ReadonlySet<string> = new Set(['=', '<', '<=', '>', '>=', 'BETWEEN', 'begins_with']);

const unsupported = () => dynamoValidation('Query key condition not supported');

function keyPredicate({ operator, operands }: Predicate, placeholders: Placeholders): KeyPredicate {
  const [first, ...others] = operands;
  const name = first?.kind === 'path' ? placeholders.name(first.path) : undefined;
  const values = others.flatMap((one) => {
    const value = one.kind === 'value' ? placeholders.value(one.name) : undefined;
    return value === undefined ? [] : [value];
  });
  if (name === undefined || values.length < others.length) throw unsupported();
  return { name, operator, values };
}
