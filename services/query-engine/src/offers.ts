/** Statements of other dialects that failed, offered in ours: in the error, never run by itself. */
import { abortable } from '@penstock/common/aws/abortable.ts';
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import type { ErrorCode } from '@penstock/common/errors/codes.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { DETAIL_BYTES_MAX } from '@penstock/common/errors/shortened.ts';
import type { CatalogCall } from './clients/catalog-client.ts';
import { OFFER_CACHE_BYTES_MAX, OFFERS_KEPT, READINGS_OFFERED_MAX } from './limits.ts';
import type { Translation } from './parser/dialects/translations-of.ts';
import type { TranslationWorker } from './parser/dialects/worker/translation-worker.ts';
import { alternatives } from './parser/errors.ts';

/** Whether a statement of ours may be offered: it is read, DuckDB reads it alike, and no more is wrong with it. */
export type ConfirmOffer = (sql: string) => Promise<boolean>;

export interface Offers {
  /**
   * The error, with what the statement says in our dialect where that is certain. Never rejects, and answers at once when
   * the call is aborted: the thread that translates may take seconds to start.
   */
  offered(error: unknown, sql: string, call: CatalogCall, confirm: ConfirmOffer): Promise<unknown>;
}

/** What is wrong with a statement of another dialect: most often that it cannot be read. */
const FOREIGN: ReadonlySet<ErrorCode> = new Set(['PARSE_ERROR', 'UNSUPPORTED_SQL', 'FUNCTION_NOT_FOUND']);
/** Calls whose first or last argument is the bare name of a unit in some dialects: no column here. */
const NAMES_UNIT = /\b(DATE|DATETIME|TIMESTAMP)_?(ADD|DIFF|PART|NAME|TRUNC)\s*\(/i;

/** What is said of calls whose arguments are those of another function of the same name. */
const MEANS_ANOTHER = / takes .*argument| must be a text constant/;

function mayBeForeign({ code, message }: PenstockError, sql: string): boolean {
  if (FOREIGN.has(code)) return true;
  if (code === 'COLUMN_NOT_FOUND') return NAMES_UNIT.test(sql);
  return code === 'INVALID_QUERY' && MEANS_ANOTHER.test(message);
}

/** `this is MySQL or MariaDB; here: SELECT …`, a line for each reading. */
function sentences(translations: readonly Translation[]): string {
  return translations
    .map(({ dialects, sql }, i) => `${i === 0 ? 'this is' : 'or'} ${alternatives(dialects)}; here: ${sql}`)
    .join('\n');
}

export function createOffers(translations: Pick<TranslationWorker, 'translate'>): Offers {
  const known = boundedCache<readonly Translation[]>(OFFERS_KEPT, {
    weightMax: OFFER_CACHE_BYTES_MAX,
    // Two bytes a character, of the text and of each translation.
    weightOf: (sql, found) => 2 * found.reduce((sum, each) => sum + each.sql.length, sql.length),
  });

  const translated = async (sql: string, { tenantId }: CatalogCall): Promise<readonly Translation[]> => {
    const kept = known.get(sql);
    if (kept !== undefined) return kept;
    const outcome = await translations.translate(sql, tenantId);
    const found = outcome.kind === 'translated' ? outcome.translations : [];
    if (outcome.kind === 'translated' || outcome.kind === 'stopped') known.set(sql, found);
    return found;
  };

  const detailWith = async (
    detail: string,
    sql: string,
    call: CatalogCall,
    confirm: ConfirmOffer,
  ): Promise<string | null> => {
    const found = await abortable(translated(sql, call), call.signal);
    // More readings than these say that none is certain.
    if (found.length > READINGS_OFFERED_MAX) return null;
    const confirmed: Translation[] = [];
    for (const each of found) {
      const isRight = await confirm(each.sql).catch(() => false);
      call.signal.throwIfAborted();
      if (isRight) confirmed.push(each);
    }
    if (confirmed.length === 0) return null;
    const offered = `${detail}\n${sentences(confirmed)}`;
    // Whole or not at all.
    return Buffer.byteLength(offered) > DETAIL_BYTES_MAX ? null : offered;
  };

  return Object.freeze({
    async offered(error: unknown, sql: string, call: CatalogCall, confirm: ConfirmOffer) {
      if (!(error instanceof PenstockError) || !mayBeForeign(error, sql)) return error;
      const { code, message, retryAfterS, cause } = error;
      try {
        const detail = await detailWith(error.detail ?? message, sql, call, confirm);
        return detail === null ? error : new PenstockError(code, message, { detail, retryAfterS, cause });
      } catch {
        // Whatever keeps an offer from being made, the error is what it was.
        return error;
      }
    },
  });
}
