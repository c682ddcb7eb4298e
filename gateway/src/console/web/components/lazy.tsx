import { createElement, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Loading } from './loading.tsx';

interface LazyProps<Props extends object> {
  /** The same function each time. */
  readonly load: () => Promise<ComponentType<Props>>;
  /** In words, after "Loading". */
  readonly what: string;
  readonly props: Props;
  /** Told once the part stands on the page, and when it leaves. The same function each time. */
  readonly onShown?: (isShown: boolean) => void;
}

/** A part of a page whose code is loaded when it is first shown. */
export function Lazy<Props extends object>({ load, what, props, onShown }: LazyProps<Props>) {
  const [tried, setTried] = useState(0);
  const [loaded, setLoaded] = useState<{ readonly part: ComponentType<Props> | null } | null>(null);
  useEffect(() => {
    let isWanted = true;
    load().then(
      (part) => isWanted && setLoaded({ part }),
      () => isWanted && setLoaded({ part: null }),
    );
    return () => {
      isWanted = false;
    };
  }, [load, tried]);
  const isShown = loaded !== null && loaded.part !== null;
  useEffect(() => {
    if (!isShown) return undefined;
    onShown?.(true);
    return () => onShown?.(false);
  }, [isShown, onShown]);
  if (loaded === null) return <Loading what={what} />;
  if (loaded.part === null) {
    const again = (): void => {
      setLoaded(null);
      setTried(tried + 1);
    };
    return (
      <div class="empty" role="alert">
        <p>It could not be loaded: Penstock could not be reached, or a new release has replaced this one.</p>
        <div class="actions">
          <Button onClick={again}>Try again</Button>
        </div>
      </div>
    );
  }
  return createElement(loaded.part, props);
}
