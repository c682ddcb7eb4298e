/**
 * Where pages of statements begin, as the pages before them said it: for all engines, for a few minutes. Nothing depends on
 * it: where a position is not known, the page is found by reading what comes before it.
 */
import { within } from '@penstock/common/time/within.ts';
import type { EndMessage, StatementMessage } from '../../pipe/messages.ts';
import { POSITION_BYTES_MAX, POSITION_WAIT_MS_MAX, POSITIONS_REST_MS } from '../limits.ts';
import type { KeptTexts } from './kept-texts.ts';
import type { SealedPositions } from './sealed-positions.ts';

/** `refused`: there was one that does not open; `away`: nobody could be asked. */
export type PositionOutcome = 'used' | 'absent' | 'refused' | 'away';

/** None rejects. */
export interface PagePositions {
  /** Where the page that is asked for begins; null where nobody knows. `scope`: as the worker has it. */
  find(tenantId: string, scope: string, request: StatementMessage): Promise<string | null>;
  /** What else pages before had; most often there is nothing to know, so nobody is told how it came out. */
  findBesides(tenantId: string, scope: string, request: StatementMessage): Promise<string | null>;
  /** Keeps where the page ended, and what else the next is to have, if it says so. */
  keep(tenantId: string, request: StatementMessage, end: EndMessage): Promise<void>;
}

export const NO_POSITIONS: PagePositions = Object.freeze({
  find: () => Promise.resolve(null),
  findBesides: () => Promise.resolve(null),
  keep: () => Promise.resolve(),
});

export interface PagePositionsParts {
  readonly texts: KeptTexts;
  readonly sealed: SealedPositions;
  /** Told how each look for a position came out. */
  readonly onLook: (outcome: PositionOutcome) => void;
}

export function createPagePositions({ texts, sealed, onLook }: PagePositionsParts): PagePositions {
  let restUntil = 0;

  /** Undefined where Redis is away or slow; it is then left alone for a moment. */
  const asked = async <T>(ask: () => Promise<T>): Promise<T | undefined> => {
    if (performance.now() < restUntil) return undefined;
    try {
      return await within(POSITION_WAIT_MS_MAX, ask());
    } catch {
      restUntil = performance.now() + POSITIONS_REST_MS;
      return undefined;
    }
  };
  /** Not the size of the page: a position is that of a row. */
  const nameOf = (
    tenantId: string,
    scope: string,
    { sql, parametersJson, consistentRead }: StatementMessage,
    rowIdx: number,
  ): string => sealed.nameOf(tenantId, [scope, sql, parametersJson, consistentRead, rowIdx]);

  return Object.freeze({
    async find(tenantId, scope, request) {
      const name = nameOf(tenantId, scope, request, request.firstRowIdx);
      const found = await asked(() => texts.find(tenantId, name));
      const text = typeof found === 'string' ? sealed.open(tenantId, name, found) : null;
      if (found === undefined) onLook('away');
      else if (found === null) onLook('absent');
      else onLook(text === null ? 'refused' : 'used');
      return text;
    },
    async findBesides(tenantId, scope, request) {
      const name = nameOf(tenantId, scope, request, request.firstRowIdx);
      const found = await asked(() => texts.find(tenantId, name));
      return typeof found === 'string' ? sealed.open(tenantId, name, found) : null;
    },
    async keep(tenantId, request, { position, besides = [], resumeIdx }) {
      if (resumeIdx === null) return;
      const known = position === undefined ? besides : [position, ...besides];
      const kept = known.filter(({ text }) => Buffer.byteLength(text) <= POSITION_BYTES_MAX);
      await Promise.all(
        kept.map(({ scope, text }) => {
          const name = nameOf(tenantId, scope, request, resumeIdx);
          return asked(() => texts.keep(tenantId, name, sealed.seal(tenantId, name, text)));
        }),
      );
    },
  } satisfies PagePositions);
}
