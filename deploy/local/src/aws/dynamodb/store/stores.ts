import { dirname, join } from 'node:path';
import type { Fields } from '../input.ts';
import { createTableSchemas, type TableSchemas } from '../table-schema.ts';
import type { Emulator } from './backend.ts';
import { createStore, type Store } from './store.ts';

/** A store and what is remembered of its tables. */
export interface StoreHandle {
  readonly store: Store;
  readonly schemas: TableSchemas;
  /** Where the emulator keeps it, without an extension. */
  readonly path: string;
}

/** Every account's and region's store, each made when first asked for. */
export function createStores(folder: string, emulator: Emulator) {
  const handles = new Map<string, StoreHandle>();

  function find(accountId: string, region: string): StoreHandle {
    const path = join(folder, accountId, region);
    const known = handles.get(path);
    if (known !== undefined) return known;
    const store = createStore(path, emulator.start);
    const handle = { store, path, schemas: createTableSchemas((table) => describe(store, table)) };
    handles.set(path, handle);
    return handle;
  }

  /** Ends an account's emulators; whoever asks next starts them again, with their files. */
  async function release(accountId: string): Promise<void> {
    const released = [...handles].filter(([path]) => dirname(path) === join(folder, accountId));
    for (const [path] of released) handles.delete(path);
    await Promise.all(released.map(([, { store }]) => store.close()));
  }

  async function close(): Promise<void> {
    await Promise.all([...handles.values()].map(({ store }) => store.close()));
  }

  return { find, release, close, emulator };
}

export type Stores = ReturnType<typeof createStores>;

async function describe(store: Store, tableName: string): Promise<Fields | undefined> {
  const answer = await store.send('DescribeTable', JSON.stringify({ TableName: tableName }));
  return answer.status === 200 ? (JSON.parse(answer.body.toString('utf8')) as Fields) : undefined;
}
