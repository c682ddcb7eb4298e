import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  LearnedStatistics as LearnedMessage,
  LearnedStatisticsSchema,
} from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import { NOTHING_LEARNED, type LearnedStatistics } from '../metadata/learned/learned-statistics.ts';

/** Whether no query told of the table. */
export function isEmpty({ keys, filters }: LearnedStatistics): boolean {
  return keys.length + filters.length === 0;
}

/** What queries saw of a table. */
export function toLearnedMessage({
  keys,
  filters,
}: LearnedStatistics): MessageInitShape<typeof LearnedStatisticsSchema> {
  return {
    keys: keys.map((entry) => ({ ...entry, keyColumns: [...entry.keyColumns] })),
    filters: filters.map((entry) => ({ ...entry })),
  };
}

/** What an engine reports. */
export function fromLearnedMessage(message: LearnedMessage | undefined): LearnedStatistics {
  if (message === undefined) return NOTHING_LEARNED;
  return Object.freeze({
    keys: message.keys.map(({ index, keyColumns, keys, missing, items, units }) =>
      Object.freeze({ index, keyColumns, keys, missing, items, units }),
    ),
    filters: message.filters.map(({ index, form, read, passed }) =>
      Object.freeze({ index, form, read, passed }),
    ),
  });
}
