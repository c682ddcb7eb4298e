import { Button } from '../../components/button.tsx';
import { count } from '../../components/figures.ts';
import { Icon } from '../../components/icon.tsx';
import { saveAs } from '../common/save-as.ts';
import { csvOf } from './csv.ts';
import { FIGURES, type UsageSummary } from './figures.ts';

function csv({ days }: UsageSummary): string {
  return csvOf(
    ['day', ...FIGURES.map(({ name }) => name)],
    days.map((each) => [each.day, ...FIGURES.map(({ name }) => BigInt(each[name]))]),
  );
}

/** The same as the chart, to read and to take along. */
export function DaysTable({ summary }: { readonly summary: UsageSummary }) {
  const { startDate, endDate, days } = summary;
  return (
    <div class="under-chart">
      <details>
        <summary>Show as a table</summary>
        <div class="table-scroll tall" tabIndex={0} role="region" aria-label="Usage by day">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Day</th>
                {FIGURES.map(({ name, title }) => (
                  <th key={name} scope="col" class="number">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map((each) => (
                <tr key={each.day}>
                  <th scope="row">{each.day}</th>
                  {FIGURES.map(({ name }) => (
                    <td key={name} class="number">
                      {count(each[name])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
      <Button small onClick={() => saveAs(`usage-${startDate}-${endDate}.csv`, 'text/csv', csv(summary))}>
        <Icon name="download" />
        CSV
      </Button>
    </div>
  );
}
