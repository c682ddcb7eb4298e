/** The queues that there are, by what is in them; whoever works on all of them finds them here. */
export const QUEUE_NAMES = Object.freeze({
  /** Background refreshes of schemas' metadata. */
  refresh: 'schema-refresh',
  /** The repeated draining of the usage stream. */
  aggregation: 'usage-aggregation',
});
