/**
 * Results whose readers take nothing at the moment. Each has given its place back, so that others compute meanwhile, and still
 * holds the rows that are ready: so many of them there are, by tenant and in all. Where there are as many, one that has
 * waited for long makes room; as long as there is none, a result that waits keeps its place.
 */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { PAUSED_AFTER_MS, RETRY_AFTER_S } from '../limits.ts';
import type { Place } from './admission.ts';

export interface PausedBounds {
  readonly inAll: number;
  readonly perTenant: number;
  /** Who has read nothing for so long, milliseconds, makes room for others. */
  readonly idleMs: number;
}

/** What a result waits by, from part to part. */
export interface ReaderWatch {
  /** A part is offered to the reader. */
  offer(): void;
  /** The reader has taken it. Resolves once the query may go on; throws what ended it meanwhile. */
  taken(): Promise<void>;
  /** The result has ended. */
  close(): void;
}

export interface PausedResults {
  /** `end`: stops the query, which then fails by the error given. */
  watch(
    tenantId: string,
    place: Pick<Place, 'rest' | 'goOn'>,
    end: (error: PenstockError) => void,
  ): ReaderWatch;
  readonly paused: number;
}

/** A result that is paused. */
interface Paused {
  readonly tenantId: string;
  readonly sinceMs: number;
  readonly end: (error: PenstockError) => void;
}

export function createPausedResults({ inAll, perTenant, idleMs }: PausedBounds): PausedResults {
  /** The longest paused first. */
  const paused = new Set<Paused>();

  const of = (tenantId: string): readonly Paused[] => [...paused].filter((one) => one.tenantId === tenantId);
  const mostOfOne = (): readonly Paused[] => {
    const tenants = [...new Set([...paused].map(({ tenantId }) => tenantId))];
    return tenants.map(of).reduce((a, b) => (b.length > a.length ? b : a));
  };
  /** Ends the longest paused of these, where it has been for long. */
  const endLongest = ([longest]: readonly Paused[]): boolean => {
    if (longest === undefined || performance.now() - longest.sinceMs < idleMs) return false;
    paused.delete(longest);
    const seconds = Math.max(1, Math.round((performance.now() - longest.sinceMs) / 1000));
    longest.end(
      new PenstockError(
        'UNAVAILABLE',
        `Nobody took rows of this result for ${seconds} s, and others need its room; ask again, and read it to its end`,
        { retryAfterS: RETRY_AFTER_S },
      ),
    );
    return true;
  };
  const hasRoom = (tenantId: string): boolean => {
    const own = of(tenantId);
    if (own.length >= perTenant) return endLongest(own);
    return paused.size < inAll || endLongest(mostOfOne());
  };

  return Object.freeze({
    watch(
      tenantId: string,
      place: Pick<Place, 'rest' | 'goOn'>,
      end: (error: PenstockError) => void,
    ): ReaderWatch {
      let timer: NodeJS.Timeout | null = null;
      let own: Paused | null = null;
      let ended: PenstockError | null = null;
      const pause = (): void => {
        if (!hasRoom(tenantId)) {
          timer = setTimeout(pause, PAUSED_AFTER_MS);
          return;
        }
        own = {
          tenantId,
          sinceMs: performance.now(),
          end(error) {
            ended = error;
            end(error);
          },
        };
        place.rest();
        paused.add(own);
      };
      const settle = (): void => {
        if (timer !== null) clearTimeout(timer);
        timer = null;
        if (own !== null) paused.delete(own);
      };
      return {
        offer() {
          timer = setTimeout(pause, PAUSED_AFTER_MS);
        },
        async taken() {
          settle();
          if (own === null) return;
          own = null;
          if (ended !== null) throw ended;
          await place.goOn();
        },
        close: settle,
      };
    },
    get paused() {
      return paused.size;
    },
  });
}
