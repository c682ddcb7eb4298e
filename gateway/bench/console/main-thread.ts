/** What a page's main thread computed for each frame, out of Chromium's trace. */

/** Tasks of each thread, and when a frame of a page is handed over to be drawn. */
export const TRACED: string[] = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  /** Microseconds of processor time; of complete events. */
  readonly tdur?: number;
}

const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;

/** Milliseconds of processor time of all tasks between two commits of a frame, of the thread that commits most. */
export function computedPerFrame(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const commits = Map.groupBy(
    traceEvents.filter(({ name }) => name === 'Commit'),
    threadOf,
  );
  const [thread, ends] = [...commits].sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
  if (thread === undefined || ends === undefined) throw new Error('the trace has no frame');
  const tasks = traceEvents.filter(
    (event) => event.name === 'RunTask' && event.tdur !== undefined && threadOf(event) === thread,
  );
  const inOrder = tasks.toSorted((a, b) => a.ts - b.ts);
  const computed: number[] = [];
  let next = 0;
  for (const end of ends.map(({ ts }) => ts).sort((a, b) => a - b)) {
    let microseconds = 0;
    for (let task = inOrder[next]; task !== undefined && task.ts <= end; task = inOrder[(next += 1)]) {
      microseconds += task.tdur ?? 0;
    }
    computed.push(microseconds / 1_000);
  }
  // What came before the first frame was no frame's.
  return computed.slice(1);
}
