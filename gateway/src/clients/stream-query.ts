import {
  ResultFormat,
  type ExecuteResponse,
  type ResultHeader,
  type ResultTrailer,
} from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import { broken, onceMore } from './lost-call.ts';
import {
  endedWell,
  execute,
  takingBackRows,
  type Engine,
  type QueryCall,
  type Request,
} from './run-query.ts';

export type { ResultHeader, ResultTrailer };

/** Whole results, by the names that routes use. */
export const WHOLE_FORMATS = Object.freeze({
  ndjson: ResultFormat.NDJSON,
  csv: ResultFormat.CSV,
  parquet: ResultFormat.PARQUET,
});

/** What comes of a whole result: one header, the engine's bytes, one end. */
export type StreamPart =
  | { readonly kind: 'header'; readonly header: ResultHeader }
  | { readonly kind: 'rows'; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly trailer: ResultTrailer };

/** The messages of a call, once the first is there: until then it may be made again elsewhere. */
interface Begun {
  readonly first: IteratorResult<ExecuteResponse>;
  readonly rest: AsyncIterator<ExecuteResponse>;
}

const begin = (engine: Engine, request: Request, call: QueryCall): Promise<Begun> =>
  takingBackRows(call, async () => {
    const rest = execute(engine, request, call);
    const first = await rest.next();
    if (first.done !== true && first.value.trailer !== undefined) await endedWell(rest);
    return { first, rest };
  });

/**
 * Runs a statement and hands on its rows as they come; whoever takes them slowly slows its reads. An engine that dies before
 * it has said anything is replaced, once; after that what has gone out cannot be taken back, and the error is thrown.
 *
 * @throws PenstockError
 */
export async function* streamQuery(
  engine: Engine,
  request: Request,
  call: QueryCall,
): AsyncGenerator<StreamPart> {
  try {
    const counting = { ...request, countsRequest: call.count !== null };
    const { first, rest } = await onceMore(
      call.signal,
      () => begin(engine, counting, call),
      // The request keeps its usage ID, which the second run does not have.
      () => begin(engine, request, { ...call, usageId: uuidV7() }),
    );
    let hasHeader = false;
    for (let step = first; ; step = await rest.next()) {
      if (step.done === true) throw broken('has no trailer');
      const { header, rows, trailer } = step.value;
      if (header !== undefined) yield { kind: 'header', header };
      hasHeader ||= header !== undefined;
      if (!hasHeader) throw broken('has no header');
      if (rows !== undefined && rows.json.length > 0) yield { kind: 'rows', bytes: rows.json };
      if (trailer === undefined) continue;
      // The trailer is the last message. The call's status, which follows by itself, ends its span; nobody waits for it.
      rest.next().catch(() => undefined);
      if (!trailer.requestCounted) await call.count?.();
      yield { kind: 'end', trailer };
      return;
    }
  } catch (error) {
    throw fromConnectError(error);
  }
}
