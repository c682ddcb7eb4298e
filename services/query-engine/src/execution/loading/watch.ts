import type { ReadSteering } from '../../dynamodb/read-context.ts';
import type { ReadBatch } from '../../dynamodb/read-table.ts';
import type { RoundControl } from '../../dynamodb/reader/lookup-rounds.ts';
import type { TableRead } from '../../dynamodb/table-read.ts';
import type { RunContext } from '../run-context.ts';

/** The batches of a read, shown to whoever watches. */
export async function* watched(
  read: TableRead,
  context: RunContext,
  signal: AbortSignal,
  rounds: RoundControl | null = null,
  steering?: ReadSteering,
): AsyncGenerator<ReadBatch> {
  for await (const item of context.read(read, signal, rounds, steering)) {
    context.onBatch?.(read, item.batch);
    yield item;
  }
}
