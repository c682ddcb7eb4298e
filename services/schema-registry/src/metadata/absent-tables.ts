import type { Clock } from '@penstock/common/time/clock.ts';
import { ABSENT_TABLE_MS, ABSENT_TABLES_MAX } from '../limits.ts';

/** Names that DescribeTable did not know a moment ago; in this process, bounded. */
interface AbsentTables {
  has(incarnation: string, tableName: string): boolean;
  add(incarnation: string, tableName: string): void;
}

/** Builds an empty memory. */
export function createAbsentTables(clock: Clock): AbsentTables {
  const until = new Map<string, number>();
  const keyOf = (incarnation: string, tableName: string): string => `${incarnation} ${tableName}`;
  return Object.freeze({
    has(incarnation: string, tableName: string): boolean {
      return (until.get(keyOf(incarnation, tableName)) ?? 0) > clock.now();
    },
    add(incarnation: string, tableName: string): void {
      const oldest = until.keys().next().value;
      if (until.size >= ABSENT_TABLES_MAX && oldest !== undefined) until.delete(oldest);
      until.set(keyOf(incarnation, tableName), clock.now() + ABSENT_TABLE_MS);
    },
  });
}
