/** Who is signed in, their own pages, light or dark, and the way out. */
import { Icon } from '../components/icon.tsx';
import { Foreign } from '../components/foreign.tsx';
import { Menu } from '../components/menu.tsx';
import { notify } from '../components/toasts.tsx';
import { PAGES } from './pages.ts';
import { hrefOf } from './router.ts';
import { session, signOut } from './session.ts';
import { applyTheme, theme, type Theme } from './theme.ts';

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

async function leave(): Promise<void> {
  const problem = await signOut('here');
  if (problem !== null) notify(`You are still signed in: ${problem.message}`, 'problem');
}

export function AccountMenu() {
  const { user, tenant } = session.value;
  const own = PAGES.filter(({ from }) => from === 'account-menu');
  return (
    <div class="account">
      <Menu
        label={`Account of ${user.email}`}
        align="end"
        button={
          <>
            <Icon name="person" />
            <span class="account-tenant">
              <Foreign text={tenant.name} />
            </span>
          </>
        }
      >
        <p class="menu-heading">
          <strong>
            <Foreign text={user.email} />
          </strong>
          <span class="hint">
            {user.role === 'admin' ? 'Admin' : 'Member'} of <Foreign text={tenant.name} />
          </span>
        </p>
        {own.map(({ path, title }) => (
          <a key={path} class="menu-item" data-page href={hrefOf(path)}>
            {title}
          </a>
        ))}
        <fieldset class="menu-choice" data-keep-open>
          <legend>Light or dark</legend>
          <div class="segments">
            {THEMES.map(([value, label]) => (
              <label key={value}>
                <input
                  type="radio"
                  name="theme"
                  value={value}
                  checked={theme.value === value}
                  onChange={() => applyTheme(value)}
                />
                <span>{label}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <button type="button" class="menu-item" onClick={() => void leave()}>
          Sign out
        </button>
      </Menu>
    </div>
  );
}
