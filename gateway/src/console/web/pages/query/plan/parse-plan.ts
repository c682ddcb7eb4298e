/** The tree that plan mode prints, as data. The print is for people, and so is what is made of it. */

export interface Estimate {
  readonly rows: number;
  readonly units: number;
  /** Equal to `units` where the cost is certain. */
  readonly low: number;
  readonly high: number;
}

export interface PlanNode {
  /** `Query`, `Scan`, `HashJoin`, `Filter`, … */
  readonly operation: string;
  /** What follows it on its line. */
  readonly rest: string;
  /** Of a read of a table or an index. */
  readonly read: PlanRead | null;
  /** `key`, `filter`, `why`, … with what is said of each; a line without a name has an empty one. */
  readonly details: readonly PlanDetail[];
  readonly inputs: readonly PlanNode[];
}

export interface PlanRead {
  /** `shop.orders`; of an index that was named, with it. */
  readonly table: string;
  /** What the statement calls it; as the table's own name where it does not say. */
  readonly alias: string;
  readonly index: string | null;
  readonly estimate: Estimate | null;
}

export interface PlanDetail {
  readonly name: string;
  readonly text: string;
}

const READS = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'IndexLookup', 'IndexUnion', 'Nothing']);
const INDENT = 2;
const DETAIL_NAME =
  /^(arm|estimate|filter|first page|key|keys from|merged|order|otherwise|projection|segments|select|stops after|then|units|why|assuming)(?:, [^:]{0,200})?: /;
const ESTIMATE = /^([\d.]+) rows, ([\d.]+) read units(?: \(([\d.]+)(?:–([\d.]+))?\))?/;

interface Line {
  readonly depth: number;
  readonly text: string;
}

function linesOf(text: string): readonly Line[] {
  return text.split('\n').map((line) => {
    const spaces = /^ */.exec(line)?.[0].length ?? 0;
    return { depth: Math.floor(spaces / INDENT), text: line.slice(spaces) };
  });
}

function detailOf(text: string): PlanDetail {
  const named = DETAIL_NAME.exec(text);
  if (named === null) return { name: '', text };
  return { name: named[1] ?? '', text: text.slice(named[0].length) };
}

function estimateOf(details: readonly PlanDetail[]): Estimate | null {
  const said = details.find(({ name }) => name === 'estimate')?.text ?? '';
  const [, rows, units, low = units, high = low] = ESTIMATE.exec(said) ?? [];
  if (rows === undefined || units === undefined) return null;
  return { rows: Number(rows), units: Number(units), low: Number(low), high: Number(high) };
}

/** `shop.orders as o index byRegion`, `shop.orders: a contradiction`. */
function readOf(operation: string, rest: string, details: readonly PlanDetail[]): PlanRead | null {
  if (!READS.has(operation)) return null;
  const [relation = '', index = null] = rest.split(' index ', 2);
  const [table = '', alias] = relation.split(' as ', 2);
  const [named = table] = operation === 'Nothing' ? table.split(': ', 1) : [table];
  const own = named.slice(named.indexOf('.') + 1);
  return { table: named, alias: alias ?? own, index, estimate: estimateOf(details) };
}

interface Opened {
  readonly depth: number;
  readonly head: string;
  readonly details: string[];
  readonly inputs: Opened[];
}

function closed({ head, details, inputs }: Opened): PlanNode {
  const [operation = ''] = /^[A-Za-z]+/.exec(head) ?? [];
  const rest = head.slice(operation.length).replace(/^:? /, '');
  const named = details.map(detailOf);
  return {
    operation,
    rest,
    read: readOf(operation, rest, named),
    details: named,
    inputs: inputs.map(closed),
  };
}

/** Null where the text is no tree. A node's inputs stand one level below it, what is said of it two. */
export function parsePlan(text: string): PlanNode | null {
  const path: Opened[] = [];
  let root: Opened | null = null;
  for (const { depth, text: line } of linesOf(text)) {
    const node: Opened = { depth, head: line, details: [], inputs: [] };
    const last = path.at(-1);
    if (last === undefined) {
      root = node;
      path.push(node);
      continue;
    }
    if (depth >= last.depth + 2 || depth === 0) {
      // Deeper than an input: said of the node before. A name with a line feed in it can stand at no depth at all.
      last.details.push(line);
      continue;
    }
    while (path.length > 1 && (path.at(-1)?.depth ?? 0) >= depth) path.pop();
    path.at(-1)?.inputs.push(node);
    path.push(node);
  }
  return root === null || root.head === '' ? null : closed(root);
}

/** All reads, as they stand in the tree from above. */
export function readsIn(node: PlanNode): readonly PlanNode[] {
  return [...(node.read === null ? [] : [node]), ...node.inputs.flatMap(readsIn)];
}
