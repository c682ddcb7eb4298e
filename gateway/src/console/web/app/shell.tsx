/** What stands around every page: brand, navigation, account menu, what is wrong with the connection, messages. */
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Loading } from '../components/loading.tsx';
import { Toasts } from '../components/toasts.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { Navigation } from './navigation.tsx';
import { PAGES, FIRST_PAGE } from './pages.ts';
import { PageView } from './page-view.tsx';
import { hrefOf, navigate, partsOf, place } from './router.ts';
import { isAdmin, loadSession, sessionState } from './session.ts';
import { SignedOutDialog } from './signed-out-dialog.tsx';

function Current() {
  const [name = ''] = partsOf(place.value.path);
  const entry = PAGES.find(({ path }) => path === name);
  const main = useRef<HTMLElement>(null);
  const shown = useRef(name);
  useEffect(() => {
    if (name === '') navigate(FIRST_PAGE, { replace: true });
    document.title = `${entry?.title ?? 'Not found'} – Penstock`;
    // Who reads with the ears hears where they are now; the first page takes the focus where it wants it.
    if (shown.current !== name && shown.current !== '') main.current?.focus();
    shown.current = name;
  }, [name]);
  const isAllowed = entry !== undefined && (!entry.adminsOnly || isAdmin.value);
  return (
    <main id="main" tabIndex={-1} ref={main} aria-label={entry?.title ?? 'Not found'}>
      {isAllowed || name === '' ? null : <h1 class="sr-only">{entry?.title ?? 'Not found'}</h1>}
      {isAllowed ? (
        <PageView entry={entry} />
      ) : name === '' ? null : (
        <EmptyState
          title={entry === undefined ? 'There is no such page' : 'This page is for admins'}
          action={
            <a class="button" data-page href={hrefOf(FIRST_PAGE)}>
              Write a query
            </a>
          }
        >
          {entry === undefined ? null : <p>Ask an admin of your tenant, or to become one.</p>}
        </EmptyState>
      )}
    </main>
  );
}

function SignedIn() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <header class="top">
        <Brand />
        <Navigation />
        <AccountMenu />
      </header>
      <ConnectionBar />
      <Current />
      <SignedOutDialog />
      <Toasts />
    </>
  );
}

export function Shell() {
  const state = sessionState.value;
  switch (state.kind) {
    case 'loading':
      return <Loading what="the console" />;
    case 'failed':
      return (
        <EmptyState
          title="The console could not be loaded"
          action={
            <Button kind="primary" onClick={() => void loadSession()}>
              Try again
            </Button>
          }
        >
          <p>{state.problem.message}</p>
        </EmptyState>
      );
    case 'signed-in':
      return <SignedIn />;
  }
}
