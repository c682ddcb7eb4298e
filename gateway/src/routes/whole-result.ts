/** Sends a whole result as it comes: what is known of it before its first row, and what only after its last. */
import type { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { ResultHeader, ResultTrailer, StreamPart } from '../clients/stream-query.ts';
import { encodeResponse } from '../http/encode-response.ts';
import { queryErrorOf } from '../http/error-envelopes.ts';
import type { Exchange } from '../http/exchange.ts';
import { CONTENT_TYPES, hasHeaderLine, type ResultFormat } from '../http/result-format.ts';
import { mapAndLog } from '../http/to-penstock-error.ts';
import { HEADER_JSON_CHARS_MAX } from '../limits.ts';

export type WholeFormat = Exclude<ResultFormat, 'json'>;

const TRAILERS = ['x-penstock-rows', 'x-penstock-read-units', 'x-penstock-exec-time', 'x-penstock-warnings'];

/** JSON in characters that a header may have. */
const headerJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** As headers, or trailers; none where it is longer than clients take. */
function headerOf(name: string, value: unknown): Readonly<Record<string, string>> {
  const text = headerJson(value);
  return text.length <= HEADER_JSON_CHARS_MAX ? { [name]: text } : {};
}

/** Names and types of the columns. */
const columnsHeader = ({ columns, columnTypes }: ResultHeader): Readonly<Record<string, string>> =>
  headerOf(
    'x-penstock-columns',
    columns.map((name, i) => [name, columnTypes[i]]),
  );

const line = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);

function summaryOf(trailer: ResultTrailer, startedAt: number) {
  return {
    rows: trailer.rowCount,
    readUnits: trailer.readUnits,
    planTime: Math.round(trailer.planTimeMs),
    execTime: Math.round(performance.now() - startedAt),
    ...(trailer.warnings.length === 0 ? {} : { warnings: trailer.warnings }),
  };
}

/** What each read came to, beside what the plan expected of it. */
const readsOf = ({ reads }: ResultTrailer): object => ({
  reads: reads.map(({ table, alias, readUnits, items }) => ({
    table,
    alias,
    readUnits,
    items: Number(items),
  })),
});

/** Whom a result's end is told before its client sees it. */
export interface WholeResultEnds {
  readonly onBroken: (error: PenstockError) => Promise<void>;
  readonly onEnd: (warnings: readonly string[]) => Promise<void>;
}

/**
 * NDJSON that was accepted with `header=present` has one more line, the first: what its columns are, however many. There is
 * another before rows that have more columns; without these lines, the last one says which there are then. It says what each
 * read came to, too.
 *
 * Throws what fails before the first byte. What fails later ends the response so that its client sees that it is broken:
 * nothing says where it ends, and NDJSON's last line says why, as does `onBroken` before.
 */
export async function sendWhole(
  exchange: Exchange,
  format: WholeFormat,
  parts: AsyncGenerator<StreamPart>,
  { onBroken, onEnd }: WholeResultEnds,
): Promise<void> {
  const { response, requestId, startedAt, signal } = exchange;
  const first = await parts.next();
  if (first.done === true || first.value.kind !== 'header') throw new Error('a result has no header');
  response.status(200);
  response.setHeader('content-type', CONTENT_TYPES[format]);
  response.setHeader('content-disposition', `attachment; filename="result-${requestId}.${format}"`);
  response.setHeaders(new Map(Object.entries(columnsHeader(first.value.header))));
  const out = encodeResponse(exchange, TRAILERS, format !== 'parquet');
  response.flushHeaders();
  const isDetailed = format === 'ndjson' && hasHeaderLine(exchange);
  try {
    const { columns, columnTypes } = first.value.header;
    if (isDetailed) await out.write(line({ columns, columnTypes }));
    /** Once there are more than were said at first. */
    let all: readonly string[] | null = null;
    for await (const part of parts) {
      if (part.kind === 'header') {
        all = part.header.columns;
        if (isDetailed) await out.write(line({ columns: all, columnTypes: part.header.columnTypes }));
      }
      if (part.kind === 'rows') await out.write(part.bytes);
      if (part.kind !== 'end') continue;
      const summary = summaryOf(part.trailer, startedAt);
      await onEnd(part.trailer.warnings);
      if (format === 'ndjson')
        await out.write(
          line({
            ...summary,
            ...(all === null || isDetailed ? {} : { columns: all }),
            ...(isDetailed ? readsOf(part.trailer) : {}),
          }),
        );
      await out.end({
        'x-penstock-rows': String(summary.rows),
        'x-penstock-read-units': String(summary.readUnits),
        'x-penstock-exec-time': String(summary.execTime),
        ...headerOf('x-penstock-warnings', summary.warnings ?? []),
      });
    }
  } catch (error) {
    const mapped = mapAndLog(exchange, error);
    // Whoever sees the cut may ask at once.
    if (!signal.aborted) await onBroken(mapped);
    // Who went away reads no last line.
    await out.cut(format === 'ndjson' && !signal.aborted ? line(queryErrorOf(mapped)) : null);
  }
}
