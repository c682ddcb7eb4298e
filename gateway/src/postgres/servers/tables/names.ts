/** Names as PostgreSQL holds them: at most 63 bytes, each once in its place. */
import { createHash } from 'node:crypto';
import { NAME_BYTES_MAX } from '../limits.ts';

/** The longest beginning of a text that has at most so many bytes of UTF-8 and ends between two characters. */
function cutAt(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return bytes.toString();
  let end = bytesMax;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString();
}

/** As PostgreSQL cuts a longer name, in statements too. What is no Unicode becomes U+FFFD, as it does on the wire. */
export const cutName = (name: string): string => cutAt(name, NAME_BYTES_MAX);

/** PostgreSQL has no such name. */
export const isNoName = (name: string): boolean => name === '' || name.includes('\0');

const HASH_CHARS = 8;

/** Names of one place, such as the relations of a schema. */
export interface NamePlace {
  /** The name itself, cut; where that is taken, its beginning, `~` and a hash of all of it. */
  take(name: string): string;
  isFree(name: string): boolean;
}

export function createNamePlace(taken: Iterable<string> = []): NamePlace {
  const names = new Set(taken);
  const hashed = (name: string): string => {
    const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_CHARS);
    const beginning = cutAt(name, NAME_BYTES_MAX - HASH_CHARS - 1);
    for (let i = 0; ; i++) {
      // Two names may share beginning and hash: a number of as many characters tells them apart.
      const end = i === 0 ? hash : String(i).padStart(HASH_CHARS, '0');
      if (!names.has(`${beginning}~${end}`)) return `${beginning}~${end}`;
    }
  };
  return {
    isFree: (name) => !names.has(cutName(name)),
    take(name) {
      const cut = cutName(name);
      const given = names.has(cut) ? hashed(name) : cut;
      names.add(given);
      return given;
    },
  };
}
