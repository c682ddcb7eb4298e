import type { AuthTable, ItemKey } from '../../src/store/table.ts';

type Stored = NonNullable<Awaited<ReturnType<AuthTable['read']>>>;

/** The table's promises in memory, without expiry: for logic that needs no DynamoDB. */
export function memoryTable(): AuthTable & { readonly items: ReadonlyMap<string, Stored> } {
  const items = new Map<string, Stored>();
  const nameOf = ({ pk, sk }: ItemKey): string => `${pk}|${sk}`;
  return {
    items,
    read: async (key) => items.get(nameOf(key)) ?? null,
    async create({ key, values }) {
      if (items.has(nameOf(key))) return false;
      items.set(nameOf(key), { key, values, version: 1 });
      return true;
    },
    async replace({ version }, { key, values }) {
      if (items.get(nameOf(key))?.version !== version) return false;
      items.set(nameOf(key), { key, values, version: version + 1 });
      return true;
    },
    async put({ key, values }) {
      items.set(nameOf(key), { key, values, version: 1 });
    },
    async setOnce(key, name, value) {
      const item = items.get(nameOf(key));
      if (item === undefined || item.values[name] !== undefined) return false;
      items.set(nameOf(key), { ...item, values: { ...item.values, [name]: value } });
      return true;
    },
    async take(key) {
      const item = items.get(nameOf(key)) ?? null;
      items.delete(nameOf(key));
      return item;
    },
    list: async (pk, skPrefix) =>
      [...items.values()].filter(({ key }) => key.pk === pk && key.sk.startsWith(skPrefix)),
    identity: async () => 'memory',
  };
}
