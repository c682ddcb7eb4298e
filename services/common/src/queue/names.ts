/** All queues, by what is in them. */
export const QUEUE_NAMES = Object.freeze({
  /** Background refreshes of schemas' metadata. */
  refresh: 'schema-refresh',
  /** The repeated draining of the usage stream. */
  aggregation: 'usage-aggregation',
});
