/** One query worker: a process, what it is asked and answers, and its end. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorMessage } from '../../pipe/error-message.ts';
import type { Pieces } from '../../pipe/channel.ts';
import type { FromWorker, ResultFromWorker, WorkerStatus } from '../../pipe/messages.ts';
import { createWorkReader, type WorkSeen } from '../../pipe/work-record.ts';
import { SPILLED, WORK_RECORD, workerFolder } from '../worker-folder.ts';
import { LOOK_MS, ROOM_SHARE, START_MS_MAX, STILL_MS_MAX, STOP_MS_MAX } from '../limits.ts';
import type { Loss, LossCause } from './loss.ts';
import { createMemoryWatch, type MemoryWatch } from './memory-watch.ts';
import { isLast, type Run } from './run.ts';
import { createStandstillWatch } from './standstill.ts';
import { stopPatience } from './stop-patience.ts';
import { lossOf, suspectsOf, type LostWork } from './suspects.ts';
import { createTenantWork, createWorkCount } from './tenant-work.ts';
import { openProcessTimeProbe, openThreadTimeProbe, type CpuTimeProbe } from './cpu-time.ts';
import { startChild, type WorkerChild } from './worker-child.ts';
import type { WorkerProcess, WorkerProcessOptions, WorkerState } from './worker-types.ts';

const MIB = 1024 * 1024;

export function startWorker(options: WorkerProcessOptions): WorkerProcess {
  const { id, events } = options;
  const folder = workerFolder(options.spillFolder, id);
  const runs = new Map<number, Run>();
  /** Runs whose queries are elsewhere by now: what they still read counts. */
  const left = new Map<number, Run>();
  const stops = new Map<number, NodeJS.Timeout>();
  const hashes = new Map<number, PromiseWithResolvers<string>>();
  const standstill = createStandstillWatch();
  const tenantWork = createTenantWork();
  const countWork = createWorkCount(tenantWork);
  const gone = Promise.withResolvers<void>();
  const memoryBytesMax = options.memoryMbMax * MIB;
  let state: WorkerState = 'starting';
  let wasReady = false;
  let child: WorkerChild | null = null;
  let record: ReturnType<typeof createWorkReader> | null = null;
  let status: WorkerStatus | null = null;
  let killed: {
    readonly cause: LossCause | 'closed';
    readonly culprit: number | null;
    readonly seen: WorkSeen;
  } | null = null;
  let memory: MemoryWatch | null = null;
  let threadTime: CpuTimeProbe | null = null;
  let processTime: CpuTimeProbe | null = null;
  let ticks = 0;
  let lastAsk = 0;
  let looking: NodeJS.Timeout | null = null;

  const seenNow = (): WorkSeen => record?.read() ?? { steps: 0, holder: 0, computing: [] };
  const kill = (cause: LossCause | 'closed', culprit: number | null = null): void => {
    if (killed !== null || state === 'ended') return;
    killed = { cause, culprit, seen: seenNow() };
    state = 'ended';
    child?.kill();
    events.onKilled();
    if (cause !== 'closed') handOver(cause, killed.seen, culprit);
  };

  const lostWork = (cause: LossCause, culprit: number | null, seen: WorkSeen): LostWork => ({
    cause,
    culprit,
    seen,
    long: new Set([...runs].flatMap(([query, { isLong }]) => (isLong ? [query] : []))),
  });

  /** Gives up a query that can be run elsewhere; what it reads until it has stopped counts. */
  const giveUp = (query: number, run: Run, loss: Loss): void => {
    runs.delete(query);
    left.set(query, run);
    run.onLost(loss);
  };
  /** Gives the queries that are not why this worker is killed to others: the system takes its time to end it. */
  const handOver = (cause: LossCause, seen: WorkSeen, culprit: number | null): void => {
    const work = lostWork(cause, culprit, seen);
    const suspects = suspectsOf(work, runs.keys());
    for (const [query, run] of runs)
      if (!suspects.has(query) && !run.isAnswered) giveUp(query, run, lossOf(work, suspects, query));
  };
  /** Gives the queries that wait behind another one to other workers. */
  const moveOthers = (): void => {
    const seen = seenNow();
    const work = lostWork('moved', null, seen);
    const suspects = suspectsOf(work, runs.keys());
    // Where nobody is in the way, it collects garbage, or the system has no time for it.
    if (suspects.size === 0 || !events.hasOther()) return;
    for (const [query, run] of runs) {
      // Those that DuckDB computes for may be why the thread gets no time.
      if (suspects.has(query) || run.isAnswered || !run.mayMove || seen.computing.includes(query)) continue;
      child?.send({ kind: 'cancel', query, error: { code: 'CANCELLED', message: 'The query was moved' } });
      giveUp(query, run, lossOf(work, suspects, query));
    }
  };

  const look = (): void => {
    const seen = seenNow();
    const workedMs = threadTime?.read() ?? null;
    countWork(seen, workedMs, (query) => runs.get(query) ?? left.get(query));
    const standing = standstill.look(seen, workedMs);
    if (standing.kind === 'stuck') {
      kill('stuck');
      return;
    }
    if (standing.kind === 'still' && standing.ms >= STILL_MS_MAX && state === 'ready') {
      state = 'still';
      moveOthers();
    }
    if (standing.kind === 'none' && state === 'still') {
      state = 'ready';
      events.onGoingOn();
    }
    if (standstill.isTickDue()) child?.send({ kind: 'tick', tick: ++ticks });
    memory?.look();
    if (runs.size > 0 || left.size > 0 || state === 'still') return;
    if (looking !== null) clearInterval(looking);
    looking = null;
    memory?.rest();
  };
  const watch = (): void => {
    looking ??= setInterval(look, LOOK_MS);
  };

  const over = (query: number): void => {
    runs.delete(query);
    left.delete(query);
    clearTimeout(stops.get(query));
    stops.delete(query);
  };

  const onResult = (message: ResultFromWorker, bytes: Pieces): void => {
    const { query } = message;
    const run = runs.get(query);
    if ('halfUnits' in message) (run ?? left.get(query))?.onUnits(message.halfUnits);
    if (isLast(message)) over(query);
    run?.onResult(message, bytes);
  };
  const answer = async (ask: number, run: Run, question: Parameters<Run['answer']>[0]): Promise<void> => {
    try {
      const { answer: found, bytes } = await run.answer(question);
      child?.send({ kind: 'answer', ask, answer: found }, bytes);
    } catch (error) {
      child?.send({ kind: 'refusal', ask, error: toErrorMessage(error) });
    }
  };
  const onControl = (message: FromWorker): void => {
    switch (message.kind) {
      case 'ready':
        clearTimeout(starting);
        if (state !== 'starting') return;
        state = 'ready';
        wasReady = true;
        events.onReady();
        return;
      case 'tock':
        events.onTick(standstill.answered());
        return;
      case 'question': {
        const run = runs.get(message.query);
        if (run !== undefined) void answer(message.ask, run, message.question);
        return;
      }
      case 'found':
        runs.get(message.query)?.onFound(message.found);
        return;
      case 'page':
        (runs.get(message.query) ?? left.get(message.query))?.onPage(message);
        return;
      case 'disagreed':
        events.onDisagreement(message);
        return;
      case 'throttled':
        events.onThrottled(message.throttling);
        return;
      case 'metrics':
        events.onMetrics(message.metrics);
        return;
      case 'status':
        status = message.status;
        return;
      case 'hashed':
        hashes.get(message.ask)?.resolve(message.statementHash);
        hashes.delete(message.ask);
    }
  };

  /** Once the process is gone and all that it said was heard. */
  const ended = (): void => {
    const seen = killed?.seen ?? seenNow();
    const cause = killed?.cause ?? 'ended';
    state = 'ended';
    clearTimeout(starting);
    if (looking !== null) clearInterval(looking);
    for (const timer of stops.values()) clearTimeout(timer);
    for (const { reject } of hashes.values()) reject(new Error('the worker ended'));
    const read = record?.unitsRead();
    for (const [query, run] of [...runs, ...left]) run.onUnits(read?.get(query) ?? 0);
    record?.close();
    memory?.close();
    threadTime?.close();
    processTime?.close();
    const work = lostWork(cause === 'closed' ? 'ended' : cause, killed?.culprit ?? null, seen);
    const suspects = cause === 'closed' ? new Set<number>() : suspectsOf(work, runs.keys());
    const told = [...runs].map(([query, run]) => ({ run, loss: lossOf(work, suspects, query) }));
    runs.clear();
    left.clear();
    events.onDeath({
      worker: id,
      cause,
      wasReady,
      suspects: told.flatMap(({ run, loss }) => (loss.isSuspect ? [{ run, isCertain: loss.isCertain }] : [])),
      residentMb: memory?.lastMb() ?? null,
    });
    for (const { run, loss } of told) run.onLost(loss);
    void rm(folder, { recursive: true, force: true })
      .catch(() => undefined)
      .then(() => gone.resolve());
  };

  const start = async (): Promise<void> => {
    await mkdir(folder, { mode: 0o700 });
    const workRecord = join(folder, WORK_RECORD);
    record = createWorkReader(workRecord);
    child = startChild(options.command, { onControl, onResult, onGone: ended });
    if (child.pid !== undefined) {
      memory = createMemoryWatch({
        pid: child.pid,
        bytesMax: memoryBytesMax,
        onFull: () => kill('memory'),
        onFilling: () => child?.send({ kind: 'collect' }),
      });
      threadTime = openThreadTimeProbe(child.pid);
      processTime = openProcessTimeProbe(child.pid);
    }
    // It may have been closed before it was there.
    if (killed !== null) child.kill();
    child.send({
      kind: 'start',
      settings: { ...options.settings, tempDirectory: join(folder, SPILLED), workRecord },
    });
  };
  const starting = setTimeout(() => kill('stuck'), START_MS_MAX);
  starting.unref();
  // Its folder could not be made: no process was started.
  start().catch(() => ended());

  return {
    id,
    get pid() {
      return child?.pid ?? null;
    },
    get state() {
      return state;
    },
    get load() {
      let long = 0;
      for (const { isLong } of runs.values()) if (isLong) long++;
      return { short: runs.size - long, long };
    },
    get status() {
      return status;
    },
    residentBytes: () => memory?.read() ?? null,
    hasRoom: () => (memory?.read() ?? 0) < memoryBytesMax * ROOM_SHARE,
    workFor: (tenantId) => tenantWork.of(tenantId),
    workForOthers: (tenantId) => tenantWork.ofOthers(tenantId),
    work: tenantWork,
    takeOver(work) {
      for (const [tenantId, ms] of work.entries()) tenantWork.add(tenantId, ms);
    },
    run(message, run) {
      if (state === 'ended') {
        run.onUnits(0);
        run.onLost({ cause: 'ended', isSuspect: false, isCertain: false });
        return;
      }
      runs.set(message.query, run);
      child?.send(message);
      watch();
    },
    stop(query, error) {
      if (!runs.has(query) || stops.has(query)) return;
      child?.send({ kind: 'cancel', query, error: toErrorMessage(error) });
      const patience = stopPatience(() => processTime?.read() ?? null);
      const insist = (): void => {
        // Where it stands still for another one, that is the cause.
        if ((state === 'still' && seenNow().holder !== query) || patience.isToWait()) wait();
        else kill('deadline', query);
      };
      const wait = (): void => void stops.set(query, setTimeout(insist, STOP_MS_MAX));
      wait();
    },
    taken: (query, bytes) => child?.send({ kind: 'taken', query, bytes }),
    halfUnitsOf: (query) => record?.unitsRead().get(query) ?? 0,
    slow: (throttling) => child?.send({ kind: 'slow', throttling }),
    hash(sql) {
      const asked = Promise.withResolvers<string>();
      if (state === 'ended') asked.reject(new Error('the worker ended'));
      else {
        hashes.set(++lastAsk, asked);
        child?.send({ kind: 'hash', ask: lastAsk, sql });
      }
      return asked.promise;
    },
    close() {
      if (state === 'ready' && runs.size === 0 && killed === null) {
        // It has time to deliver its traces.
        killed = { cause: 'closed', culprit: null, seen: seenNow() };
        child?.end();
      } else kill('closed');
      return gone.promise;
    },
  };
}
