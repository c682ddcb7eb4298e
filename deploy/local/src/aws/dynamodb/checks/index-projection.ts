import { dynamoValidation } from '../../errors.ts';
import type { IndexSchema } from '../table-schema.ts';

/** Refuses attributes that a global secondary index does not hold: it cannot fetch them from its table. */
export function checkIndexProjection(
  indexName: string,
  index: IndexSchema,
  attributes: readonly string[],
): void {
  const { projected } = index;
  if (index.kind !== 'global' || projected === undefined) return;
  const missing = [...new Set(attributes)].filter((name) => !projected.has(name));
  if (missing.length > 0)
    throw dynamoValidation(
      `One or more parameter values were invalid: Global secondary index ${indexName} does not project [${missing.join(', ')}]`,
    );
}
