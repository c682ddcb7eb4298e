import type { Clock } from '@penstock/common/time/clock.ts';
import type { PrincipalStore } from '../store/principals.ts';
import type { ApiClient } from './client.ts';

const MINUTE_MS = 60_000;

/**
 * Writes down that a token was made for a client: to the minute, so that it costs a write a minute at most. Never rejects: a
 * token is worth more than the note.
 */
export type NoteUse = (client: Pick<ApiClient, 'clientId' | 'lastUsedAt'>) => Promise<void>;

export function createNoteUse(clients: Pick<PrincipalStore<ApiClient>, 'update'>, clock: Clock): NoteUse {
  return async ({ clientId, lastUsedAt: noted }) => {
    const lastUsedAt = new Date(Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS).toISOString();
    if (noted === lastUsedAt) return;
    await clients.update(clientId, (current) => ({ ...current, lastUsedAt })).catch(() => undefined);
  };
}
