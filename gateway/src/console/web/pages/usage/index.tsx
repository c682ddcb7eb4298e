/** The Usage page: what was read, by day and by whom, and how far budgets are used. */
import { useState } from 'preact/hooks';
import { PATHS } from '../../../api/paths.ts';
import type { UsageByPrincipal } from '../../../api/usage.ts';
import type { BudgetList } from '../../../api/budgets.ts';
import { navigate, place } from '../../app/router.ts';
import { count } from '../../components/figures.ts';
import { PageHead } from '../common/page-head.tsx';
import { Shown } from '../common/shown.tsx';
import { usePath } from '../common/use-asked.ts';
import { Budgets } from './budgets.tsx';
import { changeInWords, changeOf } from './change.ts';
import { DayChart } from './day-chart.tsx';
import { DaysTable } from './days-table.tsx';
import { FIGURES, type Counts, type Figure, type UsageSummary } from './figures.ts';
import { Principals } from './principals.tsx';
import { before, daysIn, type Range } from './range.ts';
import { RangeBar } from './range-bar.tsx';
import { rangeOf, searchOf } from './range-in-address.ts';

const query = ({ startDate, endDate }: Range): string => `?startDate=${startDate}&endDate=${endDate}`;

function Totals({
  now,
  then,
  days,
}: {
  readonly now: Counts;
  readonly then: Counts | null;
  readonly days: number;
}) {
  return (
    <dl class="stats">
      {FIGURES.map(({ name, title }) => (
        <div key={name} class="stat card">
          <dt>{title}</dt>
          <dd class="figures">{count(now[name])}</dd>
          <dd class="hint">
            {then === null ? '\u00a0' : changeInWords(changeOf(BigInt(now[name]), BigInt(then[name])), days)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The figures of the days before, once they are there. */
const comparedWith = (summary: UsageSummary, earlier: UsageSummary | null): Counts | null =>
  earlier?.startDate === before(summary).startDate ? earlier.totals : null;

export default function UsagePage() {
  const [figure, setFigure] = useState<Figure>('ddbReadUnits');
  const range = rangeOf(place.value.search, Date.now());
  const summary = usePath<UsageSummary>(`/v1/usage/summary${query(range)}`);
  const earlier = usePath<UsageSummary>(`/v1/usage/summary${query(before(range))}`);
  const principals = usePath<UsageByPrincipal>(`${PATHS.usageByPrincipal}${query(range)}`);
  const budgets = usePath<BudgetList>(PATHS.budgets);
  return (
    <div class="page">
      <PageHead title="Usage" lead="What was read of your tables, by day. Days begin at midnight UTC." />
      <RangeBar
        range={range}
        onRange={(chosen) => navigate(`usage?${searchOf(chosen)}`, { replace: true })}
      />
      <Shown asked={summary} what="the usage">
        {(value) => (
          <>
            <Totals now={value.totals} then={comparedWith(value, earlier.value)} days={daysIn(value)} />
            <section class="card" aria-label="By day">
              <DayChart days={value.days} figure={figure} onFigure={setFigure} />
              <DaysTable summary={value} />
            </section>
          </>
        )}
      </Shown>
      <Principals asked={principals} range={range} />
      <Budgets asked={budgets} />
    </div>
  );
}
