/**
 * Which keys the values in the table are sealed under. The table lists their IDs, so a process that lacks one of them
 * does not start. Otherwise it would fail at some user's sign-in months later.
 */
import type { KeysInUse, SealingKeyStore } from '../store/sealing-keys.ts';

export interface SealingKeys {
  /** Throws where values are sealed under a key that this process lacks, and says what to do. */
  requireAll(): Promise<void>;
  /** To be called before anything is sealed under the key. */
  use(keyId: string): Promise<void>;
  /** For a table that lists no keys yet: its values may be sealed under each of ours. */
  assumeOurs(): Promise<void>;
  /**
   * To be called before everything is sealed again under the key. Whoever seals under another key from now on says so
   * again (`use`). Gives the keys that nothing is to be left under.
   */
  retireOthers(keyId: string): Promise<readonly string[]>;
  /** To be called once nothing is left under these keys. Gives the keys that values are sealed under now. */
  forget(retired: readonly string[]): Promise<readonly string[]>;
}

const union = (...lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];
const without = (list: readonly string[], ids: readonly string[]): string[] =>
  list.filter((id) => !ids.includes(id));

const lacking = (keyIds: readonly string[]): Error =>
  new Error(
    'PENSTOCK_KEY_ENCRYPTION_KEY lacks keys that values in the auth table are sealed under, by their IDs: ' +
      `${keyIds.join(', ')}. Put them back behind the first, separated by commas, start, run the admin command ` +
      '"key re-encrypt", and only then take them out. Where they are lost, delete the items SIGNING_KEYS and ' +
      'SEALING_KEYS from the auth table: that ends all tokens, and users with an authenticator app need "user re-enroll"',
  );

/** `ourKeyIds`: of PENSTOCK_KEY_ENCRYPTION_KEY, in its order. */
export function createSealingKeys(store: SealingKeyStore, ourKeyIds: readonly string[]): SealingKeys {
  async function assumeOurs(): Promise<void> {
    if ((await store.get()) === null) await store.create({ keyIds: [...ourKeyIds], retiring: [] });
  }
  async function change(to: (current: KeysInUse) => KeysInUse): Promise<KeysInUse> {
    await assumeOurs();
    const changed = await store.update(to);
    if (changed === null) throw new Error('The list of keys in use was deleted; restart the service');
    return changed;
  }

  return Object.freeze({
    async requireAll() {
      const inUse = await store.get();
      const missing = without(union(inUse?.keyIds ?? [], inUse?.retiring ?? []), ourKeyIds);
      if (missing.length > 0) throw lacking(missing);
    },
    assumeOurs,
    async use(keyId: string) {
      if ((await store.get())?.keyIds.includes(keyId) === true) return;
      await change(({ keyIds, retiring }) => ({ keyIds: union(keyIds, [keyId]), retiring }));
    },
    async retireOthers(keyId: string) {
      const { retiring } = await change((current) => ({
        keyIds: [keyId],
        retiring: without(union(current.retiring, current.keyIds), [keyId]),
      }));
      return retiring;
    },
    async forget(retired: readonly string[]) {
      const { keyIds } = await change((current) => ({
        keyIds: current.keyIds,
        retiring: without(current.retiring, retired),
      }));
      return keyIds;
    },
  });
}
