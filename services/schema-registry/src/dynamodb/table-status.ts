import type { TableStatus } from '@aws-sdk/client-dynamodb';
import { keyDenied } from '@penstock/common/dynamodb/errors.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';

/**
 * Why a table cannot be read at present; null where it can. DynamoDB archives a table seven days after it lost the use of
 * its key (developer guide, "DynamoDB encryption at rest: usage notes"). `place`: schema and table.
 */
export function whyUnreadable(place: string, status: TableStatus | undefined): PenstockError | null {
  switch (status) {
    case 'CREATING':
      return new PenstockError('EXECUTION_ERROR', `The table ${place} is being created; try again`);
    case 'DELETING':
      return new PenstockError('EXECUTION_ERROR', `The table ${place} is being deleted`);
    case 'INACCESSIBLE_ENCRYPTION_CREDENTIALS':
      return keyDenied(place, Object.assign(new Error('the table is inaccessible'), { name: status }));
    case 'ARCHIVING':
    case 'ARCHIVED':
      return new PenstockError(
        'EXECUTION_ERROR',
        `The table ${place} is ${status === 'ARCHIVED' ? 'archived' : 'being archived'} and cannot be read`,
        {
          detail:
            'DynamoDB does so where it cannot use the KMS key of a table for seven days. Restore the table from the ' +
            'backup that it made then.',
        },
      );
    default:
      return null;
  }
}
