/** Bounds of a host's workers. Those that operators set are settings. */
import { HOST_LOOK_MS } from '../limits.ts';

/** How often it is looked whether a worker that has queries gets on, and at its memory; milliseconds. */
export const LOOK_MS = 25;
/** How often it is asked whether it is there, milliseconds. */
export const TICK_MS = 1_000;
/** How often its memory is looked at where more than half of what it may have is in use, milliseconds. */
export const MEMORY_LOOK_MS = 5;
/** A thread that stands still without working, as one that waits for a processor, is given so many times as long. */
export const WAITED_PER_WORKED = 10;
/** A worker that stands still for so long gets no new queries, and others take those that are not the cause; milliseconds of work. */
export const STILL_MS_MAX = 60;
/** A worker that stands still for so long is killed, milliseconds of work: collecting garbage and large pages take a tenth of it. */
export const STUCK_MS_MAX = 2_000;
/** A worker that answers no tick for so long is killed, milliseconds, whatever else it does. */
export const SILENT_MS_MAX = 10_000;
/** How long a query may take to stop when it is told to, milliseconds; then its worker is killed. */
export const STOP_MS_MAX = 1_000;
/** Where it worked less than this in that time, milliseconds, it is given as long again, */
export const STOP_WORKED_MS_MIN = 200;
/** up to so long in all, milliseconds. */
export const STOP_STARVED_MS_MAX = 10_000;
/** How long a worker may take until it is ready, milliseconds. */
export const START_MS_MAX = 60_000;
/** Between two starts of workers that did not come to be ready, milliseconds: twice as long each time. */
export const RESTART_MS_MIN = 100;
export const RESTART_MS_MAX = 10_000;
/** A statement that ended a worker is refused for so long, milliseconds. */
export const REFUSED_MS = 10 * 60_000;
/** Where a worker ended by itself while it worked on a statement: refused after so many, within REFUSED_MS. */
export const UNCERTAIN_ENDS_MAX = 2;
/** A tenant whose statements ended so many workers within REFUSED_MS runs in a worker that is kept for such tenants. */
export const ENDED_WORKERS_MAX = 3;
/** Until so long has passed without another, milliseconds. */
export const KEPT_APART_MS = 60 * 60_000;
/** Tenants and statements of which such things are remembered. */
export const OFFENDERS_REMEMBERED = 10_000;
/** Statements of one tenant that are refused; the oldest go first. */
export const REFUSED_PER_TENANT_MAX = 50;
/** How often a tenant's refused statements are asked for, where other hosts may have added some; milliseconds. */
export const REFUSED_FRESH_MS = 1_000;
/** Tenants whose order of workers is remembered. */
export const HOMES_REMEMBERED = 10_000;
/** A worker takes so much more than its even share of short queries before the tenant's next worker does. */
export const HOME_LOAD_FACTOR = 1.25;
/** A query that has run for so long is a slow one, milliseconds: what is worked for it counts against its tenant. */
export const SLOW_QUERY_MS = 50;
/** A tenant for whose slow queries a worker has worked so long lately keeps out of the others, and they of it; milliseconds. */
export const SLOW_TENANT_MS = 100;
/** What was worked for a tenant fades: after so long a third of it counts, milliseconds. */
export const TENANT_WORK_FADES_MS = 1_000;
/** A tenant that has asked for something within so long is there, milliseconds: others leave it some workers. */
export const OTHERS_PRESENT_MS = 10_000;
/** A worker whose memory is used up to here gets no long query, as long as another has more room: what queries held is given back within seconds. */
export const ROOM_SHARE = 0.6;
/** From there on its garbage is collected, once in so long, milliseconds: it takes some tens of them. */
export const COLLECT_EVERY_MS = 10_000;
/** What of a worker's memory V8's heap may have, percent: the rest is for DuckDB, pages and what Node.js itself needs. */
export const HEAP_SHARE_PERCENT = 50;
/** How long an idle worker may take to end, milliseconds. */
export const CLOSE_MS_MAX = 2_000;
/** How long a query waits for Redis to say what is refused, milliseconds. */
export const REFUSED_WAIT_MS_MAX = 200;
/** Times that a query goes to another worker since its own stands still. */
export const MOVES_MAX = 2;
/** How often a process shows that it still uses the folder that it spills to, milliseconds. */
export const SPILL_TOUCH_MS = 60_000;
/** After which a folder that nobody touched is a dead process's, milliseconds: one may be stopped for a while. */
export const SPILL_STALE_MS = 600_000;
/** How often a process looks for folders of dead ones, and how long their workers may still be there, milliseconds. */
export const DEAD_LOOK_MS = 1_000;
export const DEAD_WORKERS_GONE_MS = 3 * HOST_LOOK_MS;
/** Room in a read journal for one execution, bytes: its IDs take up to 600. Pages of memory are a multiple of it. */
export const JOURNAL_PLACE_BYTES = 1024;
/** What spilling leaves free on a disk that it shares with the spool of usage, MiB. */
export const USAGE_RESERVE_MB = 1024;
/** Tokens of a read limit that an engine leases at a time: what the bucket gets in so long, milliseconds. */
export const LEASE_MS = 20;
/** Leased tokens that nobody uses for so long are forgotten, milliseconds. */
export const LEASE_KEPT_MS = 1_000;
/** How long a bucket that has no tokens is left alone at most, milliseconds. */
export const LEASE_WAIT_MS_MAX = 500;
/** What a bucket holds at most: what it gets in so long, milliseconds; where somebody set the limit, and where nobody did. */
export const SET_BURST_MS = 20;
export const DEFAULT_BURST_MS = 10_000;
/** Buckets that an engine remembers. */
export const BUCKETS_KEPT = 10_000;
/** How long Redis may take to answer for a bucket, milliseconds; after a failure it is left alone for a while. */
export const BUCKET_WAIT_MS_MAX = 200;
export const BUCKET_REST_MS = 1_000;
/** Counters of budgets that an engine remembers, and how long Redis keeps one after its period, seconds. */
export const BUDGET_COUNTERS_KEPT = 10_000;
export const BUDGET_KEPT_S = 172_800;
/** How long a page waits until somebody says what is left of a budget, milliseconds, and how often it asks. */
export const BUDGET_WAIT_MS_MAX = 5_000;
export const BUDGET_AGAIN_MS = 50;
/** Half units of a page of a megabyte, by which pages under way may exceed a budget together. */
export const PAGE_HALF_UNITS = 256;
/** How often a page asks that waits for others of a budget of which little is left, milliseconds. */
export const BUDGET_TURN_MS = 10;
/** What engines that are gone reserved is given back sooner; then a page under way is so slow that others are refused. */
export const BUDGET_STALLED_MS_MAX = 40_000;
/** How often Redis is told again what a page cost, until it has it, milliseconds. */
export const SETTLE_AGAIN_MS = 50;
/** How long after a query's end it takes at most until its units are in the usage counters, milliseconds. */
export const SPENDER_KEPT_MS = 2_000;
/** What callers are told to wait where a budget cannot be checked, seconds. */
export const BUDGET_RETRY_AFTER_S = 1;
/** How often it is asked whether budgets were changed, milliseconds, and every how many times for all of them. */
export const BUDGETS_LOOK_MS = 2_000;
export const BUDGETS_WHOLE_LOOK_EVERY = 30;
/** How often an engine shows that it is there, milliseconds, and after how long without that it is forgotten. */
export const ENGINE_SEEN_EVERY_MS = 5_000;
export const ENGINE_FORGOTTEN_MS = 30_000;
/** How long it is waited for all engines to say whether they execute a query, milliseconds. */
export const ENGINES_ANSWER_MS_MAX = 1_000;
/** How long it is kept where the next page of a statement begins, milliseconds. */
export const POSITION_KEPT_MS = 5 * 60_000;
/** What is kept of one page, bytes: keys, and a few numbers for each column. Of a longer one nothing is. */
export const POSITION_BYTES_MAX = 8_192;
/** Pages of one tenant of which it is kept; the oldest go first. */
export const POSITIONS_PER_TENANT_MAX = 200;
/**
 * How long Redis may take to say where a page begins, or to keep it, milliseconds: to wait costs less than to read all pages
 * before it. After a failure it is left alone for a while.
 */
export const POSITION_WAIT_MS_MAX = 1_500;
export const POSITIONS_REST_MS = 1_000;
/** Tenants whose keys for that an engine remembers. */
export const POSITION_KEYS_KEPT = 1_000;
