/** Shows the page of the place where one is, loaded when it is first asked for. */
import { Component, type ComponentChild, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Loading } from '../components/loading.tsx';
import { Notice } from '../components/notice.tsx';
import type { PageEntry } from './page.ts';

type Loaded = { readonly page: ComponentType } | { readonly failed: true } | null;

/** What a page throws is said in its place, and the rest of the console goes on. */
class Boundary extends Component<{ readonly children: ComponentChild }, { readonly broken: boolean }> {
  override state = { broken: false };

  static override getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ComponentChild {
    if (!this.state.broken) return this.props.children;
    return (
      <div class="page">
        <Notice kind="problem" title="This page failed">
          <p>What you wrote is kept in this browser.</p>
          <Button onClick={() => location.reload()}>Load it again</Button>
        </Notice>
      </div>
    );
  }
}

function useLoaded(entry: PageEntry, tried: number): Loaded {
  const [loaded, setLoaded] = useState<{ readonly of: PageEntry; readonly what: Loaded } | null>(null);
  useEffect(() => {
    let isWanted = true;
    const set = (what: Loaded): void => {
      if (isWanted) setLoaded({ of: entry, what });
    };
    entry.load().then(
      (module) => set({ page: module.default }),
      () => set({ failed: true }),
    );
    return () => {
      isWanted = false;
    };
  }, [entry, tried]);
  return loaded?.of === entry ? loaded.what : null;
}

export function PageView({ entry }: { readonly entry: PageEntry }) {
  const [tried, setTried] = useState(0);
  const loaded = useLoaded(entry, tried);
  if (loaded === null) return <Loading what={entry.title} />;
  if ('failed' in loaded) {
    return (
      <EmptyState
        title="This page could not be loaded"
        action={
          <>
            <Button kind="primary" onClick={() => setTried(tried + 1)}>
              Try again
            </Button>
            <Button onClick={() => location.reload()}>Load the console again</Button>
          </>
        }
      >
        <p>Penstock could not be reached, or a new release has replaced this one.</p>
      </EmptyState>
    );
  }
  const Page = loaded.page;
  return (
    <Boundary key={entry.path}>
      <Page />
    </Boundary>
  );
}
