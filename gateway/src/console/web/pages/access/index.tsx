/** The Access page, for admins: API clients, people, budgets. */
import { navigate, partsOf, place } from '../../app/router.ts';
import { Tabs } from '../../components/tabs.tsx';
import { PageHead } from '../common/page-head.tsx';
import { BudgetsTab } from './budgets-tab.tsx';
import { ClientsTab } from './clients-tab.tsx';
import { PeopleTab } from './people-tab.tsx';
import { guardShownOnce } from './shown-once.ts';

type Name = 'clients' | 'people' | 'budgets';

const TABS: readonly { readonly name: Name; readonly title: string }[] = [
  { name: 'clients', title: 'API clients' },
  { name: 'people', title: 'People' },
  { name: 'budgets', title: 'Budgets' },
];

const VIEWS = Object.freeze({ clients: ClientsTab, people: PeopleTab, budgets: BudgetsTab });

guardShownOnce(window);

export default function AccessPage() {
  const [, part = ''] = partsOf(place.value.path);
  const chosen = TABS.find(({ name }) => name === part)?.name ?? 'clients';
  const View = VIEWS[chosen];
  return (
    <div class="page">
      <PageHead
        title="Access"
        lead="Who may use Penstock in your organization, and how much they may read."
      />
      <Tabs label="Access" tabs={TABS} chosen={chosen} onChoose={(name) => navigate(`access/${name}`)}>
        <View />
      </Tabs>
    </div>
  );
}
