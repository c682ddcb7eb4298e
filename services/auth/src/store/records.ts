import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { ItemValue } from '@penstock/common/store/item.ts';
import type { z } from 'zod';
import { CONFLICT_TRIES_MAX } from '../limits.ts';
import type { AuthTable, ItemKey, Values } from './table.ts';

/** Records of one kind, checked at each read. */
interface Records<T> {
  get(key: ItemKey): Promise<T | null>;
  /** False where it exists. */
  create(key: ItemKey, record: T, expiresAtS?: number): Promise<boolean>;
  /**
   * Reads, changes and writes, again where another write came between; null where there is none. `change` can run
   * several times, and what it does beside giving the new record has happened before that record is written.
   */
  update(key: ItemKey, change: (current: T) => T | Promise<T>, expiresAtS?: number): Promise<T | null>;
  /** Writes the record, whatever is there. */
  put(key: ItemKey, record: T, expiresAtS?: number): Promise<void>;
  /** See `AuthTable.setOnce`. */
  setOnce(key: ItemKey, name: keyof T & string, value: ItemValue): Promise<boolean>;
  /** See `AuthTable.take`. */
  take(key: ItemKey): Promise<T | null>;
  list(pk: string, skPrefix?: string): Promise<T[]>;
}

export function recordsIn<T extends Values>(table: AuthTable, schema: z.ZodType<T>): Records<T> {
  return {
    async get(key) {
      const item = await table.read(key);
      return item === null ? null : schema.parse(item.values);
    },
    create(key, values, expiresAtS) {
      return table.create({ key, values, expiresAtS: expiresAtS ?? null });
    },
    async update(key, change, expiresAtS) {
      for (let tries = 0; tries < CONFLICT_TRIES_MAX; tries += 1) {
        const item = await table.read(key);
        if (item === null) return null;
        const values = await change(schema.parse(item.values));
        if (await table.replace(item, { key, values, expiresAtS: expiresAtS ?? null })) return values;
      }
      throw new PenstockError('UNAVAILABLE', 'The record is being changed by others; try again');
    },
    put: (key, values, expiresAtS) => table.put({ key, values, expiresAtS: expiresAtS ?? null }),
    setOnce: (key, name, value) => table.setOnce(key, name, value),
    async take(key) {
      const item = await table.take(key);
      return item === null ? null : schema.parse(item.values);
    },
    async list(pk, skPrefix = '') {
      const items = await table.list(pk, skPrefix);
      return items.map((item) => schema.parse(item.values));
    },
  };
}
