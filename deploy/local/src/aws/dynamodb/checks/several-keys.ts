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
  if (!condition.conjunctive || predicates.some(({ name }) => !isKey(name))) throw unsupported();
  if (found.size < predicates.length)
    throw dynamoValidation('KeyConditionExpressions must only contain one condition per key');
  for (const { name } of partitionKeys) {
    if (!found.has(name)) throw dynamoValidation(`Query condition missed key schema element: ${name}`);
    if (found.get(name)?.operator !== '=') throw unsupported();
  }
  const asked = sortKeys.flatMap(({ name }, place) => (found.has(name) ? [{ name, place }] : []));
  const last = asked.at(-1);
  const gap = last && sortKeys.slice(0, last.place).find(({ name }) => !found.has(name));
  if (gap !== undefined)
    throw dynamoValidation(
      `RANGE key attributes ${gap.name} must have equality conditions specified in the query because a condition is ` +
        `present on key attribute ${asked.find(({ place }) => sortKeys.indexOf(gap) < place)?.name ?? ''}`,
    );
  if (asked.slice(0, -1).some(({ name }) => found.get(name)?.operator !== '=')) throw unsupported();
  return predicates;
}

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
