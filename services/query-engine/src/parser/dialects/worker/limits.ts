/** Bounds of translating other dialects, for a process. */

/** A statement that is translated, characters: a longer one could not be said in an error. */
export const TRANSLATED_CHARS_MAX = 3_000;
/** How long the worker may work at one statement, milliseconds; then it is ended. */
export const TRANSLATION_MS_MAX = 500;
/** And the time that may pass meanwhile: on a busy machine its thread waits for a processor. */
export const TRANSLATION_PASSED_MS_MAX = 3_000;
/** How long it may take to start, milliseconds. */
export const WORKER_START_MS_MAX = 5_000;
/** How long the worker stays when nobody asks it, milliseconds. */
export const WORKER_IDLE_MS_MAX = 300_000;
/** Statements that wait for the worker, each of another tenant; more get no offer. */
export const TRANSLATIONS_WAITING_MAX = 8;
/** For how long a tenant gets no offers after a statement that the worker was ended for, milliseconds. */
export const TENANT_PAUSE_MS = 60_000;
/** Tenants that are remembered for that. */
export const PAUSED_TENANTS_KEPT = 1_000;
/** The worker's heap, MiB. */
export const WORKER_HEAP_MB_MAX = 96;
/** Its stack, MiB. */
export const WORKER_STACK_MB_MAX = 4;
