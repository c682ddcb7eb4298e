import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { CryptoKey, JSONWebKeySet } from 'jose';
import { KEY_RING_AGE_MS_MAX, KEY_RING_STALE_MS_MAX } from '../limits.ts';
import type { KeyRingStore } from '../store/key-rings.ts';
import { deriveKey } from './derive.ts';
import type { Envelope } from './envelope.ts';
import { firstRing, keyIn, publishedKeys, rotated } from './key-ring.ts';
import type { KeyRing, SigningKey } from './key-ring.ts';
import { newSigningKey, openPrivateKey, resealedKey, toPublicJwk } from './signing-key.ts';

export interface Signer {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

/** What refresh tokens are authenticated with, by the signing key that it is derived from. */
export interface RefreshKey {
  readonly kid: string;
  readonly key: Uint8Array;
}

/** A signing key as operators see it. */
export type SigningKeyState = Pick<SigningKey, 'kid' | 'state' | 'createdAtMs' | 'retiredAtMs'>;

export interface SigningKeys {
  /** The current key. Throws `UNAVAILABLE` where the ring could not be read for too long. */
  signer(): Promise<Signer>;
  /** Of the current key. Throws as `signer`. */
  refreshKey(): Promise<RefreshKey>;
  /** Of a key that was current once; null where the ring has none of that ID. */
  refreshKeyOf(kid: string): Promise<RefreshKey | null>;
  /** The public keys: next, current, and those retired whose tokens may live. */
  keySet(): Promise<JSONWebKeySet>;
  /** The keys of `keySet`, by creation, without what they sign with. */
  list(): Promise<readonly SigningKeyState[]>;
  /** Makes the next key the current one. Every replica follows within seconds. Gives the new current key's ID. */
  rotate(): Promise<string>;
  /** Seals those again that are not sealed as the envelope does it now. Gives how many there were. */
  reseal(): Promise<number>;
}

interface SigningKeysOptions {
  readonly store: KeyRingStore;
  readonly envelope: Envelope;
  readonly clock: Clock;
  readonly logger?: Logger;
}

interface ReadRing {
  readonly ring: KeyRing;
  readonly atMs: number;
}

const ringDeleted = (): PenstockError =>
  new PenstockError(
    'UNAVAILABLE',
    'The signing keys were deleted from the auth table: put them back, or restart the auth service, which makes new ' +
      'ones and ends all tokens',
  );

const haveCommonKey = (one: KeyRing, other: KeyRing): boolean =>
  one.keys.some(({ kid }) => other.keys.some((key) => key.kid === kid));

async function openOrCreateRing({ store, envelope, clock }: SigningKeysOptions): Promise<KeyRing> {
  const existing = await store.get();
  if (existing !== null) return existing;
  const [current, next] = [
    await newSigningKey(envelope, clock.now()),
    await newSigningKey(envelope, clock.now()),
  ];
  const ring = firstRing(current, next);
  if (await store.create(ring)) return ring;
  const faster = await store.get();
  if (faster === null) throw new Error('The ring of signing keys vanished while it was created');
  return faster;
}

/**
 * Opens the signing keys, and makes the first ones where there are none; replicas that start at once agree on one
 * ring. Throws, naming the variable, where PENSTOCK_KEY_ENCRYPTION_KEY has no key they were sealed with.
 *
 * A ring that is deleted later stays missing, since whoever deleted it may put it back. A ring that vanished with its
 * whole table is made again: nothing is left of what the old keys signed for.
 */
export async function openSigningKeys(options: SigningKeysOptions): Promise<SigningKeys> {
  const { store, envelope, clock, logger } = options;
  const opened = new Map<string, Promise<CryptoKey>>();
  const refreshKeys = new Map<string, RefreshKey>();
  let last: ReadRing = { ring: await openOrCreateRing(options), atMs: clock.now() };
  let reading: Promise<void> | null = null;
  /** Why the ring could not be read the last time; null: it was. */
  let failure: unknown = null;
  /** The table that the last ring is in. */
  let home = await store.tableIdentity();

  for (const state of ['current', 'next'] as const) {
    await openPrivateKey(keyIn(last.ring, state), envelope).catch((cause: unknown) => {
      throw new Error(
        'PENSTOCK_KEY_ENCRYPTION_KEY does not open the signing keys that are stored: start with the key they were ' +
          'stored under (it may stand behind the first, separated by a comma), or, to end all tokens, delete the item ' +
          'SIGNING_KEYS from the auth table',
        { cause },
      );
    });
  }

  async function read(): Promise<void> {
    const ring = (await store.get()) ?? (await replacedRing());
    // The table is another one then, even where another replica made both.
    if (!haveCommonKey(ring, last.ring)) home = await store.tableIdentity();
    last = { ring, atMs: clock.now() };
  }

  async function replacedRing(): Promise<KeyRing> {
    const identity = await store.tableIdentity();
    if (identity === null || identity === home) throw ringDeleted();
    const ring = await openOrCreateRing(options);
    logger?.error('the signing keys were gone with their table, and new ones are made: all tokens end');
    return ring;
  }

  async function freshRing(): Promise<ReadRing> {
    if (clock.now() - last.atMs >= KEY_RING_AGE_MS_MAX) {
      reading ??= read()
        .then(
          () => (failure = null),
          // The last known ring goes on serving. The caller decides for how long.
          (error: unknown) => (failure = error),
        )
        .then(() => {
          reading = null;
        });
      await reading;
    }
    return last;
  }

  /** Throws where the ring could not be read for too long. */
  async function currentKey(): Promise<SigningKey> {
    const { ring, atMs } = await freshRing();
    if (clock.now() - atMs > KEY_RING_STALE_MS_MAX) {
      if (failure instanceof PenstockError) throw failure;
      throw new PenstockError('UNAVAILABLE', 'The auth service cannot reach its data; try again', {
        cause: failure,
      });
    }
    return keyIn(ring, 'current');
  }

  function refreshKeyFrom({ kid, sealedPrivateKey }: SigningKey): RefreshKey {
    const known = refreshKeys.get(kid);
    if (known !== undefined) return known;
    const made = { kid, key: deriveKey(Buffer.from(envelope.open(sealedPrivateKey, kid)), 'refresh tokens') };
    refreshKeys.set(kid, made);
    return made;
  }

  return {
    async signer() {
      const current = await currentKey();
      const key = opened.get(current.kid) ?? openPrivateKey(current, envelope);
      opened.set(current.kid, key);
      return { kid: current.kid, privateKey: await key };
    },
    refreshKey: async () => refreshKeyFrom(await currentKey()),
    async refreshKeyOf(kid) {
      const { ring } = await freshRing();
      const found = ring.keys.find((key) => key.kid === kid && key.state !== 'next');
      return found === undefined ? null : refreshKeyFrom(found);
    },
    async keySet() {
      const { ring } = await freshRing();
      return { keys: publishedKeys(ring, clock.now()).map(toPublicJwk) };
    },
    async list() {
      const { ring } = await freshRing();
      return publishedKeys(ring, clock.now()).map(({ kid, state, createdAtMs, retiredAtMs }) => ({
        kid,
        state,
        createdAtMs,
        retiredAtMs,
      }));
    },
    async rotate() {
      await read();
      const next = await newSigningKey(envelope, clock.now());
      const ring = await store.update(async (current) => {
        // The SDK may have sent a write twice: then the second one fails, though the first took effect.
        const isDone = current.keys.some(({ kid }) => kid === next.kid);
        return isDone ? current : rotated(current, next, clock.now());
      });
      if (ring === null) throw ringDeleted();
      last = { ring, atMs: clock.now() };
      return keyIn(ring, 'current').kid;
    },
    async reseal() {
      await read();
      let resealed = 0;
      const ring = await store.update(async ({ keys }) => {
        resealed = keys.filter((key) => !envelope.isCurrent(key.sealedPrivateKey)).length;
        return { keys: await Promise.all(keys.map((key) => resealedKey(key, envelope))) };
      });
      if (ring === null) throw ringDeleted();
      last = { ring, atMs: clock.now() };
      return resealed;
    },
  };
}
