/** Sorts the members of a map, or the values of a set, after they were written one after the other. */
import { shortCopyBytes } from './bytes.ts';
import { TextBuffer } from './text-buffer.ts';

const QUOTE = 34;
const COMMA = 44;

/** For so few parts, sorting by insertion is faster than a call. */
const fewParts = 16;

/** Parts whose places are kept in memory for the next text: more than an item of DynamoDB's has. */
const partsKeptMax = 65_536;

/** Parts of a text, with a comma after each but the last. It is a stack: maps have maps in their parts. */
export class TextParts {
  /** Index of the next part. */
  count = 0;
  private readonly starts: number[] = [];
  /** What parts sort by, from the first one on, where they are numbers. */
  private readonly numbers: number[] = [];
  /** Memory to sort in. */
  private readonly order: number[] = [];
  private readonly spare = new TextBuffer();

  clear(): void {
    this.count = 0;
    if (this.starts.length <= partsKeptMax) return;
    for (const memory of [this.starts, this.numbers, this.order]) memory.length = 0;
    this.spare.clear();
  }

  /**
   * Adds the part that starts at `start` with a text in quotes, which may have no escapes. `first` is the index of the
   * first such part. Answers whether it sorts after the one before it.
   */
  addQuoted({ bytes }: TextBuffer, first: number, start: number): boolean {
    const index = this.count++;
    this.starts[index] = start;
    return index === first || compareQuoted(bytes, this.starts[index - 1] as number, start) < 0;
  }

  /** The same of a number that is `value`. */
  addNumber(value: number, first: number, start: number): boolean {
    const index = this.count++;
    this.starts[index] = start;
    this.numbers[index - first] = value;
    return index === first || (this.numbers[index - first - 1] as number) <= value;
  }

  /** Sorts the parts from `first` on, the last of which ends the text. Answers whether two have the same text in quotes. */
  sortQuoted(text: TextBuffer, first: number): boolean {
    this.sortOrder(first, (a, b) =>
      compareQuoted(text.bytes, this.starts[a] as number, this.starts[b] as number),
    );
    this.putInOrder(text, first);
    let equal = false;
    for (let i = first + 1; i < this.count; i++)
      if (compareQuoted(text.bytes, this.starts[i - 1] as number, this.starts[i] as number) === 0)
        equal = true;
    return equal;
  }

  sortNumbers(text: TextBuffer, first: number): void {
    this.sortOrder(
      first,
      (a, b) => (this.numbers[a - first] as number) - (this.numbers[b - first] as number),
    );
    this.putInOrder(text, first);
  }

  /** Makes `order` the indexes of the parts from `first` on, sorted. Equal ones keep their order. */
  private sortOrder(first: number, compare: (a: number, b: number) => number): void {
    const { order } = this;
    order.length = 0;
    for (let part = first; part < this.count; part++) {
      let place = part - first;
      if (this.count - first <= fewParts)
        for (; place > 0 && compare(order[place - 1] as number, part) > 0; place--)
          order[place] = order[place - 1] as number;
      order[place] = part;
    }
    if (order.length > fewParts) order.sort(compare);
  }

  private putInOrder(text: TextBuffer, first: number): void {
    const { starts, order, spare, count } = this;
    const { bytes } = text;
    const from = starts[first] as number;
    spare.clear();
    spare.addBytes(bytes, from, text.length);
    let to = from;
    for (let i = 0; i < order.length; i++) {
      const part = order[i] as number;
      const start = (starts[part] as number) - from;
      const end = (part + 1 < count ? (starts[part + 1] as number) - 1 : text.length) - from;
      if (i > 0) bytes[to++] = COMMA;
      if (end - start > shortCopyBytes) to += spare.bytes.copy(bytes, to, start, end);
      else for (let at = start; at < end; at++) bytes[to++] = spare.bytes[at] as number;
      order[i] = to - (end - start);
    }
    for (let i = 0; i < order.length; i++) starts[first + i] = order[i] as number;
  }
}

/** Below 0, 0 or above 0: the texts in quotes that start at `a` and `b`, by their bytes. The next quote is their end. */
function compareQuoted(bytes: Buffer, a: number, b: number): number {
  for (let i = 1; ; i++) {
    const x = bytes[a + i] as number;
    const y = bytes[b + i] as number;
    if (x !== y) return x === QUOTE ? -1 : y === QUOTE ? 1 : x - y;
    if (x === QUOTE) return 0;
  }
}
