import { dynamoValidation } from '../../errors.ts';
import { EXPRESSION_NAME_CHARACTERS_MAX, EXPRESSION_VALUES_BYTES_MAX } from '../../limits.ts';
import { parseCondition } from '../expression/condition.ts';
import { attributesProjected, attributesRead, placeholdersOf } from '../expression/placeholders.ts';
import { isFields, object, text, type Fields } from '../input.ts';
import { keysOf, type TableSchemas, type IndexSchema } from '../table-schema.ts';
import { checkBatchGet } from './batch-get.ts';
import { checkConditionCaps, checkExpressionSize } from './condition-caps.ts';
import { checkFilterOperands } from './filter-operands.ts';
import { checkIndexKeyValues } from './index-key-values.ts';
import { checkKeySchemas } from './key-schemas.ts';
import { checkKeyCondition, checkStartKey } from './key-condition.ts';
import { hasSeveralKeys } from './several-keys.ts';

const EXPRESSIONS = [
  'KeyConditionExpression',
  'FilterExpression',
  'ConditionExpression',
  'ProjectionExpression',
  'UpdateExpression',
];
const CONDITIONS = ['FilterExpression', 'ConditionExpression'];

/**
 * Refuses what DynamoDB refuses and the store behind this endpoint would accept. What the store itself checks
 * is left to it. Throws ValidationException.
 */
export async function checkRequest(operation: string, input: Fields, schemas: TableSchemas): Promise<void> {
  if (operation === 'BatchGetItem') {
    checkBatchGet(input);
    for (const table of Object.values(object(input, 'RequestItems')))
      if (isFields(table)) checkExpressions(table);
    return;
  }
  if (operation === 'CreateTable' || operation === 'UpdateTable') {
    const altered =
      operation === 'UpdateTable' ? await schemas.find(text(input, 'TableName') ?? '') : undefined;
    checkKeySchemas(input, altered);
    return;
  }
  checkExpressions(input);
  await checkIndexKeyValues(operation, input, schemas);
  if (operation === 'Query' || (operation === 'Scan' && text(input, 'IndexName') !== undefined))
    await checkAgainstSchema(input, schemas);
}

function checkExpressions(input: Fields): void {
  for (const parameter of EXPRESSIONS) {
    const expression = text(input, parameter);
    if (expression !== undefined) checkExpressionSize(parameter, expression);
  }
  checkPlaceholders(input);
  for (const parameter of CONDITIONS) {
    const expression = text(input, parameter);
    const condition = expression === undefined ? undefined : parseCondition(expression);
    if (condition === undefined) continue;
    checkConditionCaps(parameter, condition);
    checkFilterOperands(parameter, condition, placeholdersOf(input));
  }
}

function checkPlaceholders(input: Fields): void {
  const values = object(input, 'ExpressionAttributeValues');
  for (const name of [...Object.keys(object(input, 'ExpressionAttributeNames')), ...Object.keys(values)])
    if (name.length > EXPRESSION_NAME_CHARACTERS_MAX)
      throw dynamoValidation(
        `ExpressionAttributeNames and ExpressionAttributeValues must not contain keys longer than ${EXPRESSION_NAME_CHARACTERS_MAX} characters`,
      );
  const bytes = Object.values(values).reduce<number>((sum, value) => sum + literalBytes(value), 0);
  if (bytes > EXPRESSION_VALUES_BYTES_MAX)
    throw dynamoValidation(
      `ExpressionAttributeValues: the values together are larger than ${EXPRESSION_VALUES_BYTES_MAX} bytes`,
    );
}

async function checkAgainstSchema(input: Fields, schemas: TableSchemas): Promise<void> {
  const schema = await schemas.find(text(input, 'TableName') ?? '');
  const indexName = text(input, 'IndexName');
  const index = indexName === undefined ? undefined : schema?.indexes.get(indexName);
  const keys = indexName === undefined ? schema : index;
  if (keys === undefined) return;
  const placeholders = placeholdersOf(input);
  const keyCondition = parseCondition(text(input, 'KeyConditionExpression') ?? '');
  if (keyCondition !== undefined) {
    if (index === undefined) checkKeyCondition(keyCondition, keysOf(keys), [keys.partitionKey], placeholders);
    else {
      const all = [...index.partitionKeys, ...index.sortKeys];
      checkKeyCondition(keyCondition, all, index.partitionKeys, placeholders);
    }
    // Where a key has several attributes, the read itself looks at where it starts.
    if (index === undefined || !hasSeveralKeys(index)) checkStartKey(input, keyCondition, keys, placeholders);
  }
  if (index === undefined || indexName === undefined) return;
  const filter = parseCondition(text(input, 'FilterExpression') ?? '');
  checkIndexProjection(indexName, index, [
    ...attributesProjected(text(input, 'ProjectionExpression') ?? '', placeholders),
    ...(filter === undefined ? [] : attributesRead(filter, placeholders)),
  ]);
}

/** Strings and numbers are what can grow; a collection counts by its text. */
function literalBytes(value: unknown): number {
  if (!isFields(value)) return 0;
  const [content] = Object.values(value);
  return typeof content === 'string' ? Buffer.byteLength(content) : JSON.stringify(content).length;
}

/** Refuses attributes that a global secondary index does not hold: it cannot fetch them from its table. */
function checkIndexProjection(indexName: string, index: IndexSchema, attributes: readonly string[]): void {
  const { projected } = index;
  if (index.kind !== 'global' || projected === undefined) return;
  const missing = [...new Set(attributes)].filter((name) => !projected.has(name));
  if (missing.length > 0)
    throw dynamoValidation(
      `One or more parameter values were invalid: Global secondary index ${indexName} does not project [${missing.join(', ')}]`,
    );
}
