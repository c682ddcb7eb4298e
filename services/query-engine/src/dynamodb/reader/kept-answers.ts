/** Answers of a statement's reads, kept until it is known which columns it has: read again, they cost nothing. */
import type { RawReadCommand } from '@penstock/common/dynamodb/raw-reads.ts';

export interface KeptAnswers {
  /** The next answer that was kept for such a request since it was rewound; null where there is none. */
  take(schemaName: string, command: RawReadCommand): Buffer | null;
  keep(schemaName: string, command: RawReadCommand, body: Buffer): void;
  /** Bytes of all answers that came. */
  readonly bytes: number;
  /** Whether all that came are there. */
  readonly isWhole: boolean;
  /** They are given out again, from the first on. */
  rewind(): void;
  /** None is kept any more. */
  drop(): void;
}

interface Kept {
  readonly bodies: Buffer[];
  taken: number;
}

const nameOf = (schemaName: string, command: RawReadCommand): string =>
  JSON.stringify([schemaName, command.constructor.name, command.input]);

/** What the answers of all statements of a process may take, and those of each tenant. */
export interface AnswersRoom {
  /** False where there is none. */
  take(tenantId: string, bytes: number): boolean;
  giveBack(tenantId: string, bytes: number): void;
}

export function createAnswersRoom(bytesMax: number, tenantBytesMax: number): AnswersRoom {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(tenantId, bytes) {
      const own = (taken.get(tenantId) ?? 0) + bytes;
      if (own > tenantBytesMax || all + bytes > bytesMax) return false;
      taken.set(tenantId, own);
      all += bytes;
      return true;
    },
    giveBack(tenantId, bytes) {
      const own = (taken.get(tenantId) ?? 0) - bytes;
      if (own > 0) taken.set(tenantId, own);
      else taken.delete(tenantId);
      all -= bytes;
    },
  };
}

/** Keeps so many bytes at most, as long as there is room; where more come, none. Its owner drops it in the end. */
export const keptAnswers = (bytesMax: number, room: AnswersRoom, tenantId: string): KeptAnswers =>
  new BoundedAnswers(bytesMax, room, tenantId);

class BoundedAnswers implements KeptAnswers {
  bytes = 0;
  isWhole = true;
  private readonly kept = new Map<string, Kept>();
  private readonly bytesMax: number;
  private readonly room: AnswersRoom;
  private readonly tenantId: string;
  private held = 0;

  constructor(bytesMax: number, room: AnswersRoom, tenantId: string) {
    this.bytesMax = bytesMax;
    this.room = room;
    this.tenantId = tenantId;
  }

  take(schemaName: string, command: RawReadCommand): Buffer | null {
    if (this.kept.size === 0) return null;
    const found = this.kept.get(nameOf(schemaName, command));
    return found?.bodies[found.taken++] ?? null;
  }

  keep(schemaName: string, command: RawReadCommand, body: Buffer): void {
    this.bytes += body.length;
    if (!this.isWhole) return;
    if (this.bytes > this.bytesMax || !this.room.take(this.tenantId, body.length)) {
      this.drop();
      return;
    }
    this.held += body.length;
    const name = nameOf(schemaName, command);
    const entry = this.kept.get(name) ?? { bodies: [], taken: 0 };
    this.kept.set(name, entry);
    entry.bodies.push(body);
    // Whoever asked has it already.
    entry.taken = entry.bodies.length;
  }

  rewind(): void {
    for (const entry of this.kept.values()) entry.taken = 0;
  }

  drop(): void {
    this.isWhole = false;
    this.kept.clear();
    if (this.held > 0) this.room.giveBack(this.tenantId, this.held);
    this.held = 0;
  }
}
