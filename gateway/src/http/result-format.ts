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

/** NDJSON for whoever wants to know more than the rows: see sendWhole. */
const NDJSON_WITH_HEADER = `${MEDIA_TYPES.ndjson}; header=present`;

/** Whether NDJSON is to say what its columns are, and what its reads came to. */
export const hasHeaderLine = ({ request }: Exchange): boolean =>
  request.accepts([...Object.values(MEDIA_TYPES), NDJSON_WITH_HEADER]) === NDJSON_WITH_HEADER;

/** @throws PenstockError NOT_ACCEPTABLE naming all that there are */
export function acceptedFormat(exchange: Exchange): ResultFormat {
  const { request } = exchange;
  const types = Object.values(MEDIA_TYPES);
  const accepted = request.accepts(types);
  if (hasHeaderLine(exchange)) return 'ndjson';
  const found = Object.entries(MEDIA_TYPES).find(([, type]) => type === accepted);
  if (found !== undefined) return found[0] as ResultFormat;
  throw new PenstockError('NOT_ACCEPTABLE', `No result can be had as ${request.get('accept') ?? ''}`, {
    detail: `There are ${types.join(', ')}`,
  });
}
