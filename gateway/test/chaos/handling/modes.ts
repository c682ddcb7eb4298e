/** What may go wrong and must not hurt, by the names that operators give it (deploy/operations/incidents.md). */
export const FAILURE_MODES = [
  'the gateway is killed',
  'an engine is killed',
  'the usage-metering service is killed',
  'a worker is killed',
  'Redis restarts',
  'DynamoDB throttles the control plane',
  'a job fails',
  'a job comes twice',
  'a job is given up',
  'Redis is away',
  'auth is away',
  'the registry is away',
  'STS is slow',
  'tables of a tenant are throttled',
  'clocks are off by a minute',
  'more is asked than can be done',
  'one tenant asks for more than its share',
  'one tenant scans while another reads by key',
] as const;

type FailureMode = (typeof FAILURE_MODES)[number];

/** The smallest edit of one file that takes the handling of a failure out. */
export interface Edit {
  /** From the top of the repository, as is the test's. */
  readonly file: string;
  /** Occurs once in the file. */
  readonly from: string;
  readonly to: string;
}

/** What handles a failure, and the test that shows it: the test fails once the edit is made. */
export interface HandlingCase {
  /** Unique; names the case on the command line. */
  readonly name: string;
  readonly mode: FailureMode;
  readonly test: { readonly file: string; readonly title: string };
  readonly edit: Edit;
}
