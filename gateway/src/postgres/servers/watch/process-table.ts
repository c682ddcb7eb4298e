/** Which processes are children of which: what the system tells only by going through all of them. */
import { processFacts, processIds, type ProcessFacts } from '../processes.ts';

export interface ProcessTable {
  /** Children of each of the processes that are named. */
  childrenOf(parents: ReadonlySet<number>): ReadonlyMap<number, readonly number[]>;
}

export interface ProcessSource {
  readonly ids: () => readonly number[];
  readonly facts: (pid: number) => ProcessFacts | null;
}

/** What is no child of a server is looked at again after so many calls: its number may be another process's by then. */
const FORGET_AFTER = 60;

export function createProcessTable(
  source: ProcessSource = { ids: processIds, facts: processFacts },
): ProcessTable {
  const strangers = new Set<number>();
  let calls = 0;
  return {
    childrenOf(parents) {
      if (calls++ % FORGET_AFTER === 0) strangers.clear();
      const ids = source.ids();
      const children = new Map([...parents].map((parent) => [parent, [] as number[]]));
      for (const pid of ids) {
        if (strangers.has(pid) || parents.has(pid)) continue;
        const parent = source.facts(pid)?.parent;
        const own = parent === undefined ? undefined : children.get(parent);
        if (own === undefined) strangers.add(pid);
        else own.push(pid);
      }
      const there = new Set(ids);
      for (const pid of strangers) if (!there.has(pid)) strangers.delete(pid);
      return children;
    },
  };
}
