import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Exchange } from '../../http/exchange.ts';
import { CONSOLE_HEADER } from '../api/protocol.ts';

/** Whether a request says that it comes from the console's page: only then its session counts. */
export const isFromConsole = ({ request }: Exchange): boolean => request.get(CONSOLE_HEADER) !== undefined;

/**
 * Refuses what the browser says comes from elsewhere. The header alone keeps out pages of other origins, since none of our
 * routes lets them send it; this holds where an extension or a proxy would (Fetch Metadata; RFC 6454).
 *
 * @throws PenstockError CROSS_SITE
 */
export function requireOwnPage({ request }: Exchange, origin: string): void {
  const site = request.get('sec-fetch-site');
  const from = request.get('origin');
  if ((site === undefined || site === 'same-origin') && (from === undefined || from === origin)) return;
  throw new PenstockError('CROSS_SITE', `Only the console's own page, at ${origin}, may use its session`);
}
