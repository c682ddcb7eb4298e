import { ago, dateTime } from '../../components/figures.ts';

/** How long ago, with the very moment beneath the pointer and for programs. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={dateTime(at)}>
      {ago(at)}
    </time>
  );
}
