import { dynamoValidation } from '../../errors.ts';
import { INDEX_KEY_ATTRIBUTES_MAX, TABLE_KEY_ATTRIBUTES_MAX } from '../../limits.ts';
import { isFields, objects, text, type Fields } from '../input.ts';
import { keysOf, type TableSchema } from '../table-schema.ts';

const INVALID = 'One or more parameter values were invalid: ';

/**
 * Refuses key schemas where DynamoDB does: those of global indexes may have up to four HASH attributes, then up to four
 * RANGE attributes, all different, all defined; those of tables and local indexes two elements. What else these may be is
 * left to the store. `table`: what UpdateTable adds to. Throws ValidationException.
 */
export function checkKeySchemas(input: Fields, table: TableSchema | undefined): void {
  checkLength(objects(input, 'KeySchema'), 'keySchema');
  for (const [at, index] of objects(input, 'LocalSecondaryIndexes').entries())
    checkLength(objects(index, 'KeySchema'), `localSecondaryIndexes.${at + 1}.member.keySchema`);
  const created = objects(input, 'GlobalSecondaryIndexUpdates').flatMap(({ Create }) =>
    isFields(Create) ? [Create] : [],
  );
  const defined = new Set([
    ...objects(input, 'AttributeDefinitions').map((one) => text(one, 'AttributeName') ?? ''),
    ...(table === undefined ? [] : knownAttributes(table)),
  ]);
  for (const index of [...objects(input, 'GlobalSecondaryIndexes'), ...created])
    checkKeySchema(objects(index, 'KeySchema'), defined);
}

function checkLength(elements: readonly Fields[], place: string): void {
  if (elements.length <= TABLE_KEY_ATTRIBUTES_MAX) return;
  const shown = elements.map(
    (one) => `KeySchemaElement(attributeName=${text(one, 'AttributeName')}, keyType=${text(one, 'KeyType')})`,
  );
  throw dynamoValidation(
    `1 validation error detected: Value '[${shown.join(', ')}]' at '${place}' failed to satisfy constraint: ` +
      `Member must have length less than or equal to ${TABLE_KEY_ATTRIBUTES_MAX}`,
  );
}

function checkKeySchema(elements: readonly Fields[], defined: ReadonlySet<string>): void {
  const kinds = elements.map((element) => text(element, 'KeyType'));
  const countOf = (kind: string): number => kinds.filter((one) => one === kind).length;
  if (countOf('HASH') <= 1 && countOf('RANGE') <= 1) return;
  if (kinds[0] !== 'HASH')
    throw dynamoValidation('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  if (kinds.lastIndexOf('HASH') >= countOf('HASH'))
    throw dynamoValidation(
      `${INVALID}All HASH key attributes must precede RANGE key attributes in the KeySchema`,
    );
  for (const kind of ['HASH', 'RANGE'])
    if (countOf(kind) > INDEX_KEY_ATTRIBUTES_MAX)
      throw dynamoValidation(
        `${INVALID}The KeySchema exceeds the maximum allowed number of ${kind} key attributes`,
      );
  const names = elements.map((element) => text(element, 'AttributeName') ?? '');
  if (new Set(names).size < names.length)
    throw dynamoValidation('The KeySchema contains multiple key attributes with the same name');
  const missing = names.filter((name) => !defined.has(name));
  if (missing.length > 0)
    throw dynamoValidation(
      `${INVALID}Some index key attributes are not defined in AttributeDefinitions. Keys: [${missing.join(', ')}], ` +
        `AttributeDefinitions: [${[...defined].join(', ')}]`,
    );
}

function knownAttributes(table: TableSchema): readonly string[] {
  const ofIndexes = [...table.indexes.values()].flatMap(({ partitionKeys, sortKeys }) => [
    ...partitionKeys,
    ...sortKeys,
  ]);
  return [...keysOf(table), ...ofIndexes].map(({ name }) => name);
}
