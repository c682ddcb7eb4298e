import { useEffect, useState } from 'preact/hooks';

/** What comes sooner is shown without a word before it: a flash would only unsettle. */
const QUIET_MS = 250;

export function Spinner() {
  return <span class="spinner" aria-hidden="true" />;
}

/** Stands where something will be. `what`: in words, after "Loading". */
export function Loading({ what }: { readonly what: string }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="loading" role="status">
      {isShown ? (
        <>
          <Spinner /> Loading {what}…
        </>
      ) : null}
    </div>
  );
}
