import { isAway } from '../net/connection.ts';

/** Says that Penstock does not answer, for as long as it does not. */
export function ConnectionBar() {
  return (
    <div role="status" class="connection">
      {isAway.value ? (
        <p class="connection-bar">
          Penstock does not answer at the moment. What you do is tried again by itself.
        </p>
      ) : null}
    </div>
  );
}
