/** OIDs of a tenant's objects: made of their names, so that every session and replica has the same. */
import { createHash } from 'node:crypto';

/** Below are the system's own, and the database's. */
const FIRST = 16_400;
/** Some clients keep an OID in 32 bits with a sign. */
const LAST = 2 ** 31 - 1;

export interface ObjectIds {
  readonly of: (...names: readonly string[]) => number;
}

/** Two names that fall on one number are told apart by the order in which they are asked for, which has to be one. */
export function createObjectIds(): ObjectIds {
  const taken = new Map<number, string>();
  return {
    of(...names) {
      const key = names.join('\0');
      const hash = createHash('sha256').update(key).digest().readUInt32BE();
      let oid = FIRST + (hash % (LAST - FIRST));
      while ((taken.get(oid) ?? key) !== key) oid = oid === LAST ? FIRST : oid + 1;
      taken.set(oid, key);
      return oid;
    },
  };
}
