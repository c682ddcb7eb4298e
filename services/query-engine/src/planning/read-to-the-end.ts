/**
 * Where everything is read before anything is computed, a LIMIT ends no read whose rows are still to be checked
 * (`TableRead.stopAfter`): it is chosen, and weighed against others, as what it is, a read to its end.
 */
import { inOneOrder, type ChooseRead } from './share-reads.ts';

/** Chooses reads for a statement that is computed as a whole. */
export function readingToTheEnd(chooseRead: ChooseRead): ChooseRead {
  return (scan) => {
    const read = chooseRead(scan);
    if (scan.limitHint === null || read.stopAfter !== null || read.path.kind === 'Nothing') return read;
    const whole = chooseRead({ ...scan, limitHint: null });
    // Its keys would have to be counted first, which is not done below a LIMIT.
    return whole.path.kind === 'IndexLookup' ? read : inOneOrder(whole);
  };
}
