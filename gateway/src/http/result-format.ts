/** The formats that a query's result can be had in, and which of them a request accepts. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Exchange } from './exchange.ts';

/** `json`: a page. The others are whole results. */
export type ResultFormat = 'json' | 'ndjson' | 'csv';

/** In the order of preference: what a client does not tell apart is JSON. */
export const MEDIA_TYPES: Readonly<Record<ResultFormat, string>> = Object.freeze({
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
});

/** @throws PenstockError NOT_ACCEPTABLE naming all that there are */
export function acceptedFormat({ request }: Exchange): ResultFormat {
  const types = Object.values(MEDIA_TYPES);
  const accepted = request.accepts(types);
  const found = Object.entries(MEDIA_TYPES).find(([, type]) => type === accepted);
  if (found !== undefined) return found[0] as ResultFormat;
  throw new PenstockError('NOT_ACCEPTABLE', `No result can be had as ${request.get('accept') ?? ''}`, {
    detail: `There are ${types.join(', ')}`,
  });
}
