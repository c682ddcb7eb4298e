/** The workload's table, as Markdown. */
import { figuresOf, ratioOf, type Figures } from './figures.ts';
import { KINDS } from './query.ts';
import type { Outcome } from './run-workload.ts';
import { SHAPE_NAMES, SHAPES } from './shapes.ts';

/** Characters of a statement that are shown. */
const SQL_SHOWN_MAX = 400;

const HEAD = [
  '| tables | queries of kind | queries | units | minima | ratio | p95 | worst | above the bound | as estimated | high / low |',
  '|---|---|---|---|---|---|---|---|---|---|---|',
];

const line = (shape: string, kind: string, figures: Figures): string => {
  const { queries, units, least, ratio, p95, worst, violations, asSaid, spread } = figures;
  const cells = [
    shape,
    kind,
    queries,
    units,
    least,
    ...[ratio, p95, worst].map((one) => one.toFixed(2)),
    violations,
    `${Math.floor(asSaid * 100)} %`,
    spread.toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
};

/** A line for each shape and kind, one for each shape, and one for all. */
export function reportOf(outcomes: readonly Outcome[]): string {
  const lines = SHAPES.flatMap((shape) => {
    const own = outcomes.filter((one) => one.shape === shape);
    if (own.length === 0) return [];
    const name = SHAPE_NAMES[shape];
    return [
      ...KINDS.map((kind) => line(name, kind, figuresOf(own.filter(({ query }) => query.kind === kind)))),
      line(`**${name}**`, '**all**', figuresOf(own)),
    ];
  });
  return [...HEAD, ...lines, line('**all**', '**all**', figuresOf(outcomes))].join('\n');
}

function printOne(outcome: Outcome): string {
  const { units, least, certain, bound, estimate, sql } = outcome;
  const beyond = units > bound ? `, ABOVE ITS BOUND ${bound.toFixed(1)}` : '';
  const text = sql.length > SQL_SHOWN_MAX ? `${sql.slice(0, SQL_SHOWN_MAX)}…` : sql;
  const ratio = ratioOf(outcome).toFixed(1);
  return `- ${units} for ${least} (× ${ratio}; certain ${certain}${beyond}; estimated ${estimate.low}–${estimate.high}): ${text}`;
}

/** So many queries of those that broke the bound, and of the others so many that lost most. */
export function worstOf(outcomes: readonly Outcome[], count: number): string {
  const lost = ({ units, least }: Outcome): number => units - least;
  const lossy = outcomes.filter((one) => lost(one) > 0).toSorted((a, b) => lost(b) - lost(a));
  const [broken, kept] = [true, false].map((is) => lossy.filter(({ units, bound }) => units > bound === is));
  return [...(broken ?? []).slice(0, count), ...(kept ?? []).slice(0, count)].map(printOne).join('\n');
}

/** So many queries that came out otherwise than plan mode had said. */
export function misestimatedOf(outcomes: readonly Outcome[], count: number): string {
  const wrong = outcomes.filter(({ units, estimate: { low, high } }) => units < low || units > high);
  return wrong.slice(0, count).map(printOne).join('\n');
}
