/** The formats that a query's result can be had in, and which of them a request accepts. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Exchange } from './exchange.ts';

/** `json`: a page. The others are whole results. */
export type ResultFormat = 'json' | 'ndjson' | 'csv' | 'parquet';

/** In the order of preference: what a client does not tell apart is JSON. */
export const MEDIA_TYPES: Readonly<Record<ResultFormat, string>> = Object.freeze({
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
});

/** The formats with their parameters, which whoever accepts them may name (RFC 9110, 12.5.1). */
export const CONTENT_TYPES: Readonly<Record<ResultFormat, string>> = Object.freeze({
  json: `${MEDIA_TYPES.json}; charset=utf-8`,
  ndjson: `${MEDIA_TYPES.ndjson}; charset=utf-8`,
  csv: `${MEDIA_TYPES.csv}; charset=utf-8; header=present`,
  parquet: MEDIA_TYPES.parquet,
});

/** NDJSON for whoever wants to know more than the rows: see sendWhole. */
const NDJSON_WITH_HEADER = `${CONTENT_TYPES.ndjson}; header=present`;

/** What the request likes best; of what it does not tell apart, the first. */
const liked = ({ request }: Exchange): string | false =>
  request.accepts([...Object.values(CONTENT_TYPES), NDJSON_WITH_HEADER]);

/** Whether NDJSON is to say what its columns are, and what its reads came to. */
export const hasHeaderLine = (exchange: Exchange): boolean => liked(exchange) === NDJSON_WITH_HEADER;

/** @throws PenstockError NOT_ACCEPTABLE naming all that there are */
export function acceptedFormat(exchange: Exchange): ResultFormat {
  const accepted = liked(exchange);
  if (accepted === NDJSON_WITH_HEADER) return 'ndjson';
  const found = Object.entries(CONTENT_TYPES).find(([, type]) => type === accepted);
  if (found !== undefined) return found[0] as ResultFormat;
  const asked = exchange.request.get('accept') ?? '';
  throw new PenstockError('NOT_ACCEPTABLE', `No result can be had as ${asked}`, {
    detail: `There are ${Object.values(MEDIA_TYPES).join(', ')}`,
  });
}
