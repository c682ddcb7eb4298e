import { uuidV7 } from '@penstock/common/ids/uuid.ts';

/** An ID that says what it names, is safe in URLs and HTTP Basic, and sorts by the time it was made. */
const idWith = (prefix: string) => (): string => `${prefix}_${uuidV7().replaceAll('-', '')}`;

export const newTenantId = idWith('tnt');
export const newClientId = idWith('cli');
export const newUserId = idWith('usr');
export const newSavedQueryId = idWith('sqy');
/** The ID of a client that registered itself. */
export const newOAuthClientId = idWith('mcp');
