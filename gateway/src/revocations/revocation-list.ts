import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Principal } from '@penstock/common/token/principal.ts';
import type { GatewayClients } from '../clients/gateway-clients.ts';
import { POLL_TIMEOUT_MS, REVOCATION_POLL_MS } from '../limits.ts';

/** Principals whose earlier tokens no longer count. */
export interface RevocationList {
  /** @throws PenstockError UNAVAILABLE while the list was never read: a token might be one that has been revoked */
  isRevoked(principal: Principal): Promise<boolean>;
  close(): void;
}

/**
 * Reads the list from auth every second. While auth is away the last list stands: nobody can be revoked then, since
 * auth does that.
 */
export function watchRevocations(
  tokens: Pick<GatewayClients['tokens'], 'listRevocations'>,
  logger: Logger,
  pollMs: number = REVOCATION_POLL_MS,
): RevocationList {
  let minimums: ReadonlyMap<string, bigint> | null = null;
  let inFlight: Promise<void> | null = null;
  let failing = false;

  const read = async (): Promise<void> => {
    try {
      const { revocations } = await tokens.listRevocations({}, { timeoutMs: POLL_TIMEOUT_MS });
      minimums = new Map(
        revocations.map(({ principalId, minimumGeneration }) => [principalId, minimumGeneration]),
      );
      if (failing) logger.info('revocations can be read again');
      failing = false;
    } catch (error) {
      if (!failing) logger.warn({ err: error }, 'revocations cannot be read; the last known ones stand');
      failing = true;
    }
  };
  const refresh = (): Promise<void> => {
    inFlight ??= read().finally(() => {
      inFlight = null;
    });
    return inFlight;
  };
  const timer = setInterval(() => void refresh(), pollMs);
  timer.unref();
  void refresh();

  return Object.freeze({
    async isRevoked({ principalId, generation }: Principal): Promise<boolean> {
      if (minimums === null) await refresh();
      if (minimums === null) {
        throw new PenstockError('UNAVAILABLE', 'Tokens cannot be checked at the moment; try again', {
          retryAfterS: 1,
        });
      }
      const minimum = minimums.get(principalId);
      return minimum !== undefined && BigInt(generation) < minimum;
    },
    close: () => clearInterval(timer),
  });
}
