import { PenstockError } from '@penstock/common/errors/penstock-error.ts';

/** SCHEMA_NOT_FOUND, with the name as it was asked for. */
export function schemaNotFound(asked: string, detail?: string): PenstockError {
  return new PenstockError('SCHEMA_NOT_FOUND', `Schema not found: ${asked}`, { detail });
}

/** SCHEMA_ALREADY_EXISTS, in the contract's words. */
export function schemaAlreadyExists(): PenstockError {
  return new PenstockError('SCHEMA_ALREADY_EXISTS', 'A schema with that name already exists');
}

/** LIMIT_REACHED: a tenant has all the schemas that it may have. */
export function tooManySchemas(max: number): PenstockError {
  return new PenstockError(
    'LIMIT_REACHED',
    `There are ${max} schemas, as many as a tenant may have; delete one that is not needed, or ask the operator of the service for more`,
  );
}

/** SCHEMA_DISABLED, with the name as it was asked for. */
export function schemaDisabled(asked: string): PenstockError {
  return new PenstockError('SCHEMA_DISABLED', `Schema is disabled: ${asked}`, {
    detail: 'Set its status to active to query it again.',
  });
}
