/** Tables that failed, in words: those that failed alike are one entry, which names some and counts the rest. */

export interface FailedTable {
  readonly tableName: string;
  /** Why. */
  readonly reason: string;
  /** Why, as it is said of several tables: those that failed alike have the same. */
  readonly reasonOfMany: string;
}

/** `Table not found`, of `Table not found: shop.orders`; `Reading them failed`, of `Reading shop.orders failed`. */
export function reasonOfMany(reason: string, place: string): string {
  const last = `: ${place}`;
  return reason.endsWith(last) ? reason.slice(0, -last.length) : reason.replaceAll(place, 'them');
}

interface FailedAlike {
  readonly tables: FailedTable[];
  /** How many are named. */
  named: number;
}

/**
 * `orders, customers and 3 more: reason; events: reason; and 2 more`. Each reason is said while there are no more than
 * `namedMax`, with at least one table that it concerns.
 * @param write an entry, of its tables and its reason
 */
export function failedTables(
  failed: readonly FailedTable[],
  namedMax: number,
  write: (tables: string, reason: string) => string,
): string {
  const groups = new Map<string, FailedAlike>();
  for (const table of failed) {
    const group = groups.get(table.reasonOfMany) ?? { tables: [], named: 1 };
    groups.set(table.reasonOfMany, group);
    group.tables.push(table);
  }
  const said = [...groups.values()].slice(0, namedMax);
  let left = namedMax - said.length;
  for (const group of said) {
    group.named += Math.min(left, group.tables.length - 1);
    left -= group.named - 1;
  }
  const entries = said.map(({ tables, named }) => {
    const [first] = tables;
    const names = tables.slice(0, named).map(({ tableName }) => tableName);
    const more = tables.length - named;
    const reason = tables.length === 1 ? first?.reason : first?.reasonOfMany;
    return write(`${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`, reason ?? '');
  });
  const unsaid = failed.length - said.reduce((sum, { tables }) => sum + tables.length, 0);
  return [...entries, ...(unsaid > 0 ? [`and ${unsaid} more`] : [])].join('; ');
}
