/** That a table is throttled. `table` names it, with its tenant: other processes know it by the same name. */
export interface Throttling {
  readonly table: string;
  /** How long whoever was throttled pauses between two requests now, milliseconds. */
  readonly pauseMs: number;
}
