import { randomUUID } from 'node:crypto';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';

/**
 * Whether the role can be assumed with this external ID; null: without one. Throws PenstockErrors, THROTTLED or
 * UNAVAILABLE, where STS did not answer.
 */
export type IsAssumable = (
  record: SchemaRecord,
  externalId: string | null,
  requestId: string,
  signal: AbortSignal,
) => Promise<boolean>;

/**
 * Checks that the role cannot be assumed without the external ID. Otherwise any other customer of the service who
 * learns the role's ARN could read its tables through us (AWS, "The confused deputy problem"; AWS advises services to
 * try the role without the external ID and to refuse it where that works).
 * @returns what is wrong, in words; null where nothing is
 */
export async function checkExternalId(
  isAssumable: IsAssumable,
  record: SchemaRecord,
  requestId: string,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const [without, withAnother] = await Promise.all([
      isAssumable(record, null, requestId, signal),
      isAssumable(record, randomUUID(), requestId, signal),
    ]);
    if (without) return open('without an external ID');
    return withAnother ? open('with any external ID') : null;
  } catch (error) {
    if (!(error instanceof PenstockError)) throw error;
    return `Whether the role asks for the external ID could not be checked: ${error.message}`;
  }
}

function open(how: string): string {
  return (
    `The role can be assumed ${how}, so whoever learns its ARN could have it read through this service: add the ` +
    `condition {"StringEquals": {"sts:ExternalId": "<the schema's externalId>"}} to its trust policy`
  );
}
