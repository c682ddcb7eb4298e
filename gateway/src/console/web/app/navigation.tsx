/** Links to the pages: in a row, or behind a button where the row does not fit. */
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { PAGES } from './pages.ts';
import { hrefOf, partsOf, place } from './router.ts';
import { isAdmin } from './session.ts';

function Links() {
  const [current = ''] = partsOf(place.value.path);
  const shown = PAGES.filter(
    ({ from, adminsOnly }) => from === 'navigation' && (!adminsOnly || isAdmin.value),
  );
  return (
    <>
      {shown.map(({ path, title }) => (
        <a
          key={path}
          class="nav-link"
          data-page
          href={hrefOf(path)}
          aria-current={path === current ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </>
  );
}

export function Navigation() {
  const [current = ''] = partsOf(place.value.path);
  const title = PAGES.find(({ path }) => path === current)?.title ?? 'Pages';
  return (
    <>
      <nav class="nav-row" aria-label="Pages">
        <Links />
      </nav>
      <div class="nav-menu">
        <Menu
          label={`Pages, now ${title}`}
          button={
            <>
              <Icon name="menu" />
              {title}
            </>
          }
        >
          <nav aria-label="Pages">
            <Links />
          </nav>
        </Menu>
      </div>
    </>
  );
}
