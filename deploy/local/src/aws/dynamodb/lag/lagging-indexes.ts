import { mkdirSync, rmSync } from 'node:fs';
import type { LagRule } from '../../faults.ts';
import type { Place } from '../accesses.ts';
import { parseInput, text, type Fields } from '../input.ts';
import { isAltering } from '../operations.ts';
import type { Emulator } from '../store/backend.ts';
import type { Store, StoreAnswer } from '../store/store.ts';
import type { StoreHandle } from '../store/stores.ts';
import { tablesOf } from '../tables.ts';
import { copyTable, itemOf, itemsOf, type Change, type TableCopy } from './table-copy.ts';
import { isKeyedWrite, isStatement, writtenKeys } from './written-keys.ts';

/**
 * Global secondary indexes that lag on demand: DynamoDB brings them up to date after the table ("Read consistency":
 * reads of a GSI are eventually consistent). While a rule for an index holds, its Queries and Scans are answered from a
 * copy of the table as it was so long ago: items that came since are missing, old values and deleted items are there
 * still. How the table was before the rule is not known: the copy starts as the table is when the rule is first met.
 */
export interface LaggingIndexes {
  /** The handle whose reads of lagging indexes are late. */
  over(handle: StoreHandle, place: Place): StoreHandle;
  /** Does a read of an index that the store itself cannot do, by a handle whose store is as late as the index. */
  whileReading<T>(
    handle: StoreHandle,
    place: Place,
    index: { readonly tableName: string; readonly indexName: string },
    read: (late: StoreHandle) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

/** A table that has a lagging index. */
interface Lagging {
  readonly copies: Map<string, TableCopy>;
  /** Requests that change it or are answered from a copy: one at a time. */
  last: Promise<unknown>;
}

export function createLaggingIndexes(parts: {
  readonly folder: string;
  readonly emulator: Emulator;
  /** The rules of an account, as they are now. */
  readonly rulesOf: (accountId: string) => readonly LagRule[];
  readonly now: () => number;
}): LaggingIndexes {
  const { folder, emulator, rulesOf, now } = parts;
  const tables = new Map<string, Lagging>();
  // Left by a process that was killed.
  rmSync(folder, { recursive: true, force: true });

  function tableOf(key: string): Lagging {
    const table = tables.get(key) ?? { copies: new Map<string, TableCopy>(), last: Promise.resolve() };
    tables.set(key, table);
    return table;
  }

  function inTurn<T>(table: Lagging, work: () => Promise<T>): Promise<T> {
    const turn = table.last.then(work);
    table.last = turn.catch(() => undefined);
    return turn;
  }

  /** The copies that the rules ask for; those of rules that are gone are closed. */
  async function copiesOf(
    { copies }: Lagging,
    rules: readonly LagRule[],
    handle: StoreHandle,
    tableName: string,
  ): Promise<void> {
    for (const [indexName, copy] of copies)
      if (!rules.some((rule) => rule.indexName === indexName)) {
        copies.delete(indexName);
        await copy.close();
      }
    const schema = await handle.schemas.find(tableName);
    if (schema === undefined) return;
    mkdirSync(folder, { recursive: true });
    for (const { indexName } of rules)
      if (!copies.has(indexName))
        copies.set(indexName, await copyTable(folder, emulator, handle.store, tableName, schema));
  }

  async function closeCopies({ copies }: Lagging): Promise<void> {
    for (const copy of copies.values()) await copy.close();
    copies.clear();
  }

  function over(handle: StoreHandle, place: Place): StoreHandle {
    const key = (tableName: string): string => `${place.accountId}/${place.region}/${tableName}`;
    const ruled = (tableName: string): readonly LagRule[] =>
      rulesOf(place.accountId).filter((rule) => rule.tableName === tableName);
    const { store } = handle;

    async function changesBy(
      operation: string,
      input: Fields,
      tableName: string,
    ): Promise<readonly Change[]> {
      if (isStatement(operation)) return [{ atMs: now(), items: await itemsOf(store, tableName) }];
      const schema = await handle.schemas.find(tableName);
      const keys = schema === undefined ? [] : writtenKeys(operation, input, tableName, schema);
      return Promise.all(
        keys.map(async (one) => ({ atMs: now(), key: one, item: await itemOf(store, tableName, one) })),
      );
    }

    /** Sends a request that changes lagging tables. Each table is copied first, and its changes are noted. */
    async function changing(
      names: readonly string[],
      operation: string,
      input: Fields,
      send: () => Promise<StoreAnswer>,
    ): Promise<StoreAnswer> {
      const [name, ...others] = names;
      if (name === undefined) return send();
      const table = tableOf(key(name));
      return inTurn(table, async () => {
        if (isAltering(operation)) await closeCopies(table);
        else await copiesOf(table, ruled(name), handle, name);
        const answer = await changing(others, operation, input, send);
        if (table.copies.size > 0) {
          const changes = await changesBy(operation, input, name);
          for (const copy of table.copies.values()) copy.note(changes);
        }
        return answer;
      });
    }

    function reading(
      operation: string,
      { tableName, indexName, indexLagMs }: LagRule,
      body: Buffer | string,
      signal?: AbortSignal,
    ): Promise<StoreAnswer> {
      const table = tableOf(key(tableName));
      return inTurn(table, async () => {
        await copiesOf(table, ruled(tableName), handle, tableName);
        const copy = table.copies.get(indexName);
        await copy?.advanceTo(now() - indexLagMs);
        return (copy?.store ?? store).send(operation, body, signal);
      });
    }

    async function send(
      operation: string,
      body: Buffer | string,
      signal?: AbortSignal,
    ): Promise<StoreAnswer> {
      const lagging = [...new Set(rulesOf(place.accountId).map(({ tableName }) => tableName))];
      const known = lagging.length > 0 || [...tables.keys()].some((one) => one.startsWith(key('')));
      if (!known) return store.send(operation, body, signal);
      const input = parseInput(Buffer.from(body));
      const read = rulesOf(place.accountId).find(
        (rule) => rule.tableName === text(input, 'TableName') && rule.indexName === text(input, 'IndexName'),
      );
      if (read !== undefined && (operation === 'Query' || operation === 'Scan') && (await isGlobal(read)))
        return reading(operation, read, body, signal);
      const copied = (name: string): boolean => (tables.get(key(name))?.copies.size ?? 0) > 0;
      const named = (isStatement(operation) ? lagging : tablesOf(input)).filter(
        (name) => lagging.includes(name) || copied(name),
      );
      const isChange = isKeyedWrite(operation) || isStatement(operation) || isAltering(operation);
      return changing(isChange ? [...named].sort() : [], operation, input, () =>
        store.send(operation, body, signal),
      );
    }

    async function isGlobal({ tableName, indexName }: LagRule): Promise<boolean> {
      return (await handle.schemas.find(tableName))?.indexes.get(indexName)?.kind === 'global';
    }

    const late: Store = { send, restart: () => store.restart(), close: () => store.close() };
    return { ...handle, store: late };
  }

  function whileReading<T>(
    handle: StoreHandle,
    { accountId, region }: Place,
    { tableName, indexName }: { readonly tableName: string; readonly indexName: string },
    read: (late: StoreHandle) => Promise<T>,
  ): Promise<T> {
    const rules = rulesOf(accountId).filter((rule) => rule.tableName === tableName);
    const lag = rules.find((rule) => rule.indexName === indexName);
    if (lag === undefined) return read(handle);
    const table = tableOf(`${accountId}/${region}/${tableName}`);
    return inTurn(table, async () => {
      await copiesOf(table, rules, handle, tableName);
      const copy = table.copies.get(indexName);
      await copy?.advanceTo(now() - lag.indexLagMs);
      return read(copy === undefined ? handle : { ...handle, store: copy.store });
    });
  }

  return {
    over,
    whileReading,
    async close() {
      for (const table of tables.values()) await inTurn(table, () => closeCopies(table));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
