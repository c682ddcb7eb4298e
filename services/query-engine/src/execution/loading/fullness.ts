import type { ReadSteering } from '../../dynamodb/read-context.ts';

/** Follows a read of the first items of each range, and ends it at the first that has too few. */
export function watchFullness(): { readonly steering: ReadSteering; readonly isLacking: () => boolean } {
  let isLacking = false;
  return {
    steering: {
      nextItems: () => (isLacking ? null : Infinity),
      spent: () => undefined,
      topRead(isFull) {
        isLacking ||= !isFull;
      },
    },
    isLacking: () => isLacking,
  };
}
