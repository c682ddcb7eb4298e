import { dynamoValidation } from '../../errors.ts';
import type { Condition } from '../expression/condition.ts';
import type { Placeholders } from '../expression/placeholders.ts';
import type { IndexSchema } from '../table-schema.ts';

/** Whether a key of the index is made of several attributes. */
export function hasSeveralKeys({ partitionKeys, sortKeys }: IndexSchema): boolean {
  return partitionKeys.length > 1 || sortKeys.length > 1;
}

/**
 * Refuses what DynamoDB refuses to read by such an index (developer guide, "Multi-attribute keys pattern": all partition
 * key attributes with `=`, sort key attributes from left to right without gaps, an inequality last); and all the rest,
 * since the stores know the first attribute of each key only and would answer wrongly.
 */
export function checkSeveralKeys(
  index: IndexSchema,
  condition: Condition | undefined,
  placeholders: Placeholders,
): void {
  if (condition !== undefined) checkCondition(index, condition, placeholders);
  throw dynamoValidation(
    'The local endpoint cannot read an index whose key is made of several attributes: read the table, and filter',
  );
}

function checkCondition(index: IndexSchema, condition: Condition, placeholders: Placeholders): void {
  const operators = new Map(
    condition.predicates.flatMap(({ operator, operands }) =>
      operands.flatMap((operand) => {
        const name = operand.kind === 'path' ? placeholders.name(operand.path) : undefined;
        return name === undefined ? [] : [[name, operator] as const];
      }),
    ),
  );
  for (const name of index.partitionKeys) {
    if (!operators.has(name)) throw dynamoValidation(`Query condition missed key schema element: ${name}`);
    if (operators.get(name) !== '=') throw dynamoValidation('Query key condition not supported');
  }
  const asked = index.sortKeys.filter((name) => operators.has(name));
  const gap = index.sortKeys.find(
    (name, i) => !operators.has(name) && asked.some((one) => index.sortKeys.indexOf(one) > i),
  );
  if (gap !== undefined)
    throw dynamoValidation(
      `RANGE key attributes ${gap} must have equality conditions specified in the query because a condition is present ` +
        `on key attribute ${asked.find((one) => index.sortKeys.indexOf(one) > index.sortKeys.indexOf(gap)) ?? ''}`,
    );
  if (asked.slice(0, -1).some((name) => operators.get(name) !== '='))
    throw dynamoValidation('Query key condition not supported');
}
