/** What an answer cost, known before its items are decoded. */
import { halfUnitsOf, skipJson, type BodyMembers } from './body-members.ts';
import { createPageDecoder } from './page-decoder.ts';

const NAME = '"ConsumedCapacity":';
const HEAD = Buffer.from(`{${NAME}`);
const BEHIND = `,${NAME}`;
/** Within so many bytes of the end; a key to go on from stands there, too. */
const TAIL_BYTES = 16 * 1024;

const nothingElse = createPageDecoder([]);

function parsed(json: string): BodyMembers | null {
  try {
    return JSON.parse(json) as BodyMembers;
  } catch {
    return null;
  }
}

/** Where it stands before all others. */
function atFirst(body: Buffer): BodyMembers | null {
  if (HEAD.compare(body, 0, Math.min(HEAD.length, body.length)) !== 0) return null;
  const end = skipJson(body, HEAD.length);
  return end < 0 ? null : parsed(`${body.toString('utf8', 0, end)}}`);
}

/** Where it stands behind the items. Within them or a text, what follows would not be the rest of an object. */
function atLast(body: Buffer): BodyMembers | null {
  const tail = body.subarray(Math.max(0, body.length - TAIL_BYTES));
  const at = tail.lastIndexOf(BEHIND);
  return at < 0 ? null : parsed(`{${tail.toString('utf8', at + 1)}`);
}

/** Half units, over all tables of the request. Throws MalformedBodyError. */
export function consumedHalfUnits(body: Buffer): number {
  const members = atFirst(body) ?? atLast(body);
  return members === null ? nothingElse.decode(body).consumedHalfUnits : halfUnitsOf(members);
}
