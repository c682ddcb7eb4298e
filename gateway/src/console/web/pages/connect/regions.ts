/** Offered while one types. Any region of AWS is taken, also one that is newer than this list. */
export const REGIONS: readonly string[] = [
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
  'ca-central-1',
  'ca-west-1',
  'mx-central-1',
  'sa-east-1',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'eu-central-1',
  'eu-central-2',
  'eu-north-1',
  'eu-south-1',
  'eu-south-2',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-northeast-3',
  'ap-south-1',
  'ap-south-2',
  'ap-southeast-1',
  'ap-southeast-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ap-southeast-5',
  'ap-southeast-7',
  'ap-east-1',
  'ap-east-2',
  'af-south-1',
  'il-central-1',
  'me-central-1',
  'me-south-1',
  'us-gov-east-1',
  'us-gov-west-1',
  'cn-north-1',
  'cn-northwest-1',
  'eusc-de-east-1',
];

/** Letters that a typo gets wrong. */
const TYPO_EDITS_MAX = 2;

/** Edits (insert, delete, change) that lead from one text to the other. */
function editDistance(from: string, to: string): number {
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const changed = (last[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1);
      current.push(Math.min((last[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1, changed));
    }
    last = current;
  }
  return last[to.length] ?? 0;
}

/** The question about a region that is not in the list: it may be newer, but is more often a typo. Undefined: none. */
export function regionDoubt(region: string): string | undefined {
  if (REGIONS.includes(region)) return undefined;
  const near = REGIONS.map((name) => ({ name, edits: editDistance(region, name) }))
    .filter(({ edits }) => edits <= TYPO_EDITS_MAX)
    .toSorted((a, b) => a.edits - b.edits)[0];
  const meant = near === undefined ? '' : ` Did you mean ${near.name}?`;
  return `No region that Penstock knows is called ${region}.${meant} If it is right, go on once more.`;
}
