/** Who used what: API clients, and people here and through agents. */
import type { PrincipalUsage, UsageByPrincipal } from '../../../api/usage.ts';
import { Button } from '../../components/button.tsx';
import { count } from '../../components/figures.ts';
import { Foreign } from '../../components/foreign.tsx';
import { Icon } from '../../components/icon.tsx';
import { percent } from '../common/percent.ts';
import { saveAs } from '../common/save-as.ts';
import { Shown } from '../common/shown.tsx';
import type { Asked } from '../common/use-asked.ts';
import { halvesOf, unitsOfHalves } from './budget.ts';
import { csvOf } from './csv.ts';
import type { Range } from './range.ts';

const KINDS = Object.freeze({ client: 'API client', person: 'Person' });

const nameOf = ({ name, kind }: PrincipalUsage): string =>
  name ?? (kind === 'client' ? 'A client that is gone' : 'A person who is gone');

function csv({ items, others }: UsageByPrincipal): string {
  const rows = items.map((each) => [
    each.kind,
    each.id,
    each.name ?? '',
    BigInt(each.rowsReturned),
    String(each.readUnits),
  ]);
  return csvOf(
    ['kind', 'id', 'name', 'rowsReturned', 'readUnits'],
    [...rows, ['others', '', '', BigInt(others.rowsReturned), String(others.readUnits)]],
  );
}

interface PrincipalsProps {
  readonly asked: Asked<UsageByPrincipal>;
  readonly range: Range;
}

export function Principals({ asked, range }: PrincipalsProps) {
  return (
    <section class="card" aria-label="By client and person">
      <div class="card-head">
        <h2>By client and person</h2>
        {asked.value === null || asked.value.items.length === 0 ? null : (
          <Button
            small
            onClick={() => {
              if (asked.value === null) return;
              saveAs(`usage-by-client-${range.startDate}-${range.endDate}.csv`, 'text/csv', csv(asked.value));
            }}
          >
            <Icon name="download" />
            CSV
          </Button>
        )}
      </div>
      <Shown asked={asked} what="who used what">
        {({ items, others }) =>
          items.length === 0 && others.readUnits === 0 ? (
            <p class="muted">Nobody has read anything in these days.</p>
          ) : (
            <Rows items={items} others={others} />
          )
        }
      </Shown>
    </section>
  );
}

function Rows({ items, others }: Pick<UsageByPrincipal, 'items' | 'others'>) {
  const all = items.reduce((sum, { readUnits }) => sum + readUnits, others.readUnits);
  const figures = ({ rowsReturned, readUnits }: UsageByPrincipal['others']) => (
    <>
      <td class="number" data-label="Rows">
        {count(rowsReturned)}
      </td>
      <td class="number" data-label="Read units">
        {unitsOfHalves(halvesOf(readUnits))}
      </td>
      <td class="share" data-label="Share">
        <meter min={0} max={Math.max(all, 1)} value={readUnits} aria-label="Share of the read units" />
        <span class="figures">{percent(readUnits, all)}</span>
      </td>
    </>
  );
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Who used what">
      <table class="table stacks">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Kind</th>
            <th scope="col" class="number">
              Rows
            </th>
            <th scope="col" class="number">
              Read units
            </th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {items.map((each) => (
            <tr key={each.id}>
              <th scope="row">
                <Foreign text={nameOf(each)} />
              </th>
              <td class="kind">{KINDS[each.kind]}</td>
              {figures(each)}
            </tr>
          ))}
          {others.readUnits === 0 && others.rowsReturned === 0 ? null : (
            <tr>
              <th scope="row">Others</th>
              <td class="hint">from before it was known for whom</td>
              {figures(others)}
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
