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

/** Keeps so many bytes at most; where more come, none. */
export const keptAnswers = (bytesMax: number): KeptAnswers => new BoundedAnswers(bytesMax);

class BoundedAnswers implements KeptAnswers {
  bytes = 0;
  isWhole = true;
  private readonly kept = new Map<string, Kept>();
  private readonly bytesMax: number;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  take(schemaName: string, command: RawReadCommand): Buffer | null {
    if (this.kept.size === 0) return null;
    const found = this.kept.get(nameOf(schemaName, command));
    return found?.bodies[found.taken++] ?? null;
  }

  keep(schemaName: string, command: RawReadCommand, body: Buffer): void {
    this.bytes += body.length;
    if (this.bytes > this.bytesMax) this.drop();
    if (!this.isWhole) return;
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
  }
}
