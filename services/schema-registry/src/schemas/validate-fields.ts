import { partitionOf } from '@penstock/common/aws/partition.ts';
import { REGION_NAME } from '@penstock/common/aws/region-name.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { ALLOWLIST_MAX } from '../limits.ts';
import { checkReadLimits } from './read-limits.ts';
import type { SchemaFields } from './schema-record.ts';

/** Schema names begin with a letter and have at most 64 letters, digits, `_` and `-`. */
const SCHEMA_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const ACCOUNT_ID = /^\d{12}$/;
const ROLE_ARN = /^arn:(aws[a-z-]*):iam::(\d{12}):role\/[\w+=,.@/-]*[\w+=,.@-]$/;
const ROLE_ARN_LENGTH_MAX = 2048;
const EXTERNAL_ID = /^[\w+=,.@:/-]{2,1224}$/;
/** DynamoDB Developer Guide, "Naming rules". */
const TABLE_NAME = /^[a-zA-Z0-9_.-]{3,255}$/;

/** True when DynamoDB could have a table of this name. */
export function isTableName(text: string): boolean {
  return TABLE_NAME.test(text);
}

/** True when a schema could have this name. */
export function isSchemaName(text: string): boolean {
  return SCHEMA_NAME.test(text);
}

/** Throws VALIDATION_ERROR unless the text may name a schema. */
export function checkSchemaName(schemaName: string): void {
  if (!isSchemaName(schemaName)) {
    throw invalid('schemaName must begin with a letter and hold at most 64 letters, digits, - and _');
  }
}

/**
 * Checks a whole record's fields, also how they fit together.
 * @throws PenstockError VALIDATION_ERROR naming the field; values are not repeated.
 */
export function checkFields(fields: SchemaFields): void {
  if (!REGION_NAME.test(fields.region)) throw invalid('region must be a region identifier such as eu-west-1');
  if (!ACCOUNT_ID.test(fields.accountId)) throw invalid('accountId must be 12 digits');
  const role = ROLE_ARN.exec(fields.roleArn);
  if (role === null || fields.roleArn.length > ROLE_ARN_LENGTH_MAX) {
    throw invalid('roleArn must be a role ARN such as arn:aws:iam::<account>:role/<name>');
  }
  const [, partition, account] = role;
  if (account !== fields.accountId)
    throw invalid('roleArn must be a role of the account that accountId names');
  const needed = partitionOf(fields.region);
  if (partition !== needed) {
    throw invalid(`roleArn must begin with arn:${needed}: to reach tables in ${fields.region}`);
  }
  if (!EXTERNAL_ID.test(fields.externalId)) {
    throw invalid('externalId must be 2 to 1224 letters, digits or any of _ + = , . @ : / -');
  }
  checkAllowlist(fields.tableAllowlist);
  checkReadLimits(fields);
}

function checkAllowlist(allowlist: readonly string[]): void {
  if (allowlist.length > ALLOWLIST_MAX) {
    throw invalid(`tableAllowlist must hold at most ${ALLOWLIST_MAX} names`);
  }
  const wrong = allowlist.findIndex((name) => name !== '*' && !isTableName(name));
  if (wrong >= 0) {
    throw invalid(`tableAllowlist[${wrong}] must be a table name (3 to 255 letters, digits, _ . -) or *`);
  }
}

function invalid(message: string): PenstockError {
  return new PenstockError('VALIDATION_ERROR', message);
}
